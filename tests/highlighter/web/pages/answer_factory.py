"""Answers with all their fields filled, for tests of the pages that show them."""

from __future__ import annotations

from highlighter.schemas.answers import AnswerOut

PLACES = {"start": 0, "end": 0}
LINKS = {
    "view": "/documents/d/chunks/0?q=who&cited=5-9",
    "pdf": "/documents/d/pdf?sub_question=who#page=2",
    "highlight": "/api/v1/chunks/highlight?document_id=d&chunk_index=0&sub_question=who&cited=5-9",
    "document": "/documents/d",
}


def answer(text: str, citations=(), unresolved=(), claims=(), **rest) -> AnswerOut:
    """Return an answer. The spans of `citations`, `unresolved` and `claims` are those of their labels and texts."""
    given = {
        "id": "a1", "question": "Who?", "text": text, "sub_questions": [_sub_question("Who?")],
        "citations": [_citation(text, **one) for one in citations],
        "unresolved": [_unresolved(text, **one) for one in unresolved], "hallucinated": len(unresolved),
        "sources": [_source()], "claims": [_claim(text, **one) for one in claims], "grounding_score": 0.0,
        "confidence": 0.0, "confidence_level": "low", "refused": False, "refusal_reason": None, "sources_used": 1,
        "sources_provided": 1, "model_used": "extractive", "tokens_used": 0, "latency_ms": 300, "warnings": [],
        "asked_at": "2026-01-01T00:00:00Z", "mode": "grounded", "links": {"self": "/answers/a1"},
    }  # fmt: skip
    return AnswerOut(**{**given, **rest})


def _citation(text: str, label: str, **rest) -> dict:
    start = text.index(label)
    given = {
        "number": 1, "label": label, "start": start, "end": start + len(label), "tier": "exact", "source": 0,
        "document_id": "d", "filename": "Harbour.pdf", "sha256": "0", "page": 2, "chunk_index": 0,
        "quote": "Boats pay.", "quote_start": 5, "quote_end": 15, "prefix": "", "suffix": "", "probability": 0.9,
        "quoted": None, "differs": [], "sub_question": "who", "sub_question_index": 0, "chunk_file_path": None, "links": LINKS,
    }  # fmt: skip
    return {**given, **rest}


def _unresolved(text: str, label: str, **rest) -> dict:
    start = text.index(label)
    given = {
        "label": label,
        "start": start,
        "end": start + len(label),
        "reason": "unknown",
        "why": "",
        "candidates": [],
    }
    return {**given, **rest}


def _claim(text: str, claim: str, verdict: str, **rest) -> dict:
    start = text.index(claim)
    given = {"text": claim, "start": start, "end": start + len(claim), "verdict": verdict, "score": 0.2, "evidence": []}
    return {**given, "why": None, **rest}


def _source() -> dict:
    return {
        "label": "Harbour, p.2", "filename": "Harbour.pdf", "document_id": "d", "pages": [2], "chunk_index": 0,
        "cited": True, "link": "/documents/d",
    }  # fmt: skip


def _sub_question(text: str) -> dict:
    return {"text": text, "sentences": 2, "documents": 1}
