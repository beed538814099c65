"""The markers of an answer, in the order of its text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from highlighter.answer_text.tree import NO_REFERENCE, Marker


class Span(Protocol):
    start: int
    end: int


class JudgedSpan(Span, Protocol):
    verdict: str


class SubQuestion(Protocol):
    text: str


class AnswerText(Protocol):
    """What an answer, and the answer of the API, have of their text."""

    text: str
    citations: Sequence[Span]
    unresolved: Sequence[Span]
    claims: Sequence[JudgedSpan]
    sub_questions: Sequence[SubQuestion]


def markers_of(answer: AnswerText) -> list[Marker]:
    """Return the markers, none over another: what begins within a marker belongs to it. Spans outside the text are left
    out. An empty marker stands where a claim ends that cites nothing, and that a source supports."""
    spans = [(one.start, one.end, (at,), NO_REFERENCE) for at, one in enumerate(answer.citations)]
    spans += [(one.start, one.end, (), at) for at, one in enumerate(answer.unresolved)]
    markers: list[Marker] = []
    for start, end, citations, unresolved in sorted(spans, key=lambda span: span[:2]):
        if not 0 <= start <= end <= len(answer.text):
            continue
        if markers and start < markers[-1].end:
            last = markers[-1]
            markers[-1] = Marker(last.start, last.end, last.citations + citations, last.unresolved)
        else:
            markers.append(Marker(start, end, citations, unresolved))
    return markers
