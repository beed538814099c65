"""Rows of a table are lines of the text with tabs between cells, however the table is drawn; prose is no table."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from ingest.readers.pdf import read
from tests.ingest.readers.pdf_drawing import draw, lines, prose, wrapped

SAMPLES = Path(__file__).parents[3] / "samples"

# Cells as lists of lines. The gap between the first two columns is narrower than a space between words may be.
ROWS = [
    (["Part of the works"], ["Price"], ["Finished by"]),
    (["Survey of the sea", "bed"], ["84,000"], ["11 April 2025"]),
    (["Armour stone, 940", "tonnes"], ["1,128,000"], ["22 August", "2025"]),
    (["Lights and cables"], ["97,250"], ["21 November", "2025"]),
    (["Total"], ["2,625,950"], []),
]
TEXT = "\n".join("\t".join(" ".join(cell) for cell in row).rstrip("\t") for row in ROWS)
XS = (63, 150, 215)


def _rows(canvas, y: float, after=lambda canvas, top, bottom: None, room: float = 6) -> float:
    for row in ROWS:
        bottom = y - 11 * max(map(len, row)) - room
        for x, cell in zip(XS, row, strict=True):
            lines(canvas, x, y - 11, cell, 11)
        after(canvas, y, bottom)
        y = bottom
    return y


def _between_prose(tmp_path, table) -> str:
    def page(canvas):
        y = lines(canvas, 60, 760, wrapped(prose(1), 60)) - 14
        canvas.setFont("Helvetica", 9)
        y = table(canvas, y)
        canvas.setFont("Helvetica", 10)
        lines(canvas, 60, y - 26, wrapped(prose(2), 60))

    before, text, after = read(draw(tmp_path / "a.pdf", page)).text.split("\n\n")
    assert (before, after) == (prose(1), prose(2))
    return text


def test_horizontal_lines_separate_rows_and_wrapped_cells_are_whole(tmp_path):
    def table(canvas, y):
        canvas.line(60, y, 290, y)
        return _rows(canvas, y, lambda canvas, top, bottom: canvas.line(60, bottom, 290, bottom))

    assert _between_prose(tmp_path, table) == TEXT


@pytest.mark.parametrize("sides", [("bottom",), ("top",), ()])
def test_rows_with_a_line_on_one_side_are_rows_of_the_table(tmp_path, sides):
    def table(canvas, y):
        levels = [y]
        bottom = _rows(canvas, y, lambda canvas, top, bottom: levels.append(bottom))
        for level in levels["top" not in sides : len(levels) - ("bottom" not in sides)]:
            canvas.line(60, level, 290, level)
        return bottom

    assert _between_prose(tmp_path, table) == TEXT


def test_header_row_without_a_line_above_it_begins_another_table(tmp_path):
    years, segments = (
        (("£ million", "2024", "2023"), ("Revenue", "1,842", "1,690"), ("Costs", "1,127", "1,061")),
        (
            ("£ million", "2024", "Change"),
            ("Ships", "921", "1.8%"),
            ("Ports", "317", "10.5%"),
        ),
    )
    between = ("Costs were restated by £6 million (see note 4).", "Revenue by segment")

    def draw_table(canvas, y, rows):
        for row in rows:
            for x, cell in zip((63, 150, 215), row, strict=True):
                canvas.drawString(x, y - 11, cell)
            y -= 17
            canvas.line(60, y, 290, y)
        return y

    def page(canvas):
        y = draw_table(canvas, 700, years)
        for text in between:
            canvas.drawString(60, y - 20, text)
            y -= 28
        draw_table(canvas, y - 10, segments)

    document = read(draw(tmp_path / "a.pdf", page))
    texts = ["\n".join(map("\t".join, rows)) for rows in (years, segments)]
    assert document.text.split("\n\n") == [texts[0], *between, texts[1]]
    assert [table.header_rows for table in document.tables] == [1, 1]


@pytest.mark.parametrize("above", [("Harbour office", "", "May 2025"), ("A paragraph that is no part of the table.",)])
def test_what_stands_above_a_header_row_is_no_row(tmp_path, above):
    def page(canvas):
        for x, text in zip((63, 150, 215), above, strict=False):
            canvas.drawString(x, 706, text)
        canvas.line(60, 700, 290, 700)
        canvas.setFont("Helvetica", 9)
        _rows(canvas, 700, lambda canvas, top, bottom: canvas.line(60, bottom, 290, bottom))

    assert read(draw(tmp_path / "a.pdf", page)).text.endswith(f"\n\n{TEXT}")


def test_lines_drawn_cell_by_cell_separate_rows(tmp_path):
    def under(canvas, top, bottom):
        for x0, x1 in ((60, 147), (149, 212), (214, 290)):
            canvas.line(x0, bottom, x1, bottom)

    def table(canvas, y):
        under(canvas, y, y)
        return _rows(canvas, y, under)

    assert _between_prose(tmp_path, table) == TEXT


def test_shaded_bands_separate_rows(tmp_path):
    def table(canvas, y):
        shades = []
        bottom = _rows(canvas, y, lambda canvas, top, bottom: shades.append((top, bottom)))
        for top, below in shades[::2]:
            canvas.setFillGray(0.85)
            canvas.rect(60, below, 230, top - below, fill=1, stroke=0)
        canvas.setFillGray(0)
        return min(bottom, _rows(canvas, y))

    assert _between_prose(tmp_path, table) == TEXT


def test_rows_between_few_lines_are_separated_by_their_cells(tmp_path):
    data = [
        ("Method", "Precision", "Recall"),
        ("Words", "0.51", "0.72"),
        ("Vectors", "0.64", "0.70"),
        ("Both", "0.71", "0.83"),
    ]

    def table(canvas, y):
        canvas.line(60, y, 290, y)
        for number, row in enumerate(data):
            for x, cell in zip(XS, row, strict=True):
                canvas.drawString(x, y - 11, cell)
            y -= 15
            if number in (0, len(data) - 1):
                canvas.line(60, y, 290, y)
        return y

    assert _between_prose(tmp_path, table) == "\n".join(map("\t".join, data))


def test_row_without_lines_begins_where_its_cells_begin(tmp_path):
    def table(canvas, y):
        for row in ROWS:
            for x, cell in zip((63, 170, 260), row, strict=True):
                lines(canvas, x, y - 11, cell, 11)
            y -= 11 * max(map(len, row)) + 7
        return y

    assert _between_prose(tmp_path, table) == TEXT


def test_a_grid_without_outer_lines_or_lines_between_rows_is_still_a_table(tmp_path):
    data = [
        ("Stone", "Granite", "1987"),
        ("Wall", "Concrete", "1911"),
        ("Drain", "Clay", "1908"),
        ("Rail", "Steel", "1996"),
    ]

    def table(canvas, y):
        top = y
        for x in (140, 210):
            canvas.line(x, top, x, top - 80)
        for level in (top, top - 18, top - 80):
            canvas.line(60, level, 290, level)
        for x, cell in zip((63, 145, 215), ("Part", "Made of", "Built"), strict=True):
            canvas.drawString(x, top - 12, cell)
        for number, row in enumerate(data):
            for x, cell in zip((63, 145, 215), row, strict=True):
                canvas.drawString(x, top - 30 - 15 * number, cell)
        return top - 80

    assert _between_prose(tmp_path, table) == "\n".join(map("\t".join, [("Part", "Made of", "Built"), *data]))


COMMANDS = [
    ("ssh host", ["Logs in to another", "machine."]),
    ("cp files", ["Copies files to", "another folder."]),
    ("rm files", ["Deletes files at", "once, for good."]),
]
COMMANDS_TEXT = "\n".join(f"{command}\t{' '.join(description)}" for command, description in COMMANDS)


def _draw_commands(canvas, levels: range) -> None:
    """Draw a table whose labels are centred beside their descriptions, with lines above the rows of some numbers."""
    canvas.setFont("Helvetica", 10)
    for number, (command, description) in enumerate(COMMANDS):
        top = 700 - 32 * number
        canvas.drawString(64, top - 18, command)
        lines(canvas, 164, top - 12, description, 12)
        canvas.line(160, top, 160, top - 32)
    for level in levels:
        canvas.line(60, 700 - 32 * level, 160, 700 - 32 * level)
        canvas.line(160, 700 - 32 * level, 290, 700 - 32 * level)


def test_lines_of_a_page_that_is_drawn_in_a_form_separate_rows(tmp_path):
    """Programs that put pages on other pages draw them in forms, moved and scaled, and forms in these."""

    def page(canvas):
        canvas.beginForm("inner")
        _draw_commands(canvas, range(4))
        canvas.endForm()
        canvas.beginForm("outer")
        canvas.translate(20, 10)
        canvas.doForm("inner")
        canvas.endForm()
        canvas.scale(0.8, 0.8)
        canvas.doForm("outer")

    assert read(draw(tmp_path / "a.pdf", page)).text == COMMANDS_TEXT


@pytest.mark.parametrize("levels", [range(1, 4), range(3)])
def test_lines_between_columns_that_go_on_beyond_the_last_line_between_rows_are_of_another_row(tmp_path, levels):
    assert read(draw(tmp_path / "a.pdf", lambda canvas: _draw_commands(canvas, levels))).text == COMMANDS_TEXT


def test_text_and_caption_below_a_rule_as_wide_as_a_table_are_not_of_the_table(tmp_path):
    above = "The fees that follow are due as soon as the parties have signed the order and"

    def page(canvas):
        canvas.line(60, 760, 420, 760)
        lines(canvas, 60, 745, [above, "returned it."])
        canvas.drawString(180, 721, "Table E.1 Fees")
        for number, row in enumerate(
            [("Item", "Fee", "Due"), ("Survey", "84,000", "April"), ("Lights", "97,250", "May")]
        ):
            y = 709 - 12 * number
            for x, cell in zip((60, 200, 340), row, strict=True):
                canvas.drawString(x, y, cell)
            canvas.line(60, y - 3, 420, y - 3)

    assert read(draw(tmp_path / "a.pdf", page)).text == (
        f"{above} returned it.\n\nTable E.1 Fees\n\nItem\tFee\tDue\nSurvey\t84,000\tApril\nLights\t97,250\tMay"
    )


def test_text_between_listings_in_frames_is_no_row(tmp_path):
    between = ["The summary of these values returns their limits", "and the mean, as for any other data:"]

    def page(canvas):
        y = lines(canvas, 60, 770, wrapped(prose(), 80)) - 14
        for rows in (["> limits(x)", "0%     25%     75%"], ["> summary(x)", "Min.   Mean    Max."]):
            canvas.line(60, y + 12, 400, y + 12)
            canvas.setFont("Courier", 10)
            for row in rows:
                for word in row.split("    "):
                    canvas.drawString(60 + 6 * row.index(word), y, word.strip())
                y -= 12
            canvas.setFont("Helvetica", 10)
            canvas.line(60, y + 6, 400, y + 6)
            y = lines(canvas, 60, y - 8, between if rows[0] == "> limits(x)" else wrapped(prose(2), 80)) - 8

    assert " ".join(between) in read(draw(tmp_path / "a.pdf", page)).text.split("\n")


def test_heading_centred_over_a_column_belongs_to_that_column(tmp_path):
    def page(canvas):
        for x, heading in ((75, "Name of the part"), (250, "Year of building"), (420, "Its present state")):
            canvas.drawString(x, 700, heading)
        for number, row in enumerate((("A1", "1987", "good"), ("B2", "1911", "poor"), ("C3", "1996", "fair"))):
            for x, cell in zip((60, 230, 400), row, strict=True):
                canvas.drawString(x, 685 - 15 * number, cell)

    assert read(draw(tmp_path / "a.pdf", page)).text.split("\n")[:2] == [
        "Name of the part\tYear of building\tIts present state",
        "A1\t1987\tgood",
    ]


@pytest.mark.parametrize("levels", [(770, 700, 400), (770, 640, 580, 520, 400)])
def test_columns_of_prose_between_lines_are_no_table(tmp_path, levels):
    left, right = prose(0, 12), "Second. " + prose(1, 12)

    def page(canvas):
        for y in levels[:1] + levels[-1:]:
            canvas.line(60, y, 535, y)
        for y in levels[1:-1]:
            canvas.line(60, y, 100, y)
        lines(canvas, 60, 750, wrapped(left, 42))
        lines(canvas, 320, 750, wrapped(right, 42))

    assert "\t" not in read(draw(tmp_path / "a.pdf", page)).text


def test_paragraphs_under_ruled_headings_are_no_table(tmp_path):
    def page(canvas):
        y = 760
        for number in range(4):
            canvas.setFont("Helvetica-Bold", 12)
            canvas.drawString(60, y, ("Scope", "Prices", "Time", "Risk")[number])
            canvas.drawRightString(420, y, f"{number + 3} May")
            canvas.line(60, y - 4, 420, y - 4)
            canvas.setFont("Helvetica", 10)
            y = lines(canvas, 60, y - 20, wrapped(prose(number), 60)) - 16

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert "\t" not in text
    assert "Scope\n\n3 May\n\nThe contractor gives notice" in text


def _read_beside(folder, left, right):
    """Return the text of a page with lines beside each other."""

    def page(canvas):
        lines(canvas, 60, 700, left)
        lines(canvas, 260, 700, right)

    return read(draw(folder / "a.pdf", page)).text


def test_two_short_paragraphs_side_by_side_are_read_one_after_the_other(tmp_path):
    left, right = (
        ["The contractor gives notice of every", "delay as soon as it is known."],
        ["The employer answers within ten", "working days of the notice."],
    )
    assert _read_beside(tmp_path, left, right).split("\n\n") == [
        "The contractor gives notice of every delay as soon as it is known.",
        "The employer answers within ten working days of the notice.",
    ]


def test_sentence_that_goes_on_in_a_short_column_beside_is_whole(tmp_path):
    left, right = (
        ["The contractor gives notice of every", "delay as soon as it is known and"],
        ["says in the same notice what can", "be done about it by the employer."],
    )
    assert _read_beside(tmp_path, left, right) == (
        "The contractor gives notice of every delay as soon as it is known and "
        "says in the same notice what can be done about it by the employer."
    )


def test_short_last_line_ends_a_paragraph_beside_another_in_lower_case(tmp_path):
    left, right = (
        ["The contractor gives notice of every", "delay at once"],
        ["ten working days after this notice", "the employer gives an answer"],
    )
    assert _read_beside(tmp_path, left, right).split("\n\n") == [
        "The contractor gives notice of every delay at once",
        "ten working days after this notice the employer gives an answer",
    ]


def test_the_sample_contracts_schedule_is_read_row_by_row():
    text = read(SAMPLES / "Harbour Works Contract.pdf").text
    assert text.split("\n\n")[-1].split("\n") == [
        "Part of the works\tPrice\tFinished by",
        "Survey and clearing of the sea bed\t£84,000\t11 April 2025",
        "Toe trench and bedding layer\t£391,500\t30 May 2025",
        "Armour stone, 9,400 tonnes\t£1,128,000\t22 August 2025",
        "Crown wall, repair and recasting\t£276,300\t12 September 2025",
        "Pilot berth with fenders and ladders\t£648,900\t31 October 2025",
        "Lights, cables and testing\t£97,250\t21 November 2025",
        "Total of the prices\t£2,625,950",
    ]


def test_label_centred_beside_a_wrapped_cell_is_in_its_row(tmp_path):
    cells = (
        (
            "Search",
            ["Generate a search query and ask the", "search tool, then append all that it", "finds to the queue"],
        ),
        (
            "Expand",
            ["Generate a name of a section, then", "add all papers that are cited in the", "section to the queue"],
        ),
        ("Stop", ["Reset the context to the query and to", "the next paper in the queue"]),
    )

    def page(canvas):
        lines(canvas, 60, 790, wrapped(prose(1, 2), 80))
        y = 700
        for label, texts in (("Name", ["Function"]), *cells):
            canvas.line(60, y, 275, y)
            lines(canvas, 115, y - 12, texts)
            canvas.drawString(65, y - 12 - 6 * (len(texts) - 1), label)
            y -= 12 * len(texts) + 6
        canvas.line(60, y, 275, y)

    rows = read(draw(tmp_path / "a.pdf", page)).text.split("\n\n")[1].split("\n")
    assert rows == ["Name\tFunction", *(f"{label}\t{' '.join(texts)}" for label, texts in cells)]


def test_line_below_a_table_continues_the_cell_above_it(tmp_path):
    def page(canvas):
        for number, row in enumerate((("Description", "Quantity"), ("Project management - branding workshop", "1.00"))):
            for x, cell in zip((60, 330), row, strict=True):
                canvas.drawString(x, 780 - 23 * number, cell)
        canvas.drawString(60, 745, "with your team")
        lines(canvas, 60, 700, wrapped(prose(), 80))

    assert "Project management - branding workshop with your team\t1.00" in read(
        draw(tmp_path / "a.pdf", page)
    ).text.split("\n")


def test_sentence_of_a_last_cell_goes_on_at_the_margin(tmp_path):
    answer = "Are charges filed? The owner of the berth was charged by the harbour office on the day after his"

    def page(canvas):
        lines(canvas, 60, 780, wrapped(prose(), 100))
        for number, row in enumerate((("Yes", "Is an inquiry pending?"), ("Yes", answer))):
            for x, cell in zip((74, 112), row, strict=True):
                canvas.drawString(x, 690 - 12 * number, cell)
        lines(canvas, 60, 666, ["arrival.", "", *wrapped(prose(1), 100)])

    assert f"Yes\t{answer} arrival." in read(draw(tmp_path / "a.pdf", page)).text.split("\n")


def test_labelled_values_between_lines_are_rows(tmp_path):
    sections = {
        "Family": [
            ("Marital status:", "Single"),
            ("Number of children:", "Not on file"),
            ("Years of education:", "Nine"),
        ],
        "Work": [("Employer:", "Port office"), ("Trades", ""), ("Highest rank:", "Not on file")],
        "Smoking": [("Tobacco use:", "Not on file")],
        "Use": [("Alcohol use:", "Not on file"), ("Sexual activity:", "Not on file")],
    }

    def page(canvas):
        y = 740
        for title, rows in sections.items():
            canvas.line(60, y, 400, y)
            canvas.drawString(60, y - 10, title)
            canvas.line(60, y - 13, 400, y - 13)
            for number, row in enumerate(rows):
                for x, cell in zip((70, 230), row, strict=True):
                    canvas.drawString(x, y - 24 - 11.5 * number, cell)
            y -= 28 + 11.5 * len(rows)
        canvas.line(60, y, 400, y)

    rows = ["\t".join(filter(None, row)) for section in sections.values() for row in section]
    assert set(rows) <= set(read(draw(tmp_path / "a.pdf", page)).text.split("\n"))


def test_headings_side_by_side_in_one_ruled_cell_are_read_one_after_the_other(tmp_path):
    def page(canvas):
        for x in (60, 200, 520):
            canvas.line(x, 700, x, 800)
        for y in (700, 740, 800):
            canvas.line(60, y, 520, y)
        canvas.drawString(70, 715, "Ada Lovelace")
        canvas.setFont("Helvetica-Bold", 10)
        canvas.drawString(70, 770, "Name")
        for x, words in (
            (210, ("Total", "Segment", "Score")),
            (300, ("Total", "Element", "Score")),
            (400, ("Total", "Deductions")),
        ):
            lines(canvas, x, 785, words, 12)
        canvas.setFont("Helvetica", 10)
        for x, number in ((210, "49.88"), (300, "24.28"), (400, "-1.00")):
            canvas.drawString(x, 715, number)

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert text.splitlines()[0] == "Name\tTotal Segment Score Total Element Score Total Deductions"


def test_entries_with_leaders_are_columns_of_an_index(tmp_path):
    left = [(f"pier{k}", f"{k}, {k + 14}") for k in range(1, 9)]
    right = [(f"quay{k}", str(k + 40)) for k in range(1, 9)]

    def page(canvas):
        for x, entries in ((60, left), (320, right)):
            for number, (title, page_numbers) in enumerate(entries):
                canvas.drawString(x, 700 - 14 * number, f"{title} {'. ' * 30}")
                canvas.drawRightString(x + 210, 700 - 14 * number, page_numbers)

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert [line for line in text.split("\n") if line] == ["\t".join(entry) for entry in left + right]


def test_rows_far_apart_whose_cells_begin_alike_are_rows_of_a_table(tmp_path):
    fields = [
        ("18-57", "Letters", "NAME OF THE FIRM."),
        ("58", "Letter", "KIND OF FILE."),
        ("59-107", "Digits", "DATE."),
    ]

    def page(canvas):
        y = 740
        for position, kind, name in fields:
            for x, words in zip((72, 140, 200), (position, kind, name), strict=True):
                canvas.drawString(x, y, words)
            y = lines(canvas, 200, y - 30, wrapped(prose(count=2), 50)) - 30

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert [line for line in text.split("\n") if "\t" in line] == ["\t".join(field) for field in fields]


def _draw_cells(canvas, rows, edges=(60, 200, 530)):
    """Draw rows of (left, right) cells, each a list of lines, with lines around them; return where they end."""
    y = 790
    for cells in rows:
        canvas.line(edges[0], y, edges[-1], y)
        bottom = y - 12 * max(map(len, cells)) - 8
        for x, texts in zip(edges, cells, strict=False):
            lines(canvas, x + 4, y - 12, texts)
        for x in edges:
            canvas.line(x, y, x, bottom)
        y = bottom
    canvas.line(edges[0], y, edges[-1], y)


def test_paragraphs_in_a_long_cell_are_read_after_the_cell_beside_it(tmp_path):
    paragraphs = [prose(number) for number in range(6)]
    title = ["Duties of the", "contractor during", "the works"]
    rows = [(["Clause"], ["Text"]), (title, [row for paragraph in paragraphs for row in wrapped(paragraph, 60)])]
    assert sum(map(len, rows[1])) > 28
    text = read(draw(tmp_path / "a.pdf", lambda canvas: _draw_cells(canvas, rows))).text
    assert text.startswith("Clause\tText\n\nDuties of the contractor during the works\n\n")
    assert all(sentence in text for paragraph in paragraphs for sentence in paragraph.split(". "))


def test_lines_of_two_cells_that_wrap_beside_each_other_are_one_row(tmp_path):
    left = ["The contractor, as", "far as the employer", "has not agreed on", "any other person"]
    right = wrapped(prose(), 62)[:4]
    text = read(draw(tmp_path / "a.pdf", lambda canvas: _draw_cells(canvas, [(["Who"], ["What"]), (left, right)]))).text
    assert text == f"Who\tWhat\n{' '.join(left)}\t{' '.join(right)}"


def test_rows_end_where_all_lines_between_columns_end(tmp_path):
    """Programs draw these lines row by row, also where they draw no line below the row."""
    rows = [
        (["Part"], ["Made of"]),
        (["Stone", "Walls"], ["Granite", "Basalt", "Slate"]),
        (["Quays", "Piers"], ["Concrete", "Steel"]),
    ]

    def page(canvas):
        y = 780
        for level in (y, y - 24):
            canvas.line(60, level, 340, level)
        for left, right in rows:
            bottom = y - 12 * len(right) - 12
            lines(canvas, 64, y - 14, left)
            lines(canvas, 204, y - 14, right)
            for x in (60, 200, 340):
                canvas.line(x, y, x, bottom)
            y = bottom
        canvas.line(60, y, 340, y)

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert text == "\n".join("\t".join(map(" ".join, row)) for row in rows)


def test_label_and_text_between_two_lines_are_a_row(tmp_path):
    texts = ["All that the reader", "has to know about", "the harbour stands", "in the handbook."]

    def page(canvas):
        for y in (790, 730):
            canvas.line(60, y, 300, y)
        canvas.line(150, 790, 150, 730)
        canvas.drawString(64, 754, "Handbook")
        lines(canvas, 154, 778, texts)
        lines(canvas, 60, 690, wrapped(prose(), 85))

    assert read(draw(tmp_path / "a.pdf", page)).text.startswith(f"Handbook\t{' '.join(texts)}\n")


COMMAND_ROWS = [
    ("cd folder", "change the folder"),
    ("ls [options]", "print what a folder holds"),
    ("getenv (string)", "return a variable"),
    ("edit history lines", "edit commands and run them"),
    ("system (text)", "execute a command"),
]


def test_cells_that_begin_where_those_of_other_rows_do_are_cells_however_little_white_is_before_them(tmp_path):
    def page(canvas):
        for number, (command, description) in enumerate(COMMAND_ROWS):
            canvas.drawString(60, 780 - 12 * number, command)
            canvas.drawString(
                60 + stringWidth("edit history lines", "Helvetica", 10) + 10, 780 - 12 * number, description
            )

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert text == "\n".join(map("\t".join, COMMAND_ROWS))


def test_rows_of_commands_apart_from_each_other_are_rows(tmp_path):
    def page(canvas):
        y = 780
        for command, description in COMMAND_ROWS:
            canvas.drawString(60, y, command)
            canvas.drawString(170, y, description)
            y = lines(canvas, 60, y - 14, wrapped(prose(), 90)) - 14

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert [line for line in text.split("\n") if "\t" in line] == ["\t".join(row) for row in COMMAND_ROWS]


def test_cells_on_one_line_are_a_row_though_a_line_of_the_column_beside_stands_higher(tmp_path):
    """A line of the other column stands so little higher that it may share a row with a large cell, and with no small one."""

    def page(canvas):
        canvas.setFont("Helvetica", 8)
        lines(canvas, 60, 783.8, wrapped(prose(count=6), 45))
        y = lines(canvas, 320, 780, wrapped(prose(1, count=2), 45))
        for number, (command, description) in enumerate(COMMAND_ROWS[:2]):
            canvas.setFont("Helvetica", 8)
            canvas.drawString(320, y - 12 * number, command)
            canvas.setFont("Helvetica", 7)
            canvas.drawString(420, y - 12 * number, description)
        canvas.setFont("Helvetica", 8)
        lines(canvas, 320, y - 24, wrapped(prose(2, count=2), 45))

    assert "\n".join(map("\t".join, COMMAND_ROWS[:2])) in read(draw(tmp_path / "a.pdf", page)).text


def test_words_below_the_numbers_of_an_axis_are_no_part_of_them(tmp_path):
    def page(canvas):
        for left in (60, 320):
            for number in range(6):
                canvas.drawString(left + 40 * number, 700, str(number))
            canvas.drawCentredString(left + 100, 684, "Number of splits")

    numbers, titles = read(draw(tmp_path / "a.pdf", page)).text.split("\n")
    assert not any(map(str.isalpha, numbers))
    assert titles.split("\t\t\t\t")[0].strip() == "Number of splits"


def test_row_below_the_second_of_two_lines_that_are_drawn_cell_by_cell_is_a_row(tmp_path):
    def page(canvas):
        for number, (command, description) in enumerate(COMMANDS[:2]):
            top = 700 - 32 * number
            canvas.drawString(64, top - 18, command)
            lines(canvas, 164, top - 12, description)
            canvas.line(60, top, 160, top)
            canvas.line(160, top, 290, top)
            canvas.line(160, top, 160, top - 32)

    assert read(draw(tmp_path / "a.pdf", page)).text == "\n".join(COMMANDS_TEXT.split("\n")[:2])


def test_label_of_many_lines_beside_a_text_between_two_lines_is_a_row_with_it(tmp_path):
    label, texts = ["Reports of", "defects at", "the office"], ["All about defects", "that were known", "and mended."]

    def page(canvas):
        for y in (790, 745):
            canvas.line(60, y, 300, y)
        canvas.line(150, 790, 150, 745)
        lines(canvas, 64, 778, label)
        lines(canvas, 154, 778, texts)

    assert read(draw(tmp_path / "a.pdf", page)).text == f"{' '.join(label)}\t{' '.join(texts)}"


@pytest.mark.parametrize("gutters", [(200, 340), (60, 200), (60, 340)])
def test_columns_that_lines_separate_from_some_others_only_are_columns(tmp_path, gutters):
    """These lines are drawn row by row, between a few of the columns."""
    rows = [
        ("Offence", "Total", "Male", "Female"),
        *((f"Theft {n}", f"{n}9.1", f"{n}0.5", f"{n}8.6") for n in range(6)),
    ]

    def page(canvas):
        for y in (780, 762, 780 - 18 * len(rows)):
            for start, stop in ((60, 200), (200, 270), (270, 340), (340, 400)):
                canvas.line(start, y, stop, y)
        for number, row in enumerate(rows):
            for x, cell in zip((64, 204, 274, 344), row, strict=True):
                canvas.drawString(x, 768 - 18 * number, cell)
            for x in gutters:
                canvas.line(x, 780 - 18 * number, x, 762 - 18 * number)

    assert read(draw(tmp_path / "a.pdf", page)).text == "\n".join(map("\t".join, rows))


def test_text_in_another_size_close_below_code_in_two_columns_is_no_part_of_it(tmp_path):
    text = "We can now add methods for these classes to all of the others:"

    def page(canvas):
        lines(canvas, 60, 780, wrapped(prose(), 70))
        canvas.setFont("Courier", 8)
        for number, code in enumerate(('setAs("Grid", "Polygons",', "function(from) as(from),", "match.ID = FALSE))")):
            canvas.drawString(60, 700 - 10 * number, ">+"[number > 0])
            canvas.drawString(90, 700 - 10 * number, code)
        canvas.setFont("Helvetica", 10)
        canvas.drawString(75, 668, text)
        lines(canvas, 60, 640, wrapped(prose(1), 70))

    assert text in read(draw(tmp_path / "a.pdf", page)).text.split("\n\n")


def test_smaller_line_below_a_cell_is_part_of_it(tmp_path):
    rows = [("Steel beam", "4", "1,200.00"), ("Oak plank", "12", "340.00"), ("Rope", "7", "56.00")]
    remark = "delivered to the pier in the spring"

    def page(canvas):
        for number, row in enumerate(rows):
            canvas.setFont("Helvetica", 10)
            for x, text in zip((60, 300, 400), row, strict=True):
                canvas.drawString(x, 740 - 27 * number, text)
            canvas.setFont("Helvetica", 8)
            canvas.drawString(60, 729 - 27 * number, remark)
        lines(canvas, 60, 600, wrapped(prose(), 70))

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert text.splitlines()[:2] == [f"{item} {remark}\t{count}\t{price}" for item, count, price in rows[:2]]


def test_words_in_a_column_beside_justified_text_are_cells(tmp_path):
    """The white after a word is the only one of its line that is as wide: no space of a justified line."""
    entries = [
        (name, f"{name} of the model. {prose(number)}") for number, name in enumerate(("start", "method", "order"))
    ]

    def page(canvas):
        y = 780
        for name, text in entries:
            canvas.drawString(60, y, name)
            *full, last = wrapped(text, 50)
            for line in full:
                row = canvas.beginText(130, y)
                row.setWordSpace((260 - stringWidth(line, "Helvetica", 10)) / line.count(" "))
                row.textOut(line)
                canvas.drawText(row)
                y -= 12
            canvas.drawString(130, y, last)
            y -= 16

    assert read(draw(tmp_path / "a.pdf", page)).text.splitlines() == ["\t".join(entry) for entry in entries]


@pytest.mark.parametrize(
    ("left", "right"),
    [("[Cop87]", "D. Cope, Experiments in the music of the last years, 1987."), ("ibm.com/redbooks", "Redpaper")],
)
def test_key_of_a_reference_and_lone_words_within_justified_text_are_no_cells(tmp_path, left, right):
    """The white between them is wide, but they fill a line of the text."""

    def page(canvas):
        y = 780
        for number, line in enumerate(wrapped(prose() * 2, 70)[:6]):
            if number == 3:
                canvas.drawString(60, y, left)
                canvas.drawRightString(390, y, right)
                y -= 12
            row = canvas.beginText(60, y)
            row.setWordSpace((330 - stringWidth(line, "Helvetica", 10)) / line.count(" "))
            row.textOut(line)
            canvas.drawText(row)
            y -= 12

    assert f"{left} {right}" in read(draw(tmp_path / "a.pdf", page)).text
