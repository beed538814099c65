"""The tree of an answer's text: blocks, and runs with their style, marker and claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

PARAGRAPH, HEADING, LIST, ITEM, QUOTE = "paragraph", "heading", "list", "item", "quote"
TABLE, ROW, CELL = "table", "row", "cell"
CODE, RULE = "code", "rule"
NOTES = "notes"  # the list of sources that footnotes and endnotes point at
NO_CLAIM = -1
NO_REFERENCE = -1


@dataclass(frozen=True, slots=True)
class AnswerMarker:
    """A span of the text where something is cited. Several citations may share a span, which may be empty."""

    start: int
    end: int
    citations: tuple[int, ...] = ()  # indexes into the answer's citations
    unresolved: int = NO_REFERENCE  # index into the answer's unresolved references

    def covers(self, offset: int) -> bool:
        return self.start <= offset < self.end


@dataclass(frozen=True, slots=True)
class AnswerRun:
    """Text of one style, or a marker. A line break is a newline."""

    text: str
    marker: AnswerMarker | None = None
    bold: bool = False
    italic: bool = False
    code: bool = False
    claim: int = NO_CLAIM  # index into the answer's claims; of a supported one only where the parser was asked for it
    ends_claim: bool = False


@dataclass(frozen=True, slots=True)
class AnswerBlock:
    """A block: paragraphs, headings, cells, notes and code hold runs, all other kinds hold blocks."""

    kind: str
    runs: tuple[AnswerRun, ...] = ()
    children: tuple[AnswerBlock, ...] = ()
    level: int = 0  # of a heading: 1 for the highest level in the answer, 2 for all lower ones
    first: int | None = None  # first number of an ordered list; None for a bulleted list

    @property
    def text(self) -> str:
        return "".join(run.text for run in iterate_runs((self,)))


def iterate_runs(blocks: Sequence[AnswerBlock]) -> Iterator[AnswerRun]:
    """Yield all runs in the order of the text."""
    for block in blocks:
        yield from block.runs
        yield from iterate_runs(block.children)


def count_tables(blocks: Sequence[AnswerBlock]) -> int:
    """Return the number of tables, including those within lists and quotes."""
    return sum((block.kind == TABLE) + count_tables(block.children) for block in blocks)


# The markers of an answer, in the order of its text.


class AnswerSpan(Protocol):
    """A span of an answer's text."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


class VerdictSpan(AnswerSpan, Protocol):
    """The span of a claim with its verdict."""

    @property
    def verdict(self) -> str: ...


class SubQuestionText(Protocol):
    """A sub-question with its text."""

    @property
    def text(self) -> str: ...


class AnswerText(Protocol):
    """The fields that answers and API answers share."""

    @property
    def text(self) -> str: ...
    @property
    def citations(self) -> Sequence[AnswerSpan]: ...
    @property
    def unresolved(self) -> Sequence[AnswerSpan]: ...
    @property
    def claims(self) -> Sequence[VerdictSpan]: ...
    @property
    def sub_questions(self) -> Sequence[SubQuestionText]: ...


def find_markers(answer: AnswerText) -> list[AnswerMarker]:
    """Return the markers in the order of the text, without overlaps.

    A span that begins within a marker is merged into the marker; spans outside the text are left out. An empty marker
    stands at the end of a supported claim that cites nothing.
    """
    spans: list[tuple[int, int, tuple[int, ...], int]] = [
        (item.start, item.end, (index,), NO_REFERENCE) for index, item in enumerate(answer.citations)
    ]
    spans += [(item.start, item.end, (), index) for index, item in enumerate(answer.unresolved)]
    markers: list[AnswerMarker] = []
    for start, end, citations, unresolved in sorted(spans, key=lambda span: span[:2]):
        if not 0 <= start <= end <= len(answer.text):
            continue
        if markers and start < markers[-1].end:
            last = markers[-1]
            markers[-1] = AnswerMarker(last.start, last.end, last.citations + citations, last.unresolved)
        else:
            markers.append(AnswerMarker(start, end, citations, unresolved))
    return markers
