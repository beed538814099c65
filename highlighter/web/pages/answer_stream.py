"""The events of an answer for the ask page: those of the API, with HTML to show."""

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
from highlighter.web.pages.question_sources import SourceQuery
from highlighter.web.problems import serialize_problem
from highlighter.web.translation import translate_text


class AnswerEventPresenter:
    """Presents the events of one answer as HTML, with the answer in one format."""

    def __init__(self, format: str, source_query: SourceQuery = ()):
        self.format = format
        self.source_query = source_query
        self._shown_citations = 0
        self._has_parts = False

    def __call__(self, event: AnswerEvent, links: Links) -> tuple[str, dict[str, Any]]:
        match event:
            case SubQuestionsEvent(questions):
                self._has_parts = len(questions) > 1
                steps = [SubQuestion(question) for question in questions]
                return event.name, {"html": _render_fragment("steps", steps=steps, is_running=True)}
            case EvidenceEvent(questions):
                html = _render_fragment("steps", steps=questions)
                return event.name, {"html": html, "sentences": sum(question.sentences for question in questions)}
            case CitationEvent(citation):
                self._shown_citations += 1
                chip = {
                    "citation": serialize_citation(citation, links),
                    "number": self._shown_citations,
                    "has_parts": self._has_parts,
                }
                html = _render_fragment("chip", **chip)
                return event.name, {"start": citation.start, "end": citation.end, "html": html}
            case CheckEvent():
                return event.name, {}
            case DoneEvent(answer):
                presentation = present_answer_page(answer, links, self.format, self.source_query)
                shown = presentation.answer
                data = {"id": shown.id, "question": shown.question, "text": shown.text, "refused": shown.refused}
                data["url"] = shown.links.get("self", "")  # empty where the answer is not stored
                html = _render_fragment("answer", presentation=presentation)
                return event.name, {**data, "citations": len(shown.citations), "html": html}
        return serialize_event(event, links)


def present_stream_error(err: HighlighterError) -> dict[str, Any]:
    """Return the problem details of an error, with its sentence in the language of the page."""
    return {**serialize_problem(err), "said": translate_text(err.detail)}


def _render_fragment(fragment: str, **variables: Any) -> str:
    return render_template("_answer_fragment.html", fragment=fragment, **variables)
