"""What happens while an answer is made, as the page is told of it: the same events as the API's, and what to show."""

from __future__ import annotations

from typing import Any

from flask import render_template

from highlighter.api.answers import as_citation, as_event
from highlighter.api.problems import problem
from highlighter.asking.present import presented
from highlighter.errors import HighlighterError
from highlighter.generation.answer import SubQuestion
from highlighter.generation.events import Checked, Cited, Divided, Done, Event, Found
from highlighter.viewer.links import Links
from highlighter.viewer.translated import translated_plain


class Teller:
    """Of one answer, written in one format."""

    def __init__(self, format: str):
        self.format = format

    def __call__(self, event: Event, links: Links) -> tuple[str, dict[str, Any]]:
        match event:
            case Divided(questions):
                return event.name, {
                    "html": _part("steps", steps=[SubQuestion(one) for one in questions], under_way=True)
                }
            case Found(questions):
                html = _part("steps", steps=questions)
                return event.name, {"html": html, "sentences": sum(one.sentences for one in questions)}
            case Cited(citation):
                html = _part("chip", citation=as_citation(citation, links))
                return event.name, {"start": citation.start, "end": citation.end, "html": html}
            case Checked():
                return event.name, {}
            case Done(answer):
                made = presented(answer, links, self.format)
                said = {name: getattr(made.answer, name) for name in ("id", "question", "text", "refused")}
                citations = len(made.answer.citations)
                return event.name, {**said, "citations": citations, "html": _part("answer", shown=made)}
        return as_event(event, links)


def wrong(err: HighlighterError) -> dict[str, Any]:
    return {**problem(err), "said": translated_plain(err.detail)}


def _part(part: str, **what: Any) -> str:
    return render_template("_told.html", part=part, **what)
