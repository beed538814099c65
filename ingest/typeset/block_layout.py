"""Blocks as strips: lines with their places across the page, waiting to be stacked into pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ingest.typeset.bidi import is_rtl_paragraph
from ingest.typeset.blocks import CODE, HEADING, HIDDEN, LIST, NOTES, TABLE, TypesetBlock, TypesetItem
from ingest.typeset.fonts import BOLD, MONO, TEXT, Fonts
from ingest.typeset.line_breaking import Typeface, TypesetLine, break_code_line, break_lines

INK_COLOUR, PALE_COLOUR, GREY_COLOUR = 0x1C2733, 0xC3CAD1, 0x76808A
TEXT_POINTS, LEADING_POINTS = 11.0, 15.4
CODE_POINTS = 9.0  # 84 columns across the page
HEADING_POINTS = {1: 17.0, 2: 13.5, 3: 11.8}  # deeper ones are as large as the text
INDENT_POINTS, MAX_LIST_DEPTH = 18.0, 8
MARKER_GAP_POINTS = 5.0
CELL_GAP_POINTS, MIN_COLUMN_POINTS = 12.0, 40.0
MAX_TABLE_HEADER_POINTS = 160.0  # of a table; a higher one would leave its pages no room, and stands only once


@dataclass(frozen=True, slots=True)
class PlacedLine:
    """One line at `x` from the left margin; `right`: it runs from right to left and ends there instead."""

    x: float
    line: TypesetLine
    face: Typeface
    colour: int = INK_COLOUR
    right_edge: float = 0.0


@dataclass(slots=True)
class LayoutRow:
    """What is never broken over pages. `keep`: the next strip must follow on the same page."""

    height: float
    space_before: float = 0.0
    lines: list[PlacedLine] = field(default_factory=list)
    keep_with_next: bool = False
    rule_points: float = 0.0  # thickness of a line above
    repeated_rows: tuple[LayoutRow, ...] = ()  # stands above it again when it begins a page


class BlockTypesetter:
    """Sets blocks of one text in one width."""

    def __init__(self, text: str, fonts: Fonts, width: float, *, chinese: bool = False):
        self.text, self.width = text, width
        self._fonts, self._chinese = fonts, chinese
        self._faces: dict[tuple[str, float], Typeface] = {}

    @property
    def missing_characters(self) -> set[str]:
        return set().union(*(face.missing_characters for face in self._faces.values()))

    def get_typeface(self, style: str, size: float) -> Typeface:
        key = (style, size)
        if key not in self._faces:
            self._faces[key] = Typeface(self._fonts, style, size, self._chinese)
        return self._faces[key]

    def lay_out(self, block: TypesetBlock) -> Iterator[LayoutRow]:
        if block.kind == TABLE:
            return self._lay_out_table(block)
        if block.kind == HEADING:
            return self._lay_out_heading(block)
        if block.kind == LIST:
            return self._lay_out_list(block)
        if block.kind in (NOTES, HIDDEN):
            return self._lay_out_notes(block)
        if block.kind == CODE:
            return self._lay_out_code(block)
        return self._stack_lines(
            self._place_lines(block, self.get_typeface(TEXT, TEXT_POINTS)),
            self._compute_leading(TEXT_POINTS),
            before=7.5,
        )

    def _compute_leading(self, size: float) -> float:
        return round(size * (1.62 if self._chinese else LEADING_POINTS / TEXT_POINTS), 2)

    def _place_lines(self, block: TypesetBlock, face: Typeface, colour: int = INK_COLOUR) -> list[PlacedLine]:
        return [
            PlacedLine(0, line, face, colour, self._find_right_edge(item))
            for (item,) in block.rows
            for line in break_lines(self.text, item.start, item.end, face, self.width)
        ]

    def _find_right_edge(self, item: TypesetItem) -> float:
        return self.width if is_rtl_paragraph(self.text[item.start : min(item.end, item.start + 200)]) else 0.0

    def _stack_lines(
        self, placed: list[PlacedLine], height: float, *, before: float, keep: bool = False
    ) -> Iterator[LayoutRow]:
        """A paragraph leaves neither its first nor its last line alone on a page."""
        last = len(placed) - 1
        for number, one in enumerate(placed):
            alone = last > 0 and number in (0, last - 1)
            yield LayoutRow(height, before if number == 0 else 0.0, [one], keep or alone)

    def _lay_out_heading(self, block: TypesetBlock) -> Iterator[LayoutRow]:
        size = HEADING_POINTS.get(block.level, TEXT_POINTS)
        placed = self._place_lines(block, self.get_typeface(BOLD, size))
        return self._stack_lines(placed, size * 1.3, before=size * 1.05, keep=True)

    def _lay_out_list(self, block: TypesetBlock) -> Iterator[LayoutRow]:
        face, height = self.get_typeface(TEXT, TEXT_POINTS), self._compute_leading(TEXT_POINTS)
        for number, (item,) in enumerate(block.rows):
            before = 7.5 if number == 0 else 2.5
            strips = list(self._stack_lines(self._place_item(item, face), height, before=before)) or [
                LayoutRow(height, before)
            ]
            if item.marker_characters and not self._find_right_edge(
                item
            ):  # it hangs, and all lines of the item begin behind it
                strips[0].lines.insert(
                    0, PlacedLine(self._compute_indent(item), self._make_marker_line(item, face), face)
                )
            yield from strips

    def _place_item(self, item: TypesetItem, face: Typeface) -> list[PlacedLine]:
        if right := self._find_right_edge(item):
            return [
                PlacedLine(0, line, face, right_edge=right)
                for line in break_lines(self.text, item.start, item.end, face, self.width)
            ]
        hang = self._compute_indent(item)
        if item.marker_characters:
            hang += max(INDENT_POINTS, self._make_marker_line(item, face).width + MARKER_GAP_POINTS)
        return [
            PlacedLine(hang, line, face)
            for line in break_lines(self.text, item.start + item.marker_characters, item.end, face, self.width - hang)
        ]

    def _compute_indent(self, item: TypesetItem) -> float:
        return min(item.depth, MAX_LIST_DEPTH) * INDENT_POINTS

    def _make_marker_line(self, item: TypesetItem, face: Typeface) -> TypesetLine:
        end = item.start + item.marker_characters
        return TypesetLine(item.start, end, face.width(self.text[item.start : end]))

    def _lay_out_notes(self, block: TypesetBlock) -> Iterator[LayoutRow]:
        """Notes below a rule; hidden text too, in grey."""
        face = self.get_typeface(TEXT, TEXT_POINTS - 2)
        colour = GREY_COLOUR if block.kind == HIDDEN else INK_COLOUR
        strips = list(
            self._stack_lines(self._place_lines(block, face, colour), self._compute_leading(TEXT_POINTS - 2), before=5)
        )
        if strips:
            strips[0].rule_points, strips[0].space_before = 0.4, 12.0
        return iter(strips)

    def _lay_out_code(self, block: TypesetBlock) -> Iterator[LayoutRow]:
        face, height = self.get_typeface(MONO, CODE_POINTS), CODE_POINTS * 1.3
        for number, (item,) in enumerate(block.rows):
            for part, pieces in enumerate(break_code_line(self.text, item.start, item.end, face, self.width)):
                first = number == 0 and part == 0
                yield LayoutRow(
                    height,
                    7.5 if first else 0.0,
                    [PlacedLine(x, line, face) for x, line in pieces],
                    keep_with_next=first,
                )

    def _lay_out_table(self, block: TypesetBlock) -> Iterator[LayoutRow]:
        columns = max(len(row) for row in block.rows)
        if self.width / columns < MIN_COLUMN_POINTS:
            yield from self._lay_out_rows_as_text(block)
            return
        size = TEXT_POINTS - 1 if columns < 6 else TEXT_POINTS - 2.5
        face, height = self.get_typeface(TEXT, size), self._compute_leading(size)
        widths = self._compute_column_widths(block, face, columns)
        edges = [sum(widths[:number]) for number in range(columns)]
        head: list[LayoutRow] = []
        for number, row in enumerate(block.rows):
            cells = [
                [
                    PlacedLine(edges[at], line, face)
                    for line in break_lines(self.text, item.start, item.end, face, widths[at] - CELL_GAP_POINTS)
                ]
                for at, item in enumerate(row)
            ]
            strips = list(self._lay_out_row(cells, height, first=number == 0))
            if number < block.header_rows:
                head += strips
            elif sum(strip.space_before + strip.height for strip in head) <= MAX_TABLE_HEADER_POINTS:
                for strip in strips:
                    strip.repeated_rows = tuple(head)
            yield from strips
        yield LayoutRow(1.0, 3.0, rule_points=0.7)

    def _lay_out_rows_as_text(self, block: TypesetBlock) -> Iterator[LayoutRow]:
        """More columns than a page is wide: each row as running text between two rules."""
        face, height = self.get_typeface(TEXT, TEXT_POINTS - 2), self._compute_leading(TEXT_POINTS - 2)
        for row in block.rows:
            placed = [
                PlacedLine(0, line, face)
                for line in break_lines(self.text, row[0].start, row[-1].end, face, self.width)
            ]
            for number, strip in enumerate(self._stack_lines(placed, height, before=4.0)):
                strip.rule_points = 0 if number else 0.3
                yield strip

    def _lay_out_row(self, cells: list[list[PlacedLine]], height: float, *, first: bool) -> Iterator[LayoutRow]:
        """One strip a line, so that a tall row can run over a page."""
        tall = max((len(cell) for cell in cells), default=0)
        for number in range(max(tall, 1)):
            top = number == 0
            yield LayoutRow(
                height,
                (9.0 if first else 4.0) if top else 0.0,
                [cell[number] for cell in cells if number < len(cell)],
                keep_with_next=first or (tall > 1 and number in (0, tall - 2)),
                rule_points=(0.7 if first else 0.3) if top else 0,
            )

    def _compute_column_widths(self, block: TypesetBlock, face: Typeface, columns: int) -> list[float]:
        """Each column as wide as it would like, or its share of the width by how much it has to say."""
        wish = [0.0] * columns
        for row in block.rows:
            for at, item in enumerate(row):
                # The square root keeps one long cell from starving the others; 400 characters tell enough.
                wish[at] = max(
                    wish[at], face.width(self.text[item.start : min(item.end, item.start + 400)]) + CELL_GAP_POINTS
                )
        if sum(wish) <= self.width:
            return [one * max(1.0, min(1.6, self.width / sum(wish))) for one in wish] if sum(wish) else wish
        least = min(48.0, self.width / columns)
        share = [max(one, least) ** 0.5 for one in wish]
        wide = [self.width * one / sum(share) for one in share]
        # What narrow columns do not need goes to the wide ones.
        spare = sum(max(have - one, 0) for have, one in zip(wide, wish, strict=True))
        short = sum(max(one - have, 0) for have, one in zip(wide, wish, strict=True)) or 1.0
        return [
            min(have, max(one, least)) if one < have else have + spare * (one - have) / short
            for have, one in zip(wide, wish, strict=True)
        ]
