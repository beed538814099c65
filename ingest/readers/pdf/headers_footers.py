"""Remove headers, footers and page numbers: what stands at the edges of page after page and belongs to none."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise

from ingest.readers.pdf.columns import Row
from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.line_joining import UNSPACED_SCRIPT

_EDGE_SHARE = 0.13  # of a page's height at top and bottom, where headers and footers stand
_MAX_EDGE_ROWS = 4  # examined at each edge
_MAX_EDGE_SHARE, _MAX_HEADER_ROWS = 0.2, 8  # of the height, and lines, of a header that reaches into the page
_MAX_WORD_GAP_EMS = 1.5  # white between two words of a line; wider white separates cells
_MIN_APART_PITCHES = 1.35  # times the page's usual pitch: more white separates a header from the text

TOP, BOTTOM, END = "^", "_", "__"

_DIGITS = re.compile(r"\d+")
_ROMAN = re.compile(r"^[\W_]*[ivxlc]{1,7}[\W_]*$", re.IGNORECASE)


@dataclass(slots=True)
class EdgeRow:
    """A row at the edge of a page, with its text as a pattern without numbers, and its distance from the edge."""

    side: str
    pattern: str
    distance: float
    row: Row
    text: str
    is_apart: bool  # separated from the next row toward the middle, or followed by nothing
    is_outer: bool = True  # not one of the further lines of a header that reaches into the page

    @property
    def key(self) -> str:
        return self.side + self.pattern

    @property
    def style(self) -> tuple[bool, bool, int]:
        longest = max(self.row, key=lambda fragment: len(fragment.text))
        return longest.bold, longest.italic, longest.face


def find_edge_rows(rows: list[Row], height: float) -> list[EdgeRow]:
    """Return the edge rows among a page's rows.

    They are ordered from the outermost inward at the top, from the innermost outward at the bottom.
    """
    if not rows or height <= 0:
        return []
    pitches = sorted(b[0].base - a[0].base for a, b in pairwise(rows))
    usual_pitch = pitches[len(pitches) // 2] if pitches else 0.0

    def is_apart(above: int, below: int) -> bool:
        if above < 0 or below == len(rows):
            return True
        a, b = rows[above], rows[below]
        return b[0].base - a[0].base > _MIN_APART_PITCHES * usual_pitch or _has_other_style(a, b)

    top = [index for index, row in enumerate(rows) if row[0].y1 < height * _EDGE_SHARE][:_MAX_EDGE_ROWS]
    bottom = [index for index, row in enumerate(rows) if row[0].y0 > height * (1 - _EDGE_SHARE)][-_MAX_EDGE_ROWS:]
    edge_rows = [_make_edge_row(TOP, rows[index], rows[index][0].base, is_apart(index, index + 1)) for index in top]
    inner = top[-1] + 1 if top else len(rows)
    while inner < min(_MAX_HEADER_ROWS, len(rows)) and not edge_rows[-1].is_apart and _reaches_in(rows[inner], height):
        row = _make_edge_row(TOP, rows[inner], rows[inner][0].base, is_apart(inner, inner + 1))
        edge_rows.append(replace(row, is_outer=False))
        inner += 1
    edge_rows += [
        _make_edge_row(BOTTOM, rows[index], height - rows[index][0].base, is_apart(index - 1, index))
        for index in bottom
    ]
    # The last lines of a page that is not full may still be its footer: then only their text decides.
    last = len(rows) - 1
    if last not in bottom and any(map(str.isdigit, join_row_text(rows[last]))):
        if last > 0 and join_row_text(rows[last]).isdigit() and last - 1 not in bottom:
            edge_rows.append(_make_edge_row(END, rows[last - 1], 0.0, True))
        edge_rows.append(_make_edge_row(END, rows[last], 0.0, True))
    return edge_rows


def _has_other_style(a: Row, b: Row) -> bool:
    longest_a, longest_b = (max(row, key=lambda fragment: len(fragment.text)) for row in (a, b))
    return (
        abs(longest_a.size - longest_b.size) > 0.06 * max(longest_a.size, longest_b.size)
        or longest_a.italic != longest_b.italic
    )


def _reaches_in(row: Row, height: float) -> bool:
    """Return whether a row may be a line of a header that reaches into the page, and not the headings of columns."""
    is_text = all(b.x0 - a.x1 < _MAX_WORD_GAP_EMS * a.size for a, b in pairwise(row))
    return is_text and row[0].y1 < height * _MAX_EDGE_SHARE


def _make_edge_row(side: str, row: Row, distance: float, is_apart: bool) -> EdgeRow:
    text = join_row_text(row)
    pattern = "#" if _ROMAN.match(text) else _DIGITS.sub("#", text)
    return EdgeRow(side, pattern, distance, row, text, is_apart)


def join_row_text(row: Row) -> str:
    return " ".join(fragment.text for fragment in row).strip()


# Headers and footers are recognised because they are repeated.

_NEARBY_PAGES = 4  # before and after, on which a header must be repeated: headers change with the chapter
_MAX_SHIFT_POINTS = 7.0  # by which the position may differ between pages
_MOST_PAGES_SHARE = 0.5  # of the pages: where most have a header, a repeated row there is one
_MIN_REPEATS, _MIN_REPEAT_DENSITY = 5, 0.6  # times, and share of the pages between, where most pages have no header
_MIN_CHANGING_SHARE = 0.6  # of the pages have a line of one style in one position: then the text may differ
_SMALL_PRINT_RATIO = 0.93  # times the text's size: small print at an edge is no title
_MAX_CHANGING_SHIFT_POINTS = 2.0  # by which the position of these lines may differ
_MIN_PROSE_WORDS, _MIN_PROSE_CHARACTERS = 4, 12  # in lower case, or of a script without spaces: fewer may be a title

_LETTER_OR_NUMBER = re.compile(r"[^\W_]|#")
_INTEGER = re.compile(r"\d{1,5}")
_PAGE_WORD = (
    r"(?:p\s?a\s?g\s?e|pages|pg\.?|pp?\.|seite|s\.|p[áa]gina|p[áa]g\.?|strona|str\.?|страница|стр\.?|с\.|sayfa|sida|side|"
    r"第|页|頁|ページ|페이지|쪽|면|الصفحة|صفحة|صفحه|पृष्ठ|পৃষ্ঠা|பக்கம்|หน้า(?:ที่)?|ទំព័រ|עמוד|עמ'|σελίδα|σελ\.?)"
)
_NUMBER = r"(?:\d{1,6}|[ivxlc]{1,6}|[a-z]-\d{1,3})"
_PAGE_NUMBER = re.compile(
    rf"^[\W_]*(?:{_PAGE_WORD}[\W_]*)?{_NUMBER}(?:\s*{_PAGE_WORD})?"
    rf"(?:[\W_]*(?:of|/|von|de|di|sur|van|av|af|z|из|από|共|全|من|از|में से|จาก|מתוך)\s*\d{{1,4}}|\s*/\s*\d{{1,4}})?"
    rf"(?:[\W_]*{_PAGE_WORD})?[\W_]*$",
    re.IGNORECASE,
)


def is_page_number(text: str) -> bool:
    """Return whether a row holds a page number alone, with or without the word for page and the number of pages."""
    return _PAGE_NUMBER.match(text) is not None


def remove_headers_footers(
    pages: list[list[Fragment]], edge_rows: list[list[EdgeRow]], body: float
) -> list[list[Fragment]]:
    """Return the pages' fragments without headers and footers; `body` is the font size of the running text."""
    repeated_rows = _RepeatedRows(edge_rows, body)
    changing_ids = _find_changing_heads(edge_rows, body, _find_text_style(pages))
    remaining = []
    for number, (fragments, rows) in enumerate(zip(pages, edge_rows, strict=True)):
        dropped_ids = {
            id(fragment)
            for index, row in enumerate(rows)
            if repeated_rows.contains(number, rows, index)
            or id(row) in changing_ids
            or (_is_lone_number(row, rows) and (row.side != END or repeated_rows.has_page_number(rows, number)))
            for fragment in row.row
        }
        remaining.append([fragment for fragment in fragments if id(fragment) not in dropped_ids])
    # A file of labels or stamps, each page like the last, has no headers: its repeated rows are its text.
    return remaining if 5 * _count_characters(remaining) > _count_characters(pages) else pages


