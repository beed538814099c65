"""The rectangles of a sentence cover all of it and nothing else, in clean boxes."""

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


def find_rectangles(path: Path, words: str) -> list[Rectangle]:
    """Return the rectangles of these words of the file's canonical text."""
    reading = read(path)
    start = reading.text.index(words)
    return _find_span_rectangles(path, reading, start, start + len(words))


def _find_span_rectangles(path: Path, reading, start: int, end: int) -> list[Rectangle]:
    spans: dict[int, list] = {}
    for page, a, b in reading.source_map.raw_spans(start, end):
        spans.setdefault(page, []).append((a, b))
    characters = dict(zip(spans, read_page_characters(path, list(spans)), strict=True))
    return [box for page, raw_spans in spans.items() for box in compute_rectangles(page, characters[page], raw_spans)]


def is_near(value: float, expected: float, tolerance: float = 1.0) -> bool:
    return abs(value - expected) <= tolerance


def test_line_has_one_box_with_its_spaces_filled(tmp_path):
    path = draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 760, ["Some words that stand here. Others."]))
    (box,) = find_rectangles(path, "Some words that stand here.")
    assert is_near(box.x0, 60)
    assert is_near(box.x1, 60 + stringWidth("Some words that stand here.", "Helvetica", 10))
    assert box.y0 < 760 < box.y1
    assert 9 <= box.y1 - box.y0 <= 14


