"""Running heads, feet and page numbers: what stands at the edge of page after page and belongs to none of them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from .columns import Row, rows_of
from .fragments import Fragment

_EDGE = 0.13  # the share of a page's height, at top and bottom, where furniture stands
_DEEPEST = 4  # rows from the edge that are looked at
_NEARBY = 4  # pages either way in which it must come again: running heads change from chapter to chapter
_LEVEL = 7.0  # points by which its place may differ from page to page

_SAYS = re.compile(r"[^\W_]|#")
_DIGITS = re.compile(r"\d+")
_ROMAN = re.compile(r"^[\W_]*[ivxlc]{1,7}[\W_]*$", re.IGNORECASE)
_NUMBER = re.compile(
    r"^[\W_]*(?:page|pg\.?|p\.|seite|página|pagina|стр\.?|第)?\s*(?:\d{1,6}|[ivxlc]{1,6})"
    r"(?:\s*(?:of|/|von|de|sur|из|共)\s*\d{1,4})?\s*(?:页|頁|ページ)?[\W_]*$",
    re.IGNORECASE,
)


def without_furniture(pages: list[list[Fragment]], heights: list[float], body: float) -> list[list[Fragment]]:
    """The pages' fragments less those that are furniture. Heights are those of the frame the text reads level in,
    `body` is the size of running text."""
    edges = [_edge_rows(fragments, height) for fragments, height in zip(pages, heights, strict=True)]
    seen: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for number, rows in enumerate(edges):
        for key, place, _ in rows:
            if _SAYS.search(key):  # a row of stars or dots may stand at any edge by chance
                seen[key].append((number, place))
    kept = []
    for number, (fragments, rows) in enumerate(zip(pages, edges, strict=True)):
        drop = {
            id(fragment)
            for key, place, row in rows
            if _comes_again(seen[key], number, place, len(pages), "#" not in key and row[0].size > 1.15 * body)
            or _is_lone_number(row, rows, len(pages))
            for fragment in row
        }
        kept.append([fragment for fragment in fragments if id(fragment) not in drop])
    # A file of nothing but labels or stamps, each page like the last, has no running heads: that is its text.
    return kept if 5 * _length(kept) > _length(pages) else pages


def _length(pages: list[list[Fragment]]) -> int:
    return sum(len(fragment.text) for fragments in pages for fragment in fragments)


def _edge_rows(fragments: list[Fragment], height: float) -> list[tuple[str, float, Row]]:
    """(what it says with the numbers left open, its distance from its edge, the row) for each row at an edge."""
    fragments = [fragment for fragment in fragments if not fragment.hidden]  # flagged, never dropped in silence
    turns = Counter(fragment.turn for fragment in fragments)
    if not turns or height <= 0:
        return []
    main = turns.most_common(1)[0][0]
    rows = rows_of([f for f in fragments if f.turn == main and (f.y1 < height * _EDGE or f.y0 > height * (1 - _EDGE))])
    top = [row for row in rows if row[0].y1 < height * _EDGE][:_DEEPEST]
    bottom = [row for row in rows if row[0].y0 > height * (1 - _EDGE)][-_DEEPEST:]
    found = [("^" + _key(row), row[0].base, row) for row in top]
    found += [("_" + _key(row), height - row[0].base, row) for row in bottom]
    every = rows_of([f for f in fragments if f.turn == main])
    # The last line of a page that is not full may be its foot all the same: then only its words tell.
    last = every[-1]
    if last not in bottom and any(map(str.isdigit, _text(last))):
        found.append(("__" + _key(last), 0.0, last))
    return found


def _text(row: Row) -> str:
    return " ".join(fragment.text for fragment in row).strip()


def _key(row: Row) -> str:
    text = _text(row)
    return "#" if _ROMAN.match(text) else _DIGITS.sub("#", text)


def _comes_again(places: list[tuple[int, float]], number: int, place: float, pages: int, title: bool) -> bool:
    near = {other for other, at in places if abs(other - number) <= _NEARBY and abs(at - place) <= _LEVEL}
    if title:  # large type without a number heads a part; only what heads page after page is a running head
        return {number - 1, number + 1} <= near
    return len(near - {number}) >= (1 if pages <= 4 else 2)


def _is_lone_number(row: Row, rows: list[tuple[str, float, Row]], pages: int) -> bool:
    """A page number that nothing confirms: only the outermost row of its edge."""
    text = _text(row)
    if not _NUMBER.match(text):
        return False
    outermost = [edge[0][2] for edge in (rows[:1], rows[-1:]) if edge]
    return any(row is other for other in outermost)
