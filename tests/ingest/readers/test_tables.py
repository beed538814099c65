"""Header cells and merged cells of tables are those that the file declares, else those that its cells show."""

from __future__ import annotations

from pathlib import Path

import pytest
from pypdf import PdfWriter
from pypdf.generic import DictionaryObject, NameObject, NumberObject

from highlighter.text.document_tables import DocumentTables
from ingest.readers import docx, html, markdown, pdf
from tests.ingest.readers.test_docx import cell, paragraph, run, table, word_file

PRINTED = Path(__file__).parent / "printed"
_STYLES = (
    '<w:style w:type="table" w:styleId="Bands"><w:tblStylePr w:type="firstRow"><w:rPr><w:b/></w:rPr></w:tblStylePr>'
    '<w:tblStylePr w:type="firstCol"><w:rPr><w:b/></w:rPr></w:tblStylePr></w:style>'
)
_LOOK = '<w:tblPr><w:tblStyle w:val="Bands"/><w:tblLook w:val="{}"/></w:tblPr>'
_ROWS = cell("Pier") + cell("Depth"), cell("North") + cell("seven"), cell("South") + cell("four")


def describe(reading) -> list[list[str]]:
    """Return the cells of the only table: column headers with #, row headers with >, spans with their size."""
    (structure,) = reading.tables
    tables = DocumentTables(reading.tables, reading.text)
    return [
        [
            "#" * cell.is_column_header
            + ">" * cell.is_row_header
            + tables.get_text(cell.start, cell.end)
            + f" {cell.rows}x{cell.columns}" * (cell.rows * cell.columns > 1)
            for cell in row
        ]
        for row in tables.rows(structure, structure.start, structure.end)
    ]


@pytest.mark.parametrize(
    ("rows", "cells"),
    [
        ("<tr><th>Pier<th>Depth<tr><td>North<td>7", [["#Pier", "#Depth"], ["North", "7"]]),
        ("<thead><tr><td>Pier<td>Depth</thead><tr><td>North<td>7", [["#Pier", "#Depth"], ["North", "7"]]),
        (
            "<tr><td><th>Day<th>Night<tr><th>North<td>7<td>9<tr><th>South<td>5<td>6",
            [["#", "#Day", "#Night"], [">North", "7", "9"], [">South", "5", "6"]],
        ),
        (
            "<tr><th rowspan=2>Pier<th colspan=2>Fee<tr><th>Day<th>Night<tr><td>North<td>7<td>9",
            [["#Pier 2x1", "#Fee 1x2"], ["#Day", "#Night"], ["North", "7", "9"]],
        ),
        (  # a row without text is no row, also not of a merged cell
            "<tr><th>Pier<th>Fee<tr><td rowspan=3>North<td>7<tr><td><tr><td>9",
            [["#Pier", "#Fee"], ["North 2x1", "7"], ["9"]],
        ),
        ("<tr><td>Pier<td>Depth<tr><td>North<td>7 m<tr><td>South<td>4 m", [["#Pier", "#Depth"], ["North", "7 m"], ["South", "4 m"]]),
        ("<tr><td>项目<td>2024年<td>2023 (€)<tr><td>甲<td>7<td>8<tr><td>乙<td>4<td>5", [["#项目", "#2024年", "#2023 (€)"], ["甲", "7", "8"], ["乙", "4", "5"]]),
        ("<tr><td><b>対象</b><td><b>1回量</b><td><b>1日回数</b><tr><td>成人<td>5mg<td>2回", [["#対象", "#1回量", "#1日回数"], ["成人", "5mg", "2回"]]),
        ("<tr><td><b>Total</b><td><b>7 m</b><td><b>9 m</b><tr><td>North<td>4 m<td>5 m", [["Total", "7 m", "9 m"], ["North", "4 m", "5 m"]]),
        ("<tr><td><b>Pier</b><td><b>Mole</b><tr><td>North<td>East", [["#Pier", "#Mole"], ["North", "East"]]),
        ("<tr><td>Fees<tr><td>Pier<td>2024<tr><td>A<td>€ 7.50<tr><td>B<td>12 %", [["#Fees"], ["#Pier", "#2024"], ["A", "€ 7.50"], ["B", "12 %"]]),
        (  # the names of columns stand in two rows
            "<tr><td rowspan=2>Pier<td colspan=2>2023<td colspan=2>2024<tr><td>Day<td>Night<td>Day<td>Night"
            "<tr><td>North<td>7<td>9<td>8<td>10<tr><td>South<td>5<td>6<td>5<td>7",
            [["#Pier 2x1", "#2023 1x2", "#2024 1x2"], ["#Day", "#Night", "#Day", "#Night"], ["North", "7", "9", "8", "10"], ["South", "5", "6", "5", "7"]],
        ),
        (  # a row of numbers names no columns
            "<tr><td><td colspan=2>Fee<td colspan=2>Stay<tr><td>North<td>7<td>9<td>2<td>3<tr><td>South<td>5<td>6<td>1<td>2",
            [["", "Fee 1x2", "Stay 1x2"], ["North", "7", "9", "2", "3"], ["South", "5", "6", "1", "2"]],
        ),
        ("<tr><td>North<td>East<tr><td>South<td>West", [["North", "East"], ["South", "West"]]),
        ("<tr><td>North<td>7<tr><td>South<td>4<tr><td>West<td>5", [["North", "7"], ["South", "4"], ["West", "5"]]),
        ("<tr><th>North<th>East", [["North", "East"]]),
    ],
)  # fmt: skip
def test_header_and_merged_cells_of_html_are_found(tmp_path, rows, cells):
    path = tmp_path / "page.html"
    path.write_text(f"<p>Before.</p><table>{rows}</table>")
    assert describe(html.read(path)) == cells


