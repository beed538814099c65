"""Remove the footers of slides: their dates, names and numbers. On slides, other lines with numbers at an edge are text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ingest.readers.pdf.columns import Row
from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.headers_footers import join_row_text
from ingest.readers.pdf.pages import PageContent

_EDGE_SHARE = 0.13  # of a slide's height at top and bottom
_MAX_SIZE_RATIO = 0.93  # times the text's size: footers are in smaller print
_GRID_POINTS = 7.0  # in which footers of two slides are at the same place

_MIN_STATEMENT_WORDS = 3  # of small print that may say something: "Prices exclude VAT"
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{1,2}|[^\W\d_]+")

_PlacedText = tuple[str, int, int]


def remove_slide_footers(pages: Sequence[PageContent], rows: Sequence[list[Row]]) -> list[list[Fragment]]:
    """Return the slides' fragments without their footers: small print that is repeated word for word, and the slide's number.

    Small print of several words stays on the first of its slides. `rows` are those of each slide.
    """
    edge_rows = [
        [row for row in page_rows if _is_at_edge(row, page.height)] for page, page_rows in zip(pages, rows, strict=True)
    ]
    slide_counts = Counter(
        place for page_rows in edge_rows for place in {_place_text(fragment) for row in page_rows for fragment in row}
    )
    text_size = _estimate_text_size(pages, edge_rows)
    remaining = []
    earlier: set[_PlacedText] = set()
    for page, page_rows in zip(pages, edge_rows, strict=True):
        numbers = {str(page.info.number), page.info.label} - {""}
        footers = [
            fragment
            for row in page_rows
            for fragment in row
            if all(_is_footer(other, numbers, slide_counts, text_size) for other in row)
        ]
        removed = {id(fragment) for fragment in footers if _place_text(fragment) in earlier or not _may_state(fragment)}
        earlier |= {_place_text(fragment) for fragment in footers}
        remaining.append([fragment for fragment in page.fragments if id(fragment) not in removed])
    return remaining


def _estimate_text_size(pages: Sequence[PageContent], edge_rows: Sequence[list[Row]]) -> float:
    """Return the font size of most characters that are not at an edge."""
    edge_ids = {id(fragment) for page_rows in edge_rows for row in page_rows for fragment in row}
    sizes: Counter[float] = Counter()
    for page in pages:
        for fragment in page.fragments:
            if id(fragment) not in edge_ids:
                sizes[fragment.size] += len(fragment.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _is_at_edge(row: Row, height: float) -> bool:
    return bool(join_row_text(row)) and (row[0].y1 < height * _EDGE_SHARE or row[0].y0 > height * (1 - _EDGE_SHARE))


def _is_footer(fragment: Fragment, numbers: set[str], slide_counts: Counter[_PlacedText], text_size: float) -> bool:
    is_repeated = fragment.text.strip() in numbers or slide_counts[_place_text(fragment)] > 1
    return is_repeated and fragment.size < _MAX_SIZE_RATIO * text_size


def _may_state(fragment: Fragment) -> bool:
    """Return whether a footer has as many words as a statement."""
    return len(_WORD.findall(fragment.text)) >= _MIN_STATEMENT_WORDS


def _place_text(fragment: Fragment) -> _PlacedText:
    return fragment.text, round(fragment.x0 / _GRID_POINTS), round(fragment.base / _GRID_POINTS)
