"""Split the canonical text into blocks to typeset: headings, paragraphs, lists, tables, notes, code."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ingest.list_markers import LIST_MARKER
from ingest.readers.extracted_document import ExtractedDocument

HEADING, PARAGRAPH, LIST, TABLE = "heading", "paragraph", "list", "table"
NOTES, CODE = "notes", "code"

_BLOCK = re.compile(r"[^\n].*(?:\n[^\n].*)*")
_LINE = re.compile(r"[^\n]+")
_NOTE_START = re.compile(r"\[(?:\d{1,4}|[ivxlc]{1,8}|[*†‡§]{1,3})\] ")


@dataclass(frozen=True, slots=True)
class TypesetItem:
    """A line of text, or a cell of a table."""

    start: int
    end: int
    depth: int = 0  # of a list item
    marker_characters: int = 0  # of its bullet or number


@dataclass(frozen=True, slots=True)
class TypesetBlock:
    """A block to typeset; every row has one item, except in a table."""

    kind: str
    rows: tuple[tuple[TypesetItem, ...], ...]
    level: int = 0  # of a heading
    header_rows: int = 0  # of a table, repeated at the top of each of its pages


def split_blocks(extracted: ExtractedDocument) -> list[TypesetBlock]:
    """Return the blocks of a document."""
    text, blocks = extracted.text, []
    heading_levels = {heading.start: heading.level for heading in extracted.headings}
    code_starts = {start for start, _ in extracted.code_spans}
    header_counts = {start: text.count("\n", start, end) + 1 for start, end in extracted.table_headers}
    for match in _BLOCK.finditer(text):
        start, end = match.span()
        if start in heading_levels:
            blocks.append(TypesetBlock(HEADING, _make_line_rows(text, start, end), level=heading_levels[start]))
        elif start in code_starts:
            blocks.append(TypesetBlock(CODE, _make_line_rows(text, start, end)))
        elif "\t" in match[0]:
            blocks.append(
                TypesetBlock(TABLE, _make_table_rows(text, start, end), header_rows=header_counts.get(start, 0))
            )
        elif "\n" in match[0] or LIST_MARKER.match(match[0]):
            blocks.append(TypesetBlock(LIST, _make_list_rows(text, start, end)))
        else:
            blocks.append(TypesetBlock(PARAGRAPH, _make_line_rows(text, start, end)))
    return _mark_notes(text, blocks)


def _mark_notes(text: str, blocks: list[TypesetBlock]) -> list[TypesetBlock]:
    """Mark the last blocks as notes where they look like notes: foot- and endnotes come after the text."""
    index = len(blocks)
    while (
        index
        and blocks[index - 1].kind in (PARAGRAPH, LIST)
        and all(_NOTE_START.match(text, row[0].start) for row in blocks[index - 1].rows)
    ):
        index -= 1
        blocks[index] = TypesetBlock(NOTES, blocks[index].rows)
    return blocks


def _make_line_rows(text: str, start: int, end: int) -> tuple[tuple[TypesetItem, ...], ...]:
    return tuple((TypesetItem(*line.span()),) for line in _LINE.finditer(text, start, end))


def _make_table_rows(text: str, start: int, end: int) -> tuple[tuple[TypesetItem, ...], ...]:
    rows = []
    for line in _LINE.finditer(text, start, end):
        offset, cells = line.start(), []
        for cell in line[0].split("\t"):
            cells.append(TypesetItem(offset, offset + len(cell)))
            offset += len(cell) + 1
        rows.append(tuple(cells))
    return tuple(rows)


def _make_list_rows(text: str, start: int, end: int) -> tuple[tuple[TypesetItem, ...], ...]:
    """Return the items of a list; a kind of marker that is new in the list begins a deeper level.

    The canonical text has no indentation.
    """
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
    """Return the kind of a marker: "12." and "3." are of one kind, "a)" and "1.2" of others."""
    return re.sub(r"[A-Z]+", "A", re.sub(r"[a-z]+", "a", re.sub(r"\d+", "1", marker)))
