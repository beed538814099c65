"""The values that an answer's text is made of: blocks, and runs of text with their style, marker and claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

PARAGRAPH, HEADING, LIST, ITEM, QUOTE = "paragraph", "heading", "list", "item", "quote"
TABLE, ROW, CELL = "table", "row", "cell"
CODE, RULE = "code", "rule"
NOTES = "notes"  # the list of sources that footnotes and endnotes point at
NO_CLAIM = -1
NO_REFERENCE = -1


@dataclass(frozen=True, slots=True)
class Marker:
    """A span of the text where something is cited; several citations may share it. It may be empty."""

    start: int
    end: int
    citations: tuple[int, ...] = ()  # indexes into the answer's citations
    unresolved: int = NO_REFERENCE  # index into the answer's unresolved references

    def covers(self, offset: int) -> bool:
        return self.start <= offset < self.end


@dataclass(frozen=True, slots=True)
class Run:
    """Text of one style, or a marker. A line break is "\\n"."""

    text: str
    marker: Marker | None = None
    bold: bool = False
    italic: bool = False
    code: bool = False
    claim: int = NO_CLAIM  # index into the answer's claims, of a claim that is not supported
    ends_claim: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """Paragraphs, headings, cells, notes and code hold runs; all other kinds hold blocks."""

    kind: str
    runs: tuple[Run, ...] = ()
    children: tuple[Block, ...] = ()
    level: int = 0  # of a heading: 1 for the answer's highest, 2 for all below it
    first: int | None = None  # number of an ordered list's first item; None for a list of bullets

    @property
    def text(self) -> str:
        return "".join(run.text for run in runs_of((self,)))


def runs_of(blocks: Sequence[Block]) -> Iterator[Run]:
    """Yield all runs in the order of the text."""
    for block in blocks:
        yield from block.runs
        yield from runs_of(block.children)


def count_tables(blocks: Sequence[Block]) -> int:
    """Return how many tables there are, those within lists and quotes included."""
    return sum((block.kind == TABLE) + count_tables(block.children) for block in blocks)
