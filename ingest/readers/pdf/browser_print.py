"""Remove what a browser prints around a page: date and title above, address and page number below."""

from __future__ import annotations

import re

from ingest.readers.pdf.columns import Row, group_main_rows
from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.headers_footers import BOTTOM, TOP, EdgeRow, find_edge_rows

_DATE_TIME = re.compile(
    r"(?:^|\s)(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{4}年\d{1,2}月\d{1,2}日)[,，]?\s*(?:上午|下午|午前|午後|오전|오후)?\s*"
    r"\d{1,2}[:.]\d{2}(?::\d{2})?(?:\s*[AaPp]\.?[Mm]\.?)?(?:\s|$)"
)
_ADDRESS = re.compile(r"(?:^|\s)(?:https?|file|about|data|blob)://?\S")
_PAGE_NUMBER = re.compile(
    r"(?:^|\s)(?:page\s+|第\s*)?\d{1,4}\s*(?:/|of|von|de|sur|di|的)\s*\d{1,4}(?:\s|$)", re.IGNORECASE
)


def remove_browser_print(
    fragments: list[Fragment], main_rows: list[Row], height: float
) -> tuple[list[Fragment], list[EdgeRow]]:
    """Return a page's fragments and their edge rows without its printed head and foot, when both are a browser's."""
    rows = find_edge_rows(main_rows, height)
    heads = [row for row in rows if row.side == TOP and _DATE_TIME.search(row.text)][:1]
    feet = [row for row in rows if row.side == BOTTOM and _is_foot(row)][-1:]
    if not heads or not feet or not _are_outermost(rows, heads[0], feet[0]):
        return fragments, rows
    removed = {id(fragment) for row in heads + feet for fragment in row.row}
    remaining = [fragment for fragment in fragments if id(fragment) not in removed]
    return remaining, find_edge_rows(group_main_rows(remaining), height)


def _is_foot(row: EdgeRow) -> bool:
    return bool(_ADDRESS.search(row.text) or _PAGE_NUMBER.search(row.text))


def _are_outermost(rows: list[EdgeRow], head: EdgeRow, foot: EdgeRow) -> bool:
    sides = [[row.distance for row in rows if row.side == side] for side in (TOP, BOTTOM)]
    return head.distance <= min(sides[0]) and foot.distance <= min(sides[1])
