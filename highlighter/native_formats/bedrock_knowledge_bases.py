"""Amazon Bedrock knowledge bases: parts of the answer with the references that were retrieved for them.

Its documentation: RetrieveAndGenerate and RetrieveAndGenerateStream of the agents' runtime.
"""

from __future__ import annotations

from collections.abc import Sequence

from highlighter.native_formats.answer_spans import AnswerOffsets
from highlighter.native_formats.native_response import NativeCitation, NativeResponse, NativeSource
from highlighter.native_formats.records import Record, get_number, get_record, get_records, get_text
from highlighter.native_formats.source_fields import read_source

CITATION = "retrieved_reference"


def is_generated_answer(record: Record) -> bool:
    return "text" in get_record(record, "output") or any(
        "generatedResponsePart" in citation or "retrievedReferences" in citation
        for citation in get_records(record, "citations")
    )


def parse_generated_answer(record: Record, given: Sequence[NativeSource]) -> NativeResponse:
    """Return an answer. The end of a span is its last character, or the one after it: the part's text decides."""
    answer = AnswerOffsets(get_text(get_record(record, "output"), "text"))
    citations = []
    for citation in get_records(record, "citations"):
        part = get_record(get_record(citation, "generated_response_part"), "text_response_part")
        span = get_record(part, "span")
        start, end = answer.find_span(get_number(span, "start"), get_number(span, "end"), get_text(part, "text"))
        sources = tuple(read_source(reference) for reference in get_records(citation, "retrieved_references"))
        if sources:
            citations.append(NativeCitation(CITATION, sources, start, end))
    return NativeResponse(answer.text, tuple(citations), tuple(given))
