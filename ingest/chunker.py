"""Sentences into chunks: by section where sections are known, whole sentences, no heading left behind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from math import ceil
from typing import NamedTuple

from highlighter.sentences import Span
from ingest.readers.reading import Heading

# Tokens, as a language model would count them. About a dozen sentences: enough to be understood alone, little enough
# that a reader sees the lit sentence at once.
TARGET = 350
LIMIT = 1_000
TINY = 60  # nothing worth citing alone; joined to what follows, or, at the end, to what stands before
ROOMY = TARGET * 3 // 2  # up to here a section is left whole
TITLE = 80  # characters of a heading in a section path
# A row of a table may be three tokens; forty of them are as much to look through as a dozen sentences.
LEAST_COST = 10

_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_LEAD_IN = (":", "：")


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk to be: `[start, end)` of the text, sentences `[first_sentence, last_sentence)`, and its section's path."""

    start: int
    end: int
    first_sentence: int
    last_sentence: int
    section: str


class _Mark(NamedTuple):
    """What headings have to do with a sentence: those that open at it, and whether it is nothing but a heading."""

    opens: tuple[Heading, ...]
    is_heading: bool


class _Part(NamedTuple):
    """A run of sentences inside one section."""

    first: int
    last: int
    cost: int
    level: int | None  # of the heading it opens with; None: it goes on
    base: int  # the level of the section it began in: what follows may only join as a sibling or below


def chunk(text: str, sentences: list[Span], headings: tuple[Heading, ...]) -> list[Piece]:
    """Every sentence in exactly one piece, in order; a piece ends where a sentence does."""
    marks = _marks(sentences, headings)
    costs = [max(estimate_tokens(span.text), LEAST_COST) for span in sentences]
    parts: list[_Part] = []
    for first, last in _sections(marks):
        parts += _cut(text, sentences, marks, costs, first, last)
    paths = _paths(text, marks)
    pieces = []
    for part in _joined(parts):
        body = next((at for at in range(part.first, part.last) if not marks[at].is_heading), part.last - 1)
        start, end = sentences[part.first].start_char, sentences[part.last - 1].end_char
        pieces.append(Piece(start, end, part.first, part.last, paths[body]))
    return pieces


def estimate_tokens(text: str) -> int:
    """A cheap count: four characters a token, but each character of a script written without spaces is one."""
    unspaced = 0 if text.isascii() else len(_UNSPACED.findall(text))
    return unspaced + ceil((len(text) - unspaced) / 4)


def _marks(sentences: list[Span], headings: tuple[Heading, ...]) -> list[_Mark]:
    ordered = sorted(headings, key=lambda heading: heading.start)
    at, latest_end = 0, -1
    marks: list[_Mark] = []
    for span in sentences:
        first = at
        while at < len(ordered) and ordered[at].start < span.end_char:
            latest_end = max(latest_end, ordered[at].end)
            at += 1
        marks.append(_Mark(tuple(ordered[first:at]), span.end_char <= latest_end))
    return marks


def _sections(marks: list[_Mark]) -> Iterator[tuple[int, int]]:
    """Runs of sentences: each begins with its headings (a chapter's directly before its first clause's, say)."""
    start = 0
    for at in range(1, len(marks)):
        if marks[at].opens and not marks[at - 1].is_heading:
            yield start, at
            start = at
    if marks:
        yield start, len(marks)


def _cut(
    text: str, sentences: list[Span], marks: list[_Mark], costs: list[int], first: int, last: int
) -> Iterator[_Part]:
    """One section, cut into parts of about equal size where it is too long for one chunk."""
    base = min((heading.level for mark in marks[first:last] for heading in mark.opens), default=0)
    left = sum(costs[first:last])
    ideal = left / max(1, round(left / TARGET))
    level = base or None
    while first < last:
        end = last if left <= ROOMY else _best_end(text, sentences, marks, costs, first, last, ideal)
        cost = sum(costs[first:end])
        yield _Part(first, end, cost, level, base)
        first, left, level = end, left - cost, None


def _best_end(
    text: str, sentences: list[Span], marks: list[_Mark], costs: list[int], first: int, last: int, ideal: float
) -> int:
    """Where the part that begins at `first` best ends: near the ideal size, between paragraphs, not after a lead-in."""
    best, least = None, float("inf")
    fits = None  # the last end within the limit, for when a huge sentence leaves none near the ideal
    window = costs[first : min(last, first + LIMIT // LEAST_COST + 1)]
    for end, size in enumerate(accumulate(window), first + 1):
        is_heading = marks[end - 1].is_heading
        if size > LIMIT and not (best or fits):
            return max(end - 1, first + 1) if is_heading else end  # headings alone, or one sentence with its headings
        if size > LIMIT or (best and size > 1.4 * ideal):
            break
        if is_heading:
            continue
        fits = end
        if size < 0.6 * ideal:
            continue
        gap = text[sentences[end - 1].end_char : sentences[end].start_char] if end < last else "\n\n"
        penalty = abs(size - ideal) / ideal + (0.0 if "\n\n" in gap else 0.25)
        penalty += 0.6 if sentences[end - 1].text.endswith(_LEAD_IN) else 0.0
        if penalty < least:
            best, least = end, penalty
    return best or fits or end


def _joined(parts: list[_Part]) -> list[_Part]:
    """Small siblings in one chunk; what is tiny goes with what follows it, at the end with what stands before."""
    joined: list[_Part] = []
    for part in parts:
        if joined and _belong_together(joined[-1], part):
            _join(joined, part)
        else:
            joined.append(part)
    if len(joined) > 1 and joined[-1].cost < TINY and joined[-1].level != 1:
        tail = joined.pop()
        if joined[-1].cost + tail.cost <= LIMIT:
            _join(joined, tail)
        else:
            joined.append(tail)
    return joined


def _belong_together(before: _Part, part: _Part) -> bool:
    size = before.cost + part.cost
    if before.cost < TINY:
        return size <= LIMIT
    sibling = part.level is not None and part.level > 1 and part.level >= before.base
    return sibling and size <= TARGET + TINY


def _join(joined: list[_Part], part: _Part) -> None:
    before = joined[-1]
    base = min(before.base, part.base) if before.cost >= TINY else part.base
    joined[-1] = _Part(before.first, part.last, before.cost + part.cost, before.level, base)


def _paths(text: str, marks: list[_Mark]) -> list[str]:
    """For each sentence the titles of the headings it stands under, from the highest down."""
    stack: list[tuple[int, str]] = []
    paths: list[str] = []
    path = ""
    for mark in marks:
        for heading in mark.opens:
            stack = [item for item in stack if item[0] < heading.level] + [(heading.level, _title(text, heading))]
            path = " > ".join(title for _, title in stack if title)
        paths.append(path)
    return paths


def _title(text: str, heading: Heading) -> str:
    title = " ".join(text[heading.start : heading.end].split())
    if re.fullmatch(r"\d+(?:\.\d+)*\.?", title):
        return title.rstrip(".")
    return title if len(title) <= TITLE else title[: TITLE - 1].rstrip() + "…"
