"""What the drawn samples share: faces, styles, frames, heads and feet, and a build whose bytes never change."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from reportlab import rl_config
from reportlab.lib import colors
from reportlab.lib.enums import TA_JUSTIFY, TA_LEFT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph, Table, TableStyle

INK, PALE = colors.HexColor("#1c2733"), colors.HexColor("#8a949e")


@dataclass(frozen=True, slots=True)
class Faces:
    """The font files by use; of a `.ttc` the first face is used."""

    serif: str
    serif_bold: str
    serif_italic: str
    sans: str
    sans_bold: str
    chinese: str

    @classmethod
    def from_system(cls) -> Faces:
        latin = "/usr/share/fonts/truetype/liberation/Liberation"
        return cls(
            f"{latin}Serif-Regular.ttf",
            f"{latin}Serif-Bold.ttf",
            f"{latin}Serif-Italic.ttf",
            f"{latin}Sans-Regular.ttf",
            f"{latin}Sans-Bold.ttf",
            "/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc",
        )


def font(path: str) -> str:
    """Return the reportlab name of a font file, registered on first use."""
    name = f"sample:{path}"
    if name not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(name, path))
    return name


def style(
    path: str,
    size: float,
    leading: float,
    *,
    before: float = 0,
    after: float = 0,
    indent: float = 0,
    hanging: float = 0,
    justified: bool = False,
    keep: bool = False,
) -> ParagraphStyle:
    return ParagraphStyle(
        "sample",
        fontName=font(path),
        fontSize=size,
        leading=leading,
        spaceBefore=before,
        spaceAfter=after,
        leftIndent=indent,
        firstLineIndent=-hanging,
        alignment=TA_JUSTIFY if justified else TA_LEFT,
        textColor=INK,
        keepWithNext=keep,
        embeddedHyphenation=1,
        allowWidows=0,
        allowOrphans=0,
    )


def frame(x: float, width: float, bottom: float = 22 * mm, height: float = 297 * mm - 24 * mm - 22 * mm) -> Frame:
    return Frame(x, bottom, width, height, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0)


def build_head_and_foot(margin: float, face: str, head: str, foot: str) -> Callable:
    """Return a function that draws a running head over a fine rule and a centred foot with `{page}` and `{pages}`."""

    def draw(canvas, document) -> None:
        canvas.saveState()
        canvas.setFillColor(PALE)
        canvas.setStrokeColor(PALE)
        canvas.setLineWidth(0.4)
        canvas.setFont(font(face), 7.5)
        canvas.drawString(margin, A4[1] - 15 * mm, head)
        canvas.line(margin, A4[1] - 17 * mm, A4[0] - margin, A4[1] - 17 * mm)
        canvas.drawCentredString(A4[0] / 2, 12 * mm, foot.format(page=canvas.getPageNumber(), pages=document.total))
        canvas.restoreState()

    return draw


def page(name: str, frames: list[Frame], draw: Callable) -> PageTemplate:
    return PageTemplate(name, frames, onPage=draw)


def build(path: Path, title: str, story: Callable[[], list], templates: list[PageTemplate]) -> None:
    """Build the document twice: the first time only to count the pages."""
    rl_config.invariant = 1
    total = 0
    for _ in range(2):
        document = BaseDocTemplate(
            str(path), pagesize=A4, title=title, author="Highlighter samples", invariant=1, pageTemplates=templates
        )
        document.total = total
        document.build(story())
        total = document.page


def ruled_table(rows: list[tuple[str, ...]], widths: list[float], cell: ParagraphStyle, head: ParagraphStyle) -> Table:
    table = Table(
        [[Paragraph(text, head if number == 0 else cell) for text in row] for number, row in enumerate(rows)],
        colWidths=widths,
        repeatRows=1,
    )
    table.setStyle(
        TableStyle(
            [
                ("LINEABOVE", (0, 0), (-1, 0), 0.9, INK),
                ("LINEBELOW", (0, 0), (-1, 0), 0.5, INK),
                ("LINEBELOW", (0, 1), (-1, -2), 0.25, PALE),
                ("LINEBELOW", (0, -1), (-1, -1), 0.9, INK),
                ("LEFTPADDING", (0, 0), (-1, -1), 3),
                ("RIGHTPADDING", (0, 0), (-1, -1), 3),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("TOPPADDING", (0, 0), (-1, -1), 2),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
            ]
        )
    )
    return table


def insert_soft_hyphens(text: str, hyphenated: str) -> str:
    """Return a text with a soft hyphen wherever a word of `hyphenated` ("Con-trac-tor ...") may be broken."""
    for word in hyphenated.split():
        word_without_hyphens = word.replace("-", "")
        text = re.sub(rf"\b{word_without_hyphens}\b", word.replace("-", "\u00ad"), text)
        text = re.sub(rf"\b{word_without_hyphens.capitalize()}\b", word.capitalize().replace("-", "\u00ad"), text)
    return text
