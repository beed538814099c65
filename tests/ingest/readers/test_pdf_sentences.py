"""Sentences of PDFs: what stands on the page between two parts of a sentence does not cut it."""

from __future__ import annotations

import pytest

from highlighter.text.sentences import split_sentences
from ingest.readers.pdf import read
from tests.ingest.readers.pdf_drawing import draw, lines, prose, relettered, wrapped


def _sentences(path) -> list[str]:
    return [span.text for span in split_sentences(read(path).text, wrapped=False)]


def test_semicolon_that_the_font_maps_to_the_greek_question_mark_ends_no_sentence(tmp_path):
    text = "The supplier gives notice; the buyer pays."
    drawn = draw(tmp_path / "a.pdf", lambda canvas: canvas.drawString(60, 760, text))
    letters = {character: character for character in text} | {";": "\u037e"}
    assert _sentences(relettered(drawn, letters)) == [text]


def test_page_numbers_of_the_printed_original_are_removed_and_cut_no_sentence(tmp_path):
    """A filing that is broken into pages anew has the old numbers anywhere on its pages, here above a second footer."""
    text = " ".join(prose(number) for number in range(12))
    rows = wrapped(text, 70)
    drawn: list[str] = []
    for number in range(len(rows) // 14 + 1):
        drawn += [*rows[14 * number : 14 * number + 14], "", f"{' ' * 60}{number + 1}", "", ""]

    def page(start):
        def draw_page(canvas):
            canvas.setFont("Helvetica", 8)
            canvas.drawString(60, 30, "Source: PIER AUTHORITY, 10-K, 3/29/2001")
            canvas.setFont("Helvetica", 10)
            lines(canvas, 60, 780, drawn[start : start + 30])

        return draw_page

    path = draw(tmp_path / "a.pdf", *map(page, range(0, len(drawn), 30)))
    assert _sentences(path) == [span.text for span in split_sentences(text)]


def test_numbers_of_chapters_and_of_lines_stay(tmp_path):
    """Neither a number above whole paragraphs nor a column of numbers is a page number."""

    def chapters(canvas):
        y = 780
        for number in range(1, 5):
            y = lines(canvas, 290, y, [str(number)], 24)
            y = lines(canvas, 60, y, wrapped(prose(number, 8), 70)) - 12

    def counted_lines(canvas):
        lines(canvas, 60, 780, [str(number) for number in range(1, 30)], 20)

    assert _sentences(draw(tmp_path / "a.pdf", chapters)).count("3") == 1
    assert "15" in read(draw(tmp_path / "b.pdf", counted_lines)).text.split()


def test_word_that_ends_no_sentence_joins_its_line_to_the_next(tmp_path):
    """A short line before a name, at the end of a line and of a page: no hyphen, comma or small letter shows it."""

    def page(*texts):
        return lambda canvas: lines(canvas, 60, 780, texts)

    first = ("The price is agreed before the start of the works, and each party is bound", "by the terms of the")
    second = ("Companies Act as it stood on the day on which the parties signed the agreement.", "Nothing else binds.")
    whole = " ".join((*first, *second))
    assert read(draw(tmp_path / "a.pdf", page(*first, *second))).text == whole
    assert read(draw(tmp_path / "b.pdf", page(*first), page(*second))).text == whole


def test_notes_under_a_typed_rule_come_after_the_sentence(tmp_path):
    text = wrapped(prose(), 50)

    def first(canvas):
        y = lines(canvas, 60, 780, text[:5])
        lines(canvas, 60, y - 12, ["---------------", "/1/ Indicates what was left out.", "It is filed apart."])

    def second(canvas):
        lines(canvas, 60, 780, text[5:])

    sentences = _sentences(draw(tmp_path / "a.pdf", first, second))
    assert " ".join(sentences).startswith(prose())
    assert sentences[-2:] == ["/1/ Indicates what was left out.", "It is filed apart."]


def test_clause_after_and_is_an_item_of_its_own(tmp_path):
    items = (
        "1.1.1 to operate one business under the system and to use the marks as the manual of the system says; and",
        "1.1.2 to do so only at the approved place, in accordance with section 1.1.1 and with the law of the place.",
    )
    rows = [row for item in items for row in wrapped(item, 106)]
    assert _sentences(draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 30, 780, rows))) == list(items)


@pytest.mark.parametrize("leader", ["." * 60, ". " * 40])
def test_titles_in_a_table_of_contents_are_rows_with_their_page_numbers(tmp_path, leader):
    entries = (("1 Works", "3"), ("1.1 The site and its access", "3"), ("1.2 Delay and damages", "14"))

    def page(canvas):
        for number, (title, page_number) in enumerate(entries):
            y = 700 - 14 * number
            canvas.drawString(60, y, f"{title} {leader}")
            canvas.drawRightString(500, y, page_number)

    assert read(draw(tmp_path / "a.pdf", page)).text == "\n".join("\t".join(entry) for entry in entries)


def test_hyphen_that_the_font_names_a_soft_one_is_shown(tmp_path):
    words = "Know-How is not a well-known word"
    drawn = draw(tmp_path / "a.pdf", lambda canvas: canvas.drawString(60, 760, words))
    assert read(relettered(drawn, {letter: letter for letter in words} | {"-": "\u00ad"})).text == words
