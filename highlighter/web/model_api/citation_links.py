"""The links and titles of an answer's citations, as the annotations of model APIs have them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from highlighter.answering.answer import Answer
from highlighter.models import Citation
from highlighter.serializers.answers import serialize_answer, serialize_citation
from highlighter.urls import Links


@dataclass(frozen=True, slots=True)
class CitedPart:
    """A part of an answer's text, up to where citations stand; the last part may have none."""

    start: int
    end: int
    citations: tuple[Citation, ...] = ()


def split_cited_parts(answer: Answer) -> list[CitedPart]:
    """Return the parts of an answer without markers, in order."""
    parts: list[CitedPart] = []
    end = 0
    for position, citations in groupby(sorted(answer.citations, key=lambda one: one.end), lambda one: one.end):
        parts.append(CitedPart(end, position, tuple(citations)))
        end = position
    return parts if end >= len(answer.text) else [*parts, CitedPart(end, len(answer.text))]


def get_citation_url(citation: Citation, links: Links) -> str:
    """Return the URL of the viewer at the cited sentence; of the document where no chunk is known."""
    urls = serialize_citation(citation, links).links
    return urls.get("view") or urls.get("document", "")


def format_citation_title(citation: Citation) -> str:
    return f"{citation.filename}, page {citation.page}" if citation.page else citation.filename


def describe_answer(answer: Answer, links: Links) -> dict[str, Any]:
    """Return what the shapes of other vendors have no field for: verdicts, scores and links to the stored answer."""
    body = serialize_answer(answer, links)
    return body.model_dump(
        include={"id", "claims", "grounding_score", "confidence", "refused", "refusal_reason", "warnings", "links"}
    )
