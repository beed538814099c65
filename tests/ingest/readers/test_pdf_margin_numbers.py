"""Numbers that count the lines of a page are no text; those of a table or a listing are."""

from __future__ import annotations

from ingest.readers.pdf import read
from tests.ingest.readers.pdf_drawing import draw, lines, prose, wrapped


def test_numbers_of_lines_in_the_margin_are_no_text(tmp_path):
    texts = wrapped(prose(), 70)

    def page(canvas):
        for number in range(1, 26):
            canvas.drawRightString(50, 760 - 24 * number, str(number))
        lines(canvas, 72, 600, texts, leading=24)

    assert read(draw(tmp_path / "a.pdf", page)).text == " ".join(texts)


def test_numbers_of_lines_that_text_fills_are_known_by_another_page(tmp_path):
    texts = wrapped(" ".join(prose(number) for number in range(4)), 70)

    def page(first, last):
        def draw_page(canvas):
            for number in range(1, 16):
                canvas.drawRightString(50, 760 - 24 * number, str(number))
            lines(canvas, 72, 736, texts[first:last], leading=24)

        return draw_page

    text = read(draw(tmp_path / "a.pdf", page(0, 15), page(15, 19))).text
    assert text == " ".join(texts[:19])


def test_numbers_of_the_rows_of_a_table_stay(tmp_path):
    names = "Ada Ben Cai Dee Eva Fay Gus Hal Ida Jon Kay Lea Mia".split()

    def page(canvas):
        for number, name in enumerate(names, 1):
            canvas.drawRightString(72, 700 - 14 * number, str(number))
            canvas.drawString(120, 700 - 14 * number, f"{name} of the harbour")

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert text.split("\n") == [f"{number}\t{name} of the harbour" for number, name in enumerate(names, 1)]
