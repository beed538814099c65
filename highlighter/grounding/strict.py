"""Strict mode: each claim ends with `(exact quote) [[label]]`, and the quote stands in that source, word for word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from highlighter.folding import fold
from highlighter.grounding.claims import claims_of
from highlighter.grounding.quotes import VERIFIED, check_quote
from highlighter.grounding.score import SHOWN_AT_MOST
from highlighter.models import Source

_INSIDE = r"[^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*"
_UNIT = re.compile(rf"[\(（]({_INSIDE})[\)）]\s*((?:\[\[[^\[\]\n]+\]\]\s*)+)")
_LABEL = re.compile(r"\[\[([^\[\]\n]+)\]\]")
_ENDS = ".!?。！？:："


@dataclass(frozen=True, slots=True)
class Grounded:
    """One "(exact quote) [[label]]"; `[start, end)` is the whole of it in the text."""

    quote: str
    labels: tuple[str, ...]
    start: int
    end: int


def units_of(text: str) -> list[Grounded]:
    return [
        Grounded(
            match[1].strip(), tuple(_LABEL.findall(match[2])), match.start(), match.start(2) + len(match[2].rstrip())
        )
        for match in _UNIT.finditer(text)
    ]


def grounding_errors(text: str, sources: Sequence[Source]) -> list[str]:
    """Why an answer is not grounded in the strict sense; none when it is. Sources are known by their labels."""
    if not text.strip():
        return ["The answer says nothing."]
    units = units_of(text)
    return [*_unquoted(text, units), *(reason for unit in units for reason in _wrong(unit, sources))]


def _unquoted(text: str, units: Sequence[Grounded]) -> list[str]:
    """Claims after which no quote comes before the next one begins."""
    bare = _without(text, units)
    loose = [match.span() for match in _LABEL.finditer(bare)]
    claims = claims_of(bare, loose)
    borders = [*(claim.start for claim in claims[1:]), len(text)][: len(claims)]
    return [
        f"“{_short(claim.text)}” does not end with (exact quote) [[label]]."
        for claim, border in zip(claims, borders, strict=True)
        if not any(claim.start <= unit.start < border for unit in units)
    ]


def _without(text: str, units: Sequence[Grounded]) -> str:
    """Blanks for the units; a sentence that had its stop after the unit, or none, ends where the unit began."""
    for unit in units:
        before = text[: unit.start].rstrip()
        stop = "" if not before or before[-1] in _ENDS else "."
        kept = len(before)
        blank = stop + " " * (unit.end - kept - len(stop))
        text = text[:kept] + blank + text[unit.end :]
        if stop and text[unit.end :].lstrip()[:1] in tuple(_ENDS):
            at = unit.end + len(text[unit.end :]) - len(text[unit.end :].lstrip())
            text = text[:at] + " " + text[at + 1 :]
    return text


def _wrong(unit: Grounded, sources: Sequence[Source]) -> list[str]:
    reasons, known = [], []
    for label in unit.labels:
        found = [source for source in sources if fold(source.label).strip() == fold(label).strip()]
        known += found
        if not found:
            reasons.append(f"There is no source [[{label}]].")
    if not unit.quote:
        return [*reasons, f"The quote before [[{unit.labels[0]}]] is empty."]
    told = [check_quote(unit.quote, source.text) for source in known]
    if told and not any(one.state == VERIFIED for one in told):
        reasons.append(f"“{_short(unit.quote)}” is not in [[{known[0].label}]] word for word. {told[0].why}".strip())
    return reasons


def _short(text: str) -> str:
    return text if len(text) <= SHOWN_AT_MOST else text[:SHOWN_AT_MOST].rsplit(" ", 1)[0] + " …"
