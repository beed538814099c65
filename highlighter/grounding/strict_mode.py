"""Strict mode: each claim ends with `(exact quote) [[label]]`, and the quote occurs word for word in that source."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from highlighter.grounding.claims import extract_claims
from highlighter.grounding.quotations import VERIFIED, check_quote
from highlighter.grounding.verdicts import shorten_claim
from highlighter.models import Source
from highlighter.text.characters import fold

_BALANCED_BRACKETS = r"[^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*"
_GROUNDED_QUOTE = re.compile(rf"[\(（]({_BALANCED_BRACKETS})[\)）]\s*((?:\[\[[^\[\]\n]+\]\]\s*)+)")
_LABEL = re.compile(r"\[\[([^\[\]\n]+)\]\]")
_SENTENCE_ENDS = ".!?。！？:："


@dataclass(frozen=True, slots=True)
class GroundedQuote:
    """A unit "(exact quote) [[label]]"; `[start, end)` is its span in the text."""

    quote: str
    labels: tuple[str, ...]
    start: int
    end: int


def find_grounded_quotes(text: str) -> list[GroundedQuote]:
    """Return the units "(exact quote) [[label]]" in the order of the text."""
    return [
        GroundedQuote(
            match[1].strip(), tuple(_LABEL.findall(match[2])), match.start(), match.start(2) + len(match[2].rstrip())
        )
        for match in _GROUNDED_QUOTE.finditer(text)
    ]


def list_grounding_errors(text: str, sources: Sequence[Source]) -> list[str]:
    """Return why an answer is not grounded in strict mode; empty if it is. Sources are identified by their labels."""
    if not text.strip():
        return ["The answer is empty."]
    quotes = find_grounded_quotes(text)
    return [
        *_list_unquoted_claims(text, quotes),
        *(reason for quote in quotes for reason in _list_quote_errors(quote, sources)),
    ]


def _list_unquoted_claims(text: str, quotes: Sequence[GroundedQuote]) -> list[str]:
    """Return an error for each claim without a quote before the next claim."""
    text_without_quotes = _blank_quotes(text, quotes)
    label_spans = [match.span() for match in _LABEL.finditer(text_without_quotes)]
    claims = extract_claims(text_without_quotes, label_spans)
    claim_ends = [*(claim.start for claim in claims[1:]), len(text)][: len(claims)]
    return [
        f"“{shorten_claim(claim.text)}” does not end with (exact quote) [[label]]."
        for claim, claim_end in zip(claims, claim_ends, strict=True)
        if not any(claim.start <= quote.start < claim_end for quote in quotes)
    ]


def _blank_quotes(text: str, quotes: Sequence[GroundedQuote]) -> str:
    """Replace the units by spaces; a sentence whose full stop follows its unit, or is missing, ends before the unit."""
    for quote in quotes:
        before = text[: quote.start].rstrip()
        full_stop = "" if not before or before[-1] in _SENTENCE_ENDS else "."
        kept_length = len(before)
        blank = full_stop + " " * (quote.end - kept_length - len(full_stop))
        text = text[:kept_length] + blank + text[quote.end :]
        if full_stop and text[quote.end :].lstrip()[:1] in tuple(_SENTENCE_ENDS):
            offset = quote.end + len(text[quote.end :]) - len(text[quote.end :].lstrip())
            text = text[:offset] + " " + text[offset + 1 :]
    return text


def _list_quote_errors(grounded_quote: GroundedQuote, sources: Sequence[Source]) -> list[str]:
    errors, known_sources = [], []
    for label in grounded_quote.labels:
        labelled_sources = [source for source in sources if fold(source.label).strip() == fold(label).strip()]
        known_sources += labelled_sources
        if not labelled_sources:
            errors.append(f"Unknown source [[{label}]].")
    if not grounded_quote.quote:
        return [*errors, f"The quote before [[{grounded_quote.labels[0]}]] is empty."]
    checks = [check_quote(grounded_quote.quote, source.text) for source in known_sources]
    if checks and not any(check.state == VERIFIED for check in checks):
        errors.append(
            f"“{shorten_claim(grounded_quote.quote)}” is not in [[{known_sources[0].label}]] word for word. {checks[0].why}".strip()
        )
    return errors
