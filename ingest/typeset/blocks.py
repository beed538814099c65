"""The canonical text as blocks to set: headings, paragraphs, lists, tables, notes, hidden text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ingest.readers.reading import Reading

HEADING, PARAGRAPH, LIST, TABLE = "heading", "paragraph", "list", "table"
NOTES, HIDDEN, CODE = "notes", "hidden", "code"

_BLOCK = re.compile(r"[^\n].*(?:\n[^\n].*)*")
_LINE = re.compile(r"[^\n]+")
_NOTE = re.compile(r"\[(?:\d{1,4}|[ivxlc]{1,8}|[*†‡§]{1,3})\] ")
# What stands before a list item: a bullet, or a number or letter with its stop or brackets.
MARKER = re.compile(
    r"(?:[•◦▪▫■□●○–—\-*+➢✓·]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\d{1,3}(?:\.\d{1,3})+\.?|"
    r"[（(]?[一二三四五六七八九十]{1,3}[、）)．.])(?=\s)"
)


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a list, or a cell of a table."""

    start: int
    end: int
    depth: int = 0  # of a list item
    marker: int = 0  # how many characters of it are its bullet or number


@dataclass(frozen=True, slots=True)
class Block:
    """`rows`: one item a row for everything but a table."""

    kind: str
    rows: tuple[tuple[Item, ...], ...]
    level: int = 0  # of a heading
    note: str = ""  # why it is hidden
    head: int = 0  # rows of a table that stand again at the top of each of its pages


def blocks(reading: Reading) -> list[Block]:
    text, found = reading.text, []
    headings = {heading.start: heading.level for heading in reading.headings}
    hidden = {span.start: span.why for span in reading.hidden}
    code = {start for start, _ in reading.code}
    heads = {start: text.count("\n", start, end) + 1 for start, end in reading.table_heads}
    for match in _BLOCK.finditer(text):
        start, end = match.span()
        if start in hidden:
            found.append(Block(HIDDEN, _plain(text, start, end), note=hidden[start]))
        elif start in headings:
            found.append(Block(HEADING, _plain(text, start, end), level=headings[start]))
        elif start in code:
            found.append(Block(CODE, _plain(text, start, end)))
        elif "\t" in match[0]:
            found.append(Block(TABLE, _table(text, start, end), head=heads.get(start, 0)))
        elif "\n" in match[0] or MARKER.match(match[0]):
            found.append(Block(LIST, _list(text, start, end)))
        else:
            found.append(Block(PARAGRAPH, _plain(text, start, end)))
    return _with_notes(text, found)


def _with_notes(text: str, found: list[Block]) -> list[Block]:
    """Foot- and endnotes stand after the text, each behind its mark: the last blocks that look so are notes."""
    at = len(found)
    while at and found[at - 1].kind == HIDDEN:
        at -= 1
    while (
        at
        and found[at - 1].kind in (PARAGRAPH, LIST)
        and all(_NOTE.match(text, row[0].start) for row in found[at - 1].rows)
    ):
        at -= 1
        found[at] = Block(NOTES, found[at].rows)
    return found


def _plain(text: str, start: int, end: int) -> tuple[tuple[Item, ...], ...]:
    return tuple((Item(*line.span()),) for line in _LINE.finditer(text, start, end))


def _table(text: str, start: int, end: int) -> tuple[tuple[Item, ...], ...]:
    rows = []
    for line in _LINE.finditer(text, start, end):
        at, cells = line.start(), []
        for cell in line[0].split("\t"):
            cells.append(Item(at, at + len(cell)))
            at += len(cell) + 1
        rows.append(tuple(cells))
    return tuple(rows)


def _list(text: str, start: int, end: int) -> tuple[tuple[Item, ...], ...]:
    """The canonical text has no indents: a marker of a kind not met before in the list begins a deeper level."""
    kinds: list[str] = []
    rows = []
    for line in _LINE.finditer(text, start, end):
        marker = MARKER.match(line[0])
        if not marker:
            rows.append((Item(*line.span(), depth=max(len(kinds) - 1, 0)),))
            continue
        kind = _kind(marker[0])
        while kind in kinds and kinds[-1] != kind:
            kinds.pop()
        if kind not in kinds:
            kinds.append(kind)
        rows.append((Item(*line.span(), depth=len(kinds) - 1, marker=marker.end()),))
    return tuple(rows)


def _kind(marker: str) -> str:
    """ "12." and "3." are of one kind, "a)" and "1.2" of others."""
    return re.sub(r"[A-Z]+", "A", re.sub(r"[a-z]+", "a", re.sub(r"\d+", "1", marker)))
