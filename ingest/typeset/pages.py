"""Strips stacked into pages, and pages drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from highlighter.errors import Unreadable
from highlighter.models import TOO_LARGE
from ingest.typeset.lines import Typeface, visible, words
from ingest.typeset.rtl import visual
from ingest.typeset.strips import GREY, PALE, Placed, Strip

LEFT, TOP, BOTTOM = 68.0, 76.0, 74.0
WIDTH, HEIGHT = A4[0] - 2 * LEFT, A4[1] - TOP - BOTTOM
FURNITURE_SIZE = 8.0
MAX_PAGES = 3_000  # some 12 s and 450 MB of Chinese


@dataclass(slots=True)
class Page:
    """Lines and rules with their distance from the top of the text area; lines that stand on an earlier page too."""

    placed: list[tuple[float, Placed]] = field(default_factory=list)
    again: list[tuple[float, Placed]] = field(default_factory=list)
    rules: list[tuple[float, float]] = field(default_factory=list)


def paginate(strips: Iterable[Strip], most: int = MAX_PAGES) -> list[Page]:
    pages, used = [Page()], 0.0
    for group in _groups(strips):
        if len(pages) > most:
            raise Unreadable(TOO_LARGE, f"Its text would fill more than {most:,} pages. Split it into smaller files.")
        tall = sum(strip.height + strip.before for strip in group) - group[0].before
        if used and used + group[0].before + tall > HEIGHT and tall <= HEIGHT:
            pages.append(Page())
            used = _put_again(pages[-1], group[0].head)
        for strip in group:
            if used and used + strip.before + strip.height > HEIGHT:
                pages.append(Page())
                used = _put_again(pages[-1], strip.head)
            used = _put(pages[-1], strip, used)
    return pages


def _put_again(page: Page, head: tuple[Strip, ...]) -> float:
    used = 0.0
    for strip in head:
        used = _put(page, strip, used)
    page.again, page.placed = page.placed, []
    return used


def _groups(strips: Iterable[Strip]) -> Iterator[list[Strip]]:
    """Strips that ask to stay together, in one piece."""
    group: list[Strip] = []
    for strip in strips:
        group.append(strip)
        # A thousand headings in a row are not kept together: that would be a memory, not a page.
        if not strip.keep or len(group) > 60:
            yield group
            group = []
    if group:
        yield group


def _put(page: Page, strip: Strip, used: float) -> float:
    top = used + strip.before if used else 0.0
    if strip.rule:
        page.rules.append((top - 1.5, strip.rule))
    page.placed += [(top + strip.height, placed) for placed in strip.placed]
    return top + strip.height


def draw(pages: list[Page], text: str, title: str, small: Typeface, out: Path) -> None:
    canvas = Canvas(str(out), pagesize=A4, invariant=1, pageCompression=1)
    canvas.setTitle(visible(title))
    canvas.setCreator("Highlighter")
    head = _clipped(visible(title), small)
    for number, page in enumerate(pages, start=1):
        # In the text's own order whatever the places, so that the characters of the page come back in that order.
        page.placed.sort(key=lambda one: one[1].line.start)
        for down, placed in page.placed:
            _draw_placed(canvas, text, down, placed)
        _draw_rules(canvas, page)
        # Page furniture comes last: what is read back from the page ends with it.
        for down, placed in page.again:
            _draw_placed(canvas, text, down, placed)
        _draw_line(canvas, head, small, LEFT, A4[1] - 48, HexColor(GREY))
        foot = f"{number} / {len(pages)}"
        _draw_line(canvas, foot, small, (A4[0] - small.width(foot)) / 2, 40, HexColor(GREY))
        canvas.showPage()
    canvas.save()


def _draw_placed(canvas: Canvas, text: str, down: float, placed: Placed) -> None:
    shown = visual(words(text, placed.line), paragraph_is_rtl=bool(placed.right))
    x = placed.right - placed.face.width(shown) if placed.right else placed.x
    y = A4[1] - TOP - down + placed.face.size * 0.3
    _draw_line(canvas, shown, placed.face, LEFT + x, y, HexColor(placed.colour))


def _draw_line(canvas: Canvas, shown: str, face: Typeface, x: float, y: float, colour) -> None:
    line = canvas.beginText(x, y)
    line.setFillColor(colour)
    for font, part in face.runs(shown):
        line.setFont(font.name, face.size)
        line.textOut(part)
    canvas.drawText(line)


def _draw_rules(canvas: Canvas, page: Page) -> None:
    canvas.setStrokeColor(HexColor(PALE))
    for down, weight in page.rules:
        canvas.setLineWidth(weight)
        canvas.line(LEFT, A4[1] - TOP - down, LEFT + WIDTH, A4[1] - TOP - down)


def _clipped(title: str, face: Typeface) -> str:
    title = " ".join(title.split())[:300]
    if face.width(title) <= WIDTH:
        return title
    while title and face.width(title + "…") > WIDTH:
        title = title[:-1]
    return title + "…"
