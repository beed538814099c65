"""Ends of paragraphs, headings, and headers and footers of PDFs."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont

from ingest.readers.pdf import read
from tests.ingest.readers.pdf_drawing import draw, lines, picture, prose, wrapped

SAMPLES = Path(__file__).parents[3] / "samples"


def _headings(reading) -> list[str]:
    return [reading.text[heading.start : heading.end] for heading in reading.headings]


def test_slanted_subtitle_is_not_part_of_the_columns_below(tmp_path):
    def page(canvas):
        canvas.setFont("Helvetica-Oblique", 10)
        canvas.drawString(60, 780, "Repair of the eastern mole and a new berth for the pilots")
        canvas.setFont("Helvetica", 10)
        lines(canvas, 60, 740, wrapped(prose(0, 8), 42))
        lines(canvas, 320, 740, wrapped("Second. " + prose(1, 8), 42))

    assert read(draw(tmp_path / "a.pdf", page)).text.split("\n\n")[:2] == [
        "Repair of the eastern mole and a new berth for the pilots",
        prose(0, 8),
    ]


@pytest.mark.parametrize("font", ["Helvetica-Oblique", "Times-Roman", "Helvetica-Bold"])
def test_a_short_line_in_other_type_is_a_paragraph_without_white_around_it(tmp_path, font):
    def page(canvas):
        canvas.setFont(font, 10)
        canvas.drawString(60, 760, "For the use of the members")
        canvas.setFont("Helvetica", 10)
        lines(canvas, 60, 748, wrapped(prose(1), 70))

    assert read(draw(tmp_path / "a.pdf", page)).text.split("\n\n") == ["For the use of the members", prose(1)]


@pytest.mark.parametrize(
    ("clause", "titles"),
    [
        ("6.3 Early warning. " + prose(1), ["6.3 Early warning"]),
        ("6.3 Notice Of Delay To Others. " + prose(1), ["6.3 Notice Of Delay To Others"]),
        ("7.1 These are compensation events: an instruction that changes the works; " + prose(1), []),
        ("7.2 It is late. " + prose(1), []),
        ("7.3 Landlord agrees: (a) the rent is paid in time; " + prose(1), []),
    ],
)
def test_lead_in_is_a_title_by_its_words_and_punctuation(tmp_path, clause, titles):
    reading = read(draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 760, wrapped(clause, 70))))
    assert reading.text == clause
    assert _headings(reading) == titles


@pytest.mark.parametrize("font", ["Helvetica-Bold", "Helvetica-Oblique"])
def test_a_lead_in_with_a_colon_is_a_title_when_its_type_says_so(tmp_path, font):
    def page(canvas):
        canvas.setFont(font, 10)
        canvas.drawString(60, 760, "7.1 What counts as an event:")
        x = 60 + canvas.stringWidth("7.1 What counts as an event: ", font, 10)
        canvas.setFont("Helvetica", 10)
        canvas.drawString(x, 760, "an instruction that changes the works, and")
        lines(canvas, 60, 748, wrapped(prose(1), 70))

    assert _headings(read(draw(tmp_path / "a.pdf", page))) == ["7.1 What counts as an event:"]


def test_labels_in_a_picture_are_no_headings(tmp_path):
    def page(canvas):
        y = lines(canvas, 60, 780, wrapped(prose(1), 70))
        canvas.drawImage(picture(230), 60, 400, 300, 200)
        canvas.setFont("Helvetica-Bold", 14)
        canvas.drawString(100, 560, "Seaward face")
        canvas.drawString(200, 460, "Harbour")
        canvas.drawString(60, y - 20, "What was found")
        canvas.setFont("Helvetica", 10)
        lines(canvas, 60, 370, wrapped(prose(2), 70))

    assert _headings(read(draw(tmp_path / "a.pdf", page))) == ["What was found"]


def test_large_symbols_and_labels_with_nothing_to_read_after_them_are_no_headings(tmp_path):
    def page(canvas):
        lines(canvas, 60, 780, wrapped(prose(1), 70))
        canvas.setFont("Helvetica-Bold", 14)
        for y, label in ((600, "x y M"), (560, "Seaward"), (520, "Harbour")):
            canvas.drawString(200, y, label)

    assert _headings(read(draw(tmp_path / "a.pdf", page))) == []


def _body(canvas, number: int, top: float = 740) -> None:
    canvas.setFont("Helvetica", 10)
    lines(canvas, 60, top, wrapped(prose(number, 24), 70))


def test_title_repeated_on_nearby_pages_is_kept(tmp_path):
    def page(number):
        def drawn(canvas):
            if number in (3, 4, 5):
                canvas.drawString(60, 770, "Record of inspection")
            _body(canvas, number, 754 if number in (3, 4, 5) else 770)

        return drawn

    assert read(draw(tmp_path / "a.pdf", *map(page, range(1, 11)))).text.count("Record of inspection") == 3


def test_numbered_titles_at_the_top_of_pages_are_kept(tmp_path):
    def page(number):
        def drawn(canvas):
            canvas.drawString(60, 770, f"Schedule {number}")
            _body(canvas, number, 757)

        return drawn

    text = read(draw(tmp_path / "a.pdf", *map(page, range(1, 5)))).text
    assert all(f"Schedule {number}" in text for number in range(1, 5))


def test_headers_that_change_on_every_page_are_removed(tmp_path):
    titles = ["The Harbour", "The Mole", "What We Found", "Storms", "The Drain", "Costs", "Two Courses", "Advice"]

    def page(number):
        def drawn(canvas):
            canvas.drawString(60, 800, f"{titles[number]}")
            canvas.drawRightString(535, 800, str(number + 11))
            _body(canvas, number)

        return drawn

    text = read(draw(tmp_path / "a.pdf", *map(page, range(8)))).text
    assert not [title for title in titles if title in text]
    assert all(prose(number, 24) in text for number in range(8))


def test_slanted_headers_are_removed_and_first_lines_of_text_are_kept(tmp_path):
    words = ["harbour", "mole", "stones", "storms", "drain", "costs", "courses", "advice"]

    def page(number):
        def drawn(canvas):
            canvas.setFont("Helvetica-Oblique", 10)
            canvas.drawString(60, 800, f"Of {words[number]}")
            _body(canvas, number)

        return drawn

    text = read(draw(tmp_path / "a.pdf", *map(page, range(8)))).text
    assert "Of " not in text
    assert all(prose(number, 24) in text for number in range(8))


def test_the_title_of_every_slide_is_kept(tmp_path):
    words = ["harbour", "mole", "stones", "storms", "drain", "costs", "courses", "advice"]

    def page(number):
        def drawn(canvas):
            canvas.setFont("Helvetica-Bold", 20)
            canvas.drawString(60, 790, f"About the {words[number]}")
            canvas.setFont("Helvetica", 10)
            lines(canvas, 60, 740, wrapped(prose(number, 2), 70))

        return drawn

    text = read(draw(tmp_path / "a.pdf", *map(page, range(8)))).text
    assert all(f"About the {word}" in text for word in words)


def test_subtitle_and_list_of_events_of_the_sample_contract_are_read_correctly():
    reading = read(SAMPLES / "Harbour Works Contract.pdf")
    assert "\n\nRepair of the East Mole and a new pilot berth at Skerry Point\n\nThis contract is made" in reading.text
    titles = _headings(reading)
    assert "6.3 Early warning" in titles
    assert not [title for title in titles if title.startswith("7.1")]


@pytest.mark.parametrize("top", [810, 40])
def test_header_or_footer_beside_a_title_that_no_other_page_has_is_removed(tmp_path, top):
    titles = ["The Harbour", "The Mole", "What We Found", "Storms", "The Drain", "Costs", "Two Courses", "Advice"]

    def page(number):
        def drawn(canvas):
            edge_lines = [titles[number], "Harbour Board of Bergen"]
            lines(canvas, 60, top, edge_lines if top > 400 else edge_lines[::-1])
            _body(canvas, number, 760)

        return drawn

    text = read(draw(tmp_path / "a.pdf", *map(page, range(8)))).text
    assert "Harbour Board" not in text
    assert all(prose(number, 24) in text for number in range(8))


@pytest.mark.parametrize("top", [820, 775])
def test_header_of_many_lines_is_removed(tmp_path, top):
    header = wrapped(prose(7, 3), 60)
    assert len(header) > 4

    def page(number):
        def drawn(canvas):
            lines(canvas, 60, top, header, 11)
            _body(canvas, number, 670)

        return drawn

    text = read(draw(tmp_path / "a.pdf", *map(page, range(1, 7)))).text
    assert "in part 7" not in text
    assert all(prose(number, 24) in text for number in range(1, 7))


@pytest.mark.parametrize(
    ("first_lines", "spoken"),
    [
        (
            ["The keeper of the {word} has paid the", "{number} crowns for the broken capstan."],
            "the {number} crowns for",
        ),
        (["The keeper paid {number} crowns for the broken capstan."], "paid {number} crowns for"),
        (["The keeper of the {word} has paid the", "crowns for the broken capstan."], "{word} has paid the crowns for"),
        (["港务局于本年度之内共计支付了{number}克朗的修理费用。"], "共计支付了{number}克朗"),
    ],
)
@pytest.mark.parametrize("top", [810, 775])
def test_lines_of_text_that_each_page_repeats_with_another_number_stay(tmp_path, first_lines, spoken, top):
    words = ["harbour", "mole", "stones", "storms", "drain", "costs", "courses", "advice"]
    values = [{"word": word, "number": 97 * index % 41 + 200} for index, word in enumerate(words)]
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))

    def page(index):
        def drawn(canvas):
            canvas.setFont("STSong-Light", 10)
            lines(canvas, 60, top, [line.format(**values[index]) for line in first_lines])
            canvas.setFont("Helvetica", 10)
            _body(canvas, index)

        return drawn

    text = read(draw(tmp_path / "a.pdf", *map(page, range(8)))).text
    assert [value for value in values if spoken.format(**value) not in text] == []


def test_headings_of_columns_below_a_header_of_one_line_stay(tmp_path):
    def page(number):
        def drawn(canvas):
            canvas.drawString(60, 745, "Rates of the harbour")
            for x, words in ((60, "Kind of ship"), (220, "Rate"), (380, "Offset")):
                canvas.drawString(x, 733, words)
            for row in range(12):
                for x, words in ((60, f"Ship {row} of {number}"), (220, f"{row},{number}"), (380, "yes")):
                    canvas.drawString(x, 721 - 12 * row, words)

        return drawn

    assert read(draw(tmp_path / "a.pdf", *map(page, range(1, 5)))).text.count("Kind of ship\tRate\tOffset") == 4


def test_form_that_is_printed_twice_keeps_its_words(tmp_path):
    """The second page is a copy for the other party."""
    header = wrapped(prose(7, 3), 60)

    def page(canvas):
        lines(canvas, 60, 820, header, 11)
        _body(canvas, 1, 700)

    assert read(draw(tmp_path / "a.pdf", page, page)).text.count("in part 7") == 2
