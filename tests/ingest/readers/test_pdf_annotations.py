"""Text that people see in annotations is text of the page, read once, with a position on the page."""

from __future__ import annotations

import pytest

from highlighter.errors import UnreadableFile
from highlighter.models import NO_TEXT
from highlighter.pages.page_characters import read_page_characters
from highlighter.pages.rectangles import compute_rectangles
from ingest.readers.pdf import read
from tests.ingest.readers.pdf_drawing import add_annotation, draw, lines

BOX = (100, 500, 320, 520)
WORDS = "Received on 3 March by the harbour office."
HIDDEN, CONTROL = 2, 0  # annotation flags


def _blank(canvas):
    """Draw a page without content."""


@pytest.mark.parametrize(
    ("subtype", "entries"),
    [
        ("/FreeText", {"/Contents": WORDS}),
        ("/FreeText", {}),
        ("/Stamp", {}),
        ("/Widget", {"/FT": "/Tx", "/T": "field of no form"}),
    ],
)
def test_text_of_an_annotation_is_the_text_of_a_page_that_has_no_other(tmp_path, subtype, entries):
    reading = read(add_annotation(draw(tmp_path / "a.pdf", _blank), subtype, WORDS, BOX, **entries))
    assert (reading.text, reading.warnings) == (WORDS, ())
    assert reading.pages[0].characters == len(WORDS)


def test_text_of_a_stamp_has_a_rectangle_within_the_stamp(tmp_path):
    path = add_annotation(
        draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 760, ["A letter."])), "/Stamp", WORDS, BOX
    )
    reading = read(path)
    start = reading.text.index(WORDS)
    raw = [(a, b) for _, a, b in reading.source_map.raw_spans(start, start + len(WORDS))]
    (letters,) = read_page_characters(path, [1])
    assert "".join(letters.text[a:b] for a, b in raw) == WORDS
    (box,) = compute_rectangles(1, letters, raw)
    assert BOX[0] - 2 <= box.x0 < box.x1 <= BOX[2] + 20
    assert BOX[1] - 2 <= box.y0 < box.y1 <= BOX[3] + 2


def test_text_that_both_the_page_and_its_annotation_draw_is_read_once(tmp_path):
    def page(canvas):
        canvas.setFont("Helvetica", 12)
        lines(canvas, BOX[0], BOX[1] + 4, [WORDS])

    assert read(add_annotation(draw(tmp_path / "a.pdf", page), "/Stamp", WORDS, BOX)).text == WORDS


@pytest.mark.parametrize(
    ("subtype", "entries"),
    [("/Stamp", {"/F": HIDDEN}), ("/Text", {"/Contents": "A remark."}), ("/Highlight", {"/Contents": "A remark."})],
)
def test_annotations_that_show_no_words_on_the_page_are_no_text(tmp_path, subtype, entries):
    path = add_annotation(draw(tmp_path / "a.pdf", _blank), subtype, WORDS, BOX, **entries)
    with pytest.raises(UnreadableFile) as raised:
        read(path)
    assert raised.value.state == NO_TEXT


def test_caption_of_a_button_is_text_where_the_button_is_printed(tmp_path):
    def page(canvas):
        lines(canvas, 60, 760, ["A form."])
        canvas.acroForm.textfield(name="name", value="Okonkwo", x=130, y=592, width=150, height=20, borderWidth=0)

    button = {"/FT": "/Btn", "/Ff": 1 << 16, "/T": "send"}
    printed = add_annotation(draw(tmp_path / "a.pdf", page), "/Widget", "Send to the office", BOX, **button)
    control = add_annotation(
        draw(tmp_path / "b.pdf", page), "/Widget", "Send to the office", BOX, **button | {"/F": CONTROL}
    )
    assert "Send to the office" in read(printed).text
    assert "Send to the office" not in read(control).text
    assert "Okonkwo" in read(control).text