def test_first_row_of_a_markdown_table_is_its_header(tmp_path):
    path = tmp_path / "rules.md"
    path.write_text("Rules\n\n| Pier | Mole |\n| --- | --- |\n| North | East |\n")
    assert describe(markdown.read(path)) == [["#Pier", "#Mole"], ["North", "East"]]


@pytest.mark.parametrize(
    ("properties", "cells"),
    [
        ("", [["Pier", "Depth"], ["North", "seven"], ["South", "four"]]),
        (_LOOK.format("0020"), [["#Pier", "#Depth"], ["North", "seven"], ["South", "four"]]),
        (_LOOK.format("00A0"), [["#Pier", "#Depth"], [">North", "seven"], [">South", "four"]]),
        (_LOOK.format("0400"), [["Pier", "Depth"], ["North", "seven"], ["South", "four"]]),
    ],
)
def test_first_row_and_column_that_the_style_of_a_word_table_sets_apart_are_headers(tmp_path, properties, cells):
    body = table(*_ROWS).replace("<w:tbl>", f"<w:tbl>{properties}", 1)
    assert describe(docx.read(word_file(tmp_path, body, styles=_STYLES))) == cells


def test_merged_cells_of_a_word_table_are_stored_beside_its_text(tmp_path):
    merge = '<w:vMerge w:val="restart"/>'
    rows = (
        cell("Pier") + cell("Fees", '<w:gridSpan w:val="2"/>'),
        cell("North", merge) + cell("day") + cell("7"),
        cell("", "<w:vMerge/>") + cell("night") + cell("9"),
    )
    reading = docx.read(word_file(tmp_path, paragraph(run("Before.")) + table(*rows)))
    assert describe(reading) == [["Pier", "Fees 1x2"], ["North 2x1", "day", "7"], ["night", "9"]]


def test_header_cells_of_a_printed_table_are_found():
    assert describe(pdf.read(PRINTED / "table.pdf"))[0] == ["#Test", "#Method and remarks", "#Charge"]


MERGED_TABLE = """<style>td, th { border: 1px solid; padding: 4px 10px; text-align: left; vertical-align: top }</style>
<p>These are the fees of the harbour.</p><table style="border-collapse: collapse">
<tr><th rowspan=2>Pier<th colspan=2>Fee in euros<th>Stay<tr><th>Day<th>Night<th>Weeks
<tr><th rowspan=2>North<td>7<td>9<td>2<tr><td>8<td>10<td>3<tr><th>South<td colspan=2>none<td>4</table>"""


@pytest.fixture
def printed_table(browser, tmp_path) -> Path:
    """A tagged PDF with merged cells."""
    page = browser.new_page()
    page.set_content(MERGED_TABLE)
    page.pdf(path=tmp_path / "printed.pdf", tagged=True)
    page.close()
    return tmp_path / "printed.pdf"


def test_merged_cells_of_a_tagged_table_are_stored_beside_its_text(printed_table):
    assert describe(pdf.read(printed_table)) == [
        ["#Pier 2x1", "#Fee in euros 1x2", "#Stay"],
        ["#Day", "#Night", "#Weeks"],
        [">North 2x1", "7", "9", "2"],
        ["8", "10", "3"],
        [">South", "none 1x2", "4"],
    ]


def test_merged_cells_are_those_of_the_lines_where_the_columns_of_the_tags_are_not_those_of_the_page(
    printed_table, tmp_path
):
    writer = PdfWriter(clone_from=printed_table)
    spans = [
        attributes.get_object()
        for element in (one for one in writer._objects if isinstance(one, DictionaryObject) and "/A" in one)
        for attributes in element["/A"]
        if attributes.get_object().get("/ColSpan") == 2
    ]
    for attributes in spans:
        attributes[NameObject("/ColSpan")] = NumberObject(3)
    writer.write(tmp_path / "wrong.pdf")
    assert len(spans) == 2
    reading = pdf.read(tmp_path / "wrong.pdf")
    assert reading.text == pdf.read(printed_table).text
    assert [table.merged for table in reading.tables] == [table.merged for table in pdf.read(printed_table).tables]
    assert [table.header_rows for table in reading.tables] == [2]
