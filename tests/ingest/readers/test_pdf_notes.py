"""Marks of notes stand in brackets, in the text and at the notes; exponents and ordinals stay as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from highlighter.text.sentences import split_sentences
from ingest.readers.pdf import read
from tests.ingest.readers.pdf_drawing import draw, lines, prose, wrapped

SAMPLES = Path(__file__).parents[3] / "samples"


def _raised(canvas, x: float, y: float, *parts: str, rise: float = 4) -> None:
    """Draw text and raised text in turn."""
    for number, part in enumerate(parts):
        size, up = (6.5, rise) if number % 2 else (10, 0)
        canvas.setFont("Helvetica", size)
        canvas.drawString(x, y + up, part)
        x += canvas.stringWidth(part, "Helvetica", size)
    canvas.setFont("Helvetica", 10)


def _page(*parts: str, note: str = ""):
    def page(canvas):
        y = lines(canvas, 60, 760, wrapped(prose(1), 70))
        _raised(canvas, 60, y - 14, *parts)
        canvas.setFont("Helvetica", 7)
        lines(canvas, 60, 80, [note] if note else [])

    return page


def test_mark_after_a_full_stop_separates_two_sentences(tmp_path):
    path = draw(
        tmp_path / "a.pdf", _page("They break on the slope.", "1", " The storm was long.", note="1 See the log.")
    )
    text = read(path).text
    assert text.endswith("They break on the slope.[1] The storm was long.\n\n[1] See the log.")
    assert "They break on the slope.[1]" in [s.text for s in split_sentences(text, wrapped=False)]


@pytest.mark.parametrize("mark", ["1", "12", "*", "\u2020", "**"])
def test_mark_after_a_word_is_bracketed_when_its_note_is_on_the_page(tmp_path, mark):
    text = read(draw(tmp_path / "a.pdf", _page("The notice", mark, " is given.", note=f"{mark} In writing."))).text
    assert text.endswith(f"The notice[{mark}] is given.\n\n[{mark}] In writing.")


def test_mark_without_a_note_is_bracketed_only_after_a_sentence(tmp_path):
    text = read(draw(tmp_path / "a.pdf", _page("The notice", "1", " is given.", "2", " It was long."))).text
    assert text.endswith("The notice1 is given.[2] It was long.")


@pytest.mark.parametrize("marks", ["2,3", "2, 3", "4–6", "4-6", "2,3,12", "10,11–13"])
def test_marks_of_several_notes_after_a_full_stop_separate_two_sentences(tmp_path, marks):
    path = draw(tmp_path / "a.pdf", _page("They came from the slope.", marks, " The storm was long."))
    first, second = split_sentences(read(path).text, wrapped=False)[-2:]
    text = read(path).text
    assert text[first.start_char : first.end_char] == f"They came from the slope.[{marks}]"
    assert text[second.start_char : second.end_char] == "The storm was long."


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        (("About 25 m", "2", " of wall"), "About 25 m² of wall"),
        (("About 25m", "2", " of wall"), "About 25m² of wall"),
        (("About 10", "2", " stones"), "About 10² stones"),
        (("About 10", "-12", " stones"), "About 10⁻¹² stones"),
        (("At 3 m s", "\u20131", " or more"), "At 3 m s⁻¹ or more"),
        (("Much Ca", "2+", " was found"), "Much Ca²⁺ was found"),
        (("The area x", "2", " of the wall"), "The area x² of the wall"),
        (("The 2", "nd", " of May"), "The 2nd of May"),
        (("Much CO", "2", " was found"), "Much CO2 was found"),
        (("From it", "2-4", " on"), "From it2-4 on"),
    ],
)
def test_exponents_are_superscripts_and_ordinals_and_formulas_are_left(tmp_path, parts, text):
    read_text = read(draw(tmp_path / "a.pdf", _page(*parts, note="2 See the log."))).text
    assert text in read_text
    assert read_text.endswith("\n\n2 See the log.")


@pytest.mark.parametrize("rise", [4, 5, 6])
def test_raised_endings_of_ordinal_numbers_stay_in_their_line(tmp_path, rise):
    def page(canvas):
        _raised(canvas, 60, 760, "It is issued on the 1", "st", ", 10", "th", " and 22", "nd", " of May.", rise=rise)

    assert read(draw(tmp_path / "a.pdf", page)).text == "It is issued on the 1st, 10th and 22nd of May."


def test_small_letters_above_a_number_that_end_no_ordinal_are_apart(tmp_path):
    def page(canvas):
        _raised(canvas, 60, 760, "The price is 10", "net", " for each", rise=5)

    assert "10net" not in read(draw(tmp_path / "a.pdf", page)).text


def test_mark_of_a_note_on_the_page_is_no_exponent_after_brackets(tmp_path):
    text = read(draw(tmp_path / "a.pdf", _page("The sum (a + b)", "1", " is given.", note="1 In writing."))).text
    assert "The sum (a + b)[1] is given." in text


def test_exponent_has_the_position_of_its_raised_figure(tmp_path):
    reading = read(draw(tmp_path / "a.pdf", _page("About 10", "6", " stones")))
    at = reading.text.index("⁶")
    ((page, start, end),) = reading.source_map.raw_spans(at, at + 1)
    ((_, _, base_end),) = reading.source_map.raw_spans(at - 2, at)
    assert (page, end - start) == (1, 1)
    assert start >= base_end


def test_a_mark_whose_note_stands_on_another_page_is_left(tmp_path):
    first, second = _page("The notice", "1", " is given."), _page("No more", note="1 In writing.")
    text = read(draw(tmp_path / "a.pdf", first, second)).text
    assert "The notice1 is given." in text
    assert text.endswith("\n\n1 In writing.")


def test_endnotes_are_recognised_by_their_heading(tmp_path):
    def second(canvas):
        canvas.setFont("Helvetica-Bold", 14)
        canvas.drawString(60, 760, "Notes")
        canvas.setFont("Helvetica", 10)
        lines(canvas, 60, 735, ["1. In writing, by post or by hand, to the address that was last given by the party."])

    text = read(draw(tmp_path / "a.pdf", _page("The notice", "1", " is given."), second)).text
    assert "The notice[1] is given." in text
    assert "\n\n[1]. In writing" in text


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        (
            ("The notice", "1", " and the answer", "2", " are kept."),
            "The notice[1] and the answer[2] are kept.",
        ),
        (
            ("The notice", "1,2", " is given, the answer", "1,3", " is kept."),
            "The notice[1,2] is given, the answer1,3 is kept.",
        ),
    ],
)
def test_several_notes_are_paragraphs_of_their_own(tmp_path, parts, text):
    def page(canvas):
        y = lines(canvas, 60, 760, wrapped(prose(1), 70))
        _raised(canvas, 60, y - 14, *parts)
        for y, mark, note in ((80, "1", "In writing."), (71, "2", "By post.")):
            canvas.setFont("Helvetica", 4.5)
            canvas.drawString(60, y + 3, mark)
            canvas.setFont("Helvetica", 7)
            canvas.drawString(62.5, y, note)

    assert read(draw(tmp_path / "a.pdf", page)).text.split("\n\n")[-3:] == [
        text,
        "[1] In writing.",
        "[2] By post.",
    ]


def test_brackets_are_not_mapped_and_the_mark_between_them_is(tmp_path):
    reading = read(draw(tmp_path / "a.pdf", _page("The notice", "1", " is given.", note="1 In writing.")))
    at = reading.text.index("[1] is")
    (page, start, end), *_ = reading.source_map.raw_spans(at + 1, at + 2)
    assert (page, end - start) == (1, 1)
    assert reading.source_map.raw_spans(at, at + 1) == []
    assert reading.source_map.raw_spans(at + 2, at + 3) == []


def test_the_sample_reports_note_is_bracketed_on_both_sides():
    text = read(SAMPLES / "Breakwater Condition Report 2024.pdf").text
    assert "the waves break directly on the slope.[1]\n\nThe storm" in text
    assert "\n\n[1] Wave heights in this report are significant heights" in text


def test_page_in_smaller_type_than_the_document_keeps_its_numbered_paragraphs_in_place(tmp_path):
    """An appendix in small print has no notes only because its paragraphs begin with numbers."""

    def body(number):
        return lambda canvas: lines(canvas, 60, 780, wrapped(prose(number, 12), 70))

    def appendix(canvas):
        canvas.setFont("Helvetica", 8)
        lines(canvas, 60, 780, [*wrapped(prose(3), 48), "(1) Before the flight, look at all sensors."])
        lines(canvas, 320, 775, wrapped(prose(4, 6), 48))

    text = read(draw(tmp_path / "a.pdf", body(1), body(2), appendix)).text
    assert text.index("in part 3") < text.index("(1) Before") < text.index("in part 4")


def test_numbered_items_after_references_without_numbers_are_no_endnotes(tmp_path):
    def page(canvas):
        y = lines(canvas, 60, 780, wrapped(prose(), 70))
        _raised(canvas, 60, y - 20, "The price was agreed.", "1")
        canvas.drawString(60, y - 60, "References")
        y = lines(canvas, 60, y - 84, ["Ada Lovelace. Notes on the engine."]) - 20
        lines(canvas, 60, y, ["1. Ask one question at a time."])

    assert "\n1. Ask one question" in read(draw(tmp_path / "a.pdf", page)).text


def test_table_without_first_cell_below_an_open_note_is_read(tmp_path):
    def page(canvas):
        for x in (40, 310):
            lines(canvas, x, 780, wrapped(prose(x), 50))
        canvas.setFont("Helvetica", 8)
        lines(canvas, 40, 640, ["1 The berths were inspected by divers on 3 and 4 May and"])
        for number, row in enumerate([("", "tested", "sound"), ("Pier", "yes", "no"), ("Mole", "no", "yes")]):
            for x, cell in zip((310, 400, 480), row, strict=True):
                canvas.drawString(x, 640 - 10 * number, cell)

    assert "Pier\tyes\tno" in read(draw(tmp_path / "a.pdf", page)).text
