"""What is lit on paper is the sentence: all of it, nothing else, in clean boxes."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from pypdf import PdfWriter
from pypdf.generic import RectangleObject
from reportlab.pdfbase.pdfmetrics import stringWidth

from highlighter.models import Rectangle
from highlighter.pages.display_coordinates import DisplayBox, build_text_layer, to_display_box
from highlighter.pages.page_characters import PageCharacters, read_page_characters
from highlighter.pages.rectangles import compute_rectangles
from highlighter.text.sentences import split_sentences
from ingest.readers.pdf import read
from tests.ingest.readers.pdf_drawing import draw, lines, prose, relettered, wrapped
from tests.properties import given, settings, st


def place(path: Path, words: str) -> list[Rectangle]:
    """Where these words of the file's canonical text stand."""
    reading = read(path)
    start = reading.text.index(words)
    return _span(path, reading, start, start + len(words))


def _span(path: Path, reading, start: int, end: int) -> list[Rectangle]:
    spans: dict[int, list] = {}
    for page, a, b in reading.source_map.raw_spans(start, end):
        spans.setdefault(page, []).append((a, b))
    letters = dict(zip(spans, read_page_characters(path, list(spans)), strict=True))
    return [box for page, raw in spans.items() for box in compute_rectangles(page, letters[page], raw)]


def near(value: float, wanted: float, by: float = 1.0) -> bool:
    return abs(value - wanted) <= by


def test_a_line_is_one_box_from_its_first_letter_to_its_last_spaces_filled(tmp_path):
    path = draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 760, ["Some words that stand here. Others."]))
    (box,) = place(path, "Some words that stand here.")
    assert near(box.x0, 60)
    assert near(box.x1, 60 + stringWidth("Some words that stand here.", "Helvetica", 10))
    assert box.y0 < 760 < box.y1
    assert 9 <= box.y1 - box.y0 <= 14


