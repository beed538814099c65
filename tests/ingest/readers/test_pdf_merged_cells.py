"""Cells of untagged PDFs span the rows and columns that the drawn lines leave open, and so do their header cells."""

from __future__ import annotations

import subprocess

import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table, TableStyle

from ingest.libreoffice_program import PROGRAM, is_installed
from ingest.readers import pdf
from ingest.typeset.bidi import to_visual_order
from ingest.typeset.fonts import system_fonts
from tests.ingest.readers.test_tables import MERGED_TABLE, describe

FEES = [
    ["Pier", "Fee in 2023", "", "Fee in 2024", ""],
    ["", "Day", "Night", "Day", "Night"],
    ["North", "7", "9", "8", "10"],
    ["", "5", "6", "6", "7"],
    ["South", "none", "", "4", "5"],
    ["West", "1", "2", "3", "4"],
]
MERGED_FEES = [((0, 0), (0, 1)), ((1, 0), (2, 0)), ((3, 0), (4, 0)), ((0, 2), (0, 3)), ((1, 4), (2, 4))]
READ_FEES = [
    ["#Pier 2x1", "#Fee in 2023 1x2", "#Fee in 2024 1x2"],
    ["#Day", "#Night", "#Day", "#Night"],
    ["North 2x1", "7", "9", "8", "10"],
    ["5", "6", "6", "7"],
    ["South", "none 1x2", "4", "5"],
    ["West", "1", "2", "3", "4"],
]


def draw_table(path, rows, merged=(), *, style=(), width=80):
    """Draw a table with lines around its cells; `merged` has the first and the last (column, row) of each merged cell."""
    grid = ("GRID", (0, 0), (-1, -1), 0.5, colors.black)
    spans = [("SPAN", first, last) for first, last in merged]
    table = Table(
        rows, style=TableStyle([grid, ("VALIGN", (0, 0), (-1, -1), "MIDDLE"), *spans, *style]), colWidths=width
    )
    above = Paragraph("These are the fees of the harbour.", getSampleStyleSheet()["Normal"])
    SimpleDocTemplate(str(path), pagesize=A4).build([above, table])
    return path


def test_header_over_columns_and_name_beside_rows_span_them(tmp_path):
    reading = pdf.read(draw_table(tmp_path / "fees.pdf", FEES, MERGED_FEES))
    assert describe(reading) == READ_FEES
    assert "North\t7\t9\t8\t10\n\t5\t6\t6\t7\n" in reading.text


HEBREW = {
    "Pier": "מזח",
    "Fee in": "תעריף בשנת",
    "Day": "יום",
    "Night": "לילה",
    "North": "צפון",
    "South": "דרום",
    "West": "מערב",
    "none": "אין",
}
ARABIC = {
    "Pier": "مرسى",
    "Fee in": "رسم سنة",
    "Day": "يوم",
    "Night": "ليل",
    "North": "شمال",
    "South": "جنوب",
    "West": "غرب",
    "none": "بدون",
}


def translate(rows, words):
    for english, word in words.items():
        rows = [[cell.replace(english, word) for cell in row] for row in rows]
    return rows


def draw_mirrored_table(path, rows, merged):
    """Draw a table whose first column is the last one on paper, with its words from right to left."""
    last = len(rows[0]) - 1
    spans = dict(merged)
    mirrored = [[""] * len(row) for row in rows]
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            if text:
                left = last - spans.get((column, number), (column, number))[0]
                mirrored[number][left] = to_visual_order(text, paragraph_is_rtl=True)
    boxes = [((last - x1, y0), (last - x0, y1)) for (x0, y0), (x1, y1) in merged]
    font = system_fonts().find_face(rows[0][0][0]).name
    return draw_table(path, mirrored, boxes, style=[("FONT", (0, 0), (-1, -1), font, 10)])


def test_line_between_two_words_from_right_to_left_separates_their_cells(tmp_path):
    rows = [["البطاقة", "الرسوم", "الحد"], ["الفضية", "200", "10,000"], ["الذهبية", "400", "30,000"]]
    visual = [[to_visual_order(text, paragraph_is_rtl=True) for text in reversed(row)] for row in rows]
    font = system_fonts().find_face("ا").name
    tight = [
        ("FONT", (0, 0), (-1, -1), font, 10),
        *((f"{side}PADDING", (0, 0), (-1, -1), 2) for side in ("LEFT", "RIGHT")),
    ]
    assert (
        "\n".join(map("\t".join, rows))
        in pdf.read(draw_table(tmp_path / "card.pdf", visual, style=tight, width=None)).text
    )


@pytest.mark.parametrize("words", [HEBREW, ARABIC], ids=["hebrew", "arabic"])
def test_merged_cells_of_a_table_from_right_to_left_span_their_columns(tmp_path, words):
    reading = pdf.read(draw_mirrored_table(tmp_path / "fees.pdf", translate(FEES, words), MERGED_FEES))
    assert describe(reading) == translate(READ_FEES, words)


