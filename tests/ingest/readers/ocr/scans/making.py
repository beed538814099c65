"""Make the scans beside this file again: `python -m tests.ingest.readers.ocr.scans.making`.

Text is drawn as letters, turned a little, given noise and made black and white, as a fax would be. Needs the fonts DejaVu
and WenQuanYi Zen Hei, and Pillow with libraqm for Arabic.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

FOLDER = Path(__file__).parent
WIDTH, HEIGHT = 1240, 1754  # A4 at 150 dots per inch
PAGE_POINTS = (595.2, 841.9)
FONTS = Path("/usr/share/fonts/truetype")
SERIF, SANS = FONTS / "dejavu/DejaVuSerif.ttf", FONTS / "dejavu/DejaVuSans.ttf"
CHINESE = FONTS / "wqy/wqy-zenhei.ttc"

ENGLISH_LINES = (
    "Harbour inspection report", "", "The sea wall at the north quay was inspected on 3 May.",
    "Two cracks of 4 mm were found below the waterline.", "Repairs will cost 18,400 pounds and take six weeks.", "",
    "The pilot boat leaves at noon. It carries four people.",
)  # fmt: skip
CHINESE_LINES = (
    "避風塘改善工程", "", "北面海堤於五月三日進行檢查。", "維修工程需時六星期，費用由政府支付。", "",
    "領港船於正午開出，可以載四個人。",
)  # fmt: skip
GERMAN_LINES = (
    "Prüfbericht der Hafenmauer", "", "Die Mauer am Nordkai wurde am 3. Mai geprüft.",
    "Für die Überprüfung ist Herr Müller zuständig.", "Die Ausbesserung dauert sechs Wochen und kostet den",
    "Hafen nicht mehr als im Vorjahr.",
)  # fmt: skip
HEBREW_LINES = (
    "דוח בדיקת הנמל", "", "הקיר הצפוני נבדק ביום 3 במאי.", "התיקון יעלה 18,400 שקלים ויימשך שישה שבועות.", "",
    "ספינת הנתב יוצאת בצהריים.",
)  # fmt: skip
ARABIC_LINES = (
    "تقرير تفتيش الميناء", "", "تم فحص الجدار الشمالي في 3 مايو.", "تكلفة الإصلاح 18,400 دينار وتستغرق ستة أسابيع.", "",
    "يغادر قارب الإرشاد عند الظهر.",
)  # fmt: skip
TYPED_LINES = (
    "Minutes of the harbour board, 12 May.", "The board approved the budget of the year.",
    "The scanned report of the engineer is attached.",
)  # fmt: skip


def draw_letters(
    lines: tuple[str, ...], font: Path, size: int, angle: float, turn: int = 0, is_rtl: bool = False
) -> Image.Image:
    """Return a black and white scan of these lines."""
    image = Image.new("L", (WIDTH, HEIGHT), 255)
    canvas, letters = ImageDraw.Draw(image), ImageFont.truetype(str(font), size)
    for row, line in enumerate(lines):
        y = 130 + row * size * 1.7
        if is_rtl:
            canvas.text((WIDTH - 110, y), line, font=letters, fill=0, anchor="ra", direction="rtl")
        else:
            canvas.text((110, y), line, font=letters, fill=0)
    return _make_fax(image, angle, turn)


def draw_columns(lines: tuple[str, ...], font: Path, size: int, angle: float) -> Image.Image:
    """Return a black and white scan of these lines as columns from top to bottom, the first at the right."""
    image = Image.new("L", (WIDTH, HEIGHT), 255)
    canvas, letters = ImageDraw.Draw(image), ImageFont.truetype(str(font), size)
    for column, line in enumerate(lines):
        for row, letter in enumerate(line):
            canvas.text((WIDTH - 190 - column * size * 2, 130 + row * size * 1.08), letter, font=letters, fill=0)
    return _make_fax(image, angle, 0)


def _make_fax(image: Image.Image, angle: float, turn: int) -> Image.Image:
    turned = image.rotate(angle, resample=Image.Resampling.BICUBIC, fillcolor=255)
    noise = np.random.default_rng(7).normal(0, 18, (HEIGHT, WIDTH))
    fax = Image.fromarray(((np.asarray(turned) + noise) > 140).astype(np.uint8) * 255).convert("1")
    return fax.rotate(turn, expand=True) if turn else fax


def write_pdf(name: str, pages: list[Image.Image | tuple[str, ...]]) -> None:
    """Write a PDF of scanned and typed pages."""
    canvas = Canvas(str(FOLDER / name), pagesize=PAGE_POINTS, invariant=True)
    for page in pages:
        if isinstance(page, Image.Image):
            width, height = PAGE_POINTS if page.width < page.height else PAGE_POINTS[::-1]
            canvas.setPageSize((width, height))
            canvas.drawImage(ImageReader(page), 0, 0, width, height)
        else:
            canvas.setPageSize(PAGE_POINTS)
            for row, line in enumerate(page):
                canvas.drawString(60, 760 - 18 * row, line)
        canvas.showPage()
    canvas.save()


def main() -> None:
    english = draw_letters(ENGLISH_LINES, SERIF, 34, 0.8)
    write_pdf("english.pdf", [english])
    write_pdf("chinese.pdf", [draw_letters(CHINESE_LINES, CHINESE, 40, -0.5)])
    write_pdf("german.pdf", [draw_letters(GERMAN_LINES, SANS, 34, -0.8)])
    write_pdf("turned.pdf", [draw_letters(ENGLISH_LINES, SERIF, 34, 0.4, turn=90)])
    write_pdf("hebrew.pdf", [draw_letters(HEBREW_LINES, SANS, 34, 0.4, is_rtl=True)])
    write_pdf("arabic.pdf", [draw_letters(ARABIC_LINES, SANS, 34, -0.4, is_rtl=True)])
    write_pdf("vertical.pdf", [draw_columns(tuple(filter(None, CHINESE_LINES)), CHINESE, 44, 0.2)])
    write_pdf("mixed.pdf", [TYPED_LINES, english, TYPED_LINES[:1]])


if __name__ == "__main__":
    main()
