"""A line of code in columns: its indent and the gaps within it are as wide on the page as they are in the file."""

from __future__ import annotations

import re

from ingest.typeset.lines import Line, Typeface, lines

_PIECE = re.compile(r"\S+(?: \S+)*")  # a single space is drawn with its words, more part two pieces
_HANG = 4  # columns by which what runs over stands further in
_MOST = 0.5  # of the width, for an indent of a line that runs over


def columns(text: str, start: int, end: int, face: Typeface, width: float) -> list[list[tuple[float, Line]]]:
    """Pieces with their places for each line on the page; more than one when it is wider than the page."""
    column = face.width(" ")
    placed: list[tuple[float, Line]] = []
    edge = 0.0
    for piece in _PIECE.finditer(text, start, end):
        # Wider letters (Chinese ones, and those of another font) push what follows to the right.
        x = max((piece.start() - start) * column, edge + column if placed else 0.0)
        wide = face.width(piece[0])
        placed.append((x, Line(*piece.span(), wide)))
        edge = x + wide
    if edge <= width or not placed:
        return [placed]
    indent = min(placed[0][0], width * _MOST)
    hang = indent + _HANG * column
    first, *more = lines(text, start, end, face, width - hang, width - indent)
    return [[(indent, first)], *([(hang, line)] for line in more)]
