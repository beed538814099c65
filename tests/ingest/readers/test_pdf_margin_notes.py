"""A note in the margin is no part of the sentence that it stands beside."""

from __future__ import annotations

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from ingest.readers.pdf import read
from tests.ingest.readers.pdf_drawing import draw, lines, prose, wrapped


@pytest.mark.parametrize("side", ["left", "right"])
def test_note_in_the_margin_interrupts_no_sentence(tmp_path, side):
    texts = wrapped(prose(count=12), 60)
    note = ["Notices and", "their records"]
    width = max(stringWidth(words, "Helvetica", 10) for words in note)

    def page(canvas):
        lines(canvas, 130, 700, texts)
        lines(canvas, 120 - width if side == "left" else 432, 700 - 24, note)

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert text == f"{' '.join(texts)}\n\n{' '.join(note)}"


def test_column_of_short_lines_beside_the_text_is_read_as_a_whole(tmp_path):
    """Of the three entries only the second begins beside the middle of a sentence."""
    texts = wrapped(prose(count=12), 60)
    entries = [
        ["Implement roles and", "separate the duties"],
        ["Leverage permissions", "on all rows"],
        ["Protect columns", "by masks"],
    ]

    def page(canvas):
        lines(canvas, 230, 700, texts)
        for entry, row in zip(entries, (0, 3, 6), strict=True):
            lines(canvas, 72, 700 - 12 * row, entry)

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert " ".join(texts) in text
    assert all(" ".join(entry) in text for entry in entries)


def test_numbers_of_every_fifth_line_interrupt_no_sentence(tmp_path):
    texts = wrapped(prose(count=12), 60)

    def page(canvas):
        lines(canvas, 130, 700, texts)
        for number in range(5, len(texts) + 1, 5):
            canvas.drawRightString(118, 700 - 12 * (number - 1), str(number))

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert text.split("\n\n")[0] == " ".join(texts)


def test_numbered_lines_of_a_listing_stay_lines(tmp_path):
    code = [
        "if (t <= 10) then begin x := t; y := 0; ib := 3 end;",
        "solve(v, 1) begin onbdy(1) v = t0; w := 2 end;",
    ] * 6

    def page(canvas):
        for number, line in enumerate(code, 1):
            canvas.drawRightString(112, 712 - 12 * number, str(number))
            canvas.drawString(130, 712 - 12 * number, line)

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert len(text.split("\n")) == len(code)


def test_names_beside_entries_stay_before_them(tmp_path):
    """Labels far from the text are the first column of a table, whose second column has several lines."""
    names = "Works Price Defect Notice Offer Market".split()

    def page(canvas):
        y = 700
        for number, name in enumerate(names):
            canvas.drawString(72, y, name)
            y = lines(canvas, 160, y, wrapped(prose(number, 1), 44)) - 8

    text = read(draw(tmp_path / "a.pdf", page)).text
    places = [text.index(words) for number, name in enumerate(names) for words in (name, f"in part {number}")]
    assert places == sorted(places)