@pytest.mark.parametrize(
    ("rows", "merged", "cells"),
    [
        (  # a title and a row between spans all columns, and only the row above the numbers names them
            [["Fees", "", ""], ["Pier", "Day", "Night"], ["North", "7", "9"], ["In winter", "", ""], ["South", "7", "9"]],
            [((0, 0), (-1, 0)), ((0, 3), (-1, 3))],
            [["#Fees 1x3"], ["#Pier", "#Day", "#Night"], ["North", "7", "9"], ["In winter 1x3"], ["South", "7", "9"]],
        ),
        (  # the row below a header that spans the columns of first and last names is no header
            [["Name", "", "Fee"], ["Ann", "Lee", "7"], ["Bob", "Ray", "8"], ["Cid", "Moe", "9"]],
            [((0, 0), (1, 0))],
            [["#Name 1x2", "#Fee"], ["Ann", "Lee", "7"], ["Bob", "Ray", "8"], ["Cid", "Moe", "9"]],
        ),
        (  # a block of rows and columns
            [["Pier", "Day", "Night"], ["North", "closed", ""], ["South", "", ""], ["West", "7", "9"]],
            [((1, 1), (2, 2))],
            [["Pier", "Day", "Night"], ["North", "closed 2x2"], ["South"], ["West", "7", "9"]],
        ),
        (  # without text: a corner of the header, and a block of rows and columns
            [["", "Fee", "", "Stay"], ["", "Day", "Night", ""], ["North", "7", "9", "2"], ["South", "", "", "3"], ["West", "", "", "4"]],
            [((0, 0), (0, 1)), ((1, 0), (2, 0)), ((3, 0), (3, 1)), ((1, 3), (2, 4))],
            [["# 2x1", "#Fee 1x2", "#Stay 2x1"], ["#Day", "#Night"], ["North", "7", "9", "2"], ["South", " 2x2", "3"], ["West", "4"]],
        ),
        (  # the heading stands in the column before its numbers, which is no column of its own
            [["Pier", "Fee", ""], ["North", "", "7"], ["South", "", "8"], ["West", "", "9"]],
            [((1, 1), (1, 3))],
            [["#Pier", "#Fee"], ["North", "7"], ["South", "8"], ["West", "9"]],
        ),
        (  # nothing is merged
            [["Pier", "Day"], ["North", "7"], ["South", ""], ["West", "9"]],
            [],
            [["#Pier", "#Day"], ["North", "7"], ["South"], ["West", "9"]],
        ),
    ],
    ids=["title", "names", "block", "empty", "heading", "plain"],
)  # fmt: skip
def test_cells_span_what_the_lines_show(tmp_path, rows, merged, cells):
    assert describe(pdf.read(draw_table(tmp_path / "fees.pdf", rows, merged))) == cells


def test_cell_that_is_no_rectangle_spans_nothing(tmp_path):
    corner = [((1, 1), (2, 2)), ((2, 2), (2, 2))]  # without it, the cell has the form of an L
    cells = [
        (place, place)
        for place in ((c, r) for c in range(3) for r in range(4))
        if not (place[0] and place[1] in (1, 2))
    ]
    boxes = [("BOX", first, last, 0.5, colors.black) for first, last in [*cells, *corner]]
    rows = [["Pier", "Day", "Night"], ["North", "closed", ""], ["South", "", "6"], ["West", "1", "2"]]
    path = tmp_path / "fees.pdf"
    SimpleDocTemplate(str(path), pagesize=A4).build([Table(rows, style=TableStyle(boxes), colWidths=80)])
    assert describe(pdf.read(path)) == [
        ["#Pier", "#Day", "#Night"],
        ["North", "closed"],
        ["South", "", "6"],
        ["West", "1", "2"],
    ]


def test_table_that_goes_on_on_the_next_page_keeps_its_merged_cells(tmp_path):
    many = [[f"Berth {number}", "7", "9", "8", "10"] for number in range(60)]
    path = tmp_path / "fees.pdf"
    rows = [*FEES[:4], *many]
    grid = [("GRID", (0, 0), (-1, -1), 0.5, colors.black), *(("SPAN", *span) for span in MERGED_FEES[:4])]
    SimpleDocTemplate(str(path), pagesize=A4).build([Table(rows, style=TableStyle(grid), colWidths=80, repeatRows=2)])
    (table,) = pdf.read(path).tables
    assert (table.header_rows, len(table.gaps)) == (2, 1)
    assert table.merged[:4] == ((0, 0, 2, 1), (0, 1, 1, 2), (0, 3, 1, 2), (2, 0, 2, 1))


def test_merged_cells_of_an_untagged_print_are_found(browser, tmp_path):
    page = browser.new_page()
    page.set_content(MERGED_TABLE)
    page.pdf(path=tmp_path / "printed.pdf", tagged=False)
    page.close()
    assert describe(pdf.read(tmp_path / "printed.pdf")) == [
        ["#Pier 2x1", "#Fee in euros 1x2", "#Stay"],
        ["#Day", "#Night", "#Weeks"],
        ["North 2x1", "7", "9", "2"],
        ["8", "10", "3"],
        ["South", "none 1x2", "4"],
    ]


@pytest.mark.skipif(not is_installed(), reason="LibreOffice is not installed")
def test_merged_cells_of_a_print_of_libreoffice_are_found(tmp_path):
    (tmp_path / "fees.html").write_text(MERGED_TABLE.replace("<table ", '<table border="1" '), encoding="utf-8")
    command = [PROGRAM, f"-env:UserInstallation=file://{tmp_path}/profile", "--headless", "--convert-to"]
    command += ['pdf:writer_web_pdf_Export:{"UseTaggedPDF":{"type":"boolean","value":"false"}}']
    subprocess.run(
        [*command, "--outdir", tmp_path, tmp_path / "fees.html"], check=True, capture_output=True, timeout=120
    )
    cells = describe(pdf.read(tmp_path / "fees.pdf"))
    assert cells[0] == ["#Pier 2x1", "#Fee in euros 1x2", "#Stay"]
    assert cells[2] == ["North 2x1", "7", "9", "2"]
