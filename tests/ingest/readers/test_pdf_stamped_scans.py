"""A scan on which a program stamped a few letters counts as a page without text; a page with a background does not."""

from __future__ import annotations

import pytest
from reportlab.lib.utils import ImageReader

from ingest.readers.ocr import find_unread_pages
from ingest.readers.pdf import read
from tests.ingest.readers.ocr.scans.making import ENGLISH_LINES, SERIF, draw_letters
from tests.ingest.readers.pdf_drawing import A4, draw, lines, picture, prose, wrapped

BATES = "HARBOUR-0000417"
FILING = "Case 1:20-cv-01234-ABC  Document 31-4  Filed 05/06/20  Page 3 of 12  PageID #: 6789"


def _scan(canvas):
    canvas.drawImage(ImageReader(draw_letters(ENGLISH_LINES, SERIF, 34, 0.3)), 0, 0, *A4)


def _stamp(*stamps):
    """Return a page: a scan with texts at points."""

    def page(canvas):
        _scan(canvas)
        for x, y, text in stamps:
            canvas.drawString(x, y, text)

    return page


def _scan_in_strips(canvas):
    page = draw_letters(ENGLISH_LINES, SERIF, 34, 0.3)
    for strip in range(10):
        top, bottom = page.height * strip // 10, page.height * (strip + 1) // 10
        canvas.drawImage(ImageReader(page.crop((0, top, page.width, bottom))), 0, 842 - 84.2 * (strip + 1), 595, 84.2)
    canvas.drawString(480, 20, BATES)


def _type(canvas):
    lines(canvas, 60, 760, wrapped(prose(1), 70))


def _background(*texts, size=24):
    def page(canvas):
        canvas.drawImage(picture(200), 0, 0, *A4)
        canvas.setFont("Helvetica", size)
        lines(canvas, 80, 500, texts, leading=1.4 * size)

    return page


STAMPED = {
    "Bates number": _stamp((480, 20, BATES)),
    "e-filing header": _stamp((60, 825, FILING)),
    "page number in a corner": _stamp((560, 800, "3")),
    "date beside a signature": _stamp((385, 350, "2021 3 31")),
    "several": _stamp((480, 20, BATES), (60, 825, FILING), (200, 8, "CONFIDENTIAL - SUBJECT TO PROTECTIVE ORDER")),
    "strips": _scan_in_strips,
}
TYPED = {
    "prose": _type,
    "slide with few words": _background("Questions?"),
    "slide with a title at its head": lambda canvas: (
        canvas.drawImage(picture(200), 0, 0, *A4),
        canvas.setFont("Helvetica", 36),
        canvas.drawString(60, 770, "Our harbour"),
    ),
    "prose on a background": lambda canvas: (canvas.drawImage(picture(240), 0, 0, *A4), _type(canvas)),
    "letterhead": lambda canvas: (
        canvas.drawImage(picture(255), 0, 0, *A4),
        canvas.drawString(60, 790, "Except for these terms the agreement remains in force."),
    ),
    "a figure and a page number": lambda canvas: (
        canvas.drawImage(picture(), 100, 200, 400, 500),
        canvas.drawString(290, 20, "17"),
    ),
}


@pytest.mark.parametrize("page", STAMPED.values(), ids=STAMPED)
def test_stamped_scan_is_a_page_without_text(tmp_path, page):
    path = draw(tmp_path / "a.pdf", _type, page)
    reading = read(path)
    assert reading.unread_pages == find_unread_pages(path) == (2,)
    assert reading.warnings == ("Page 2: a scan with hardly any selectable text.",)


@pytest.mark.parametrize("page", TYPED.values(), ids=TYPED)
def test_page_with_text_of_its_own_is_no_scan(tmp_path, page):
    reading = read(draw(tmp_path / "a.pdf", _type, page))
    assert (reading.unread_pages, reading.warnings, reading.notes) == ((), (), ())


def test_text_layer_of_a_scanner_is_not_read_again_and_said_to_be_one(tmp_path):
    def page(canvas):
        _scan(canvas)
        text = canvas.beginText(60, 820)
        text.setTextRenderMode(3)
        text.textOut("Blank page")
        canvas.drawText(text)

    path = draw(tmp_path / "a.pdf", _type, page)
    assert read(path).unread_pages == ()
    assert read(path).notes == ("Page 2: the words were recognised by a scanner, so some may be wrong.",)
    assert read(path, recognised=[2]).notes == ()


def test_scan_with_hidden_text_alone_is_a_page_without_text(tmp_path):
    def page(canvas):
        _scan(canvas)
        canvas.drawString(60, -200, "The printer's name")

    reading = read(draw(tmp_path / "a.pdf", _type, page))
    assert reading.unread_pages == (2,)
    assert [hidden.text for hidden in reading.hidden_texts] == ["The printer's name"]


@pytest.mark.parametrize("inner", ["scan", "stamp"])
def test_scan_or_stamp_inside_a_form_is_seen(tmp_path, inner):
    """Programs that number pages put the page, or their stamp, into a form."""

    def page(canvas):
        for name, drawing in {"scan": _scan, "stamp": lambda canvas: canvas.drawString(480, 20, BATES)}.items():
            if name == inner:
                canvas.beginForm(name, 0, 0, *A4)
                canvas.setFont("Helvetica", 10)
            drawing(canvas)
            if name == inner:
                canvas.endForm()
                canvas.doForm(name)

    assert find_unread_pages(draw(tmp_path / "a.pdf", page, _type)) == (1,)