def test_sentence_over_two_columns_does_not_cover_the_gutter(tmp_path):
    def page(canvas):
        rows = wrapped(prose(0, 8), 42)
        lines(canvas, 60, 740, rows[: len(rows) // 2])
        lines(canvas, 320, 740, rows[len(rows) // 2 :])

    path = draw(tmp_path / "a.pdf", page)
    reading = read(path)
    rows = wrapped(prose(0, 8), 42)
    half = len(" ".join(rows[: len(rows) // 2]))
    boxes = _find_span_rectangles(path, reading, half - 30, half + 30)
    assert {box.x0 < 310 for box in boxes} == {True, False}
    assert all(box.x1 < 315 or box.x0 > 315 for box in boxes)


def test_sentence_over_two_pages_has_boxes_on_both(tmp_path):
    rows = wrapped(prose(0, 6), 60)
    pages = [lambda canvas: lines(canvas, 60, 760, rows[:4]), lambda canvas: lines(canvas, 60, 760, rows[4:])]
    path = draw(tmp_path / "a.pdf", *pages)
    rectangles = find_rectangles(path, rows[3].split()[-1] + " " + rows[4].split()[0])
    assert [box.page for box in rectangles] == [1, 2]


def test_hyphenated_word_is_highlighted_with_its_hyphen(tmp_path):
    path = draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 760, ["The whole agree-", "ment is void."]))
    first, second = find_rectangles(path, "agreement")
    assert is_near(first.x1, 60 + stringWidth("The whole agree-", "Helvetica", 10))
    assert is_near(second.x1, 60 + stringWidth("ment", "Helvetica", 10))
    (only,) = find_rectangles(path, "agree")
    assert is_near(only.x1, 60 + stringWidth("The whole agree", "Helvetica", 10))


def test_ligature_is_highlighted_whole(tmp_path):
    drawn = draw(tmp_path / "a.pdf", lambda canvas: canvas.drawString(60, 760, "one Xnal word"))
    path = relettered(drawn, {**{c: c for c in "onea lwrd"}, "X": "fi"})
    (box,) = find_rectangles(path, "final")
    start = 60 + stringWidth("one ", "Helvetica", 10)
    assert is_near(box.x0, start)
    assert is_near(box.x1, start + stringWidth("Xnal", "Helvetica", 10))


def test_words_with_other_words_between_them_have_two_boxes(tmp_path):
    def page(canvas):
        for x, text in ((60, "Alpha"), (100, "between"), (150, "Omega")):
            canvas.drawString(x, 760, text)

    path = draw(tmp_path / "a.pdf", page)
    characters = read_page_characters(path, [1])[0]
    ends = [(characters.text.index(word), characters.text.index(word) + 5) for word in ("Alpha", "Omega")]
    assert len(compute_rectangles(1, characters, ends)) == 2
    assert len(compute_rectangles(1, characters, [(0, len(characters.text))])) == 1


def test_words_with_a_wide_space_between_them_have_one_box(tmp_path):
    def page(canvas):
        canvas.drawString(60, 760, "Alpha")
        canvas.drawString(92, 760, "    ")
        canvas.drawString(105, 760, "Omega")

    characters = read_page_characters(draw(tmp_path / "a.pdf", page), [1])[0]
    ends = [(characters.text.index(word), characters.text.index(word) + 5) for word in ("Alpha", "Omega")]
    assert len(compute_rectangles(1, characters, ends)) == 1


def test_right_to_left_words_are_highlighted_where_they_are(tmp_path):
    drawn = draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 760, ["fed cba"]))
    path = relettered(drawn, {chr(ord("a") + k): chr(0x5D0 + k) for k in range(26)})
    (box,) = find_rectangles(path, "אבג")
    assert is_near(box.x0, 60 + stringWidth("fed ", "Helvetica", 10))


def test_vertical_chinese_is_highlighted_along_its_columns(tmp_path):
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont

    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))

    def page(canvas):
        canvas.setFont("STSong-Light", 12)
        for column, text in enumerate(("员工应当在每年三月之前提出申请", "并且说明理由和日期以及地点")):
            for row, char in enumerate(text):
                canvas.drawString(400 - 20 * column, 760 - 13 * row, char)

    path = draw(tmp_path / "a.pdf", page)
    boxes = find_rectangles(path, "员工应当在每年三月之前提出申请")
    assert len(boxes) == 1
    assert boxes[0].y1 - boxes[0].y0 > 150
    assert boxes[0].x1 - boxes[0].x0 < 20


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_rotated_text_is_highlighted_in_its_direction(tmp_path, turn):
    def page(canvas):
        canvas.translate(300, 400)
        canvas.rotate(turn)
        lines(canvas, 0, 0, ["Some words that stand here. Others follow them."])

    (box,) = find_rectangles(draw(tmp_path / "a.pdf", page), "Some words that stand here.")
    length = stringWidth("Some words that stand here.", "Helvetica", 10)
    width, height = box.x1 - box.x0, box.y1 - box.y0
    assert box.turn == turn
    assert is_near(max(width, height), length, 2)
    assert 8 <= min(width, height) <= 14
    assert (height > width) == (turn in (90, 270))


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_boxes_on_cropped_and_rotated_pages_are_relative_to_the_crop_box(tmp_path, rotation):
    writer = PdfWriter(clone_from=draw(tmp_path / "a.pdf", lambda c: c.drawString(100, 500, "Hello."), size=(400, 600)))
    writer.pages[0].cropbox = RectangleObject((50, 100, 350, 580))
    writer.pages[0].rotate(rotation)
    path = tmp_path / "b.pdf"
    writer.write(path)
    (box,) = find_rectangles(path, "Hello.")
    assert is_near(box.x0, 50)
    assert box.y0 < 400 < box.y1
    characters = read_page_characters(path, [1])[0]
    box_on_page = to_display_box(box, characters)
    expected = {0: (50, 73), 90: (400, 50), 180: (223, 400), 270: (71, 223)}[rotation]
    assert is_near(box_on_page.x, expected[0], 6)
    assert is_near(box_on_page.y, expected[1], 6)
    assert characters.display_size == ((300, 480) if rotation in (0, 180) else (480, 300))
    assert box_on_page.turn == -rotation % 360


def test_boxes_of_tight_lines_do_not_overlap(tmp_path):
    rows = ["First of all these words.", "Then there are others.", "And at the end some more."]
    path = draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 760, rows, leading=8))
    reading = read(path)
    boxes = _find_span_rectangles(path, reading, 0, len(reading.text))
    assert len(boxes) == 3
    for upper, lower in pairwise(boxes):
        assert lower.y1 <= upper.y0 + 0.02
    (rectangle,) = find_rectangles(path, "Then there are others.")
    assert rectangle.y1 - rectangle.y0 < boxes[0].y1 - boxes[0].y0  # its neighbours keep half of the overlap


def test_superscript_does_not_make_its_line_higher(tmp_path):
    def page(canvas):
        canvas.drawString(60, 760, "The walls were measured twice")
        end = 60 + stringWidth("The walls were measured twice", "Helvetica", 10)
        canvas.setFont("Helvetica", 6)
        canvas.drawString(end, 764, "2")
        canvas.setFont("Helvetica", 10)
        canvas.drawString(end + 4, 760, " and found sound.")

    characters = read_page_characters(draw(tmp_path / "a.pdf", page), [1])[0]
    (box,) = compute_rectangles(1, characters, [(0, len(characters.text))])
    (plain,) = compute_rectangles(1, characters, [(0, 9)])
    assert is_near(box.y1 - box.y0, plain.y1 - plain.y0, 0.5)


def test_drop_cap_does_not_make_the_lines_beside_it_higher(tmp_path):
    def page(canvas):
        canvas.setFont("Helvetica", 34)
        canvas.drawString(60, 736, "T")
        canvas.setFont("Helvetica", 10)
        lines(canvas, 84, 748, ["he mole is repaired by the masons of the", "island. The town pays them in spring."])

    path = draw(tmp_path / "a.pdf", page)
    letter, *first = find_rectangles(path, "The mole is repaired by the masons of the island.")
    (second,) = find_rectangles(path, "The town pays them in spring.")
    assert letter.y0 < 736 < 748 < letter.y1
    assert letter.x1 < 84.5
    assert [12 > box.y1 - box.y0 > 8 for box in first] == [True, True]
    assert first[0].y0 >= second.y1 - 0.1
    assert first[1].x1 <= second.x0


