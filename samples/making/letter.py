"""A scanned letter: a drawn page, rendered at 150 dpi, tilted a little, and saved as a picture only."""

from __future__ import annotations

import random
from io import BytesIO
from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

from .paper import Faces, font, style

NAME = "Scanned letter 14 March.pdf"
LINES = [
    "Ms Ingrid Solberg",
    "Solberg Coastal Engineers",
    "Bryggen 12",
    "5003 Bergen",
    "",
    "14 March 2025",
    "",
    "Dear Ms Solberg,",
    "",
    (
        "Thank you for your letter of 5 March about the old drain under the crown wall. Our own staff have plugged it "
        "from the harbour side, as you advised, on the four spring tides between 1 and 4 March."
    ),
    "",
    (
        "Some 1.8 cubic metres of grout were used. No sand has been seen in the outfall since. We shall send you the "
        "photographs with the next monthly report."
    ),
    "",
    "The landward half of the mole is clear, and Tarn and Holloway may have it from Monday.",
    "",
    "Yours sincerely,",
    "",
    "",
    "Henrik Aasen",
    "Harbour Master",
]


def write(folder: Path, faces: Faces) -> None:
    picture = BytesIO()
    _simulate_scan(_draw_letter(faces)).save(picture, "JPEG", quality=55)
    canvas = Canvas(str(folder / NAME), pagesize=A4, invariant=1)
    canvas.setTitle("Scan 2025-03-14")
    canvas.drawImage(ImageReader(picture), 0, 0, *A4)
    canvas.showPage()
    canvas.save()


def _draw_letter(faces: Faces) -> bytes:
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    canvas.setFont(font(faces.serif_bold), 15)
    canvas.drawString(28 * mm, 268 * mm, "Skerry Point Harbour Trust")
    canvas.setFont(font(faces.serif_italic), 10)
    canvas.drawString(28 * mm, 262 * mm, "The Pilot House, East Mole")
    canvas.line(28 * mm, 258 * mm, 182 * mm, 258 * mm)
    top, text_style = 246 * mm, style(faces.serif, 11.5, 15.5)
    for line in LINES:
        paragraph = Paragraph(line or "&nbsp;", text_style)
        _, height = paragraph.wrap(154 * mm, 200 * mm)
        top -= height
        paragraph.drawOn(canvas, 28 * mm, top)
    canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _simulate_scan(pdf: bytes) -> Image.Image:
    document = pdfium.PdfDocument(pdf)
    picture = document[0].render(scale=150 / 72, grayscale=True).to_pil().convert("L")
    document.close()
    tilted = picture.rotate(0.6, resample=Image.Resampling.BICUBIC, fillcolor=255)
    # A scanner's white is never quite white; the seed keeps the grain the same each time.
    grain = Image.frombytes("L", (64, 64), random.Random(14).randbytes(64 * 64)).resize(
        tilted.size, Image.Resampling.BICUBIC
    )
    return Image.blend(tilted, grain, 0.012)