def _count_characters(pages: list[list[Fragment]]) -> int:
    return sum(len(fragment.text) for fragments in pages for fragment in fragments)


class _RepeatedRows:
    """The rows that are repeated with the same words in the same position."""

    def __init__(self, edges: list[list[EdgeRow]], body: float):
        self._pages, self._body = len(edges), body
        self._places_by_key: dict[str, list[tuple[int, EdgeRow]]] = defaultdict(list)
        self._places: dict[str, list[tuple[int, float]]] = {TOP: [], BOTTOM: []}
        self._pages_by_step: dict[int, set[int]] = defaultdict(set)
        for number, rows in enumerate(edges):
            for row in rows:
                for step in _find_page_steps(row, number):
                    self._pages_by_step[step].add(number)
                if _LETTER_OR_NUMBER.search(row.pattern):  # a row of stars or dots may stand at any edge by chance
                    self._places_by_key[row.key].append((number, row))
            for row in rows:
                if row.side != END and (row.is_apart or row.row[0].size < _SMALL_PRINT_RATIO * body):
                    self._places[row.side].append((number, row.distance))

    def contains(self, number: int, rows: list[EdgeRow], index: int) -> bool:
        """Return whether a row is repeated on pages nearby."""
        row = rows[index]
        occurrences = self._places_by_key.get(row.key, [])
        has_own_numbers = "#" in row.pattern and _is_prose(row.text)
        nearby_pages = {
            other_number
            for other_number, other in occurrences
            if abs(other_number - number) <= _NEARBY_PAGES
            and abs(other.distance - row.distance) <= _MAX_SHIFT_POINTS
            and not (has_own_numbers and _differs_in_number(row.text, other.text, other_number - number))
        }
        if "#" not in row.pattern and row.row[0].size > 1.15 * self._body:
            # Large type without a number is the title of a part, unless it stands on consecutive pages.
            return {number - 1, number + 1} <= nearby_pages
        is_repeated = len(nearby_pages - {number}) >= (1 if self._pages <= 4 and row.is_outer else 2)
        if row.side == END:  # "Total due: 80" below the text of each page is text
            return is_repeated and self.has_page_number(rows, number)
        if is_page_number(row.text):
            return is_repeated
        if not is_repeated or not (self._is_apart(rows, index) or row.row[0].size < _SMALL_PRINT_RATIO * self._body):
            return False
        return self._is_usual(row) or self._is_frequent(occurrences)

    def has_page_number(self, rows: list[EdgeRow], number: int) -> bool:
        """Return whether a number in the last rows differs from the page's as one at an edge of another page does."""
        steps = {step for row in rows if row.side == END for step in _find_page_steps(row, number)}
        return any(self._pages_by_step[step] - {number} for step in steps)

    def _is_apart(self, rows: list[EdgeRow], index: int) -> bool:
        """Return whether white separates a row from the text, with repeated rows alone between them, and no prose beyond it."""
        side = rows[index].side
        joined: list[EdgeRow] = []
        place = -1  # of the row among those joined to it
        for row in rows if side == TOP else reversed(rows):  # from the edge inward
            if row.side != side:
                continue
            if row is rows[index]:
                place = len(joined)
            joined.append(row)
            if row.is_apart and place >= 0:
                # A title that no other page has may stand beyond it.
                return all(
                    len(self._places_by_key[other.key]) > 1 or (number < place and not _is_prose(other.text))
                    for number, other in enumerate(joined)
                )
            if row.is_apart:
                joined = []
        return False

    def _is_usual(self, row: EdgeRow) -> bool:
        """Return whether most pages have a header or footer at this distance."""
        tolerance = 2.5 * row.row[0].size
        return (
            len({number for number, distance in self._places[row.side] if abs(distance - row.distance) < tolerance})
            > _MOST_PAGES_SHARE * self._pages
        )

    def _is_frequent(self, occurrences: list[tuple[int, EdgeRow]]) -> bool:
        numbers = {number for number, _ in occurrences}
        return len(numbers) >= _MIN_REPEATS and len(numbers) >= _MIN_REPEAT_DENSITY * (max(numbers) - min(numbers) + 1)


