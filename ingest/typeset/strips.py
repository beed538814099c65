"""Blocks as strips: lines with their places across the page, waiting to be stacked into pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ingest.typeset.blocks import CODE, HEADING, HIDDEN, LIST, NOTES, TABLE, Block, Item
from ingest.typeset.code import columns
from ingest.typeset.fonts import BOLD, MONO, TEXT, Fonts
from ingest.typeset.lines import Line, Typeface, lines
from ingest.typeset.rtl import is_rtl

INK, PALE, GREY = 0x1C2733, 0xC3CAD1, 0x76808A
SIZE, LEADING = 11.0, 15.4
CODE_SIZE = 9.0  # 84 columns across the page
HEADING_SIZES = {1: 17.0, 2: 13.5, 3: 11.8}  # deeper ones are as large as the text
INDENT, MOST_DEPTH = 18.0, 8
MARKER_GAP = 5.0
CELL_GAP, LEAST_COLUMN = 12.0, 40.0
HIGHEST_HEAD = 160.0  # of a table; a higher one would leave its pages no room, and stands only once


@dataclass(frozen=True, slots=True)
class Placed:
    """One line at `x` from the left margin; `right`: it runs from right to left and ends there instead."""

    x: float
    line: Line
    face: Typeface
    colour: int = INK
    right: float = 0.0


@dataclass(slots=True)
class Strip:
    """What is never broken over pages. `keep`: the next strip must follow on the same page."""

    height: float
    before: float = 0.0
    placed: list[Placed] = field(default_factory=list)
    keep: bool = False
    rule: float = 0.0  # thickness of a line above
    head: tuple[Strip, ...] = ()  # stands above it again when it begins a page


class Setter:
    """Sets blocks of one text in one width."""

    def __init__(self, text: str, fonts: Fonts, width: float, *, chinese: bool = False):
        self.text, self.width = text, width
        self._fonts, self._chinese = fonts, chinese
        self._faces: dict[tuple[str, float], Typeface] = {}

    @property
    def missing(self) -> set[str]:
        return set().union(*(face.missing for face in self._faces.values()))

    def face(self, style: str, size: float) -> Typeface:
        key = (style, size)
        if key not in self._faces:
            self._faces[key] = Typeface(self._fonts, style, size, self._chinese)
        return self._faces[key]

    def strips(self, block: Block) -> Iterator[Strip]:
        if block.kind == TABLE:
            return self._table(block)
        if block.kind == HEADING:
            return self._heading(block)
        if block.kind == LIST:
            return self._list(block)
        if block.kind in (NOTES, HIDDEN):
            return self._small(block)
        if block.kind == CODE:
            return self._code(block)
        return self._stack(self._plain(block, self.face(TEXT, SIZE)), self._leading(SIZE), before=7.5)

    def _leading(self, size: float) -> float:
        return round(size * (1.62 if self._chinese else LEADING / SIZE), 2)

    def _plain(self, block: Block, face: Typeface, colour: int = INK) -> list[Placed]:
        return [
            Placed(0, line, face, colour, self._right(item))
            for (item,) in block.rows
            for line in lines(self.text, item.start, item.end, face, self.width)
        ]

    def _right(self, item: Item) -> float:
        return self.width if is_rtl(self.text[item.start : min(item.end, item.start + 200)]) else 0.0

    def _stack(self, placed: list[Placed], height: float, *, before: float, keep: bool = False) -> Iterator[Strip]:
        """A paragraph leaves neither its first nor its last line alone on a page."""
        last = len(placed) - 1
        for number, one in enumerate(placed):
            alone = last > 0 and number in (0, last - 1)
            yield Strip(height, before if number == 0 else 0.0, [one], keep or alone)

    def _heading(self, block: Block) -> Iterator[Strip]:
        size = HEADING_SIZES.get(block.level, SIZE)
        placed = self._plain(block, self.face(BOLD, size))
        return self._stack(placed, size * 1.3, before=size * 1.05, keep=True)

    def _list(self, block: Block) -> Iterator[Strip]:
        face, height = self.face(TEXT, SIZE), self._leading(SIZE)
        for number, (item,) in enumerate(block.rows):
            before = 7.5 if number == 0 else 2.5
            strips = list(self._stack(self._item(item, face), height, before=before)) or [Strip(height, before)]
            if item.marker and not self._right(item):  # it hangs, and all lines of the item begin behind it
                strips[0].placed.insert(0, Placed(self._left(item), self._marker(item, face), face))
            yield from strips

    def _item(self, item: Item, face: Typeface) -> list[Placed]:
        if right := self._right(item):
            return [
                Placed(0, line, face, right=right) for line in lines(self.text, item.start, item.end, face, self.width)
            ]
        hang = self._left(item)
        if item.marker:
            hang += max(INDENT, self._marker(item, face).width + MARKER_GAP)
        return [
            Placed(hang, line, face)
            for line in lines(self.text, item.start + item.marker, item.end, face, self.width - hang)
        ]

    def _left(self, item: Item) -> float:
        return min(item.depth, MOST_DEPTH) * INDENT

    def _marker(self, item: Item, face: Typeface) -> Line:
        end = item.start + item.marker
        return Line(item.start, end, face.width(self.text[item.start : end]))

    def _small(self, block: Block) -> Iterator[Strip]:
        """Notes below a rule; hidden text too, in grey."""
        face = self.face(TEXT, SIZE - 2)
        colour = GREY if block.kind == HIDDEN else INK
        strips = list(self._stack(self._plain(block, face, colour), self._leading(SIZE - 2), before=5))
        if strips:
            strips[0].rule, strips[0].before = 0.4, 12.0
        return iter(strips)

    def _code(self, block: Block) -> Iterator[Strip]:
        face, height = self.face(MONO, CODE_SIZE), CODE_SIZE * 1.3
        for number, (item,) in enumerate(block.rows):
            for part, pieces in enumerate(columns(self.text, item.start, item.end, face, self.width)):
                first = number == 0 and part == 0
                yield Strip(height, 7.5 if first else 0.0, [Placed(x, line, face) for x, line in pieces], keep=first)

    def _table(self, block: Block) -> Iterator[Strip]:
        columns = max(len(row) for row in block.rows)
        if self.width / columns < LEAST_COLUMN:
            yield from self._rows_as_text(block)
            return
        size = SIZE - 1 if columns < 6 else SIZE - 2.5
        face, height = self.face(TEXT, size), self._leading(size)
        widths = self._column_widths(block, face, columns)
        edges = [sum(widths[:number]) for number in range(columns)]
        head: list[Strip] = []
        for number, row in enumerate(block.rows):
            cells = [
                [
                    Placed(edges[at], line, face)
                    for line in lines(self.text, item.start, item.end, face, widths[at] - CELL_GAP)
                ]
                for at, item in enumerate(row)
            ]
            strips = list(self._row(cells, height, first=number == 0))
            if number < block.head:
                head += strips
            elif sum(strip.before + strip.height for strip in head) <= HIGHEST_HEAD:
                for strip in strips:
                    strip.head = tuple(head)
            yield from strips
        yield Strip(1.0, 3.0, rule=0.7)

    def _rows_as_text(self, block: Block) -> Iterator[Strip]:
        """More columns than a page is wide: each row as running text between two rules."""
        face, height = self.face(TEXT, SIZE - 2), self._leading(SIZE - 2)
        for row in block.rows:
            placed = [Placed(0, line, face) for line in lines(self.text, row[0].start, row[-1].end, face, self.width)]
            for number, strip in enumerate(self._stack(placed, height, before=4.0)):
                strip.rule = 0 if number else 0.3
                yield strip

    def _row(self, cells: list[list[Placed]], height: float, *, first: bool) -> Iterator[Strip]:
        """One strip a line, so that a tall row can run over a page."""
        tall = max((len(cell) for cell in cells), default=0)
        for number in range(max(tall, 1)):
            top = number == 0
            yield Strip(
                height,
                (9.0 if first else 4.0) if top else 0.0,
                [cell[number] for cell in cells if number < len(cell)],
                keep=first or (tall > 1 and number in (0, tall - 2)),
                rule=(0.7 if first else 0.3) if top else 0,
            )

    def _column_widths(self, block: Block, face: Typeface, columns: int) -> list[float]:
        """Each column as wide as it would like, or its share of the width by how much it has to say."""
        wish = [0.0] * columns
        for row in block.rows:
            for at, item in enumerate(row):
                # The square root keeps one long cell from starving the others; 400 characters tell enough.
                wish[at] = max(wish[at], face.width(self.text[item.start : min(item.end, item.start + 400)]) + CELL_GAP)
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