def test_field_value_is_highlighted_in_its_field(tmp_path):
    def page(canvas):
        canvas.drawString(60, 600, "Family name")
        canvas.acroForm.textfield(name="name", value="Okonkwo", x=130, y=592, width=150, height=20, borderWidth=0)

    (box,) = find_rectangles(draw(tmp_path / "a.pdf", page), "Okonkwo")
    assert (is_near(box.x0, 130), is_near(box.x1, 280), is_near(box.y0, 592), is_near(box.y1, 612)) == (True,) * 4


def test_words_outside_the_crop_box_have_no_box(tmp_path):
    def page(canvas):
        canvas.drawString(60, 700, "Inside.")
        canvas.drawString(60, 20, "Outside.")

    writer = PdfWriter(clone_from=draw(tmp_path / "a.pdf", page))
    writer.pages[0].cropbox = RectangleObject((0, 100, 595, 842))
    writer.write(tmp_path / "b.pdf")
    characters = read_page_characters(tmp_path / "b.pdf", [1])[0]
    assert len(compute_rectangles(1, characters, [(0, len(characters.text))])) == 1


def test_characters_can_be_saved_and_loaded(tmp_path):
    characters = read_page_characters(
        draw(tmp_path / "a.pdf", lambda canvas: canvas.drawString(60, 700, "Words.")), [1]
    )[0]
    loaded = PageCharacters.from_bytes(characters.to_bytes())
    assert loaded.text == characters.text
    assert np.array_equal(loaded.box, characters.box)
    assert np.array_equal(loaded.turn, characters.turn)
    assert loaded.display_size == characters.display_size


def test_empty_page_has_no_rectangles_and_missing_page_is_none(tmp_path):
    empty, missing = read_page_characters(draw(tmp_path / "a.pdf", lambda canvas: None), [1, 9])
    assert empty.text == ""
    assert compute_rectangles(1, empty, [(0, 10)]) == []
    assert missing is None


def test_text_layer_has_every_word_in_its_line(tmp_path):
    rows = wrapped(prose(1), 70)
    characters = read_page_characters(draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 760, rows)), [1])[0]
    assert [" ".join(word for word, _ in line.words) for line in build_text_layer(characters)] == rows
    (_, first) = build_text_layer(characters)[0].words[0]
    assert isinstance(first, DisplayBox)
    assert is_near(first.x, 60)


WORD = st.text("abcdefghijklmnopqrstuvwxyzABCDEF0123456789,;()'äß", min_size=1, max_size=12)


@settings(max_examples=40)
@given(
    words=st.lists(WORD, min_size=5, max_size=80),
    columns=st.integers(1, 2),
    size=st.integers(7, 14),
    leading=st.floats(0.85, 2.0),
)
def test_boxes_of_any_sentence_cover_it_without_overlapping(tmp_path, words, columns, size, leading):
    text = " ".join(f"{word}." if number % 7 == 6 else word for number, word in enumerate(words))

    def page(canvas):
        canvas.setFont("Helvetica", size)
        rows = wrapped(text, int(480 / columns / size * 1.6))
        each = -(-len(rows) // columns)
        for column in range(columns):
            lines(canvas, 50 + 260 * column, 780, rows[column * each : (column + 1) * each], size * leading)

    path = draw(tmp_path / "a.pdf", page)
    reading = read(path)
    characters = read_page_characters(path, [1])[0]
    for sentence in split_sentences(reading.text, wrapped=False):
        spans = [(a, b) for _, a, b in reading.source_map.raw_spans(sentence.start_char, sentence.end_char)]
        boxes = compute_rectangles(1, characters, spans)
        for index in (index for a, b in spans for index in range(a, b) if not characters.text[index].isspace()):
            x, y = (characters.box[index, :2] + characters.box[index, 2:]) / 2
            assert any(b.x0 - 0.1 <= x <= b.x1 + 0.1 and b.y0 - 0.1 <= y <= b.y1 + 0.1 for b in boxes)
        for rectangle in boxes:
            assert not any(_overlap(rectangle, other) for other in boxes if other is not rectangle)


def _overlap(rectangle: Rectangle, other: Rectangle) -> bool:
    width = min(rectangle.x1, other.x1) - max(rectangle.x0, other.x0)
    height = min(rectangle.y1, other.y1) - max(rectangle.y0, other.y0)
    return width > 0.1 and height > 0.1
