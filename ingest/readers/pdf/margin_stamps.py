"""Remove what is printed sideways in the margin of page after page: the number of a gazette, the stamp of a registry."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.pages import PageContent

_MIN_PAGES = 3  # with the same words in the same place
_PLACE_POINTS = 6.0  # by which a place may differ
_UPWARD, _DOWNWARD = 90, 270  # turns of text in a margin
_DIGITS = re.compile(r"\d+")

_Key = tuple[int, str, int, int]


def remove_margin_stamps(pages: list[list[Fragment]], contents: list[PageContent]) -> list[list[Fragment]]:
    """Return the pages' fragments without those that stand sideways beside the text, in one place on several pages."""
    keys_by_page = [
        _list_sideways(fragments, content.info.width) for fragments, content in zip(pages, contents, strict=True)
    ]
    counts = Counter(key for keys in keys_by_page for key in keys)
    return [
        [f for f in fragments if id(f) not in dropped]
        if (dropped := {number for key, ids in keys.items() if counts[key] >= _MIN_PAGES for number in ids})
        else fragments
        for fragments, keys in zip(pages, keys_by_page, strict=True)
    ]


def _list_sideways(fragments: list[Fragment], width: float) -> dict[_Key, list[int]]:
    """Return the ids of the fragments of a page that stand sideways in its margins, by their words and place."""
    sideways = [f for f in fragments if f.turn in (_UPWARD, _DOWNWARD)]
    level = [f for f in fragments if f.turn == 0] if sideways else []
    keys: dict[_Key, list[int]] = defaultdict(list)
    if len(level) <= len(sideways):
        return keys
    left, right = min(f.x0 for f in level), max(f.x1 for f in level)
    for fragment in sideways:
        x0, x1 = _find_page_span(fragment, width)
        if x1 <= left or x0 >= right:
            place = round(fragment.x0 / _PLACE_POINTS), round(fragment.base / _PLACE_POINTS)
            keys[fragment.turn, _DIGITS.sub("#", fragment.text), *place].append(id(fragment))
    return keys


def _find_page_span(fragment: Fragment, width: float) -> tuple[float, float]:
    """Return where a sideways fragment begins and ends across the page."""
    if fragment.turn == _UPWARD:
        return fragment.y0, fragment.y1
    return width - fragment.y1, width - fragment.y0
