"""Checkboxes that are drawn as squares beside words are text, with a position; other squares are not."""

from __future__ import annotations

import pytest

from highlighter.pages.page_characters import read_page_characters
from highlighter.pages.rectangles import compute_rectangles
from ingest.readers.pdf import read
from tests.ingest.readers.pdf_drawing import add_annotation, draw, lines, prose, wrapped

SIDE, Y = 9, 598


def _draw_square(canvas, x, y=Y, **paint):
    canvas.rect(x, y, SIDE, SIDE, **paint)


def _draw_cross(canvas, x, y=Y):
    canvas.line(x, y, x + SIDE, y + SIDE)
    canvas.line(x, y + SIDE, x + SIDE, y)


def _draw_line(canvas, x=60):
    lines(canvas, 60, 760, wrapped(prose(1), 70))
    for word in ("Gender:", "Female", "Male"):
        canvas.drawString(x, 600, word)
        x += 60


def _draw_form(canvas):
    _draw_line(canvas)
    canvas.setFillColorRGB(1, 1, 1)
    _draw_square(canvas, 106, stroke=0, fill=1)
    _draw_square(canvas, 106)
    _draw_square(canvas, 166)
    _draw_cross(canvas, 166)


def test_drawn_checkboxes_are_read_with_whether_they_are_crossed(tmp_path):
    assert read(draw(tmp_path / "a.pdf", _draw_form)).text.endswith("Gender: \u2610 Female \u2612 Male")


def test_square_and_its_cross_may_be_a_single_path(tmp_path):
    def page(canvas):
        _draw_line(canvas)
        path = canvas.beginPath()
        path.rect(166, Y, SIDE, SIDE)
        for y0, y1 in ((Y, Y + SIDE), (Y + SIDE, Y)):
            path.moveTo(166, y0)
            path.lineTo(166 + SIDE, y1)
        canvas.drawPath(path)

    assert read(draw(tmp_path / "a.pdf", page)).text.endswith("Gender: Female \u2612 Male")


def test_drawn_checkbox_is_highlighted_where_it_is(tmp_path):
    path = draw(tmp_path / "a.pdf", _draw_form)
    reading = read(path)
    start = reading.text.index("\u2612")
    raw = [(first, last) for _, first, last in reading.source_map.raw_spans(start, start + 1)]
    (characters,) = read_page_characters(path, [1])
    assert [characters.text[first:last] for first, last in raw] == ["\u2612"]
    (box,) = compute_rectangles(1, characters, raw)
    assert (box.x0, box.y0, box.x1, box.y1) == pytest.approx((166, Y, 166 + SIDE, Y + SIDE), abs=1.5)


def test_checkboxes_of_a_list_stay_with_their_words(tmp_path):
    def page(canvas):
        lines(canvas, 60, 760, wrapped(prose(1), 70))
        for row, word in enumerate(("Report", "Plan", "Review", "Closure")):
            _draw_square(canvas, 60, Y - 12 * row)
            canvas.drawString(76, 600 - 12 * row, word)
            if row % 2:
                _draw_cross(canvas, 60, Y - 12 * row)

    words = read(draw(tmp_path / "a.pdf", page)).text.split()
    assert words[-8:] == ["\u2610", "Report", "\u2612", "Plan", "\u2610", "Review", "\u2612", "Closure"]


def _draw_grid(canvas):
    for column in range(6):
        _draw_square(canvas, 200 + SIDE * column)


def _draw_letter_in_frame(canvas):
    _draw_square(canvas, 166)
    canvas.drawString(167, 600, "B")


def _draw_coloured(canvas):
    canvas.setFillColorRGB(0.2, 0.5, 0.3)
    _draw_square(canvas, 166, fill=1)


def _draw_white(canvas):
    canvas.setStrokeColorRGB(1, 1, 1)
    _draw_square(canvas, 166)


def _draw_transparent(canvas):
    canvas.setStrokeAlpha(0)
    _draw_square(canvas, 166)


def _draw_dot_inside(canvas):
    _draw_square(canvas, 166)
    canvas.circle(166 + SIDE / 2, Y + SIDE / 2, 3, fill=1)


def _draw_tick(canvas):
    _draw_square(canvas, 166)
    path = canvas.beginPath()
    path.moveTo(168, Y + 4)
    path.lineTo(171, Y + 1)
    path.lineTo(179, Y + 22)
    canvas.drawPath(path)


@pytest.mark.parametrize(
    "draw_shape",
    [
        _draw_grid,
        _draw_letter_in_frame,
        _draw_coloured,
        _draw_white,
        _draw_transparent,
        _draw_dot_inside,
        _draw_tick,
        lambda canvas: _draw_square(canvas, 450),
        lambda canvas: _draw_cross(canvas, 166),
        lambda canvas: canvas.rect(160, Y, 2 * SIDE, SIDE),
    ],
    ids=[
        "a grid",
        "a letter in a frame",
        "coloured",
        "white on white",
        "transparent",
        "a dot inside",
        "a tick",
        "far from words",
        "no square",
        "oblong",
    ],
)
def test_other_shapes_are_no_checkboxes(tmp_path, draw_shape):
    def page(canvas):
        _draw_line(canvas)
        draw_shape(canvas)

    text = read(draw(tmp_path / "a.pdf", page)).text
    assert "\u2610" not in text
    assert "\u2612" not in text


def test_form_field_over_a_drawn_square_is_read_once(tmp_path):
    def page(canvas):
        _draw_line(canvas)
        _draw_square(canvas, 166)
        canvas.acroForm.checkbox(name="male", checked=True, x=166, y=Y, size=SIDE)

    assert read(draw(tmp_path / "a.pdf", page)).text.endswith("Gender: Female \u2612 Male")


def test_square_that_an_annotation_covers_may_be_marked_and_is_not_read(tmp_path):
    def page(canvas):
        _draw_line(canvas)
        _draw_square(canvas, 166)

    drawn = draw(tmp_path / "a.pdf", page)
    assert "\u2610" in read(drawn).text
    assert "\u2610" not in read(add_annotation(drawn, "/Stamp", "", (164, Y - 2, 180, Y + 12))).text
