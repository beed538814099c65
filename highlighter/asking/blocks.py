"""An answer's text as a template loops over it: blocks of lines of cells of stretches of pieces.

All cuts are made by offsets in the text; escaping is done by the template, after. No markup is made in this file. Of
Markdown only what answers use is understood, and where it was not asked for, only lists and titles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from highlighter.api.answer_schemas import AnswerOut

SUPPORTED = "supported"
TEXT, LIST, HEADING, TABLE, NOTES = "text", "list", "heading", "table", "notes"

_BULLET = re.compile(r"\s*[-•*][ \t]+(?=\S)")
_HASHES = re.compile(r"\s*#{1,6}[ \t]+(?=\S)")
_ALL_STRONG = re.compile(r"\s*\*\*(?P<title>[^*\n]+)\*\*\s*$")
_STRONG = re.compile(r"\*\*(?=\S)(?P<words>[^*\n]+?)(?<=\S)\*\*")
_NOTE = re.compile(r"(?:[⁰¹²³⁴⁵⁶⁷⁸⁹]+|\[\d+\]) (?=\S)")  # of the list that footnotes and endnotes point at
_ROW = re.compile(r"\s*\|.*\|\s*$")
_RULE = re.compile(r"[\s|:-]+$")
_CELL = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in the text where something is cited; several citations may share one."""

    start: int
    end: int
    citations: tuple[int, ...] = ()
    lost: int = -1  # of those that mean no source


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    mark: Mark | None = None
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Stretch:
    """What belongs to one doubted claim, or to none."""

    pieces: tuple[Piece, ...]
    claim: int = -1
    ends: bool = False  # here, so that what is wrong with it is said here


@dataclass(frozen=True, slots=True)
class Block:
    kind: str
    lines: tuple[tuple[tuple[Stretch, ...], ...], ...]


def blocks(answer: AnswerOut, markdown: bool = False) -> tuple[Block, ...]:
    cut = _Cut(answer, markdown)
    lines = [cut.line(start, end) for start, end in _lines(answer.text)]
    groups = groupby(enumerate(lines), lambda item: (item[1][0], item[1][0] == HEADING and item[0]))
    return tuple(
        Block(kind, tuple(cells for _, (_, cells) in group if cells)) for (kind, _), group in groups if kind
    )  # fmt: skip


def marks(answer: AnswerOut) -> list[Mark]:
    """In the order of the text, none over another: what begins within a mark belongs to it."""
    every = [(one.start, one.end, at, -1) for at, one in enumerate(answer.citations)]
    every += [(one.start, one.end, -1, at) for at, one in enumerate(answer.unresolved)]
    found: list[Mark] = []
    for start, end, citation, lost in sorted(every, key=lambda one: one[:2]):
        if not 0 <= start < end <= len(answer.text):
            continue
        cited = (citation,) if citation >= 0 else ()
        if found and start < found[-1].end:
            found[-1] = Mark(found[-1].start, found[-1].end, found[-1].citations + cited, found[-1].lost)
        else:
            found.append(Mark(start, end, cited, lost))
    return found


def _lines(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for line in text.split("\n"):
        yield at, at + len(line)
        at += len(line) + 1


class _Cut:
    def __init__(self, answer: AnswerOut, markdown: bool):
        self.text = answer.text
        self.markdown = markdown
        self.marks = marks(answer)
        self._shown: set[Mark] = set()  # one that runs over a line's end is shown where it begins
        self.claims = [(c.start, c.end, at) for at, c in enumerate(answer.claims) if c.verdict != SUPPORTED]
        self.titles = {one.text.strip() for one in answer.sub_questions} if len(answer.sub_questions) > 1 else set()

    def line(self, start: int, end: int) -> tuple[str, tuple[tuple[Stretch, ...], ...]]:
        """Its kind ("" for an empty one), and its cells."""
        line = self.text[start:end]
        if not line.strip():
            return "", ()
        if title := _ALL_STRONG.match(line):
            return HEADING, (self.stretches(start + title.start("title"), start + title.end("title")),)
        if line.strip() in self.titles:
            return HEADING, (self.stretches(start, end),)
        if self.markdown and (hashes := _HASHES.match(line)):
            return HEADING, (self.stretches(start + hashes.end(), end),)
        if bullet := _BULLET.match(line):
            return LIST, (self.stretches(start + bullet.end(), end),)
        if self.markdown and _ROW.match(line):
            return TABLE, () if _RULE.match(line) else tuple(self.stretches(a, b) for a, b in self._cells(start, end))
        if _NOTE.match(line) and not any(mark.start == start for mark in self.marks):
            return NOTES, (self.stretches(start, end),)
        return TEXT, (self.stretches(start, end),)

    def _cells(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        bars = (start + found.start() for found in _CELL.finditer(self.text[start:end]))
        outside = [bar for bar in bars if not any(mark.start <= bar < mark.end for mark in self.marks)]
        for a, b in pairwise(outside):
            yield a + 1, b

    def stretches(self, start: int, end: int) -> tuple[Stretch, ...]:
        pieces = list(self._pieces(start, end))
        made = []
        for claim, group in groupby(pieces, key=lambda item: item[0]):
            held = list(group)
            ends = claim >= 0 and not self.text[held[-1][1] : self._end_of(claim)].strip()
            made.append(Stretch(tuple(piece for _, _, piece in held), claim, ends))
        return tuple(made)

    def _end_of(self, claim: int) -> int:
        return next(end for _, end, at in self.claims if at == claim)

    def _pieces(self, start: int, end: int) -> Iterator[tuple[int, int, Piece]]:
        """(claim, where it ends, piece)."""
        strong, hidden = self._strong(start, end)
        spans = [(one.start, one.end) for one in self.marks] + [one[:2] for one in self.claims] + strong + hidden
        borders = {place for span in spans for place in span if start < place < end} | {start, end}
        whole = sorted(
            p for p in borders if not any(one.start < p < one.end for one in self.marks) or p in (start, end)
        )
        for a, b in pairwise(whole):
            mark = next((one for one in self.marks if one.start <= a < one.end), None)
            if mark in self._shown or (mark is None and _within(a, hidden)):
                continue
            if mark:
                self._shown.add(mark)
            claim = next((at for first, last, at in self.claims if first <= a < last), -1)
            yield claim, b, Piece(self.text[a:b], mark, _within(a, strong))

    def _strong(self, start: int, end: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """What is set strong, and the stars that say so."""
        found = list(_STRONG.finditer(self.text, start, end)) if self.markdown else []
        stars = [pair for one in found for pair in ((one.start(), one.start() + 2), (one.end() - 2, one.end()))]
        return [one.span("words") for one in found], stars


def _within(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)
