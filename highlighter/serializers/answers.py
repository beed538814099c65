"""Answers as they are sent: over HTTP, as events, and by the command line as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from highlighter.answering.answer import (
    Answer,
    AnswerEvent,
    CheckEvent,
    CitationEvent,
    DoneEvent,
    EvidenceEvent,
    SubQuestionsEvent,
    TokenEvent,
)
from highlighter.models import Chunk, Citation, Claim, Source
from highlighter.schemas.answers import (
    AnswerClaimOut,
    AnswerOut,
    AnswerSourceOut,
    CitationOut,
    SubQuestionOut,
    UnresolvedOut,
)
from highlighter.search import MAX_QUESTION_CHARACTERS
from highlighter.urls import SPAN_PARAMETER, Links, LinkTarget, format_span


def serialize_answer(answer: Answer, links: Links) -> AnswerOut:
    cited = {citation.source for citation in answer.citations}
    return AnswerOut(
        id=answer.id, question=answer.question, text=answer.text,
        sub_questions=[SubQuestionOut(**asdict(one)) for one in answer.sub_questions],
        citations=[serialize_citation(one, links) for one in answer.citations],
        unresolved=[UnresolvedOut(**{**asdict(one), "candidates": list(one.candidates)}) for one in answer.unresolved],
        hallucinated=len(answer.unresolved),
        sources=[_serialize_source(one, at in cited, links) for at, one in enumerate(answer.sources)],
        claims=[_serialize_claim(one) for one in answer.claims], grounding_score=round(answer.grounding_score, 4),
        confidence=round(answer.confidence, 4), confidence_level=answer.confidence_level, refused=answer.refused,
        refusal_reason=answer.refusal_reason or None, sources_used=answer.sources_used,
        sources_provided=answer.sources_provided, model_used=answer.model_used, tokens_used=answer.tokens_used,
        latency_ms=answer.latency_ms, warnings=list(answer.warnings), data=answer.data, asked_at=answer.asked_at,
        mode=answer.mode, links=_build_answer_links(answer, links),
    )  # fmt: skip


def _build_answer_links(answer: Answer, links: Links) -> dict[str, str]:
    return {"self": links.answer(answer.id), "pack": links.pack(answer.id)} if answer.is_stored else {}


def serialize_citation(citation: Citation, links: Links) -> CitationOut:
    chunk = _get_cited_chunk(citation)
    return CitationOut(
        **{name: value for name, value in asdict(citation).items() if name not in ("chunk", *_NULLABLE_FIELDS)},
        **{name: getattr(citation, name) or None for name in _NULLABLE_FIELDS},
        chunk_file_path=links.chunk_pdf(chunk, citation.sub_question[:MAX_QUESTION_CHARACTERS]) if chunk else None,
        links=_build_citation_links(citation, chunk, links),
    )


_NULLABLE_FIELDS = ("document_id", "sha256", "page", "quoted")


def serialize_event(event: AnswerEvent, links: Links) -> tuple[str, dict[str, Any]]:
    """Its name, and what is sent with it."""
    match event:
        case SubQuestionsEvent(sub_questions):
            body = {"sub_questions": list(sub_questions)}
        case EvidenceEvent(sub_questions, sources):
            body = {"sub_questions": [asdict(one) for one in sub_questions], "sources": sources}
        case TokenEvent(text):
            body = {"text": text}
        case CitationEvent(citation):
            body = serialize_citation(citation, links).model_dump()
        case CheckEvent(claims, score):
            body = {
                "claims": [_serialize_claim(one).model_dump() for one in claims],
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
    asked, span = citation.sub_question[:MAX_QUESTION_CHARACTERS], format_span(citation.quote_start, citation.quote_end)
    # The words cited are lit in the PDF, too, where they are no evidence by themselves.
    place = LinkTarget(SPAN_PARAMETER, citation.quote_start, citation.quote_end) if citation.quote else None
    return {
        "view": links.chunk(chunk, asked, cited=span), "page": links.chunk(chunk, asked, "page", cited=span),
        "pdf": links.highlighted_pdf(chunk, asked, citation.page, target=place), "highlight": links.highlight(chunk, asked, cited=span),
        "document": links.document(citation.document_id),
    }  # fmt: skip


def _serialize_source(source: Source, cited: bool, links: Links) -> AnswerSourceOut:
    return AnswerSourceOut(
        label=source.label, filename=source.filename, document_id=source.document_id or None,
        pages=list(source.pages), chunk_index=source.chunk_index, cited=cited,
        link=links.document(source.document_id) if source.document_id else None,
    )  # fmt: skip


def _serialize_claim(claim: Claim) -> AnswerClaimOut:
    return AnswerClaimOut(**{**asdict(claim), "why": claim.why or None})
