"""Strict mode: each claim ends with `(exact quote) [[label]]`, and the quote stands in that source, word for word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from highlighter.grounding.claims import extract_claims
from highlighter.grounding.quotations import VERIFIED, check_quote
from highlighter.grounding.verdicts import MAX_CLAIM_CHARACTERS_SHOWN
from highlighter.models import Source
from highlighter.text.characters import fold

_BALANCED_BRACKETS = r"[^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*"
_GROUNDED_QUOTE = re.compile(rf"[\(（]({_BALANCED_BRACKETS})[\)）]\s*((?:\[\[[^\[\]\n]+\]\]\s*)+)")
_LABEL = re.compile(r"\[\[([^\[\]\n]+)\]\]")
_SENTENCE_ENDS = ".!?。！？:："


@dataclass(frozen=True, slots=True)
class GroundedQuote:
    """One "(exact quote) [[label]]"; `[start, end)` is the whole of it in the text."""

    quote: str
    labels: tuple[str, ...]
    start: int
    end: int


def find_grounded_quotes(text: str) -> list[GroundedQuote]:
    return [
        GroundedQuote(
            match[1].strip(), tuple(_LABEL.findall(match[2])), match.start(), match.start(2) + len(match[2].rstrip())
        )
        for match in _GROUNDED_QUOTE.finditer(text)
    ]


def list_grounding_errors(text: str, sources: Sequence[Source]) -> list[str]:
    """Why an answer is not grounded in the strict sense; none when it is. Sources are known by their labels."""
    if not text.strip():
        return ["The answer is empty."]
    units = find_grounded_quotes(text)
    return [
        *_list_unquoted_claims(text, units),
        *(reason for unit in units for reason in _list_quote_errors(unit, sources)),
    ]


def _list_unquoted_claims(text: str, quotes: Sequence[GroundedQuote]) -> list[str]:
    """Claims after which no quote comes before the next one begins."""
    bare = _blank_quotes(text, quotes)
    loose = [match.span() for match in _LABEL.finditer(bare)]
    claims = extract_claims(bare, loose)
    borders = [*(claim.start for claim in claims[1:]), len(text)][: len(claims)]
    return [
        f"“{_shorten(claim.text)}” does not end with (exact quote) [[label]]."
        for claim, border in zip(claims, borders, strict=True)
        if not any(claim.start <= unit.start < border for unit in quotes)
    ]


def _blank_quotes(text: str, quotes: Sequence[GroundedQuote]) -> str:
    """Blanks for the units; a sentence that had its stop after the unit, or none, ends where the unit began."""
    for unit in quotes:
        before = text[: unit.start].rstrip()
        stop = "" if not before or before[-1] in _SENTENCE_ENDS else "."
        kept = len(before)
        blank = stop + " " * (unit.end - kept - len(stop))
        text = text[:kept] + blank + text[unit.end :]
        if stop and text[unit.end :].lstrip()[:1] in tuple(_SENTENCE_ENDS):
            at = unit.end + len(text[unit.end :]) - len(text[unit.end :].lstrip())
            text = text[:at] + " " + text[at + 1 :]
    return text


def _list_quote_errors(grounded_quote: GroundedQuote, sources: Sequence[Source]) -> list[str]:
    reasons, known = [], []
    for label in grounded_quote.labels:
        found = [source for source in sources if fold(source.label).strip() == fold(label).strip()]
        known += found
        if not found:
            reasons.append(f"Unknown source [[{label}]].")
    if not grounded_quote.quote:
        return [*reasons, f"The quote before [[{grounded_quote.labels[0]}]] is empty."]
    told = [check_quote(grounded_quote.quote, source.text) for source in known]
    if told and not any(one.state == VERIFIED for one in told):
        reasons.append(
            f"“{_shorten(grounded_quote.quote)}” is not in [[{known[0].label}]] word for word. {told[0].why}".strip()
        )
    return reasons


def _shorten(text: str) -> str:
    return (
        text if len(text) <= MAX_CLAIM_CHARACTERS_SHOWN else text[:MAX_CLAIM_CHARACTERS_SHOWN].rsplit(" ", 1)[0] + " …"
    )
