"""Words that Tesseract laid over a picture are highlighted where they are, to their last letter.

The tests write a text layer as Tesseract does: each word with the space after it is squeezed into the word's box.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from pypdf import PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, StreamObject

from highlighter.pages.page_characters import read_page_characters
from highlighter.pages.rectangles import compute_rectangles

SIZE, ADVANCE = 14, 0.5  # of the letters: their size in points, and their width as a ratio of that
WORDS = [("The", 100, 130), ("fund", 140, 180), ("is", 190, 200), ("a", 210, 218), ("secret.", 230, 300)]


def write_scan(path: Path, upward: bool = False, font: str = "GlyphLessFont", invisible: bool = True) -> Path:
    """Write a page with WORDS from x to x on one line; `upward`: from the bottom of the page to its top."""
    operators = []
    for word, left, right in WORDS:
        stretch = (right - left) / ((len(word) + 1) * SIZE * ADVANCE) * 100
        matrix = f"0 1 -1 0 300 {left}" if upward else f"1 0 0 1 {left} 300"
        operators.append(f"{matrix} Tm {stretch:.3f} Tz ({word} ) Tj")
    content = StreamObject()
    mode = 3 if invisible else 0
    content.set_data(f"BT {mode} Tr /F {SIZE} Tf {' '.join(operators)} ET".encode("ascii"))
    font_entries = {
        "/Type": NameObject("/Font"), "/Subtype": NameObject("/TrueType"), "/BaseFont": NameObject(f"/{font}"),
        "/FirstChar": NumberObject(32), "/LastChar": NumberObject(126),
        "/Widths": ArrayObject([NumberObject(int(1000 * ADVANCE))] * 95), "/Encoding": NameObject("/WinAnsiEncoding"),
    }  # fmt: skip
    writer = PdfWriter()
    page = writer.add_blank_page(595, 842)
    fonts = DictionaryObject({NameObject("/F"): DictionaryObject({NameObject(k): v for k, v in font_entries.items()})})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    page[NameObject("/Contents")] = writer._add_object(content)
    writer.write(path)
    return path


def measure_extents(path: Path, axis: int = 0) -> list[tuple[float, float]]:
    """Return the start and end of each word's highlight."""
    characters = read_page_characters(path, [1])[0]
    extents = []
    for word, *_ in WORDS:
        start = characters.text.index(f"{word} ")
        (box,) = compute_rectangles(1, characters, [(start, start + len(word))])
        extents.append(((box.x0, box.x1), (box.y0, box.y1))[axis])
    return extents


@pytest.mark.parametrize("upward", [False, True], ids=["level", "upward"])
def test_word_is_highlighted_from_its_first_letter_to_its_last(tmp_path, upward):
    extents = measure_extents(write_scan(tmp_path / "a.pdf", upward), axis=int(upward))
    for (_, left, right), extent in zip(WORDS, extents, strict=True):
        assert extent == pytest.approx((left, right), abs=1)


def test_letters_of_a_word_share_its_box_equally(tmp_path):
    characters = read_page_characters(write_scan(tmp_path / "a.pdf"), [1])[0]
    start = characters.text.index("secret.")
    lefts = characters.box[start : start + 7, 0]
    assert lefts.tolist() == pytest.approx([230 + 10 * n for n in range(7)], abs=0.2)


@pytest.mark.parametrize(
    "other", [{"font": "Courier"}, {"invisible": False}], ids=["another font", "letters that are seen"]
)
def test_letters_of_other_layers_stay_where_they_are(tmp_path, other):
    extents = measure_extents(write_scan(tmp_path / "a.pdf", **other))
    for (word, left, right), extent in zip(WORDS, extents, strict=True):
        squeezed = left + (right - left) * len(word) / (len(word) + 1)
        assert extent == pytest.approx((left, squeezed), abs=1.5)
