"""Tesseract's hOCR is read into lines of words that do not overlap."""

from __future__ import annotations

from ingest.readers.ocr.hocr import read_lines


def _line(*words: tuple[str, int, int, int]) -> bytes:
    spans = "".join(
        f"<span class='ocrx_word' title='bbox {x0} 100 {x1} 140; x_wconf {percent}'>{text}</span>"
        for text, x0, x1, percent in words
    )
    title = "bbox 100 100 900 140; baseline 0.01 -8; x_size 40"
    page = (
        f"<html><body><div class='ocr_page'><span class='ocr_line' title=\"{title}\">{spans}</span></div></body></html>"
    )
    return page.encode()


def test_words_have_a_baseline_and_a_confidence():
    (line,) = read_lines(_line(("Tide", 100, 200, 96), ("tables", 300, 400, 41)))
    assert line.size == 40
    assert [(word.text, word.baseline, word.confidence) for word in line.words] == [
        ("Tide", 132.0, 0.96),
        ("tables", 134.0, 0.41),
    ]


def test_overlapping_boxes_of_chinese_words_are_separated():
    (line,) = read_lines(_line(("避風", 100, 420, 90), ("塘", 200, 250, 90)))
    assert [(word.x0, word.x1) for word in line.words] == [(100, 200), (200, 250)]


def test_mark_after_a_chinese_word_gets_its_chinese_form():
    (line,) = read_lines(
        _line(("星期", 100, 180, 90), (",", 180, 190, 90), ("Tide", 300, 400, 90), (",", 400, 410, 90))
    )
    assert [word.text for word in line.words] == ["星期", "，", "Tide", ","]


def test_line_without_words_is_left_out():
    assert read_lines(_line((" ", 100, 200, 95))) == []


def test_words_from_right_to_left_stay_in_reading_order():
    (line,) = read_lines(_line(("הקיר", 700, 800, 90), ("נבדק", 500, 620, 90), ("18,400", 300, 420, 90)))
    assert [word.text for word in line.words] == ["הקיר", "נבדק", "18,400"]
    assert [(word.x0, word.x1) for word in line.words] == [(700, 800), (500, 620), (300, 420)]


def test_column_is_a_line_of_the_page_turned_to_its_left():
    title, box = "bbox 900 100 1000 400", "bbox 900 100 1000 250; x_wconf 90"
    words = f"<span class='ocrx_word' title='{box}'>海堤</span>"
    page = f"<html><body><span class='ocr_line' title='{title}'>{words}</span></body></html>"
    (line,) = read_lines(page.encode(), column_width=1200)
    assert (line.size, [(word.x0, word.x1, word.baseline) for word in line.words]) == (100, [(100, 250, 280)])
