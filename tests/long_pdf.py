"""A long PDF with bookmarks, made while tests run: a few sentences recur, so that it is read and embedded quickly."""

from __future__ import annotations

import io

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

PAGES_PER_CHAPTER = 10
SENTENCE = "The Contractor inspects the northern breakwater after every storm."


def write_long_pdf(pages: int) -> bytes:
    """Return a PDF with a bookmark for each chapter, and one below it for the chapter's last page."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    for page in range(1, pages + 1):
        chapter, at = divmod(page - 1, PAGES_PER_CHAPTER)
        if at == 0:
            _add_bookmark(canvas, f"Chapter {chapter + 1}", page, level=0)
            canvas.setFont("Helvetica-Bold", 20)
            canvas.drawString(72, 780, f"Chapter {chapter + 1}")
        elif at == PAGES_PER_CHAPTER - 1:
            _add_bookmark(canvas, f"Rules of chapter {chapter + 1}", page, level=1)
        canvas.setFont("Times-Roman", 11)
        for line in range(6):
            canvas.drawString(72, 740 - 22 * line, SENTENCE)
        canvas.drawString(72, 500, f"Sheet {'abcdefghij'[at]} of the chapter.")
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _add_bookmark(canvas: Canvas, title: str, page: int, level: int) -> None:
    canvas.bookmarkPage(f"page-{page}")
    canvas.addOutlineEntry(title, f"page-{page}", level)
