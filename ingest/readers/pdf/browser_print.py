"""Remove what a browser prints around a page.

Chromium and Safari print the date and the title above, the address and the page number below; Firefox prints the title
and the address above, the page number and the date below.
"""

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
    head = min((row for row in rows if row.side == TOP), key=lambda row: row.distance, default=None)
    foot = min((row for row in rows if row.side == BOTTOM), key=lambda row: row.distance, default=None)
    if head is None or foot is None or not _are_of_browser(head.text, foot.text):
        return fragments, rows
    removed = {id(fragment) for fragment in head.row + foot.row}
    remaining = [fragment for fragment in fragments if id(fragment) not in removed]
    return remaining, find_edge_rows(group_main_rows(remaining), height)


def _are_of_browser(head: str, foot: str) -> bool:
    if _DATE_TIME.search(head):
        return bool(_ADDRESS.search(foot) or _PAGE_NUMBER.search(foot))
    return bool(_ADDRESS.search(head) and _PAGE_NUMBER.search(foot) and _DATE_TIME.search(foot))
