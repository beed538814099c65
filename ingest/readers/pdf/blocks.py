"""What a page is made of once its reading order is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from ingest.readers.pdf.fragments import Fragment

TEXT, TABLE, NOTE, HIDDEN = "text", "table", "note", "hidden"


class Line:
    """Fragments that are read one after the other, on one baseline."""

    __slots__ = ("base", "bold", "face", "fragments", "italic", "joints", "size", "text", "x0", "x1", "y0", "y1")

    def __init__(self, fragments: list[Fragment]):
        self.fragments = fragments
        self.joints = [_joint(a, b) for a, b in pairwise(fragments)]
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


def _joint(a: Fragment, b: Fragment) -> str:
    """A space, save between what touches: a letter and its index, which stand on different baselines."""
    apart = max(b.x0 - a.x1, a.x0 - b.x1)
    return "" if apart < 0.1 * min(a.size, b.size) and abs(a.base - b.base) > 0.05 * a.size else " "


Cell = list[Line]
Item = list[Cell]  # a paragraph or list item is one cell; a table's row several


@dataclass(slots=True)
class Block:
    """Items are parted by a line break, blocks by a blank line. Only text blocks can be headings or go on elsewhere."""

    kind: str
    items: list[Item]
    full: bool = False  # its last line reaches the end of its column: the paragraph may go on in the next
    column: tuple[float, float] = (0.0, 0.0)
    leaf: tuple[int, int] = (0, 0)  # the page and which of its columns or bands
    before: int = 0  # how many blocks stand above it there
    after: int = 0  # and below
    gap: float = 0.0  # white above it, in lines
    why: str = ""  # of hidden text
    heads: list[tuple[int, int, int]] = field(default_factory=list)  # headings: (item, characters or 0 for all, level)

    @property
    def lines(self) -> list[Line]:
        return [line for item in self.items for cell in item for line in cell]

    @property
    def first(self) -> Line:
        return self.items[0][0][0]

    @property
    def last(self) -> Line:
        return self.items[-1][-1][-1]