def test_a_sentence_that_goes_on_in_the_next_column_lights_both_and_not_the_gutter(tmp_path):
    def page(canvas):
        rows = wrapped(prose(0, 8), 42)
        lines(canvas, 60, 740, rows[: len(rows) // 2])
        lines(canvas, 320, 740, rows[len(rows) // 2 :])

    path = draw(tmp_path / "a.pdf", page)
    reading = read(path)
    rows = wrapped(prose(0, 8), 42)
    half = len(" ".join(rows[: len(rows) // 2]))
    boxes = _span(path, reading, half - 30, half + 30)
    assert {box.x0 < 310 for box in boxes} == {True, False}
    assert all(box.x1 < 315 or box.x0 > 315 for box in boxes)


def test_a_sentence_over_a_page_border_has_boxes_on_both(tmp_path):
    rows = wrapped(prose(0, 6), 60)
    pages = [lambda canvas: lines(canvas, 60, 760, rows[:4]), lambda canvas: lines(canvas, 60, 760, rows[4:])]
    path = draw(tmp_path / "a.pdf", *pages)
    over = place(path, rows[3].split()[-1] + " " + rows[4].split()[0])
    assert [box.page for box in over] == [1, 2]


def test_a_broken_word_is_lit_with_its_hyphen(tmp_path):
    path = draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 760, ["The whole agree-", "ment is void."]))
    first, second = place(path, "agreement")
    assert near(first.x1, 60 + stringWidth("The whole agree-", "Helvetica", 10))
    assert near(second.x1, 60 + stringWidth("ment", "Helvetica", 10))
    (only,) = place(path, "agree")
    assert near(only.x1, 60 + stringWidth("The whole agree", "Helvetica", 10))


def test_a_ligature_is_lit_whole(tmp_path):
    drawn = draw(tmp_path / "a.pdf", lambda canvas: canvas.drawString(60, 760, "one Xnal word"))
    path = relettered(drawn, {**{c: c for c in "onea lwrd"}, "X": "fi"})
    (box,) = place(path, "final")
    start = 60 + stringWidth("one ", "Helvetica", 10)
    assert near(box.x0, start)
    assert near(box.x1, start + stringWidth("Xnal", "Helvetica", 10))


def test_words_far_apart_in_a_row_are_two_boxes_when_other_words_stand_between(tmp_path):
    def page(canvas):
        for x, text in ((60, "Alpha"), (100, "between"), (150, "Omega")):
            canvas.drawString(x, 760, text)

    path = draw(tmp_path / "a.pdf", page)
    letters = read_page_characters(path, [1])[0]
    ends = [(letters.text.index(word), letters.text.index(word) + 5) for word in ("Alpha", "Omega")]
    assert len(compute_rectangles(1, letters, ends)) == 2
    assert len(compute_rectangles(1, letters, [(0, len(letters.text))])) == 1


def test_a_wide_space_is_no_word_that_stands_between(tmp_path):
    def page(canvas):
        canvas.drawString(60, 760, "Alpha")
        canvas.drawString(92, 760, "    ")
        canvas.drawString(105, 760, "Omega")

    letters = read_page_characters(draw(tmp_path / "a.pdf", page), [1])[0]
    ends = [(letters.text.index(word), letters.text.index(word) + 5) for word in ("Alpha", "Omega")]
    assert len(compute_rectangles(1, letters, ends)) == 1


def test_right_to_left_words_are_lit_where_they_stand(tmp_path):
    drawn = draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 760, ["fed cba"]))
    path = relettered(drawn, {chr(ord("a") + k): chr(0x5D0 + k) for k in range(26)})
    (box,) = place(path, "אבג")
    assert near(box.x0, 60 + stringWidth("fed ", "Helvetica", 10))


def test_chinese_set_from_top_to_bottom_is_lit_down_its_columns(tmp_path):
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont

    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))

    def page(canvas):
        canvas.setFont("STSong-Light", 12)
        for column, text in enumerate(("员工应当在每年三月之前提出申请", "并且说明理由和日期以及地点")):
            for row, char in enumerate(text):
                canvas.drawString(400 - 20 * column, 760 - 13 * row, char)

    path = draw(tmp_path / "a.pdf", page)
    boxes = place(path, "员工应当在每年三月之前提出申请")
    assert len(boxes) == 1
    assert boxes[0].y1 - boxes[0].y0 > 150
    assert boxes[0].x1 - boxes[0].x0 < 20


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_text_that_stands_on_its_side_is_lit_as_it_stands(tmp_path, turn):
    def page(canvas):
        canvas.translate(300, 400)
        canvas.rotate(turn)
        lines(canvas, 0, 0, ["Some words that stand here. Others follow them."])

    (box,) = place(draw(tmp_path / "a.pdf", page), "Some words that stand here.")
    long = stringWidth("Some words that stand here.", "Helvetica", 10)
    wide, high = box.x1 - box.x0, box.y1 - box.y0
    assert box.turn == turn
    assert near(max(wide, high), long, 2)
    assert 8 <= min(wide, high) <= 14
    assert (high > wide) == (turn in (90, 270))


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_on_cropped_and_turned_pages_boxes_count_from_the_crop_box_and_show_where_the_reader_looks(tmp_path, rotation):
    writer = PdfWriter(clone_from=draw(tmp_path / "a.pdf", lambda c: c.drawString(100, 500, "Hello."), size=(400, 600)))
    writer.pages[0].cropbox = RectangleObject((50, 100, 350, 580))
    writer.pages[0].rotate(rotation)
    path = tmp_path / "b.pdf"
    writer.write(path)
    (box,) = place(path, "Hello.")
    assert near(box.x0, 50)
    assert box.y0 < 400 < box.y1
    letters = read_page_characters(path, [1])[0]
    shown = to_display_box(box, letters)
    wanted = {0: (50, 73), 90: (400, 50), 180: (223, 400), 270: (71, 223)}[rotation]
    assert near(shown.x, wanted[0], 6)
    assert near(shown.y, wanted[1], 6)
    assert letters.display_size == ((300, 480) if rotation in (0, 180) else (480, 300))
    assert shown.turn == -rotation % 360


def test_lines_closer_than_their_font_is_high_do_not_paint_over_each_other(tmp_path):
    rows = ["First of all these words.", "Then there are others.", "And at the end some more."]
    path = draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 760, rows, leading=8))
    reading = read(path)
    boxes = _span(path, reading, 0, len(reading.text))
    assert len(boxes) == 3
    for upper, lower in pairwise(boxes):
        assert lower.y1 <= upper.y0 + 0.02
    (one,) = place(path, "Then there are others.")
    assert one.y1 - one.y0 < boxes[0].y1 - boxes[0].y0  # it leaves its neighbours their half


def test_a_raised_mark_does_not_make_its_line_higher(tmp_path):
    def page(canvas):
        canvas.drawString(60, 760, "The walls were measured twice")
        end = 60 + stringWidth("The walls were measured twice", "Helvetica", 10)
        canvas.setFont("Helvetica", 6)
        canvas.drawString(end, 764, "2")
        canvas.setFont("Helvetica", 10)
        canvas.drawString(end + 4, 760, " and found sound.")

    letters = read_page_characters(draw(tmp_path / "a.pdf", page), [1])[0]
    (box,) = compute_rectangles(1, letters, [(0, len(letters.text))])
    (plain,) = compute_rectangles(1, letters, [(0, 9)])
    assert near(box.y1 - box.y0, plain.y1 - plain.y0, 0.5)


