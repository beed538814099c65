"""Lines and blocks: the parts of a page once it is laid out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from ingest.readers.pdf.fragments import Fragment

TEXT, TABLE, NOTE = "text", "table", "note"
# White between a letter and its index, which may stand below its exponent, and the size of an index.
_MIN_INDEX_GAP_EMS, _MAX_INDEX_GAP_EMS, _MAX_INDEX_SIZE_RATIO = -0.7, 0.1, 0.86


class PdfLine:
    """A line: fragments on one baseline, in reading order."""

    __slots__ = ("base", "bold", "face", "fragments", "italic", "joints", "size", "text", "x0", "x1", "y0", "y1")

    def __init__(self, fragments: list[Fragment]):
        self.fragments = fragments
        if len(fragments) == 1:  # nearly all lines
            (one,) = fragments
            self.joints, self.text = [], one.text
            self.x0, self.x1, self.y0, self.y1 = one.x0, one.x1, one.y0, one.y1
            self.base, self.size, self.face = one.base, one.size, one.face
            self.bold, self.italic = one.bold, one.italic
            return
        self.joints = [_choose_separator(a, b) for a, b in pairwise(fragments)]
        self.text = "".join(
            fragment.text + joint for fragment, joint in zip(fragments, [*self.joints, ""], strict=True)
        )
        self.x0 = min(fragment.x0 for fragment in fragments)
        self.x1 = max(fragment.x1 for fragment in fragments)
        self.y0 = min(fragment.y0 for fragment in fragments)
        self.y1 = max(fragment.y1 for fragment in fragments)
        longest = max(fragments, key=lambda fragment: len(fragment.text))
        self.base, self.size, self.face = longest.base, longest.size, longest.face
        self.bold = all(fragment.bold for fragment in fragments)
        self.italic = all(fragment.italic for fragment in fragments)

    @property
    def page(self) -> int:
        return self.fragments[0].page


def _choose_separator(a: Fragment, b: Fragment) -> str:
    """Return a space, or nothing between a letter and its index, which touch on different baselines."""
    gap = max(b.x0 - a.x1, a.x0 - b.x1) / min(a.size, b.size)
    is_apart = abs(a.base + a.drop - b.base - b.drop) > 0.05 * a.size
    return "" if is_apart and gap < _MAX_INDEX_GAP_EMS and not _are_stacked(a, b, gap) else " "


def _are_stacked(a: Fragment, b: Fragment, gap: float) -> bool:
    """Return whether two parts of a formula stand one above the other, and are no exponent and index of a letter."""
    sizes = sorted((a.size, b.size))
    min_gap = _MIN_INDEX_GAP_EMS if sizes[0] < _MAX_INDEX_SIZE_RATIO * sizes[1] else -_MAX_INDEX_GAP_EMS
    return bool(a.drop or b.drop) and gap < min_gap


Cell = list[PdfLine]
BlockItem = list[Cell]  # a paragraph or list item is one cell, a table's row several


@dataclass(slots=True)
class PdfBlock:
    """A block of items. Only text blocks can be headings or continue elsewhere.

    A line break separates items, a blank line separates blocks.
    """

    kind: str
    items: list[BlockItem]
    is_full: bool = False  # its last line fills the column: the paragraph may continue in the next
    column: tuple[float, float] = (0.0, 0.0)
    region: tuple[int, int, int] = (0, 0, 0)  # (page, part of it, number of its column or band)
    blocks_above: int = 0  # in its region
    blocks_below: int = 0
    gap: float = 0.0  # white above, in lines
    tagged_level: int = 0  # of a heading, by the file's structure tree
    is_tagged_list: bool = False
    header_cells: frozenset[tuple[int, int]] = frozenset()  # (row, column), by the file's structure tree
    # (rows, columns) of merged cells, by the structure tree, else by the drawn lines
    cell_spans: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    headings: list[tuple[int, int, int]] = field(default_factory=list)  # (item, characters or 0 for all, level)

    @property
    def lines(self) -> list[PdfLine]:
        return [line for item in self.items for cell in item for line in cell]

    @property
    def lines_before_last(self) -> list[PdfLine]:
        """The last line but one of a text block, or nothing when it has one line."""
        last = self.items[-1][-1]
        if len(last) > 1:
            return last[-2:-1]
        return self.items[-2][-1][-1:] if len(self.items) > 1 else []

    @property
    def first(self) -> PdfLine:
        first_cells = self.items[0][:1]
        if first_cells and first_cells[0]:  # in nearly all blocks
            return first_cells[0][0]
        return next(line for item in self.items for cell in item for line in cell)  # the first cells may be empty

    @property
    def last(self) -> PdfLine:
        last_cells = self.items[-1][-1:]
        if last_cells and last_cells[0]:  # in nearly all blocks
            return last_cells[0][-1]
        return next(cell[-1] for item in reversed(self.items) for cell in reversed(item) if cell)


@dataclass(slots=True)
class TableFragment(Fragment):
    """A ruled table that stands among the fragments of its page: one block, or more where its cells hold paragraphs."""

    blocks: list[PdfBlock] = field(kw_only=True)


# A note's mark, or the number of a formula, may follow the full stop.
_SENTENCE_END = re.compile(
    r"[.!?:;。！？：；؟।…][\"'”’»)\]）」』]*(?:\[(?:\d{1,3}(?:\s?[,–-]\s?\d{1,3})*|[*∗†‡§¶]{1,3})\]|\s\(\d{1,3}(?:\.\d{1,3})*[a-z]?\))?$"
)


@lru_cache(maxsize=10_000)  # asked many times of each line
def is_sentence_end(text: str) -> bool:
    return bool(_SENTENCE_END.search(text.rstrip()))
