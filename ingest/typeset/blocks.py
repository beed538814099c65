"""The canonical text as blocks to set: headings, paragraphs, lists, tables, notes, hidden text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ingest.readers.extracted_document import ExtractedDocument

HEADING, PARAGRAPH, LIST, TABLE = "heading", "paragraph", "list", "table"
NOTES, HIDDEN, CODE = "notes", "hidden", "code"

_BLOCK = re.compile(r"[^\n].*(?:\n[^\n].*)*")
_LINE = re.compile(r"[^\n]+")
_NOTE_START = re.compile(r"\[(?:\d{1,4}|[ivxlc]{1,8}|[*†‡§]{1,3})\] ")
# What stands before a list item: a bullet, or a number or letter with its stop or brackets.
LIST_MARKER = re.compile(
    r"(?:[•◦▪▫■□●○–—\-*+➢✓·]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\d{1,3}(?:\.\d{1,3})+\.?|"
    r"[（(]?[一二三四五六七八九十]{1,3}[、）)．.])(?=\s)"
)


@dataclass(frozen=True, slots=True)
class TypesetItem:
    """A line of a list, or a cell of a table."""

    start: int
    end: int
    depth: int = 0  # of a list item
    marker_characters: int = 0  # how many characters of it are its bullet or number


@dataclass(frozen=True, slots=True)
class TypesetBlock:
    """`rows`: one item a row for everything but a table."""

    kind: str
    rows: tuple[tuple[TypesetItem, ...], ...]
    level: int = 0  # of a heading
    hidden_reason: str = ""  # why it is hidden
    header_rows: int = 0  # rows of a table that stand again at the top of each of its pages


def split_blocks(reading: ExtractedDocument) -> list[TypesetBlock]:
    text, found = reading.text, []
    headings = {heading.start: heading.level for heading in reading.headings}
    hidden = {span.start: span.reason for span in reading.hidden_spans}
    code = {start for start, _ in reading.code_spans}
    heads = {start: text.count("\n", start, end) + 1 for start, end in reading.table_headers}
    for match in _BLOCK.finditer(text):
        start, end = match.span()
        if start in hidden:
            found.append(TypesetBlock(HIDDEN, _make_line_rows(text, start, end), hidden_reason=hidden[start]))
        elif start in headings:
            found.append(TypesetBlock(HEADING, _make_line_rows(text, start, end), level=headings[start]))
        elif start in code:
            found.append(TypesetBlock(CODE, _make_line_rows(text, start, end)))
        elif "\t" in match[0]:
            found.append(TypesetBlock(TABLE, _make_table_rows(text, start, end), header_rows=heads.get(start, 0)))
        elif "\n" in match[0] or LIST_MARKER.match(match[0]):
            found.append(TypesetBlock(LIST, _make_list_rows(text, start, end)))
        else:
            found.append(TypesetBlock(PARAGRAPH, _make_line_rows(text, start, end)))
    return _mark_notes(text, found)


def _mark_notes(text: str, found: list[TypesetBlock]) -> list[TypesetBlock]:
    """Foot- and endnotes stand after the text, each behind its mark: the last blocks that look so are notes."""
    at = len(found)
    while at and found[at - 1].kind == HIDDEN:
        at -= 1
    while (
        at
        and found[at - 1].kind in (PARAGRAPH, LIST)
        and all(_NOTE_START.match(text, row[0].start) for row in found[at - 1].rows)
    ):
        at -= 1
        found[at] = TypesetBlock(NOTES, found[at].rows)
    return found


def _make_line_rows(text: str, start: int, end: int) -> tuple[tuple[TypesetItem, ...], ...]:
    return tuple((TypesetItem(*line.span()),) for line in _LINE.finditer(text, start, end))


def _make_table_rows(text: str, start: int, end: int) -> tuple[tuple[TypesetItem, ...], ...]:
    rows = []
    for line in _LINE.finditer(text, start, end):
        at, cells = line.start(), []
        for cell in line[0].split("\t"):
            cells.append(TypesetItem(at, at + len(cell)))
            at += len(cell) + 1
        rows.append(tuple(cells))
    return tuple(rows)


def _make_list_rows(text: str, start: int, end: int) -> tuple[tuple[TypesetItem, ...], ...]:
    """The canonical text has no indents: a marker of a kind not met before in the list begins a deeper level."""
    kinds: list[str] = []
    rows = []
    for line in _LINE.finditer(text, start, end):
        marker = LIST_MARKER.match(line[0])
        if not marker:
            rows.append((TypesetItem(*line.span(), depth=max(len(kinds) - 1, 0)),))
            continue
        kind = _classify_marker(marker[0])
        while kind in kinds and kinds[-1] != kind:
            kinds.pop()
        if kind not in kinds:
            kinds.append(kind)
        rows.append((TypesetItem(*line.span(), depth=len(kinds) - 1, marker_characters=marker.end()),))
    return tuple(rows)


def _classify_marker(marker: str) -> str:
    """ "12." and "3." are of one kind, "a)" and "1.2" of others."""
    return re.sub(r"[A-Z]+", "A", re.sub(r"[a-z]+", "a", re.sub(r"\d+", "1", marker)))
