"""What stands at the upper and lower edge of a page, and how far apart from the rest."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import pairwise

from ingest.readers.pdf.columns import Row, group_rows
from ingest.readers.pdf.fragments import Fragment

_EDGE_SHARE = 0.13  # the share of a page's height, at top and bottom, where furniture stands
_MAX_EDGE_ROWS = 4  # rows from the edge that are looked at
_MIN_APART_PITCHES = 1.35  # times the page's usual pitch: more white than this parts a head from the text

TOP, BOTTOM, END = "^", "_", "__"

_DIGITS = re.compile(r"\d+")
_ROMAN = re.compile(r"^[\W_]*[ivxlc]{1,7}[\W_]*$", re.IGNORECASE)


@dataclass(slots=True)
class EdgeRow:
    """A row, what it says with the numbers left open, and its distance from its edge."""

    side: str
    pattern: str
    distance: float
    row: Row
    text: str
    is_apart: bool  # from the next row toward the middle of the page, or followed by nothing

    @property
    def key(self) -> str:
        return self.side + self.pattern

    @property
    def style(self) -> tuple[bool, bool, int]:
        longest = max(self.row, key=lambda fragment: len(fragment.text))
        return longest.bold, longest.italic, longest.face


def find_edge_rows(fragments: list[Fragment], height: float) -> list[EdgeRow]:
    """From the outermost row inward at the top, from the innermost outward at the bottom."""
    fragments = [fragment for fragment in fragments if not fragment.hidden_reason]  # flagged, never dropped in silence
    turns = Counter(fragment.turn for fragment in fragments)
    if not turns or height <= 0:
        return []
    main = turns.most_common(1)[0][0]
    every = group_rows([fragment for fragment in fragments if fragment.turn == main])
    pitches = sorted(b[0].base - a[0].base for a, b in pairwise(every))
    usual = pitches[len(pitches) // 2] if pitches else 0.0
    gaps = [b[0].base - a[0].base > _MIN_APART_PITCHES * usual or _has_other_style(a, b) for a, b in pairwise(every)]
    top = [at for at, row in enumerate(every) if row[0].y1 < height * _EDGE_SHARE][:_MAX_EDGE_ROWS]
    bottom = [at for at, row in enumerate(every) if row[0].y0 > height * (1 - _EDGE_SHARE)][-_MAX_EDGE_ROWS:]
    below, above = [*gaps, True], [True, *gaps]
    found = [_make_edge_row(TOP, every[at], every[at][0].base, below[at]) for at in top]
    found += [_make_edge_row(BOTTOM, every[at], height - every[at][0].base, above[at]) for at in bottom]
    # The last lines of a page that is not full may be its foot all the same: then only their words tell.
    last = len(every) - 1
    if last not in bottom and any(map(str.isdigit, join_row_text(every[last]))):
        if last > 0 and join_row_text(every[last]).isdigit() and last - 1 not in bottom:
            found.append(_make_edge_row(END, every[last - 1], 0.0, True))
        found.append(_make_edge_row(END, every[last], 0.0, True))
    return found


def _has_other_style(a: Row, b: Row) -> bool:
    one, other = (max(row, key=lambda fragment: len(fragment.text)) for row in (a, b))
    return abs(one.size - other.size) > 0.06 * max(one.size, other.size) or one.italic != other.italic


def _make_edge_row(side: str, row: Row, place: float, apart: bool) -> EdgeRow:
    text = join_row_text(row)
    return EdgeRow(side, "#" if _ROMAN.match(text) else _DIGITS.sub("#", text), place, row, text, apart)


def join_row_text(row: Row) -> str:
    return " ".join(fragment.text for fragment in row).strip()


# Running heads, feet and page numbers: what stands at the edge of page after page and belongs to none of them.


_NEARBY_PAGES = 4  # pages either way in which it must come again: running heads change from chapter to chapter
_MAX_SHIFT_POINTS = 7.0  # points by which its place may differ from page to page
_MOST_PAGES_SHARE = 0.5  # of the pages: where heads stand on most pages, what comes again there is one
_MIN_REPEATS, _MIN_REPEAT_DENSITY = (
    5,
    0.6,
)  # times it must come, and on this share of the pages between, where most pages have none
_MIN_CHANGING_SHARE = 0.6  # of the pages have one line set alike in one place: then it need not say the same
_SMALL_PRINT_RATIO = 0.93  # times the text's size: small print at an edge is no title
_MAX_CHANGING_SHIFT_POINTS = 2.0  # points by which the place of such lines may differ

_LETTER_OR_NUMBER = re.compile(r"[^\W_]|#")
_INTEGER = re.compile(r"\d{1,5}")
_PAGE_NUMBER = re.compile(
    r"^[\W_]*(?:page|pg\.?|p\.|seite|página|pagina|стр\.?|第)?\s*(?:\d{1,6}|[ivxlc]{1,6})"
    r"(?:\s*(?:of|/|von|de|sur|из|共)\s*\d{1,4})?\s*(?:页|頁|ページ)?[\W_]*$",
    re.IGNORECASE,
)


def remove_headers_footers(pages: list[list[Fragment]], heights: list[float], body: float) -> list[list[Fragment]]:
    """The pages' fragments less those that are furniture. Heights are those of the frame the text reads level in,
    `body` is the size of running text."""
    edges = [find_edge_rows(fragments, height) for fragments, height in zip(pages, heights, strict=True)]
    heads = _RepeatedRows(edges, body)
    changing = _find_changing_heads(edges, body, _find_text_style(pages))
    kept = []
    for number, (fragments, rows) in enumerate(zip(pages, edges, strict=True)):
        drop = {
            id(fragment)
            for at, row in enumerate(rows)
            if heads.contains(number, rows, at) or id(row) in changing or _is_lone_number(row, rows)
            for fragment in row.row
        }
        kept.append([fragment for fragment in fragments if id(fragment) not in drop])
    # A file of nothing but labels or stamps, each page like the last, has no running heads: that is its text.
    return kept if 5 * _count_characters(kept) > _count_characters(pages) else pages


def _count_characters(pages: list[list[Fragment]]) -> int:
    return sum(len(fragment.text) for fragments in pages for fragment in fragments)


class _RepeatedRows:
    """Rows that come again with the same words in the same place."""

    def __init__(self, edges: list[list[EdgeRow]], body: float):
        self._pages, self._body = len(edges), body
        self._places_by_key: dict[str, list[tuple[int, float]]] = defaultdict(list)
        self._places: dict[str, list[tuple[int, float]]] = {TOP: [], BOTTOM: []}
        for number, rows in enumerate(edges):
            for row in rows:
                if _LETTER_OR_NUMBER.search(row.pattern):  # a row of stars or dots may stand at any edge by chance
                    self._places_by_key[row.key].append((number, row.distance))
            for row in rows:
                if row.side != END and (row.is_apart or row.row[0].size < _SMALL_PRINT_RATIO * body):
                    self._places[row.side].append((number, row.distance))

    def contains(self, number: int, rows: list[EdgeRow], at: int) -> bool:
        row = rows[at]
        places = self._places_by_key.get(row.key, [])
        near = {
            other
            for other, place in places
            if abs(other - number) <= _NEARBY_PAGES and abs(place - row.distance) <= _MAX_SHIFT_POINTS
        }
        if "#" not in row.pattern and row.row[0].size > 1.15 * self._body:
            # Large type without a number heads a part; only what heads page after page is a running head.
            return {number - 1, number + 1} <= near
        again = len(near - {number}) >= (1 if self._pages <= 4 else 2)
        if row.side == END or _PAGE_NUMBER.match(row.text):
            return again
        if not again or not (self._is_apart(rows, at) or row.row[0].size < _SMALL_PRINT_RATIO * self._body):
            return False
        return self._is_usual(row) or self._is_frequent(places)

    def _is_apart(self, rows: list[EdgeRow], at: int) -> bool:
        """Whether white parts it from the text, or from a row that comes again as it does."""
        step = 1 if rows[at].side == TOP else -1
        while not rows[at].is_apart:
            at += step
            if (
                not 0 <= at < len(rows)
                or rows[at].side != rows[at - step].side
                or len(self._places_by_key[rows[at].key]) < 2
            ):
                return False
        return True

    def _is_usual(self, row: EdgeRow) -> bool:
        """Whether most pages have a head or foot hereabouts."""
        room = 2.5 * row.row[0].size
        return (
            len({n for n, place in self._places[row.side] if abs(place - row.distance) < room})
            > _MOST_PAGES_SHARE * self._pages
        )

    def _is_frequent(self, places: list[tuple[int, float]]) -> bool:
        numbers = {number for number, _ in places}
        return len(numbers) >= _MIN_REPEATS and len(numbers) >= _MIN_REPEAT_DENSITY * (max(numbers) - min(numbers) + 1)


def _find_changing_heads(edges: list[list[EdgeRow]], body: float, text: tuple[bool, bool, int]) -> set[int]:
    """Heads that say something else on every page: known by their place and type, apart from the text."""
    rows: dict[str, list[tuple[int, EdgeRow]]] = {TOP: [], BOTTOM: []}
    for number, found in enumerate(edges):
        outermost = [row for row in found[:1] if row.side == TOP] + [row for row in found[-1:] if row.side == BOTTOM]
        for row in outermost:
            if row.is_apart and row.row[0].size <= 1.05 * body and len(row.text) <= 120:
                rows[row.side].append((number, row))
    dropped: set[int] = set()
    for found in rows.values():
        for place, size in {(round(row.distance), row.row[0].size) for _, row in found}:
            alike = [
                (number, row)
                for number, row in found
                if abs(row.distance - place) <= _MAX_CHANGING_SHIFT_POINTS and abs(row.row[0].size - size) < 0.3
            ]
            if len(edges) > 4 and len(alike) >= _MIN_CHANGING_SHARE * len(edges) and _are_heads(alike, body, text):
                dropped |= {id(row) for _, row in alike}
    return dropped


def _are_heads(alike: list[tuple[int, EdgeRow]], body: float, text: tuple[bool, bool, int]) -> bool:
    """Small or slanted unlike the text, or counting the pages."""
    counted = Counter(step for number, row in alike for step in {int(n) - number for n in _INTEGER.findall(row.text)})
    if counted and counted.most_common(1)[0][1] > _MOST_PAGES_SHARE * len(alike):
        return True
    slanted = sum(row.style[1] for _, row in alike) > 0.9 * len(alike) and not text[1]
    return slanted or alike[0][1].row[0].size < _SMALL_PRINT_RATIO * body


def _find_text_style(pages: list[list[Fragment]]) -> tuple[bool, bool, int]:
    """Weight, slant and face of most of the text."""
    styles: Counter[tuple[bool, bool, int]] = Counter()
    for fragments in pages:
        for fragment in fragments:
            styles[fragment.bold, fragment.italic, fragment.face] += len(fragment.text)
    return styles.most_common(1)[0][0] if styles else (False, False, 0)


def _is_lone_number(row: EdgeRow, rows: list[EdgeRow]) -> bool:
    """A page number that nothing confirms: only the outermost row of its edge."""
    return bool(_PAGE_NUMBER.match(row.text)) and any(row is other for other in (rows[0], rows[-1]))
