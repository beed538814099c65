"""Long books with full pages for the measurement of the page view. A few long sentences recur, so that they are embedded quickly."""

from __future__ import annotations

import textwrap
from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

PAGES_PER_CHAPTER = 16
LINES_PER_PAGE, CHARACTERS_PER_LINE = 46, 92
SUBJECTS = ("breakwater", "quay wall", "slipway", "lighthouse", "boathouse", "dredger", "fairway")
SENTENCE = (
    "The Contractor inspects the {subject} after every storm of the winter, writes down each stone that has moved, each joint"
    " that has opened and each lamp that has failed, and hands the list to the Engineer within {days} working days, so that"
    " repairs can begin while the tides of the following week still allow divers to reach the foundations of the {subject}"
    " in daylight and without hurry. "
)


def write_book(path: Path, pages: int) -> None:
    """Write a PDF with full pages of text, and a bookmark for each chapter."""
    pages_of_text = _wrap_pages()
    canvas = Canvas(str(path), pagesize=A4, invariant=True)
    for page in range(1, pages + 1):
        if page % PAGES_PER_CHAPTER == 1:
            chapter = page // PAGES_PER_CHAPTER + 1
            canvas.bookmarkPage(f"chapter-{chapter}")
            canvas.addOutlineEntry(f"Chapter {chapter}", f"chapter-{chapter}", 0)
        text = canvas.beginText(72, 780)
        text.setFont("Times-Roman", 11)
        text.textLines(pages_of_text[page % len(pages_of_text)])
        canvas.drawText(text)
        canvas.drawString(290, 40, str(page))
        canvas.showPage()
    canvas.save()


def _wrap_pages() -> list[list[str]]:
    """Return the lines of a page for each sentence that it can begin with."""
    sentences = [SENTENCE.format(subject=subject, days=days) for days, subject in enumerate(SUBJECTS, 2)]
    turned = ["".join(sentences[at:] + sentences[:at]) for at in range(len(sentences))]
    return [textwrap.wrap(text * 2, CHARACTERS_PER_LINE)[:LINES_PER_PAGE] for text in turned]
