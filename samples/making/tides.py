"""Tide tables: an upright page of explanation and a landscape table kept as a rotated page."""

from __future__ import annotations

from pathlib import Path

from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

from .paper import Faces, ruled_table, style

NAME = "Tide Tables and Diving Windows.pdf"
TITLE = "Tide tables and diving windows"

QUESTIONS = [
    (
        "What is the best time to dive in June?",
        "The longest diving window of the season is on 11 June, from 09:40 to 12:25, at neap tide.",
    ),
    ("Who may cancel a dive?", "The diving supervisor may cancel a dive at any time without giving a reason."),
    (
        "How strong may the current be for divers to go in?",
        "Divers do not enter the water when the current is stronger than 0.4 metres per second.",
    ),
]

FIRST_PAGE = [
    (
        "Divers do not enter the water when the current is stronger than 0.4 metres per second. At the East Mole this "
        "leaves a window around slack water, which is longest at neap tide and may vanish altogether at springs."
    ),
    (
        "The table overleaf gives the windows for the divers' work on the toe trench. Times are local summer time. Heights "
        "are in metres above chart datum and take no account of wind; with a strong wind from the north-east the water "
        "stands up to 30 centimetres higher and slack water comes up to 20 minutes late."
    ),
    (
        "The diving supervisor may cancel a dive at any time without giving a reason. Nobody may overrule that decision, "
        "neither the Engineer nor the harbour master."
    ),
]
ROTATED_PAGE = (
    "The longest diving window of the season is on 11 June, from 09:40 to 12:25, at neap tide. Windows "
    "shorter than 40 minutes are not used."
)
WINDOWS = [
    ("Date", "Low water", "Height", "High water", "Height", "Diving window", "Length"),
    ("Tuesday 3 June", "10:52", "1.31", "17:04", "3.62", "10:25 to 11:35", "70 min"),
    ("Thursday 5 June", "12:31", "1.44", "06:19", "3.55", "11:50 to 13:20", "90 min"),
    ("Monday 9 June", "09:02", "1.58", "15:20", "3.31", "08:10 to 10:15", "125 min"),
    ("Wednesday 11 June", "10:58", "1.66", "17:15", "3.18", "09:40 to 12:25", "165 min"),
    ("Saturday 14 June", "13:10", "1.39", "07:02", "3.44", "12:20 to 14:05", "105 min"),
    ("Tuesday 17 June", "15:24", "0.98", "09:11", "3.87", "15:00 to 15:45", "45 min"),
]


def write(folder: Path, faces: Faces) -> None:
    canvas = Canvas(str(folder / NAME), pagesize=A4, invariant=1)
    canvas.setTitle(TITLE)
    head, body = style(faces.sans_bold, 20, 26, after=8), style(faces.serif, 11.5, 16.5, after=8, justified=True)
    _draw(
        canvas, [Paragraph(TITLE, head), *(Paragraph(text, body) for text in FIRST_PAGE)], 32 * mm, 265 * mm, 146 * mm
    )
    canvas.showPage()
    # Drawn sideways on an upright sheet; the page's own rotation shows it upright.
    canvas.setPageSize(landscape(A4))  # reportlab swaps the sides of a rotated page, so this is an upright sheet
    canvas.setPageRotation(90)
    canvas.rotate(90)
    canvas.translate(0, -A4[0])
    table = ruled_table(
        WINDOWS,
        [44 * mm, 28 * mm, 22 * mm, 28 * mm, 22 * mm, 48 * mm, 26 * mm],
        style(faces.sans, 10, 14),
        style(faces.sans_bold, 10, 14),
    )
    _draw(
        canvas,
        [
            Paragraph("Diving windows, June 2025", style(faces.sans_bold, 16, 21, after=8)),
            Paragraph(ROTATED_PAGE, body),
            table,
        ],
        32 * mm,
        180 * mm,
        218 * mm,
    )
    canvas.showPage()
    canvas.save()


def _draw(canvas: Canvas, flowables: list, x: float, top: float, width: float) -> None:
    for flowable in flowables:
        _, height = flowable.wrapOn(canvas, width, top)
        top -= height
        flowable.drawOn(canvas, x, top)
        top -= flowable.getSpaceAfter()