def test_what_is_filled_into_a_form_is_lit_in_its_field(tmp_path):
    def page(canvas):
        canvas.drawString(60, 600, "Family name")
        canvas.acroForm.textfield(name="name", value="Okonkwo", x=130, y=592, width=150, height=20, borderWidth=0)

    (box,) = place(draw(tmp_path / "a.pdf", page), "Okonkwo")
    assert (near(box.x0, 130), near(box.x1, 280), near(box.y0, 592), near(box.y1, 612)) == (True,) * 4


def test_words_cropped_away_have_no_box(tmp_path):
    def page(canvas):
        canvas.drawString(60, 700, "Inside.")
        canvas.drawString(60, 20, "Outside.")

    writer = PdfWriter(clone_from=draw(tmp_path / "a.pdf", page))
    writer.pages[0].cropbox = RectangleObject((0, 100, 595, 842))
    writer.write(tmp_path / "b.pdf")
    letters = read_page_characters(tmp_path / "b.pdf", [1])[0]
    assert len(compute_rectangles(1, letters, [(0, len(letters.text))])) == 1


def test_letters_survive_being_kept(tmp_path):
    letters = read_page_characters(draw(tmp_path / "a.pdf", lambda canvas: canvas.drawString(60, 700, "Words.")), [1])[
        0
    ]
    again = PageCharacters.from_bytes(letters.to_bytes())
    assert again.text == letters.text
    assert np.array_equal(again.box, letters.box)
    assert np.array_equal(again.turn, letters.turn)
    assert again.display_size == letters.display_size


def test_an_empty_page_and_one_that_is_not_there(tmp_path):
    empty, missing = read_page_characters(draw(tmp_path / "a.pdf", lambda canvas: None), [1, 9])
    assert empty.text == ""
    assert compute_rectangles(1, empty, [(0, 10)]) == []
    assert missing is None


def test_the_text_layer_has_every_word_in_its_line(tmp_path):
    rows = wrapped(prose(1), 70)
    letters = read_page_characters(draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 760, rows)), [1])[0]
    assert [" ".join(word for word, _ in line.words) for line in build_text_layer(letters)] == rows
    (_, first) = build_text_layer(letters)[0].words[0]
    assert isinstance(first, DisplayBox)
    assert near(first.x, 60)


WORD = st.text("abcdefghijklmnopqrstuvwxyzABCDEF0123456789,;()'äß", min_size=1, max_size=12)


@settings(max_examples=40)
@given(
    words=st.lists(WORD, min_size=5, max_size=80),
    columns=st.integers(1, 2),
    size=st.integers(7, 14),
    leading=st.floats(0.85, 2.0),
)
def test_any_sentence_is_held_by_its_boxes_and_no_two_of_them_overlap(tmp_path, words, columns, size, leading):
    text = " ".join(f"{word}." if number % 7 == 6 else word for number, word in enumerate(words))

    def page(canvas):
        canvas.setFont("Helvetica", size)
        rows = wrapped(text, int(480 / columns / size * 1.6))
        each = -(-len(rows) // columns)
        for column in range(columns):
            lines(canvas, 50 + 260 * column, 780, rows[column * each : (column + 1) * each], size * leading)

    path = draw(tmp_path / "a.pdf", page)
    reading = read(path)
    letters = read_page_characters(path, [1])[0]
    for sentence in split_sentences(reading.text, wrapped=False):
        spans = [(a, b) for _, a, b in reading.source_map.raw_spans(sentence.start_char, sentence.end_char)]
        boxes = compute_rectangles(1, letters, spans)
        for at in (at for a, b in spans for at in range(a, b) if not letters.text[at].isspace()):
            x, y = (letters.box[at, :2] + letters.box[at, 2:]) / 2
            assert any(b.x0 - 0.1 <= x <= b.x1 + 0.1 and b.y0 - 0.1 <= y <= b.y1 + 0.1 for b in boxes)
        for one in boxes:
            assert not any(_overlap(one, other) for other in boxes if other is not one)


def _overlap(one: Rectangle, other: Rectangle) -> bool:
    wide = min(one.x1, other.x1) - max(one.x0, other.x0)
    high = min(one.y1, other.y1) - max(one.y0, other.y0)
    return wide > 0.1 and high > 0.1
