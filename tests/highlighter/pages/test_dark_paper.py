"""Light letters on dark paper stay as they are when they are lit, and what is lit can be seen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from highlighter.pages.page_characters import PageCharacters, read_page_characters
from highlighter.pages.pdf_highlights import DARK_PAGE_COLOURS, FIND_STRENGTH, PdfHighlight, write_highlights
from highlighter.pages.rectangles import compute_rectangles
from tests.ingest.readers.pdf_drawing import draw

ON_NIGHT, ON_DAY, PALE = "White words on a dark band.", "Black words on the paper.", "Grey words on the paper."


@pytest.fixture
def page(tmp_path) -> Path:
    def drawn(canvas):
        canvas.setFillGray(0.1)
        canvas.rect(0, 450, 600, 400, fill=1, stroke=0)
        canvas.setFillGray(1)
        canvas.drawString(100, 500, ON_NIGHT)
        canvas.setFillGray(0)
        canvas.drawString(100, 300, ON_DAY)
        canvas.setFillGray(0.65)
        canvas.drawString(100, 200, PALE)

    return draw(tmp_path / "a.pdf", drawn)


def boxes(path: Path, words: str):
    letters = read_page_characters(path, [1])[0]
    start = letters.text.index(words)
    return tuple(compute_rectangles(1, letters, [(start, start + len(words))]))


def colours(path: Path, box) -> np.ndarray:
    """Of all pixels of a box's place, one row each."""
    with pypdfium2.PdfDocument(path) as document:
        drawn = document[0].render(scale=3).to_numpy()[:, :, ::-1].astype(int)  # as red, green, blue
    top, bottom = (int(3 * (841.89 - y)) for y in (box.y1 - 0.5, box.y0 + 0.5))
    return drawn[top:bottom, int(3 * box.x0) + 2 : int(3 * box.x1) - 2].reshape(-1, 3)


def test_the_paper_is_told_from_the_letters(page):
    assert [box.dark for box in boxes(page, ON_NIGHT)] == [True]
    assert [box.dark for box in boxes(page, ON_DAY)] == [False]
    assert [box.dark for box in boxes(page, PALE)] == [False]


def test_what_is_kept_of_a_page_tells_it_too(page):
    letters = read_page_characters(page, [1])[0]
    again = PageCharacters.from_bytes(letters.to_bytes())
    assert (again.light == letters.light).all()
    assert letters.light.any()
    assert not letters.light.all()


@pytest.mark.parametrize("strength", [1, 2, 3, FIND_STRENGTH])
def test_white_letters_stay_white_and_their_dark_paper_is_lit(page, tmp_path, strength):
    (box,) = boxes(page, ON_NIGHT)
    write_highlights(page, [PdfHighlight(1, (box,), (0, 0), strength, "", "")], tmp_path / "lit.pdf")
    before, after = colours(page, box), colours(tmp_path / "lit.pdf", box)
    letters, paper = (before > 250).all(axis=1), (before < 30).all(axis=1)
    assert (after[letters] > 250).all()
    lit = np.array(DARK_PAGE_COLOURS[strength]) * 255
    assert after[paper].mean(axis=0) == pytest.approx(lit + (255 - lit) * 0.1, abs=8)


def test_a_find_has_a_frame_that_evidence_has_not(page, tmp_path):
    (box,) = boxes(page, ON_DAY)
    edge = type(box)(1, box.x0 - 0.4, box.y1 - 0.4, box.x1, box.y1 + 0.6)
    shades = {}
    for strength in (3, FIND_STRENGTH):
        write_highlights(page, [PdfHighlight(1, (box,), (0, 0), strength, "", "")], tmp_path / f"{strength}.pdf")
        with pypdfium2.PdfDocument(tmp_path / f"{strength}.pdf") as document:
            drawn = document[0].render(scale=4).to_numpy()
        row = int(4 * (841.89 - box.y1))
        shades[strength] = drawn[row - 1 : row + 2, int(4 * edge.x0) + 8 : int(4 * edge.x1) - 8].min()
    assert shades[FIND_STRENGTH] < 60 < 110 < shades[3]
