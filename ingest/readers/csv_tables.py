"""Read files of comma-separated values, or with another character between them, as tables."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby, islice
from pathlib import Path

from ingest.readers import txt
from ingest.readers.extracted_document import ExtractedDocument
from ingest.readers.table_structure import SourceCell, SourceRow, build_table, can_name_columns
from ingest.readers.text_blocks import (
    PARAGRAPH,
    TABLE,
    ExtractedBlock,
    build_document,
    collapse_white_space,
    read_limited_bytes,
)
from ingest.readers.txt_encoding import decode_text

_DELIMITERS = ",;\t|"
_MAX_EXAMINED_ROWS = 200
_SEPARATOR_LINE = "sep="  # at the start of files that spreadsheets write

csv.field_size_limit(1 << 30)  # a cell whose quote is not closed holds the rest of a file


def read(path: Path) -> ExtractedDocument:
    """Read the rows of a file into tables, one more after each blank line; a file without columns as plain text."""
    text, encoding, warnings = decode_text(read_limited_bytes(path))
    text = text.lstrip("\n")
    if text[: len(_SEPARATOR_LINE)].lower() == _SEPARATOR_LINE:
        declaration, _, text = text.partition("\n")
        delimiter = declaration[len(_SEPARATOR_LINE) :][:1] or "\t"
    else:
        delimiter = _find_delimiter(text)
    if not delimiter:
        return txt.read(path)
    rows = [[collapse_white_space(cell).strip() for cell in row] for row in _parse(text, delimiter)]
    blocks = [_build_block(list(group)) for has_text, group in groupby(rows, key=any) if has_text]
    return replace(build_document(blocks), warnings=warnings, meta={"encoding": encoding})


def _find_delimiter(text: str) -> str:
    """Return the character by which most rows have the same number of cells, the larger number where two tie; "" for none."""
    best, delimiter = (0.5, 1), ""
    for candidate in _DELIMITERS:
        examined = list(islice(_parse(text, candidate), _MAX_EXAMINED_ROWS))
        if _is_one_column(examined, is_spaced=text.count(candidate) == text.count(f"{candidate} ")):
            continue
        counts = Counter(len(row) for row in examined if any(row))
        columns, rows = max(counts.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
        if columns > 1 and (score := (rows / counts.total(), columns)) > best:
            best, delimiter = score, candidate
    return delimiter


def _is_one_column(rows: list[list[str]], *, is_spaced: bool) -> bool:
    """Return whether a name stands over numbers with decimal commas, or over prose: no header follows it as a title's would."""
    if len(rows) < 2 or len(rows[0]) != 1 or not any(rows[1]):
        return False
    return is_spaced or not can_name_columns(rows[1])


def _parse(text: str, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(text.splitlines(keepends=True), delimiter=delimiter, skipinitialspace=True)


def _build_block(rows: list[list[str]]) -> ExtractedBlock:
    """Return rows as a table; a line without columns, such as a title, as a paragraph."""
    lines = ["\t".join(row).rstrip("\t") for row in rows]
    text = "\n".join(lines)
    if len(lines) == 1 or "\t" not in text:
        return ExtractedBlock(PARAGRAPH, text)
    cells = [tuple(SourceCell(column, cell) for column, cell in enumerate(row)) for row in rows]
    source_rows = [SourceRow(cells[0], is_header=can_name_columns(rows[0])), *map(SourceRow, cells[1:])]
    table = build_table(source_rows, len(text))
    header_characters = len("\n".join(lines[: table.header_rows]))
    return ExtractedBlock(TABLE, text, header_characters=header_characters, table=table)
