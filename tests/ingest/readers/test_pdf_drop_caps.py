"""A large letter that begins a paragraph belongs to the first word beside it."""

from __future__ import annotations

import pytest

from ingest.readers.pdf import read
from tests.ingest.readers.pdf_drawing import draw, lines, prose, wrapped

TOWER = [
    "he old signal tower was rebuilt by seven masons",
    "from the island who had never seen a tall church",
    "before that cold summer. It was painted in red. In",
    "winter, its lamp burns oil. Nobody has complained",
    "about the smell since the war began.",
]
PITCH = 14


def _draw_beside(canvas, letter, size, beside, below, base_line, *, is_last, gap=4, x=60, y=700):
    """Draw a letter on the baseline of a line, counted from 0, with lines beside it and below it."""

    def draw_letter():
        canvas.setFont("Times-Roman", size)
        canvas.drawString(x, y - base_line * PITCH, letter)

    if not is_last:
        draw_letter()
    right = x + canvas.stringWidth(letter, "Times-Roman", size) + gap
    canvas.setFont("Times-Roman", 11)
    lines(canvas, x, lines(canvas, right, y, beside, PITCH), below, PITCH)
    if is_last:
        draw_letter()


@pytest.mark.parametrize("is_last", [False, True])
@pytest.mark.parametrize("turn", [0, 90])
@pytest.mark.parametrize(
    ("size", "base_line", "beside_count", "gap"),
    [(30, 0, 1, 1), (33, 1, 2, 4), (33, 1, 2, 15), (50, 2, 3, 4), (48, 1.8, 3, 4), (36, 1.6, 3, 4)],
)
def test_drop_cap_is_the_first_letter_of_its_paragraph(tmp_path, size, base_line, beside_count, gap, turn, is_last):
    def page(canvas):
        if turn:
            canvas.translate(842, 0)
            canvas.rotate(turn)
        lines(canvas, 60, 800, wrapped(prose(), 60))
        beside, below = TOWER[:beside_count], TOWER[beside_count:]
        _draw_beside(canvas, "T", size, beside, below, base_line, is_last=is_last, gap=gap)
        canvas.setFont("Helvetica", 10)
        lines(canvas, 400, 797, wrapped(prose(1), 30))

    text = read(draw(tmp_path / "a.pdf", page, size=(842, 842))).text
    assert "T" + " ".join(TOWER) in text.split("\n\n")
    assert {prose(), prose(1)} <= set(text.split("\n\n"))


@pytest.mark.parametrize(
    ("letter", "beside", "words"),
    [
        ("“T", ["he crane came from Bergen and lifts", "nine tons,” said the keeper of the quay."], "“The crane"),
        ("T", ["HE CRANE came from Bergen and lifts", "nine tons in calm weather."], "THE CRANE came"),
        ("L", ["’eau du port est froide en hiver et en", "automne."], "L’eau du port"),
        ("I", ["n calm weather the crane lifts nine tons", "from the quay."], "In calm weather"),
        ("A", ["crane from Bergen lifts nine tons, and the", "crane is paid by the town."], "A crane from Bergen"),
        ("A", ["mong the cranes stands one from Bergen", "that lifts nine tons."], "Among the cranes"),
    ],
)
def test_word_of_a_drop_cap_is_whole(tmp_path, letter, beside, words):
    page = lambda canvas: _draw_beside(canvas, letter, 33, beside, [], 1, is_last=False)  # noqa: E731
    assert read(draw(tmp_path / "a.pdf", page)).text == words + " ".join(beside).removeprefix(
        words.removeprefix(letter).lstrip()
    )


def test_word_broken_at_the_end_of_a_line_beside_a_drop_cap_is_whole(tmp_path):
    beside = ["he masons of the island had never seen a cathe-", "dral before that cold summer."]
    page = lambda canvas: _draw_beside(canvas, "T", 33, beside, [], 1, is_last=True)  # noqa: E731
    assert (
        read(draw(tmp_path / "a.pdf", page)).text
        == "The masons of the island had never seen a cathedral before that cold summer."
    )


@pytest.mark.parametrize(
    ("letter", "beside"),
    [
        ("Q", ["What does the crane from Bergen lift, and", "who pays for it?"]),
        ("X", ["VERIFIED BY THE KEEPER"]),
        ("B", ["barn 3", "bell 4", "boat 5"]),
    ],
)
def test_large_letter_before_a_question_a_label_or_entries_of_an_index_is_no_part_of_its_first_word(
    tmp_path, letter, beside
):
    page = lambda canvas: _draw_beside(canvas, letter, 33, beside, [], 1, is_last=False)  # noqa: E731
    assert letter + beside[0][0] not in read(draw(tmp_path / "a.pdf", page)).text
