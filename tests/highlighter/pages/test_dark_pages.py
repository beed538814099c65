"""Light text on dark pages stays light when it is highlighted, and the highlight is visible."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from highlighter.pages.page_characters import PageCharacters, read_page_characters
from highlighter.pages.pdf_highlights import DARK_PAGE_COLOURS, FIND_STRENGTH, PdfHighlight, write_highlights
from highlighter.pages.rectangles import compute_rectangles
from tests.ingest.readers.pdf_drawing import draw

WHITE_ON_DARK = "White words on a dark band."
BLACK_ON_WHITE = "Black words on the paper."
GREY_ON_WHITE = "Grey words on the paper."


@pytest.fixture
def page(tmp_path) -> Path:
    def draw_texts(canvas):
        canvas.setFillGray(0.1)
        canvas.rect(0, 450, 600, 400, fill=1, stroke=0)
        canvas.setFillGray(1)
        canvas.drawString(100, 500, WHITE_ON_DARK)
        canvas.setFillGray(0)
        canvas.drawString(100, 300, BLACK_ON_WHITE)
        canvas.setFillGray(0.65)
        canvas.drawString(100, 200, GREY_ON_WHITE)

    return draw(tmp_path / "a.pdf", draw_texts)


def compute_boxes(path: Path, words: str):
    characters = read_page_characters(path, [1])[0]
    start = characters.text.index(words)
    return tuple(compute_rectangles(1, characters, [(start, start + len(words))]))


def read_colours(path: Path, box) -> np.ndarray:
    """Return the colours of all pixels in a box, one row for each pixel."""
    with pypdfium2.PdfDocument(path) as document:
        image = document[0].render(scale=3).to_numpy()[:, :, ::-1].astype(int)  # as red, green, blue
    top, bottom = (int(3 * (841.89 - y)) for y in (box.y1 - 0.5, box.y0 + 0.5))
    return image[top:bottom, int(3 * box.x0) + 2 : int(3 * box.x1) - 2].reshape(-1, 3)


def test_boxes_of_white_text_are_dark(page):
    assert [box.dark for box in compute_boxes(page, WHITE_ON_DARK)] == [True]
    assert [box.dark for box in compute_boxes(page, BLACK_ON_WHITE)] == [False]
    assert [box.dark for box in compute_boxes(page, GREY_ON_WHITE)] == [False]


def test_saved_characters_keep_their_lightness(page):
    characters = read_page_characters(page, [1])[0]
    loaded = PageCharacters.from_bytes(characters.to_bytes())
    assert (loaded.light == characters.light).all()
    assert characters.light.any()
    assert not characters.light.all()


@pytest.mark.parametrize("strength", [1, 2, 3, FIND_STRENGTH])
def test_white_text_stays_white_on_its_highlighted_dark_page(page, tmp_path, strength):
    (box,) = compute_boxes(page, WHITE_ON_DARK)
    write_highlights(page, [PdfHighlight(1, (box,), (0, 0), strength, "", "")], tmp_path / "highlighted.pdf")
    before, after = read_colours(page, box), read_colours(tmp_path / "highlighted.pdf", box)
    is_ink, is_paper = (before > 250).all(axis=1), (before < 30).all(axis=1)
    assert (after[is_ink] > 250).all()
    colour = np.array(DARK_PAGE_COLOURS[strength]) * 255
    assert after[is_paper].mean(axis=0) == pytest.approx(colour + (255 - colour) * 0.1, abs=8)


def test_searched_text_has_a_frame_and_evidence_has_none(page, tmp_path):
    (box,) = compute_boxes(page, BLACK_ON_WHITE)
    darkest = {}
    for strength in (3, FIND_STRENGTH):
        write_highlights(page, [PdfHighlight(1, (box,), (0, 0), strength, "", "")], tmp_path / f"{strength}.pdf")
        with pypdfium2.PdfDocument(tmp_path / f"{strength}.pdf") as document:
            image = document[0].render(scale=4).to_numpy()
        row = int(4 * (841.89 - box.y1))
        darkest[strength] = image[row - 1 : row + 2, int(4 * (box.x0 - 0.4)) + 8 : int(4 * box.x1) - 8].min()
    assert darkest[FIND_STRENGTH] < 60 < 110 < darkest[3]
