"""White letters on dark pages stay readable where they are highlighted."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image
from playwright.sync_api import Locator, Page

from tests.browser.conftest import question_url
from tests.browser.test_page_view import wait_until_drawn
from tests.ingest.readers.pdf_drawing import draw

NIGHT = (
    "The night shift begins at nine in the evening.",
    "Divers are paid double for work between midnight and four.",
    "Cranes are not moved while the ferry lies at the quay.",
)


def test_highlight_on_dark_page_keeps_white_letters(upload_once, open_page, tmp_path):
    path = draw(tmp_path / "Night work.pdf", draw_dark_page)
    page = open_page(question_url(upload_once(path), "When are divers paid double?", view="page"))
    wait_until_drawn(page)
    box = page.locator(".highlight rect").first
    page.evaluate("document.querySelectorAll('.highlight line').forEach((line) => line.remove())")
    highlighted = pixels(page, box)
    page.evaluate("document.querySelectorAll('.highlight').forEach((one) => (one.style.visibility = 'hidden'))")
    plain_paper = pixels(page, box)
    letters, paper = (plain_paper > 250).all(axis=1), (plain_paper < 30).all(axis=1)
    assert letters.sum() > 50
    assert (highlighted[letters] > 245).all()
    assert (highlighted[paper].mean(axis=0) - plain_paper[paper].mean(axis=0))[:2].min() > 30  # amber: red and green


def draw_dark_page(canvas) -> None:
    canvas.setFillGray(0.05)
    canvas.rect(0, 0, 595, 842, fill=1, stroke=0)
    canvas.setFillGray(1)
    canvas.setFont("Helvetica-Bold", 14)
    for at, sentence in enumerate(NIGHT):
        canvas.drawString(60, 700 - 24 * at, sentence)


def pixels(page: Page, box: Locator) -> np.ndarray:
    """Return the pixels of a box, one row each."""
    place = box.bounding_box()
    inside = {"x": place["x"] + 1, "y": place["y"] + 1, "width": place["width"] - 2, "height": place["height"] - 2}
    return np.asarray(Image.open(io.BytesIO(page.screenshot(clip=inside))).convert("RGB"), int).reshape(-1, 3)
