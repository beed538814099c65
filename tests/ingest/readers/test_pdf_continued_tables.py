"""A table that goes on on the next page is one table, with its header above the rows of both pages; its text stays the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from highlighter.text.document_tables import DocumentTables
from ingest.readers.pdf import read
from tests.ingest.readers.pdf_drawing import draw, lines, prose, wrapped

HEADER = ("Berth", "Euros a night", "Longest stay")
XS, PITCH = (60, 200, 330), 16


def rows(first: int, last: int) -> list[tuple[str, str, str]]:
    return [(f"Berth {number}", f"{number}.50", f"{number + 2} days") for number in range(first, last)]


def draw_rows(canvas, top: float, cells, xs=XS) -> float:
    """Draw rows between lines, and return where the next line of text can be."""
    canvas.line(xs[0], top + PITCH - 5, 420, top + PITCH - 5)
    for row in cells:
        canvas.setFont("Helvetica-Bold" if row == HEADER else "Helvetica", 10)
        for x, cell in zip(xs, row, strict=True):
            canvas.drawString(x, top, cell)
        canvas.line(xs[0], top - 5, 420, top - 5)
        top -= PITCH
    canvas.setFont("Helvetica", 10)
    return top - 20


def read_two_pages(tmp_path: Path, second, first=(HEADER, *rows(1, 6)), at_end: str = "", at_top: str = "", xs=XS):
    """Return the reading of a file with a table on each of two pages, and lines of text after and before them."""

    def page_one(canvas):
        y = lines(canvas, 60, 780, wrapped(prose(1), 70)) - 20
        y = draw_rows(canvas, y, first)
        lines(canvas, 60, y, [at_end] if at_end else [])

    def page_two(canvas):
        y = 780
        if at_top:
            y = lines(canvas, 60, y, [at_top]) - 15
        y = draw_rows(canvas, y, second, xs)
        lines(canvas, 60, y - 10, wrapped(prose(2), 70))

    return read(draw(tmp_path / "a.pdf", page_one, page_two))


def test_rows_of_the_next_page_have_the_header_of_the_first(tmp_path):
    reading = read_two_pages(tmp_path, rows(6, 12))
    (table,) = reading.tables
    tables = DocumentTables(reading.tables, reading.text)
    assert [len(part) for part in table.gaps] == [2]
    assert reading.text[slice(*table.gaps[0])] == "\n\n"
    start = reading.text.index("Berth 9\t")
    assert tables.read_row(start, start + 20) == "Berth: Berth 9, Euros a night: 9.50, Longest stay: 11 days"
    assert [position.cell.row for position in tables.find_positions(start, start + 4)] == [9]
    assert (table.header_rows, table.repeated_headers) == (1, ())


def test_header_that_the_next_page_repeats_is_a_header_there(tmp_path):
    reading = read_two_pages(tmp_path, [HEADER, *rows(6, 12)])
    (table,) = reading.tables
    tables = DocumentTables(reading.tables, reading.text)
    assert reading.text.count("Berth\tEuros a night\tLongest stay") == 2
    assert (table.header_rows, table.repeated_headers) == (1, (6,))
    all_rows = list(tables.rows(table, table.start, table.end))
    assert [row[0].is_column_header for row in all_rows] == [True, *[False] * 5, True, *[False] * 6]
    start = reading.text.index("9.50")
    (position,) = tables.find_positions(start, start + 4)
    assert [tables.get_text(header.start, header.end) for header in position.column_headers] == ["Euros a night"]


@pytest.mark.parametrize(("at_end", "at_top"), [("Continued on the next page", ""), ("", "Table 2. Fees (continued)")])
def test_words_that_say_a_table_continues_are_no_rows_of_it(tmp_path, at_end, at_top):
    reading = read_two_pages(tmp_path, rows(6, 12), at_end=at_end, at_top=at_top)
    (table,) = reading.tables
    tables = DocumentTables(reading.tables, reading.text)
    assert reading.text[slice(*table.gaps[0])] == f"\n\n{at_end or at_top}\n\n"
    start = reading.text.index(at_end or at_top)
    assert tables.table_at(start, start + 5) is None
    assert sum(1 for _ in tables.rows(table, table.start, table.end)) == 12


@pytest.mark.parametrize(
    "options",
    [
        {"second": rows(6, 12), "xs": (60, 160, 270)},  # other columns
        {"second": rows(6, 12), "at_top": "The berths at the mole"},  # another table
        {"second": [("Mole", "Depth", "Lights"), *rows(6, 12)]},  # another header: words above numbers
        {"second": rows(6, 12), "at_end": "The warden collects the fees."},  # text after the table
    ],
)
def test_another_table_on_the_next_page_is_its_own(tmp_path, options):
    assert [table.gaps for table in read_two_pages(tmp_path, **options).tables] == [(), ()]
