"""Boxes side by side on one line, without a table around them, are sentences of their own; a line of text is one."""

from __future__ import annotations

from itertools import chain

import pytest

from highlighter.text.sentences import split_sentences
from ingest.readers.pdf import read
from tests.ingest.readers.pdf_drawing import draw, lines, prose, relettered, wrapped


def _read_sentences(tmp_path, *rows) -> list[str]:
    """Return the sentences of a page with some rows below a paragraph; a row holds the place and text of each box."""

    def page(canvas):
        y = lines(canvas, 60, 780, wrapped(prose(), 70)) - 24
        for row in rows:
            for x, text in row:
                canvas.drawString(x, y, text)
            y -= 12

    text = read(draw(tmp_path / "a.pdf", page)).text
    return [span.text for span in split_sentences(text, wrapped=False)][4:]


@pytest.mark.parametrize(
    "row",
    [
        [(60, "Harbour Works Ltd."), (300, "Pier Authority")],
        [(60, "By"), (300, "By")],
        [(60, "Female"), (110, "Male"), (150, "Not known")],
        [(60, "Java"), (110, "C#")],
        [(60, "24.50"), (400, "24.28")],
        [(60, "(a) North pier"), (160, "(b) South pier")],
        [(60, "Home Loan Rates"), (380, "Effective as at 9 April 2019")],
        [(60, "Harbour news"), (300, "https://harbour.example/news")],
    ],
)
def test_boxes_of_a_row_are_sentences_of_their_own(tmp_path, row):
    assert _read_sentences(tmp_path, row) == [text for _, text in row]


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ([(60, "Years of experience:"), (250, "Six")], "Years of experience: Six"),
        ([(60, "2."), (90, "Promotion of the pier")], "2. Promotion of the pier"),
        ([(60, "Terms of the works"), (480, "17")], "Terms of the works 17"),
        ([(60, "The price is agreed"), (200, "before the works start")], "The price is agreed before the works start"),
        ([(60, "a = b + c"), (200, "X = Y")], "a = b + c X = Y"),
    ],
)
def test_parts_that_belong_together_stay_one_sentence(tmp_path, row, sentence):
    assert _read_sentences(tmp_path, row) == [sentence]


def test_boxes_below_text_in_another_size_continue_no_sentence_of_it(tmp_path):
    def page(canvas):
        canvas.drawString(60, 700, "Notes in the margin")
        canvas.setFont("Helvetica", 7)
        canvas.drawString(60, 689, "bass flute")
        canvas.drawString(300, 689, "Trevor Bell")

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert text.split("\n\n") == ["Notes in the margin", "bass flute", "Trevor Bell"]


def test_line_below_a_box_continues_it(tmp_path):
    rows = [
        [(60, "Reseller"), (250, "A nonprofit corporation which has its principal")],
        [(250, "place of business in Harwich")],
        [(60, "Next field")],
    ]
    assert _read_sentences(tmp_path, *rows) == [
        "Reseller",
        "A nonprofit corporation which has its principal place of business in Harwich",
        "Next field",
    ]


def test_line_with_a_wide_space_that_goes_on_below_is_text(tmp_path):
    rows = [[(60, "Yes"), (130, "No services were provided to the child or to")], [(60, "the family at the time.")]]
    assert _read_sentences(tmp_path, *rows) == [
        "Yes No services were provided to the child or to the family at the time."
    ]


FIELDS = ["Date of the invoice", "3 June 2013", "Number of the invoice", "INV-0046", "Number of the tax"]
ADDRESS = ["Orange Works Ltd.", "23 Main Street", "Central City", "Harwich", "United Kingdom"]


def _draw_boxes(canvas, pitch):
    """Draw the fields of an invoice beside an address with another distance of lines, and a table below."""
    lines(canvas, 60, 700, FIELDS, pitch)
    lines(canvas, 260, 698, ADDRESS, 12)
    lines(canvas, 60, 500, ["Description of the works", "Mending the pier"], 20)
    lines(canvas, 260, 500, ["Quantity", "1.00"], 20)


