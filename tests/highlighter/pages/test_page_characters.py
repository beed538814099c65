"""Words that Tesseract laid over a picture are lit where they stand, to their last letter.

Its text layer is written here as Tesseract writes it (each word and the space after it squeezed into the word's box).
"""

from __future__ import annotations

from pathlib import Path

import pytest
from pypdf import PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, StreamObject

from highlighter.pages.page_characters import read_page_characters
from highlighter.pages.rectangles import compute_rectangles

SIZE, ADVANCE = 14, 0.5  # of the letters: points, and their width in parts of that
WORDS = [("The", 100, 130), ("fund", 140, 180), ("is", 190, 200), ("a", 210, 218), ("secret.", 230, 300)]


def scan(path: Path, upward: bool = False, font: str = "GlyphLessFont", invisible: bool = True) -> Path:
    """A page with WORDS from x to x on one line; `upward`: the same, from the foot of the page to its head."""
    shown = []
    for word, left, right in WORDS:
        stretch = (right - left) / ((len(word) + 1) * SIZE * ADVANCE) * 100
        matrix = f"0 1 -1 0 300 {left}" if upward else f"1 0 0 1 {left} 300"
        shown.append(f"{matrix} Tm {stretch:.3f} Tz ({word} ) Tj")
    content = StreamObject()
    mode = 3 if invisible else 0
    content.set_data(f"BT {mode} Tr /F {SIZE} Tf {' '.join(shown)} ET".encode("ascii"))
    made = {
        "/Type": NameObject("/Font"), "/Subtype": NameObject("/TrueType"), "/BaseFont": NameObject(f"/{font}"),
        "/FirstChar": NumberObject(32), "/LastChar": NumberObject(126),
        "/Widths": ArrayObject([NumberObject(int(1000 * ADVANCE))] * 95), "/Encoding": NameObject("/WinAnsiEncoding"),
    }  # fmt: skip
    writer = PdfWriter()
    page = writer.add_blank_page(595, 842)
    fonts = DictionaryObject({NameObject("/F"): DictionaryObject({NameObject(k): v for k, v in made.items()})})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    page[NameObject("/Contents")] = writer._add_object(content)
    writer.write(path)
    return path


def extents(path: Path, axis: int = 0) -> list[tuple[float, float]]:
    """From where to where each word is lit."""
    letters = read_page_characters(path, [1])[0]
    found = []
    for word, *_ in WORDS:
        start = letters.text.index(f"{word} ")
        (box,) = compute_rectangles(1, letters, [(start, start + len(word))])
        found.append(((box.x0, box.x1), (box.y0, box.y1))[axis])
    return found


@pytest.mark.parametrize("upward", [False, True], ids=["level", "upward"])
def test_each_word_is_lit_from_its_first_letter_to_its_last(tmp_path, upward):
    found = extents(scan(tmp_path / "a.pdf", upward), axis=int(upward))
    for (_, left, right), lit in zip(WORDS, found, strict=True):
        assert lit == pytest.approx((left, right), abs=1)


def test_letters_within_a_word_share_its_box_equally(tmp_path):
    letters = read_page_characters(scan(tmp_path / "a.pdf"), [1])[0]
    start = letters.text.index("secret.")
    lefts = letters.box[start : start + 7, 0]
    assert lefts.tolist() == pytest.approx([230 + 10 * n for n in range(7)], abs=0.2)


@pytest.mark.parametrize(
    "other", [{"font": "Courier"}, {"invisible": False}], ids=["another font", "letters that are seen"]
)
def test_other_letters_stay_where_they_are(tmp_path, other):
    found = extents(scan(tmp_path / "a.pdf", **other))
    for (word, left, right), (lit_from, lit_to) in zip(WORDS, found, strict=True):
        squeezed = left + (right - left) * len(word) / (len(word) + 1)
        assert (lit_from, lit_to) == pytest.approx((left, squeezed), abs=1.5)
