"""Text at any angle is read along its baselines, however many pieces it is drawn in."""

from __future__ import annotations

import math

import pytest

from highlighter.pages.page_characters import read_page_characters
from ingest.readers.pdf import read
from tests.ingest.readers.pdf_drawing import draw, lines, prose, wrapped

ROWS = ["The lighthouse keeper lost 739", "metres of mooring rope in the", "flood. He paid for the damage."]
SENTENCES = " ".join(ROWS)


def _split_word(word, size):
    return [word[start : start + size] for start in range(0, len(word), size)]


def _draw_pieces(canvas, size, *, has_spaces=False, font="Helvetica"):
    """Draw lines in pieces of so many letters, with a space drawn after each word or none."""
    canvas.setFont(font, 12)
    for number, row in enumerate(ROWS):
        x = -80
        for word in row.split():
            for piece in _split_word(word + " " * has_spaces, size):
                canvas.drawString(x, -15 * number, piece)
                x += canvas.stringWidth(piece, font, 12)
            x += canvas.stringWidth(" " * (not has_spaces), font, 12)


@pytest.mark.parametrize("angle", [3, 5, 20, 45, 60, 85, 90, 100, 135, 180, 185, 225, 270, 300, 315, 355])
@pytest.mark.parametrize(
    ("size", "has_spaces", "font"),
    [(99, False, "Helvetica"), (2, False, "Helvetica"), (1, False, "Times-Italic"), (2, True, "Helvetica")],
)
def test_turned_text_in_pieces_is_read_along_its_baselines(tmp_path, angle, size, has_spaces, font):
    def page(canvas):
        canvas.drawString(60, 20, "An ordinary line stands here.")
        canvas.translate(300, 300)
        canvas.rotate(angle)
        _draw_pieces(canvas, size, has_spaces=has_spaces, font=font)

    reading = read(draw(tmp_path / "a.pdf", page, size=(600, 600)))
    assert sorted(reading.text.split("\n\n")) == ["An ordinary line stands here.", SENTENCES]
    assert reading.notes == ()


@pytest.mark.parametrize("angle", [88, 92, 178, 182, 268])
def test_letters_of_long_lines_that_are_tilted_a_little_are_not_exchanged(tmp_path, angle):
    def page(canvas):
        canvas.translate(450, 450)
        canvas.rotate(angle)
        for number, row in enumerate(wrapped(prose(0, 12), 75)):
            x = -180
            for word in row.split():
                canvas.drawString(x, 100 - 13 * number, word)
                x += canvas.stringWidth(f"{word} ", "Helvetica", 10)

    text = read(draw(tmp_path / "a.pdf", page, size=(900, 900))).text
    assert sorted(text.split()) == sorted(prose(0, 12).split())


def test_text_at_several_angles_on_one_page_is_read_apart(tmp_path):
    def page(canvas):
        lines(canvas, 60, 780, wrapped(prose(), 80))
        for x, y, angle in ((150, 600, 30), (400, 350, -40), (200, 200, 30)):
            canvas.saveState()
            canvas.translate(x, y)
            canvas.rotate(angle)
            _draw_pieces(canvas, 2)
            canvas.restoreState()

    blocks = read(draw(tmp_path / "a.pdf", page)).text.split("\n\n")
    assert sorted(blocks) == sorted([prose(), *[SENTENCES] * 3])


def test_note_says_that_letters_on_a_curve_may_be_in_a_wrong_order(tmp_path):
    def page(canvas):
        lines(canvas, 60, 780, wrapped(prose(), 80))
        for number, letter in enumerate("SEALED BY THE HARBOUR BOARD"):
            canvas.saveState()
            canvas.translate(300, 300)
            canvas.rotate(160 - 12 * number)
            canvas.translate(90, 0)
            canvas.rotate(-90)
            canvas.drawString(0, 0, letter)
            canvas.restoreState()

    reading = read(draw(tmp_path / "a.pdf", lambda canvas: canvas.drawString(60, 700, prose()[:60]), page))
    assert prose() in reading.text
    assert reading.notes == ("Page 2: turned text may be in a wrong order.",)


def test_characters_of_turned_text_are_those_of_the_page(tmp_path):
    def page(canvas):
        canvas.translate(300, 300)
        canvas.rotate(45)
        _draw_pieces(canvas, 2)

    reading = read(draw(tmp_path / "a.pdf", page, size=(600, 600)))
    start = reading.text.index("He paid")
    places = _locate(tmp_path / "a.pdf", reading, start, start + len("He paid"))
    along = [(x + y) / math.sqrt(2) for x, y in places]
    assert len(places) == len("Hepaid")
    assert along == sorted(along)


def _locate(path, reading, start, stop):
    """Return where the characters of a span stand."""
    characters = read_page_characters(path, [1])[0]
    return [
        ((characters.box[raw][0] + characters.box[raw][2]) / 2, (characters.box[raw][1] + characters.box[raw][3]) / 2)
        for first, last in reading.source_map.raw_spans_by_page(start, stop)[1]
        for raw in range(first, last)
    ]
