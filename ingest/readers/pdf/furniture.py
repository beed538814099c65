"""Running heads, feet and page numbers: what stands at the edge of page after page and belongs to none of them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from ingest.readers.pdf.edges import BOTTOM, END, TOP, EdgeRow, edge_rows
from ingest.readers.pdf.fragments import Fragment

_NEARBY = 4  # pages either way in which it must come again: running heads change from chapter to chapter
_LEVEL = 7.0  # points by which its place may differ from page to page
_MOST = 0.5  # of the pages: where heads stand on most pages, what comes again there is one
_FEWEST, _DENSE = 5, 0.6  # times it must come, and on this share of the pages between, where most pages have none
_CHANGING = 0.6  # of the pages have one line set alike in one place: then it need not say the same
_SMALL = 0.93  # times the text's size: small print at an edge is no title
_EXACT = 2.0  # points by which the place of such lines may differ

_SAYS = re.compile(r"[^\W_]|#")
_INTEGER = re.compile(r"\d{1,5}")
_NUMBER = re.compile(
    r"^[\W_]*(?:page|pg\.?|p\.|seite|página|pagina|стр\.?|第)?\s*(?:\d{1,6}|[ivxlc]{1,6})"
    r"(?:\s*(?:of|/|von|de|sur|из|共)\s*\d{1,4})?\s*(?:页|頁|ページ)?[\W_]*$",
    re.IGNORECASE,
)


def without_furniture(pages: list[list[Fragment]], heights: list[float], body: float) -> list[list[Fragment]]:
    """The pages' fragments less those that are furniture. Heights are those of the frame the text reads level in,
    `body` is the size of running text."""
    edges = [edge_rows(fragments, height) for fragments, height in zip(pages, heights, strict=True)]
    heads = _Heads(edges, body)
    changing = _changing(edges, body, _style(pages))
    kept = []
    for number, (fragments, rows) in enumerate(zip(pages, edges, strict=True)):
        drop = {
            id(fragment)
            for at, row in enumerate(rows)
            if heads.has(number, rows, at) or id(row) in changing or _is_lone_number(row, rows)
            for fragment in row.row
        }
        kept.append([fragment for fragment in fragments if id(fragment) not in drop])
    # A file of nothing but labels or stamps, each page like the last, has no running heads: that is its text.
    return kept if 5 * _length(kept) > _length(pages) else pages


def _length(pages: list[list[Fragment]]) -> int:
    return sum(len(fragment.text) for fragments in pages for fragment in fragments)


class _Heads:
    """Rows that come again with the same words in the same place."""

    def __init__(self, edges: list[list[EdgeRow]], body: float):
        self._pages, self._body = len(edges), body
        self._seen: dict[str, list[tuple[int, float]]] = defaultdict(list)
        self._places: dict[str, list[tuple[int, float]]] = {TOP: [], BOTTOM: []}
        for number, rows in enumerate(edges):
            for row in rows:
                if _SAYS.search(row.says):  # a row of stars or dots may stand at any edge by chance
                    self._seen[row.key].append((number, row.place))
            for row in rows:
                if row.side != END and (row.apart or row.row[0].size < _SMALL * body):
                    self._places[row.side].append((number, row.place))

    def has(self, number: int, rows: list[EdgeRow], at: int) -> bool:
        row = rows[at]
        places = self._seen.get(row.key, [])
        near = {other for other, place in places if abs(other - number) <= _NEARBY and abs(place - row.place) <= _LEVEL}
        if "#" not in row.says and row.row[0].size > 1.15 * self._body:
            # Large type without a number heads a part; only what heads page after page is a running head.
            return {number - 1, number + 1} <= near
        again = len(near - {number}) >= (1 if self._pages <= 4 else 2)
        if row.side == END or _NUMBER.match(row.text):
            return again
        if not again or not (self._stands_apart(rows, at) or row.row[0].size < _SMALL * self._body):
            return False
        return self._is_usual(row) or self._is_frequent(places)

    def _stands_apart(self, rows: list[EdgeRow], at: int) -> bool:
        """Whether white parts it from the text, or from a row that comes again as it does."""
        step = 1 if rows[at].side == TOP else -1
        while not rows[at].apart:
            at += step
            if not 0 <= at < len(rows) or rows[at].side != rows[at - step].side or len(self._seen[rows[at].key]) < 2:
                return False
        return True

    def _is_usual(self, row: EdgeRow) -> bool:
        """Whether most pages have a head or foot hereabouts."""
        room = 2.5 * row.row[0].size
        return len({n for n, place in self._places[row.side] if abs(place - row.place) < room}) > _MOST * self._pages

    def _is_frequent(self, places: list[tuple[int, float]]) -> bool:
        numbers = {number for number, _ in places}
        return len(numbers) >= _FEWEST and len(numbers) >= _DENSE * (max(numbers) - min(numbers) + 1)


def _changing(edges: list[list[EdgeRow]], body: float, text: tuple[bool, bool, int]) -> set[int]:
    """Heads that say something else on every page: known by their place and type, apart from the text."""
    rows: dict[str, list[tuple[int, EdgeRow]]] = {TOP: [], BOTTOM: []}
    for number, found in enumerate(edges):
        outermost = [row for row in found[:1] if row.side == TOP] + [row for row in found[-1:] if row.side == BOTTOM]
        for row in outermost:
            if row.apart and row.row[0].size <= 1.05 * body and len(row.text) <= 120:
                rows[row.side].append((number, row))
    dropped: set[int] = set()
    for found in rows.values():
        for place, size in {(round(row.place), row.row[0].size) for _, row in found}:
            alike = [
                (number, row)
                for number, row in found
                if abs(row.place - place) <= _EXACT and abs(row.row[0].size - size) < 0.3
            ]
            if len(edges) > 4 and len(alike) >= _CHANGING * len(edges) and _are_heads(alike, body, text):
                dropped |= {id(row) for _, row in alike}
    return dropped


def _are_heads(alike: list[tuple[int, EdgeRow]], body: float, text: tuple[bool, bool, int]) -> bool:
    """Small or slanted unlike the text, or counting the pages."""
    counted = Counter(step for number, row in alike for step in {int(n) - number for n in _INTEGER.findall(row.text)})
    if counted and counted.most_common(1)[0][1] > _MOST * len(alike):
        return True
    slanted = sum(row.style[1] for _, row in alike) > 0.9 * len(alike) and not text[1]
    return slanted or alike[0][1].row[0].size < _SMALL * body


def _style(pages: list[list[Fragment]]) -> tuple[bool, bool, int]:
    """Weight, slant and face of most of the text."""
    styles: Counter[tuple[bool, bool, int]] = Counter()
    for fragments in pages:
        for fragment in fragments:
            styles[fragment.bold, fragment.italic, fragment.face] += len(fragment.text)
    return styles.most_common(1)[0][0] if styles else (False, False, 0)


def _is_lone_number(row: EdgeRow, rows: list[EdgeRow]) -> bool:
    """A page number that nothing confirms: only the outermost row of its edge."""
    return bool(_NUMBER.match(row.text)) and any(row is other for other in (rows[0], rows[-1]))
