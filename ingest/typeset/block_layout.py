"""Lay out blocks as rows of placed lines, which are then stacked into pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ingest.typeset.bidi import is_rtl_paragraph
from ingest.typeset.blocks import CODE, HEADING, LIST, NOTES, TABLE, TypesetBlock, TypesetItem
from ingest.typeset.fonts import BOLD, MONO, TEXT, Fonts
from ingest.typeset.line_breaking import Typeface, TypesetLine, break_code_line, break_lines

INK_COLOUR, PALE_COLOUR, GREY_COLOUR = 0x1C2733, 0xC3CAD1, 0x76808A
TEXT_POINTS, LEADING_POINTS = 11.0, 15.4
CODE_POINTS = 9.0  # 84 columns across the page
HEADING_POINTS = {1: 17.0, 2: 13.5, 3: 11.8}  # deeper ones are as large as the text
INDENT_POINTS, MAX_LIST_DEPTH = 18.0, 8
MARKER_GAP_POINTS = 5.0
CELL_GAP_POINTS, MIN_COLUMN_POINTS = 12.0, 40.0
MAX_TABLE_HEADER_POINTS = 160.0  # a higher header would leave no room on its pages, and is not repeated


@dataclass(frozen=True, slots=True)
class PlacedLine:
    """A line at `x` from the left margin, or, where `right_edge` is set, right-to-left text that ends there."""

    x: float
    line: TypesetLine
    face: Typeface
    right_edge: float = 0.0


@dataclass(slots=True)
class LayoutRow:
    """A row that is never split over pages; with `keep_with_next`, the next row follows on the same page."""

    height: float
    space_before: float = 0.0
    lines: list[PlacedLine] = field(default_factory=list)
    keep_with_next: bool = False
    rule_points: float = 0.0  # thickness of the rule above
    repeated_rows: tuple[LayoutRow, ...] = ()  # repeated above this row when it begins a page


class BlockTypesetter:
    """A typesetter of the blocks of one text in one width."""

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
        """Return the rows of a block."""
        if block.kind == TABLE:
            return self._lay_out_table(block)
        if block.kind == HEADING:
            return self._lay_out_heading(block)
        if block.kind == LIST:
            return self._lay_out_list(block)
        if block.kind == NOTES:
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

    def _place_lines(self, block: TypesetBlock, face: Typeface) -> list[PlacedLine]:
        return [
            PlacedLine(0, line, face, right_edge=self._find_right_edge(item))
            for (item,) in block.rows
            for line in break_lines(self.text, item.start, item.end, face, self.width)
        ]

    def _find_right_edge(self, item: TypesetItem) -> float:
        return self.width if is_rtl_paragraph(self.text[item.start : min(item.end, item.start + 200)]) else 0.0

    def _stack_lines(
        self, placed: list[PlacedLine], height: float, *, before: float, keep: bool = False
    ) -> Iterator[LayoutRow]:
        """Yield a row for each line; a paragraph leaves neither its first nor its last line alone on a page."""
        last = len(placed) - 1
        for number, line in enumerate(placed):
            is_edge = last > 0 and number in (0, last - 1)
            yield LayoutRow(height, before if number == 0 else 0.0, [line], keep or is_edge)

    def _lay_out_heading(self, block: TypesetBlock) -> Iterator[LayoutRow]:
        size = HEADING_POINTS.get(block.level, TEXT_POINTS)
        placed = self._place_lines(block, self.get_typeface(BOLD, size))
        return self._stack_lines(placed, size * 1.3, before=size * 1.05, keep=True)

    def _lay_out_list(self, block: TypesetBlock) -> Iterator[LayoutRow]:
        face, height = self.get_typeface(TEXT, TEXT_POINTS), self._compute_leading(TEXT_POINTS)
        for number, (item,) in enumerate(block.rows):
            before = 7.5 if number == 0 else 2.5
            rows = list(self._stack_lines(self._place_item(item, face), height, before=before)) or [
                LayoutRow(height, before)
            ]
            # The marker hangs: all lines of the item begin after it.
            if item.marker_characters and not self._find_right_edge(item):
                rows[0].lines.insert(
                    0, PlacedLine(self._compute_indent(item), self._make_marker_line(item, face), face)
                )
            yield from rows

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
        """Lay out notes below a rule."""
        face = self.get_typeface(TEXT, TEXT_POINTS - 2)
        rows = list(self._stack_lines(self._place_lines(block, face), self._compute_leading(TEXT_POINTS - 2), before=5))
        if rows:
            rows[0].rule_points, rows[0].space_before = 0.4, 12.0
        return iter(rows)

    def _lay_out_code(self, block: TypesetBlock) -> Iterator[LayoutRow]:
        face, height = self.get_typeface(MONO, CODE_POINTS), CODE_POINTS * 1.3
        for number, (item,) in enumerate(block.rows):
            for part_number, pieces in enumerate(break_code_line(self.text, item.start, item.end, face, self.width)):
                is_first = number == 0 and part_number == 0
                yield LayoutRow(
                    height,
                    7.5 if is_first else 0.0,
                    [PlacedLine(x, line, face) for x, line in pieces],
                    keep_with_next=is_first,
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
        is_rtl = is_rtl_paragraph(self.text[block.rows[0][0].start : block.rows[0][-1].end])
        header: list[LayoutRow] = []
        for number, row in enumerate(block.rows):
            cells = [
                self._place_cell(item, edges[column], widths[column] - CELL_GAP_POINTS, face, table_is_rtl=is_rtl)
                for column, item in enumerate(row)
            ]
            layout_rows = list(self._lay_out_row(cells, height, first=number == 0))
            if number < block.header_rows:
                header += layout_rows
            elif sum(layout_row.space_before + layout_row.height for layout_row in header) <= MAX_TABLE_HEADER_POINTS:
                for layout_row in layout_rows:
                    layout_row.repeated_rows = tuple(header)
            yield from layout_rows
        yield LayoutRow(1.0, 3.0, rule_points=0.7)

    def _place_cell(
        self, item: TypesetItem, edge: float, width: float, face: Typeface, *, table_is_rtl: bool
    ) -> list[PlacedLine]:
        """Place a cell's lines; `edge` is where its column begins, from the right in a right-to-left table."""
        right_edge = self.width - edge if table_is_rtl else edge + width if self._find_right_edge(item) else 0.0
        return [
            PlacedLine(edge, line, face, right_edge=right_edge)
            for line in break_lines(self.text, item.start, item.end, face, width)
        ]

    def _lay_out_rows_as_text(self, block: TypesetBlock) -> Iterator[LayoutRow]:
        """Lay out a table with too many columns for a page: each row as running text between two rules."""
        face, height = self.get_typeface(TEXT, TEXT_POINTS - 2), self._compute_leading(TEXT_POINTS - 2)
        for row in block.rows:
            right_edge = self._find_right_edge(TypesetItem(row[0].start, row[-1].end))
            placed = [
                PlacedLine(0, line, face, right_edge=right_edge)
                for line in break_lines(self.text, row[0].start, row[-1].end, face, self.width)
            ]
            for number, layout_row in enumerate(self._stack_lines(placed, height, before=4.0)):
                layout_row.rule_points = 0 if number else 0.3
                yield layout_row

    def _lay_out_row(self, cells: list[list[PlacedLine]], height: float, *, first: bool) -> Iterator[LayoutRow]:
        """Yield one row for each line, so that a tall table row can continue on the next page."""
        line_count = max((len(cell) for cell in cells), default=0)
        for number in range(max(line_count, 1)):
            is_top = number == 0
            yield LayoutRow(
                height,
                (9.0 if first else 4.0) if is_top else 0.0,
                [cell[number] for cell in cells if number < len(cell)],
                keep_with_next=first or (line_count > 1 and number in (0, line_count - 2)),
                rule_points=(0.7 if first else 0.3) if is_top else 0,
            )

    def _compute_column_widths(self, block: TypesetBlock, face: Typeface, columns: int) -> list[float]:
        """Return the widths: what each column needs, or its share of the page by the amount of its text."""
        needed = [0.0] * columns
        for row in block.rows:
            for column, item in enumerate(row):
                # The square root below keeps one long cell from starving the others; 400 characters are enough.
                needed[column] = max(
                    needed[column],
                    face.width(self.text[item.start : min(item.end, item.start + 400)]) + CELL_GAP_POINTS,
                )
        if sum(needed) <= self.width:
            return [need * max(1.0, min(1.6, self.width / sum(needed))) for need in needed] if sum(needed) else needed
        min_width = min(48.0, self.width / columns)
        weights = [max(need, min_width) ** 0.5 for need in needed]
        widths = [self.width * need / sum(weights) for need in weights]
        # Width that narrow columns do not need goes to the wide ones.
        spare_width = sum(max(width - need, 0) for width, need in zip(widths, needed, strict=True))
        missing_width = sum(max(need - width, 0) for width, need in zip(widths, needed, strict=True)) or 1.0
        return [
            min(width, max(need, min_width)) if need < width else width + spare_width * (need - width) / missing_width
            for width, need in zip(widths, needed, strict=True)
        ]
