"""What stands at the upper and lower edge of a page, and how far apart from the rest."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from ingest.readers.pdf.columns import Row, rows_of
from ingest.readers.pdf.fragments import Fragment

_EDGE = 0.13  # the share of a page's height, at top and bottom, where furniture stands
_DEEPEST = 4  # rows from the edge that are looked at
_APART = 1.35  # times the page's usual pitch: more white than this parts a head from the text

TOP, BOTTOM, END = "^", "_", "__"

_DIGITS = re.compile(r"\d+")
_ROMAN = re.compile(r"^[\W_]*[ivxlc]{1,7}[\W_]*$", re.IGNORECASE)


@dataclass(slots=True)
class EdgeRow:
    """A row, what it says with the numbers left open, and its distance from its edge."""

    side: str
    says: str
    place: float
    row: Row
    text: str
    apart: bool  # from the next row toward the middle of the page, or followed by nothing

    @property
    def key(self) -> str:
        return self.side + self.says

    @property
    def style(self) -> tuple[bool, bool, int]:
        longest = max(self.row, key=lambda fragment: len(fragment.text))
        return longest.bold, longest.italic, longest.face


def edge_rows(fragments: list[Fragment], height: float) -> list[EdgeRow]:
    """From the outermost row inward at the top, from the innermost outward at the bottom."""
    fragments = [fragment for fragment in fragments if not fragment.hidden]  # flagged, never dropped in silence
    turns = Counter(fragment.turn for fragment in fragments)
    if not turns or height <= 0:
        return []
    main = turns.most_common(1)[0][0]
    every = rows_of([fragment for fragment in fragments if fragment.turn == main])
    pitches = sorted(b[0].base - a[0].base for a, b in pairwise(every))
    usual = pitches[len(pitches) // 2] if pitches else 0.0
    gaps = [b[0].base - a[0].base > _APART * usual or _is_set_otherwise(a, b) for a, b in pairwise(every)]
    top = [at for at, row in enumerate(every) if row[0].y1 < height * _EDGE][:_DEEPEST]
    bottom = [at for at, row in enumerate(every) if row[0].y0 > height * (1 - _EDGE)][-_DEEPEST:]
    below, above = [*gaps, True], [True, *gaps]
    found = [_edge_row(TOP, every[at], every[at][0].base, below[at]) for at in top]
    found += [_edge_row(BOTTOM, every[at], height - every[at][0].base, above[at]) for at in bottom]
    # The last lines of a page that is not full may be its foot all the same: then only their words tell.
    last = len(every) - 1
    if last not in bottom and any(map(str.isdigit, text_of(every[last]))):
        if last > 0 and text_of(every[last]).isdigit() and last - 1 not in bottom:
            found.append(_edge_row(END, every[last - 1], 0.0, True))
        found.append(_edge_row(END, every[last], 0.0, True))
    return found


def _is_set_otherwise(a: Row, b: Row) -> bool:
    one, other = (max(row, key=lambda fragment: len(fragment.text)) for row in (a, b))
    return abs(one.size - other.size) > 0.06 * max(one.size, other.size) or one.italic != other.italic


def _edge_row(side: str, row: Row, place: float, apart: bool) -> EdgeRow:
    text = text_of(row)
    return EdgeRow(side, "#" if _ROMAN.match(text) else _DIGITS.sub("#", text), place, row, text, apart)


def text_of(row: Row) -> str:
    return " ".join(fragment.text for fragment in row).strip()
