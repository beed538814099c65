"""Stack rows into pages, and draw the pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from highlighter.errors import UnreadableFile
from highlighter.locale import N_
from highlighter.models import TOO_LARGE
from ingest.typeset.bidi import is_rtl_paragraph, to_visual_order
from ingest.typeset.block_layout import GREY_COLOUR, INK_COLOUR, PALE_COLOUR, LayoutRow, PlacedLine
from ingest.typeset.line_breaking import Typeface, format_drawn_text, strip_invisible

LEFT_MARGIN, TOP_MARGIN, BOTTOM_MARGIN = 68.0, 76.0, 74.0
TEXT_WIDTH, TEXT_HEIGHT = A4[0] - 2 * LEFT_MARGIN, A4[1] - TOP_MARGIN - BOTTOM_MARGIN
HEADER_FOOTER_POINTS = 8.0
MAX_PAGES = 3_000  # about 12 s and 450 MB for Chinese text


@dataclass(slots=True)
class TypesetPage:
    """A page: its lines, repeated lines and rules with their distance from the top of the text area."""

    lines: list[tuple[float, PlacedLine]] = field(default_factory=list)
    repeated_lines: list[tuple[float, PlacedLine]] = field(default_factory=list)
    rules: list[tuple[float, float]] = field(default_factory=list)


def paginate(rows: Iterable[LayoutRow], max_pages: int = MAX_PAGES) -> list[TypesetPage]:
    """Return the pages; rows that must stay together are on one page where they fit."""
    pages, used = [TypesetPage()], 0.0
    for group in _group_rows(rows):
        if len(pages) > max_pages:
            raise UnreadableFile(
                TOO_LARGE,
                N_("The text would fill more than {limit:,} pages. Split it into smaller files.", limit=max_pages),
            )
        group_height = sum(row.height + row.space_before for row in group) - group[0].space_before
        if used and used + group[0].space_before + group_height > TEXT_HEIGHT and group_height <= TEXT_HEIGHT:
            pages.append(TypesetPage())
            used = _repeat_rows(pages[-1], group[0].repeated_rows)
        for row in group:
            if used and used + row.space_before + row.height > TEXT_HEIGHT:
                pages.append(TypesetPage())
                used = _repeat_rows(pages[-1], row.repeated_rows)
            used = _place_row(pages[-1], row, used)
    return pages


def _repeat_rows(page: TypesetPage, header: tuple[LayoutRow, ...]) -> float:
    used = 0.0
    for row in header:
        used = _place_row(page, row, used)
    page.repeated_lines, page.lines = page.lines, []
    return used


def _group_rows(rows: Iterable[LayoutRow]) -> Iterator[list[LayoutRow]]:
    """Yield the groups of rows that must stay together."""
    group: list[LayoutRow] = []
    for row in rows:
        group.append(row)
        # A limit, because a thousand headings in a row would not fit on a page.
        if not row.keep_with_next or len(group) > 60:
            yield group
            group = []
    if group:
        yield group


def _place_row(page: TypesetPage, row: LayoutRow, used: float) -> float:
    top = used + row.space_before if used else 0.0
    if row.rule_points:
        page.rules.append((top - 1.5, row.rule_points))
    page.lines += [(top + row.height, placed) for placed in row.lines]
    return top + row.height


def draw_pages(pages: list[TypesetPage], text: str, title: str, small: Typeface, out: Path) -> None:
    """Draw the pages into a PDF."""
    canvas = Canvas(str(out), pagesize=A4, invariant=1, pageCompression=1)
    canvas.setTitle(strip_invisible(title))
    canvas.setCreator("Highlighter")
    clipped_title = _clip_title(strip_invisible(title), small)
    is_rtl = is_rtl_paragraph(clipped_title)
    header = to_visual_order(clipped_title, paragraph_is_rtl=is_rtl)
    header_x = LEFT_MARGIN + (TEXT_WIDTH - small.width(header) if is_rtl else 0)
    for number, page in enumerate(pages, start=1):
        # Drawn in the order of the text, so that the characters of the page are read back in that order.
        page.lines.sort(key=lambda positioned: positioned[1].line.start)
        for top, placed in page.lines:
            _draw_placed(canvas, text, top, placed)
        _draw_rules(canvas, page)
        # Headers and footers are drawn last, so that they are read back last.
        for top, placed in page.repeated_lines:
            _draw_placed(canvas, text, top, placed)
        _draw_line(canvas, header, small, header_x, A4[1] - 48, HexColor(GREY_COLOUR))
        footer = f"{number} / {len(pages)}"
        _draw_line(canvas, footer, small, (A4[0] - small.width(footer)) / 2, 40, HexColor(GREY_COLOUR))
        canvas.showPage()
    canvas.save()


def _draw_placed(canvas: Canvas, text: str, top: float, placed: PlacedLine) -> None:
    shown = to_visual_order(format_drawn_text(text, placed.line), paragraph_is_rtl=bool(placed.right_edge))
    x, y = locate_line(top, placed, shown)
    _draw_line(canvas, shown, placed.face, x, y, HexColor(INK_COLOUR))


def locate_line(top: float, placed: PlacedLine, shown: str) -> tuple[float, float]:
    """Return where a line begins on the page, in points from its lower left corner."""
    x = placed.right_edge - placed.face.width(shown) if placed.right_edge else placed.x
    return LEFT_MARGIN + x, A4[1] - TOP_MARGIN - top + placed.face.size * 0.3


def _draw_line(canvas: Canvas, shown: str, face: Typeface, x: float, y: float, colour: Color) -> None:
    line = canvas.beginText(x, y)
    line.setFillColor(colour)
    for font, run in face.split_runs(shown):
        line.setFont(font.name, face.size)
        line.textOut(run)
    canvas.drawText(line)


def _draw_rules(canvas: Canvas, page: TypesetPage) -> None:
    canvas.setStrokeColor(HexColor(PALE_COLOUR))
    for top, weight in page.rules:
        canvas.setLineWidth(weight)
        canvas.line(LEFT_MARGIN, A4[1] - TOP_MARGIN - top, LEFT_MARGIN + TEXT_WIDTH, A4[1] - TOP_MARGIN - top)


def _clip_title(title: str, face: Typeface) -> str:
    title = " ".join(title.split())[:300]
    if face.width(title) <= TEXT_WIDTH:
        return title
    while title and face.width(title + "…") > TEXT_WIDTH:
        title = title[:-1]
    return title + "…"
