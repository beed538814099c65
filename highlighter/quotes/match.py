"""The result of locating a quote: its tier, its spans, and the reason when it is only a near miss."""

from __future__ import annotations

from dataclasses import dataclass, replace

from highlighter.locale import N_
from highlighter.quotes.word_diff import OTHER_NEGATION, OTHER_NUMBER, OTHER_WORDS, DiffSegment

EXACT, NORMALISED, FUZZY, SEMANTIC, NONE = "exact", "normalised", "fuzzy", "semantic", "none"
TIERS = (EXACT, NORMALISED, FUZZY, SEMANTIC, NONE)  # best first

# Why a quote is not located. A near miss with one of the first four was taken from the span and altered.
OMISSION, NOT_FOUND, TOO_SHORT = "omission", "not found", "too short"
MISS_REASONS = (OTHER_NUMBER, OTHER_NEGATION, OTHER_WORDS, OMISSION, NOT_FOUND, TOO_SHORT)

QUOTE_TOO_SHORT = N_("The quote is too short or too common to locate.")
QUOTE_NOT_FOUND = N_("No passage matches this quote.")


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """A match at `[start, end)` of the text; with the tier `none` a near miss, of which `why` says what differs."""

    tier: str
    start: int
    end: int
    score: float
    differs: tuple[DiffSegment, ...] = ()
    other_spans: tuple[tuple[int, int], ...] = ()  # further spans that match as well
    why: str = ""
    context_agreement: float = 0.0  # how similar the text around the span is to the given context
    spans: tuple[tuple[int, int], ...] = ()  # of the fragments, where the quote leaves out words between them
    reason: str = ""  # one of MISS_REASONS, for a near miss

    @property
    def is_verbatim(self) -> bool:
        """Return whether the quote differs in spelling at most, or only in what its ellipses stand for."""
        return self.tier in (EXACT, NORMALISED) or (self.tier == FUZZY and bool(self.spans) and self.score == 1.0)

    def shift(self, offset: int) -> QuoteMatch:
        """Return the match of a slice of a text as a match of the text; `offset` is where the slice begins."""
        return replace(
            self,
            start=self.start + offset,
            end=self.end + offset,
            other_spans=shift_spans(self.other_spans, offset),
            spans=shift_spans(self.spans, offset),
        )


def shift_spans(spans: tuple[tuple[int, int], ...], offset: int) -> tuple[tuple[int, int], ...]:
    return tuple((start + offset, end + offset) for start, end in spans)
