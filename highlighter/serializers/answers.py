"""The serialization of answers: for HTTP, for events, and for the JSON of the command line."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, cast

from highlighter.answering.answer import (
    Answer,
    AnswerEvent,
    CheckEvent,
    CitationEvent,
    DoneEvent,
    EvidenceEvent,
    SubQuestion,
    SubQuestionsEvent,
    TokenEvent,
)
from highlighter.models import Chunk, Citation, Claim, Source, UnresolvedMarker
from highlighter.schemas.answers import (
    AnswerClaimOut,
    AnswerOut,
    AnswerSourceOut,
    AnswerSummary,
    CitationOut,
    HeadlineOut,
    SubQuestionOut,
    UnresolvedOut,
)
from highlighter.schemas.checks import ConfidenceLevel
from highlighter.search import MAX_QUESTION_CHARACTERS
from highlighter.urls import SPAN_PARAMETER, Links, LinkTarget, format_spans


def serialize_answer(answer: Answer, links: Links) -> AnswerOut:
    cited = {citation.source for citation in answer.citations}
    return AnswerOut(
        id=answer.id, question=answer.question, text=answer.text,
        sub_questions=[_serialize_sub_question(sub_question) for sub_question in answer.sub_questions],
        citations=[serialize_citation(citation, links) for citation in answer.citations],
        unresolved=[_serialize_unresolved(marker) for marker in answer.unresolved],
        hallucinated=len(answer.unresolved),
        sources=[_serialize_source(source, index in cited, links) for index, source in enumerate(answer.sources)],
        claims=[_serialize_claim(claim) for claim in answer.claims],
        headline=HeadlineOut(text=answer.headline.text, **asdict(answer.headline)), grounding_score=round(answer.grounding_score, 4),
        confidence=round(answer.confidence, 4), confidence_level=cast(ConfidenceLevel, answer.confidence_level), refused=answer.refused,
        refusal_reason=answer.refusal_reason or None, sources_used=answer.sources_used,
        sources_provided=answer.sources_provided, model_used=answer.model_used, tokens_used=answer.tokens_used,
        latency_ms=answer.latency_ms, warnings=list(answer.warnings), data=answer.data, asked_at=answer.asked_at,
        mode=answer.mode, links=_build_answer_links(answer, links),
    )  # fmt: skip


def summarize_answer(answer: Answer, pinned: bool, links: Links) -> AnswerSummary:
    """Return a stored answer as a list shows it."""
    return AnswerSummary(
        id=answer.id, question=answer.question, asked_at=answer.asked_at, mode=answer.mode, pinned=pinned,
        refused=answer.refused, grounding_score=round(answer.grounding_score, 4),
        confidence_level=cast(ConfidenceLevel, answer.confidence_level),
        links={**_build_answer_links(answer, links), "answer": links.answer_json(answer.id)},
    )  # fmt: skip


def _serialize_sub_question(sub_question: SubQuestion) -> SubQuestionOut:
    return SubQuestionOut(**{**asdict(sub_question), "best_score": round(sub_question.best_score, 4)})


def _build_answer_links(answer: Answer, links: Links) -> dict[str, str]:
    return {"self": links.answer(answer.id), "pack": links.pack(answer.id)} if answer.is_stored else {}


def serialize_citation(citation: Citation, links: Links) -> CitationOut:
    chunk = _get_cited_chunk(citation)
    fields = asdict(citation)
    del fields["chunk"]
    return CitationOut(
        **{**fields, **{name: fields[name] or None for name in _NULLABLE_FIELDS}},
        chunk_file_path=links.chunk_pdf(chunk, citation.sub_question[:MAX_QUESTION_CHARACTERS]) if chunk else None,
        links=_build_citation_links(citation, chunk, links),
    )


_NULLABLE_FIELDS = ("document_id", "sha256", "page", "quoted", "doc_url")  # null in the response when they are empty


def serialize_event(event: AnswerEvent, links: Links) -> tuple[str, dict[str, Any]]:
    """Return the name and the data of an event."""
    body: dict[str, Any]
    match event:
        case SubQuestionsEvent(texts):
            body = {"sub_questions": list(texts)}
        case EvidenceEvent(sub_questions, sources):
            body = {
                "sub_questions": [_serialize_sub_question(item).model_dump() for item in sub_questions],
                "sources": sources,
            }
        case TokenEvent(text):
            body = {"text": text}
        case CitationEvent(citation):
            body = serialize_citation(citation, links).model_dump()
        case CheckEvent(claims, score):
            body = {
                "claims": [_serialize_claim(claim).model_dump() for claim in claims],
                "grounding_score": round(score, 4),
            }
        case DoneEvent(answer):
            body = serialize_answer(answer, links).model_dump()
    return event.name, body


def _get_cited_chunk(citation: Citation) -> Chunk | None:
    if citation.chunk is None or citation.chunk_index is None:
        return None
    pipeline, start, end = citation.chunk
    page = citation.page or 1
    return Chunk(citation.document_id, pipeline, citation.chunk_index, start, end, page, page)


def _build_citation_links(citation: Citation, chunk: Chunk | None, links: Links) -> dict[str, str]:
    if chunk is None:
        return {"document": links.document(citation.document_id)} if citation.document_id else {}
    question = citation.sub_question[:MAX_QUESTION_CHARACTERS]
    spans = citation.quote_spans or ((citation.quote_start, citation.quote_end),)
    span = format_spans(spans)
    # The target highlights the cited words in the PDF, even where they are not evidence by themselves.
    target = LinkTarget(SPAN_PARAMETER, spans) if citation.quote else None
    return {
        "view": links.chunk(chunk, question, cited=span), "page": links.chunk(chunk, question, "page", cited=span),
        "pdf": links.highlighted_pdf(chunk, question, citation.page, target=target),
        "highlight": links.highlight(chunk, question, cited=span),
        "document": links.document(citation.document_id),
    }  # fmt: skip


def _serialize_unresolved(marker: UnresolvedMarker) -> UnresolvedOut:
    return UnresolvedOut(**{**asdict(marker), "candidates": list(marker.candidates)})


def _serialize_source(source: Source, cited: bool, links: Links) -> AnswerSourceOut:
    return AnswerSourceOut(
        label=source.label, filename=source.filename, document_id=source.document_id or None,
        pages=list(source.pages), chunk_index=source.chunk_index, cited=cited,
        link=links.document(source.document_id) if source.document_id else None,
    )  # fmt: skip


def _serialize_claim(claim: Claim) -> AnswerClaimOut:
    return AnswerClaimOut(**{**asdict(claim), "why": claim.why or None})
