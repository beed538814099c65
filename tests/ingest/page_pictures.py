"""Pictures of pages, drawn for tests."""

from __future__ import annotations

from pathlib import Path

import reportlab
from PIL import Image, ImageDraw, ImageFont

_FONT = Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"
SIZE, DPI = (827, 1169), (100, 100)  # A4


def draw_picture(*lines: str, mode: str = "L", scale: int = 2) -> Image.Image:
    """Return an upright page with lines of text, 100 dots per inch times the scale."""
    image = Image.new(mode, (scale * SIZE[0], scale * SIZE[1]), "white")
    canvas, font = ImageDraw.Draw(image), ImageFont.truetype(_FONT, 22 * scale)
    for number, line in enumerate(lines):
        canvas.text((75 * scale, (100 + 45 * number) * scale), line, font=font, fill="black")
    return image
