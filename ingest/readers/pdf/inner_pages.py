"""Find the pages of the printed original on the pages of the file: filings are broken anew, and old page numbers stay.

Each ends with a row that holds nothing but its number. The numbers rise by one from page to page, in one position.
"""

from __future__ import annotations

import re
import statistics
from bisect import bisect
from dataclasses import dataclass
from itertools import pairwise

from ingest.list_markers import is_pdf_item_start
from ingest.readers.pdf.blocks import is_sentence_end
from ingest.readers.pdf.columns import Row
from ingest.readers.pdf.fragments import Fragment

_MAX_SHIFT_POINTS = 12.0  # between the middles of page numbers: "9" and "10" are not of one width
_MAX_STEP = 3  # a number that stands beside other text is not found
_MIN_NUMBERS = 3
_MIN_ROWS_BETWEEN = 8  # numbers that stand closer count lines or items
_MIN_INTERRUPTED_SHARE = 0.1  # of the numbers stand within a sentence: numbers of chapters and poems never do
_MIN_NUMBERS_A_PAGE = 0.25  # labels in drawings that happen to rise are farther apart
_MAX_OPEN_CHAINS = 30  # tried for a number, so that a file of nothing but numbers stays cheap
_MAX_SIZE_RATIO = 1.1  # times the text's size: larger numbers are headings

_NUMBER_ROW = re.compile(r"[-–—\s]*(?:page\s*)?(\d{1,4})[-–—\s]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _NumberRow:
    """A row that holds a number alone, with where it stands in the document."""

    value: int
    position: int  # counted in rows from the start of the document
    middle: float
    row: Row
    is_interruption: bool  # within a sentence


def split_inner_pages(
    pages: list[list[Row]], body_fragments: list[list[Fragment]], body_size: float
) -> list[list[list[Fragment]]]:
    """Return the body fragments of each page by the original page they stand on, without the numbers between them.

    `pages` are the rows of all fragments: numbers among the headers and footers belong to the row of numbers too.
    """
    breaks: list[list[float]] = [[] for _ in pages]
    body_ids = {id(fragment) for fragments in body_fragments for fragment in fragments}
    numbers: set[int] = set()
    for chain in _find_chains(_list_number_rows(pages, body_size)):
        for number_row in chain:
            fragment = number_row.row[0]
            if id(fragment) in body_ids:
                breaks[fragment.page - 1].append(fragment.base)
                numbers |= {id(fragment) for fragment in number_row.row}
    return [
        _split_at([fragment for fragment in fragments if id(fragment) not in numbers], sorted(bases))
        for fragments, bases in zip(body_fragments, breaks, strict=True)
    ]


def _list_number_rows(pages: list[list[Row]], body_size: float) -> list[_NumberRow]:
    rows = [row for page in pages for row in page]
    texts = [" ".join([fragment.text for fragment in row]).strip() for row in rows]
    values = [int(match[1]) if (match := _NUMBER_ROW.fullmatch(text)) else None for text in texts]
    number_rows = []
    for position, (row, value) in enumerate(zip(rows, values, strict=True)):
        if value is not None and row[0].size <= _MAX_SIZE_RATIO * body_size:
            # The number of one page may stand above that of the next.
            neighbours = range(max(position - 2, 0), min(position + 3, len(rows)))
            before = [texts[index] for index in neighbours if index < position and values[index] is None]
            after = [texts[index] for index in neighbours if index > position and values[index] is None]
            is_interruption = bool(before and after) and _is_within_sentence(before[-1], after[0])
            middle = (row[0].x0 + row[-1].x1) / 2
            number_rows.append(_NumberRow(value, position, middle, row, is_interruption))
    return number_rows


def _is_within_sentence(before: str, after: str) -> bool:
    return not is_sentence_end(before) and after[:1].islower() and not is_pdf_item_start(after)


def _find_chains(number_rows: list[_NumberRow]) -> list[list[_NumberRow]]:
    """Return the runs of rising numbers in one position that are page numbers."""
    chains: list[list[_NumberRow]] = []
    for number_row in number_rows:
        for chain in reversed(chains[-_MAX_OPEN_CHAINS:]):
            is_next = 0 < number_row.value - chain[-1].value <= _MAX_STEP
            if is_next and abs(number_row.middle - chain[-1].middle) <= _MAX_SHIFT_POINTS:
                chain.append(number_row)
                break
        else:
            chains.append([number_row])
    return [chain for chain in chains if _has_page_numbers(chain)]


def _has_page_numbers(chain: list[_NumberRow]) -> bool:
    if len(chain) < _MIN_NUMBERS:
        return False
    row_counts = [below.position - above.position for above, below in pairwise(chain)]
    page_count = chain[-1].row[0].page - chain[0].row[0].page + 1
    interrupted_count = sum(number_row.is_interruption for number_row in chain)
    return (
        statistics.median(row_counts) >= _MIN_ROWS_BETWEEN
        and len(chain) >= _MIN_NUMBERS_A_PAGE * page_count
        and interrupted_count >= _MIN_INTERRUPTED_SHARE * len(chain)
    )


def _split_at(fragments: list[Fragment], bases: list[float]) -> list[list[Fragment]]:
    parts: list[list[Fragment]] = [[] for _ in range(len(bases) + 1)]
    for fragment in fragments:
        parts[bisect(bases, fragment.base) if fragment.turn == 0 else 0].append(fragment)
    return [part for part in parts if part]
