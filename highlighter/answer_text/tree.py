"""The values that an answer's text is made of: blocks, and runs of text with their style, marker and claim."""

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
    """A span of the text where something is cited; several citations may share it. It may be empty."""

    start: int
    end: int
    citations: tuple[int, ...] = ()  # indexes into the answer's citations
    unresolved: int = NO_REFERENCE  # index into the answer's unresolved references

    def covers(self, offset: int) -> bool:
        return self.start <= offset < self.end


@dataclass(frozen=True, slots=True)
class AnswerRun:
    """Text of one style, or a marker. A line break is "\\n"."""

    text: str
    marker: AnswerMarker | None = None
    bold: bool = False
    italic: bool = False
    code: bool = False
    claim: int = NO_CLAIM  # index into the answer's claims, of a claim that is not supported
    ends_claim: bool = False


@dataclass(frozen=True, slots=True)
class AnswerBlock:
    """Paragraphs, headings, cells, notes and code hold runs; all other kinds hold blocks."""

    kind: str
    runs: tuple[AnswerRun, ...] = ()
    children: tuple[AnswerBlock, ...] = ()
    level: int = 0  # of a heading: 1 for the answer's highest, 2 for all below it
    first: int | None = None  # number of an ordered list's first item; None for a list of bullets

    @property
    def text(self) -> str:
        return "".join(run.text for run in iterate_runs((self,)))


def iterate_runs(blocks: Sequence[AnswerBlock]) -> Iterator[AnswerRun]:
    """Yield all runs in the order of the text."""
    for block in blocks:
        yield from block.runs
        yield from iterate_runs(block.children)


def count_tables(blocks: Sequence[AnswerBlock]) -> int:
    """Return how many tables there are, those within lists and quotes included."""
    return sum((block.kind == TABLE) + count_tables(block.children) for block in blocks)


# The markers of an answer, in the order of its text.


class AnswerSpan(Protocol):
    start: int
    end: int


class VerdictSpan(AnswerSpan, Protocol):
    verdict: str


class SubQuestionText(Protocol):
    text: str


class AnswerText(Protocol):
    """What an answer, and the answer of the API, have of their text."""

    text: str
    citations: Sequence[AnswerSpan]
    unresolved: Sequence[AnswerSpan]
    claims: Sequence[VerdictSpan]
    sub_questions: Sequence[SubQuestionText]


def find_markers(answer: AnswerText) -> list[AnswerMarker]:
    """Return the markers, none over another: what begins within a marker belongs to it. Spans outside the text are left
    out. An empty marker stands where a claim ends that cites nothing, and that a source supports."""
    spans = [(one.start, one.end, (at,), NO_REFERENCE) for at, one in enumerate(answer.citations)]
    spans += [(one.start, one.end, (), at) for at, one in enumerate(answer.unresolved)]
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
