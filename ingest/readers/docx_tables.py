"""Find the header cells and merged cells of a table in a Word file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lxml import etree

from highlighter.models import DocumentTable
from ingest.readers.docx_package import child_value, is_switched_on, parse_number, w
from ingest.readers.docx_styles import DocxStyles
from ingest.readers.table_structure import SourceCell, SourceRow, build_table

WRAPPER_TAGS = frozenset(w(name) for name in ("sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo"))
_MAX_SPANNED_COLUMNS = 61

ReadRow = tuple[etree._Element, list[str], bool]  # the row, the text of each column, whether the text is stored


def build_docx_table(table: etree._Element, rows: Sequence[ReadRow], length: int, styles: DocxStyles) -> DocumentTable:
    """Return the structure of a table whose text has `length` characters; its span begins at 0."""
    continued = [_find_continued_columns(row) for row, _, _ in rows]
    has_header_row = _has_part(table, styles, "firstRow", "firstRow", 0x20)
    has_header_column = _has_part(table, styles, "firstColumn", "firstCol", 0x80)
    source_rows = []
    for number, (row, texts, is_stored) in enumerate(rows):
        is_header = is_switched_on(row.find(w("trPr")), "tblHeader") is True or (has_header_row and number == 0)
        cells = _build_cells(row, texts, continued[number + 1 :], has_header_column)
        source_rows.append(SourceRow(tuple(cells), is_stored, is_header))
    return build_table(source_rows, length)


def _has_part(table: etree._Element, styles: DocxStyles, attribute: str, part: str, bit: int) -> bool:
    """Return whether the table's style sets a first row or column apart, and the table shows it."""
    properties = table.find(w("tblPr"))
    look = properties.find(w("tblLook")) if properties is not None else None
    if look is None or not styles.formats_table_part(child_value(properties, "tblStyle"), part):
        return False
    if switch := look.get(w(attribute)):
        return switch not in ("0", "false", "off")
    value = look.get(w("val"), "")
    return bool(int(value, 16) & bit) if re.fullmatch("[0-9A-Fa-f]{1,8}", value) else False


def _build_cells(
    row: etree._Element, texts: list[str], continued_below: list[set[int]], has_header_column: bool
) -> Iterator[SourceCell]:
    for column, cell in _iterate_cells(row):
        if is_continued_cell(cell):
            continue
        rows = 1
        if _find_vertical_merge(cell) is not None:
            rows += next(
                (n for n, columns in enumerate(continued_below) if column not in columns), len(continued_below)
            )
        is_header = has_header_column and column == 0
        yield SourceCell(column, texts[column], rows, count_columns(cell), is_header, _is_bold(cell))


def _find_continued_columns(row: etree._Element) -> set[int]:
    return {column for column, cell in _iterate_cells(row) if is_continued_cell(cell)}


def _iterate_cells(row: etree._Element) -> Iterator[tuple[int, etree._Element]]:
    column = 0
    for cell in iterate_children(row, w("tc")):
        yield column, cell
        column += count_columns(cell)


def count_columns(cell: etree._Element) -> int:
    """Return how many columns a cell spans."""
    span = parse_number(child_value(cell.find(w("tcPr")), "gridSpan", "1"), 1)
    return min(max(span, 1), _MAX_SPANNED_COLUMNS)


def is_continued_cell(cell: etree._Element) -> bool:
    """Return whether a cell continues the merged cell above it."""
    merged = _find_vertical_merge(cell)
    return merged is not None and merged.get(w("val"), "continue") == "continue"


def _find_vertical_merge(cell: etree._Element) -> etree._Element | None:
    properties = cell.find(w("tcPr"))
    return properties.find(w("vMerge")) if properties is not None else None


def _is_bold(cell: etree._Element) -> bool:
    """Return whether all runs with text are bold by themselves."""
    runs = [run for run in cell.iter(w("r")) if any(text.text for text in run.iter(w("t")))]
    return bool(runs) and all(is_switched_on(run.find(w("rPr")), "b") for run in runs)


def iterate_children(element: etree._Element, tag: str) -> Iterator[etree._Element]:
    """Yield the rows of a table or the cells of a row, also inside wrappers but not in nested tables."""
    for child in element:
        if child.tag == tag:
            yield child
        elif child.tag in WRAPPER_TAGS:
            yield from iterate_children(child, tag)