def test_boxes_with_their_own_distances_of_lines_are_read_one_after_the_other(tmp_path):
    text = read(draw(tmp_path / "a.pdf", lambda canvas: _draw_boxes(canvas, 14.5))).text
    rows = ["Description of the works\tQuantity", "Mending the pier\t1.00"]
    assert [span.text for span in split_sentences(text, wrapped=False)] == [*FIELDS, *ADDRESS, *rows]


def test_rows_of_a_table_are_read_one_after_the_other(tmp_path):
    text = read(draw(tmp_path / "a.pdf", lambda canvas: _draw_boxes(canvas, 12))).text
    assert "3 June 2013\t23 Main Street" in text


def test_entries_of_an_index_in_two_columns_are_sentences_of_their_own(tmp_path):
    left = ["Harbour, 17", "Jetty, 20, 23", "Kedge, 5", "lightship, 9", "Mooring, 31–33", "Pier, 2"]
    right = ["Quay, 14", "Rope, 44", "Sluice, 8", "tide gauge, 90", "Wharf, 12"]

    def page(canvas):
        lines(canvas, 60, 780, left, 15)
        lines(canvas, 320, 776, right, 18)

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert [span.text for span in split_sentences(text, wrapped=False)] == left + right


def test_lists_side_by_side_with_wrapped_items_are_read_one_after_the_other(tmp_path):
    left = [
        ["Report of the access"],
        ["Protective plan"],
        ["Initial assessment"],
        ["Safety plan"],
        ["Petition for a court order (a child in need of", "protection or services)"],
        ["Placement into a home"],
        ["Placement with relatives"],
        ["Ongoing services"],
    ]
    right = [
        ["Successful reunification"],
        ["Referral to services"],
        ["Assistance"],
        ["Collaboration"],
        ["Supervised visitation"],
        ["Open for services"],
        ["Closed by the agency"],
        ["Efforts to address or enhance community", "collaboration on cases"],
    ]

    def page(canvas):
        lines(canvas, 60, 700, chain.from_iterable(left), 12)
        lines(canvas, 340, 700, chain.from_iterable(right), 12)

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert [span.text for span in split_sentences(text, wrapped=False)] == [" ".join(item) for item in left + right]


def test_words_with_a_drawn_line_between_them_are_in_two_boxes(tmp_path):
    def page(canvas):
        for row, texts in enumerate((("Mass", "Scale"), ("Drawn by the", "Checked by the"))):
            y, x = 700 - 60 * row, 60
            for text in texts:
                canvas.drawString(x, y, text)
                x += canvas.stringWidth(text, "Helvetica", 10) + 3
                canvas.line(x, y - 4, x, y + 12)
                x += 3

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert [span.text for span in split_sentences(text, wrapped=False)] == [
        "Mass",
        "Scale",
        "Drawn by the",
        "Checked by the",
    ]


def test_letters_each_in_a_drawn_box_stay_one_word(tmp_path):
    def page(canvas):
        for number, letter in enumerate("HARBOUR"):
            canvas.drawString(60 + 11 * number, 700, letter)
            canvas.line(69 + 11 * number, 695, 69 + 11 * number, 712)

    assert "\n" not in read(draw(tmp_path / "a.pdf", page)).text


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (("Name: Ada Byron", "Age: 52", "Sex: F"), ["Name: Ada Byron", "Age: 52", "Sex: F"]),
        (("Note: the works", "end here."), ["Note: the works end here."]),
    ],
)
def test_fields_side_by_side_are_sentences_of_their_own(tmp_path, fields, expected):
    def page(canvas):
        x = 60
        for text in fields:
            canvas.drawString(x, 700, text)
            x += canvas.stringWidth(text, "Helvetica", 10) + 10

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert [span.text for span in split_sentences(text, wrapped=False)] == expected


def test_titles_side_by_side_with_a_minus_sign_for_a_hyphen_are_no_formula(tmp_path):
    titles = ["Moderate one~tailed selection", "Severe one~tailed selection"]

    def page(canvas):
        for number, title in enumerate(titles):
            canvas.drawString(60 + 240 * number, 700, title)

    letters = {letter: letter for title in titles for letter in title} | {"~": "\u2212"}
    text = read(relettered(draw(tmp_path / "a.pdf", page), letters)).text
    assert text.split("\n\n") == [title.replace("~", "\u2212") for title in titles]