def _is_prose(text: str) -> bool:
    """Return whether a row has as many words of a sentence as few headers have."""
    words = [word for word in text.split() if word[0].isalpha() and not word[0].isupper()]
    return len(words) >= _MIN_PROSE_WORDS or len(UNSPACED_SCRIPT.findall(text)) >= _MIN_PROSE_CHARACTERS


def _differs_in_number(text: str, other: str, pages: int) -> bool:
    """Return whether a number in a row is another one so many pages later, and counts no pages.

    A page's number stands at an end of its row, and may count pages that the file does not have.
    """
    for match, after in zip(_INTEGER.finditer(text), _INTEGER.findall(other), strict=False):
        step = int(after) - int(match[0])
        may_skip_pages = match.start() == 0 or match.end() == len(text)
        if step not in (0, pages) and not (may_skip_pages and step * pages > pages * pages):
            return True
    return False


def _find_changing_heads(pages: list[list[EdgeRow]], body_size: float, text_style: tuple[bool, bool, int]) -> set[int]:
    """Return the ids of headers whose text differs on every page, known by position and type."""
    rows: dict[str, list[tuple[int, EdgeRow]]] = {TOP: [], BOTTOM: []}
    for number, edge_rows in enumerate(pages):
        outermost = [row for row in edge_rows[:1] if row.side == TOP] + [
            row for row in edge_rows[-1:] if row.side == BOTTOM
        ]
        for row in outermost:
            if row.is_apart and row.row[0].size <= 1.05 * body_size and len(row.text) <= 120:
                rows[row.side].append((number, row))
    dropped: set[int] = set()
    for numbered_rows in rows.values():
        for distance, size in {(round(row.distance), row.row[0].size) for _, row in numbered_rows}:
            similar = [
                (number, row)
                for number, row in numbered_rows
                if abs(row.distance - distance) <= _MAX_CHANGING_SHIFT_POINTS and abs(row.row[0].size - size) < 0.3
            ]
            if (
                len(pages) > 4
                and len(similar) >= _MIN_CHANGING_SHARE * len(pages)
                and _are_heads(similar, body_size, text_style)
            ):
                dropped |= {id(row) for _, row in similar}
    return dropped


