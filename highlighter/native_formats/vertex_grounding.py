"""Vertex AI: check grounding, and the answers of Vertex AI Search. Both count UTF-8 bytes.

Documentation: "Check grounding with RAG" and "Get answers and follow-ups" of AI Applications.
"""

from __future__ import annotations

from collections.abc import Sequence

from highlighter.native_formats.answer_spans import UTF8_BYTES, AnswerOffsets
from highlighter.native_formats.native_response import NativeCitation, NativeResponse, NativeSource
from highlighter.native_formats.records import (
    Record,
    get_number,
    get_numbers,
    get_record,
    get_records,
    get_text,
)
from highlighter.native_formats.source_fields import read_source

CLAIM, CITATION = "claim", "citation"


def is_grounding_check(record: Record) -> bool:
    return bool(get_records(record, "cited_chunks")) or any(
        get_text(claim, "claim_text") for claim in get_records(record, "claims")
    )


def parse_grounding_check(record: Record, given: Sequence[NativeSource]) -> NativeResponse:
    """Return the claims with their facts. Without `answerCandidate` beside them, the claims make the answer."""
    claims = get_records(record, "claims")
    text = get_text(record, "answer_candidate", "answer") or _join_claims(claims)
    answer = AnswerOffsets(text)
    facts = [read_source(chunk) for chunk in get_records(record, "cited_chunks", "cited_facts")]
    citations = []
    for claim in claims:
        start, end = answer.find_span(
            get_number(claim, "start_pos"), get_number(claim, "end_pos"), get_text(claim, "claim_text"), UTF8_BYTES
        )
        numbers = get_numbers(claim, "citation_indices")
        sources = tuple(facts[number] for number in numbers if number < len(facts))
        if sources:
            citations.append(NativeCitation(CLAIM, sources, start, end))
    return NativeResponse(text, tuple(citations), tuple(facts) or tuple(given))


def _join_claims(claims: Sequence[Record]) -> str:
    """Return the claims at their places, so that their offsets hold; spaces stand for what is between them."""
    text, size = "", 0
    for claim in claims:
        claim_text, start = get_text(claim, "claim_text"), get_number(claim, "start_pos") or 0
        gap = min(max(start - size, 1 if text else 0), 10)
        text += " " * gap + claim_text
        size = len(text.encode("utf-8", "surrogatepass"))
    return text


def is_search_answer(record: Record) -> bool:
    return bool(get_text(get_record(record, "answer"), "answer_text") or get_text(record, "answer_text"))


def parse_search_answer(record: Record, given: Sequence[NativeSource]) -> NativeResponse:
    """Return an answer of Vertex AI Search; its citations name references by their number."""
    answer_record = get_record(record, "answer") or record
    answer = AnswerOffsets(get_text(answer_record, "answer_text"))
    references = [read_source(reference) for reference in get_records(answer_record, "references")]
    citations = []
    for citation in get_records(answer_record, "citations"):
        first, last = get_number(citation, "start_index"), get_number(citation, "end_index")
        start, end = answer.find_span(first, last, unit=UTF8_BYTES)
        numbers = (get_number(source, "reference_id", "reference_index") for source in get_records(citation, "sources"))
        sources = tuple(references[number] for number in numbers if number is not None and number < len(references))
        citations.append(NativeCitation(CITATION, sources, start, end))
    return NativeResponse(answer.text, tuple(citations), tuple(references) or tuple(given))
