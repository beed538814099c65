"""What happens while an answer is made, as the page is told of it: the same events as the API's, and what to show."""

from __future__ import annotations

from typing import Any

from flask import render_template

from highlighter.answering.answer import (
    AnswerEvent,
    CheckEvent,
    CitationEvent,
    DoneEvent,
    EvidenceEvent,
    SubQuestion,
    SubQuestionsEvent,
)
from highlighter.errors import HighlighterError
from highlighter.serializers.answers import serialize_citation, serialize_event
from highlighter.urls import Links
from highlighter.web.pages.answer_presenter import present_answer_page
from highlighter.web.problems import serialize_problem
from highlighter.web.translation import translate_text


class AnswerEventPresenter:
    """Of one answer, written in one format."""

    def __init__(self, format: str):
        self.format = format

    def __call__(self, event: AnswerEvent, links: Links) -> tuple[str, dict[str, Any]]:
        match event:
            case SubQuestionsEvent(questions):
                return event.name, {
                    "html": _render_fragment("steps", steps=[SubQuestion(one) for one in questions], under_way=True)
                }
            case EvidenceEvent(questions):
                html = _render_fragment("steps", steps=questions)
                return event.name, {"html": html, "sentences": sum(one.sentences for one in questions)}
            case CitationEvent(citation):
                html = _render_fragment("chip", citation=serialize_citation(citation, links))
                return event.name, {"start": citation.start, "end": citation.end, "html": html}
            case CheckEvent():
                return event.name, {}
            case DoneEvent(answer):
                made = present_answer_page(answer, links, self.format)
                said = {name: getattr(made.answer, name) for name in ("id", "question", "text", "refused")}
                citations = len(made.answer.citations)
                return event.name, {**said, "citations": citations, "html": _render_fragment("answer", shown=made)}
        return serialize_event(event, links)


def present_stream_error(err: HighlighterError) -> dict[str, Any]:
    return {**serialize_problem(err), "said": translate_text(err.detail)}


def _render_fragment(fragment: str, **variables: Any) -> str:
    return render_template("_told.html", part=fragment, **variables)
