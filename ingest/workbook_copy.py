"""Write the copy of a workbook that LibreOffice gets: truth values as Excel shows them, and no sheet that would take it minutes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lxml import etree

from highlighter.errors import UnreadableFile
from highlighter.locale import N_
from highlighter.models import TOO_LARGE
from ingest.office_copy import MAX_PART_BYTES, copy_ooxml
from ingest.office_parts import list_sheets
from ingest.readers.left_out_notes import describe_hidden_parts
from ingest.readers.zip_package import ZipPackage

MAX_SHEET_CELLS = 1_000_000  # LibreOffice writes the empty ones, too, and a page of more cells is too large to read
_MAX_COLUMNS = 16_384
_TRUTH_VALUES = {"0": "FALSE", "1": "TRUE"}
_TRUE = ("1", "true")
_CELL_NAME = re.compile(r"([A-Z]{1,3})[0-9]+")


@dataclass(slots=True)
class _HiddenCounts:
    """The numbers of hidden rows and columns with content in the sheets that are shown."""

    rows: int = 0
    columns: int = 0


def copy_workbook(path: Path, out: Path) -> tuple[str, ...]:
    """Copy a workbook, and return notes on what it hides. Raises `UnreadableFile` for a sheet with too many cells."""
    counts = _HiddenCounts()
    with ZipPackage(path, MAX_PART_BYTES) as package:
        sheets = list(list_sheets(package))
    shown = {part: name for name, is_shown, part in sheets if is_shown}
    copy_ooxml(path, out, {part: partial(_prepare_sheet, name=name, counts=counts) for part, name in shown.items()})
    hidden_names = [name for name, is_shown, _ in sheets if not is_shown]
    return describe_hidden_parts(hidden_names, counts.rows, counts.columns)


def _prepare_sheet(sheet: etree._Element, *, name: str, counts: _HiddenCounts) -> None:
    """Write the truth values of a sheet, and count what it hides; only cells with content count."""
    columns: set[int] = set()
    row_number = last_row = 0
    for row in sheet.iter("{*}row"):
        row_number = _parse_number(row.get("r"), row_number + 1)
        column, has_content = 0, False
        for cell in row.iterchildren("{*}c"):
            column = _find_column(cell.get("r", ""), column + 1)
            if len(cell):
                has_content = True
                columns.add(column)
                _write_truth_value(cell)
        if has_content:
            last_row = max(last_row, row_number)
            counts.rows += row.get("hidden") in _TRUE
    if last_row * max(columns, default=0) > MAX_SHEET_CELLS:
        raise UnreadableFile(
            TOO_LARGE,
            N_(
                "Sheet “{name}” has {rows:,} rows and {columns:,} columns, which is too much to read. Delete cells far "
                "from its tables, or split it.",
                name=name,
                rows=last_row,
                columns=max(columns),
            ),
        )
    hidden = [_read_column_range(item) for item in sheet.iter("{*}col") if item.get("hidden") in _TRUE]
    counts.columns += sum(any(column in one_range for one_range in hidden) for column in columns)


def _write_truth_value(cell: etree._Element) -> None:
    """Write a truth value as the word that Excel shows: LibreOffice shows it as a number."""
    value = cell.find("{*}v")
    if cell.get("t") == "b" and value is not None and value.text in _TRUTH_VALUES:
        cell.set("t", "str")
        value.text = _TRUTH_VALUES[value.text]


def _read_column_range(item: etree._Element) -> range:
    return range(_parse_number(item.get("min"), 1), _parse_number(item.get("max"), 0) + 1)


def _find_column(name: str, default: int) -> int:
    """Return the number of the column that the name of a cell begins with: 28 for "AB7"."""
    match = _CELL_NAME.fullmatch(name)
    number = 0
    for letter in match[1] if match else "":
        number = 26 * number + ord(letter) - ord("A") + 1
    return min(number or default, _MAX_COLUMNS)


def _parse_number(text: str | None, default: int) -> int:
    return int(text) if text and re.fullmatch("[0-9]{1,7}", text) else default