def _are_heads(rows: list[tuple[int, EdgeRow]], body_size: float, text_style: tuple[bool, bool, int]) -> bool:
    """Return whether rows of one style are headers: they count the pages, or are small or slanted unlike the text."""
    steps = Counter(step for number, row in rows for step in _find_page_steps(row, number))
    if steps and steps.most_common(1)[0][1] > _MOST_PAGES_SHARE * len(rows):
        return True
    is_slanted = sum(row.style[1] for _, row in rows) > 0.9 * len(rows) and not text_style[1]
    return is_slanted or rows[0][1].row[0].size < _SMALL_PRINT_RATIO * body_size


def _find_page_steps(row: EdgeRow, number: int) -> set[int]:
    """Return by how much each number in a row exceeds the number of its page."""
    return {int(digits) - number for digits in _INTEGER.findall(row.text)}


def _find_text_style(pages: list[list[Fragment]]) -> tuple[bool, bool, int]:
    """Return the weight, slant and face of most of the text."""
    styles: Counter[tuple[bool, bool, int]] = Counter()
    for fragments in pages:
        for fragment in fragments:
            styles[fragment.bold, fragment.italic, fragment.face] += len(fragment.text)
    return styles.most_common(1)[0][0] if styles else (False, False, 0)


def _is_lone_number(row: EdgeRow, rows: list[EdgeRow]) -> bool:
    """Return whether a row is a page number that no other page confirms: only the outermost row of its edge can be."""
    return is_page_number(row.text) and any(row is other for other in (rows[0], rows[-1]))
