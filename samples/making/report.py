"""A one-column report with headings and a footnote."""

from __future__ import annotations

from pathlib import Path

from reportlab.lib.units import mm
from reportlab.platypus import Paragraph

from .paper import PALE, Faces, build, build_head_and_foot, font, frame, page, style
from .report_words import BYLINE, FOOTNOTE, FOOTNOTE_PAGE, SECTIONS, TITLE

NAME = "Breakwater Condition Report 2024.pdf"
HEAD = "Breakwater condition report 2024"

QUESTIONS = [
    (
        "How many armour stones have gone missing from the seaward face?",
        (
            "Of the 1,460 stones counted in 2014, 171 are missing and a further 96 have turned or slid by more than half "
            "their own width."
        ),
    ),
    (
        "What caused the settlement of the crown wall?",
        (
            "The settlement was caused by fine sand washing out from under the wall through an old drain, not by the weight "
            "of the wall itself."
        ),
    ),
    (
        "When was the worst storm, and how high were the waves?",
        (
            "The storm of 29 January 2024 was the worst in the record, with a significant wave height of 5.6 metres at the "
            "harbour buoy."
        ),
    ),
    (
        "How much would it cost to do nothing for five more years?",
        (
            "If nothing is done for five more years, the cost of repair is expected to rise from £2.6 million to about "
            "£4.1 million."
        ),
    ),
    (
        "When should the footpath be closed to the public?",
        "The footpath should stay closed to the public whenever waves of more than 2 metres are forecast.",
    ),
]


def write(folder: Path, faces: Faces) -> None:
    plain = build_head_and_foot(32 * mm, faces.sans, HEAD, "{page}")

    def draw(canvas, document) -> None:
        plain(canvas, document)
        if canvas.getPageNumber() == FOOTNOTE_PAGE:
            _footnote(canvas, faces)

    build(
        folder / NAME,
        TITLE,
        lambda: _story(faces),
        [page("page", [frame(32 * mm, 146 * mm, bottom=34 * mm, height=237 * mm)], draw)],
    )


def _footnote(canvas, faces: Faces) -> None:
    canvas.saveState()
    canvas.setStrokeColor(PALE)
    canvas.setLineWidth(0.4)
    canvas.line(32 * mm, 32 * mm, 72 * mm, 32 * mm)
    note = Paragraph(FOOTNOTE, style(faces.serif, 8.4, 10.6))
    _, height = note.wrap(146 * mm, 100 * mm)
    note.drawOn(canvas, 32 * mm, 30.5 * mm - height)
    canvas.restoreState()


def _story(faces: Faces) -> list:
    body = style(faces.serif, 12, 18.4, justified=True, after=9)
    first = style(faces.sans_bold, 14.5, 20, before=14, after=5, keep=True)
    second = style(faces.sans_bold, 11.8, 16, before=8, after=4, keep=True)
    story = [
        Paragraph(TITLE, style(faces.sans_bold, 21, 26, after=4)),
        Paragraph(BYLINE, style(faces.sans, 9.5, 13, after=12)),
    ]
    styles = {1: first, 2: second, 0: body}
    superscript = f'<super rise="4" size="7"><font name="{font(faces.serif)}">1</font></super>'
    return story + [Paragraph(text.replace("[1]", superscript), styles[level]) for level, text in SECTIONS]
