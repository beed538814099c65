"""Gemini: grounding metadata, whose segments count UTF-8 bytes of a part.

Documentation: "Grounding with Google Search", "File search" of the Gemini API, and "Grounding" of Vertex AI.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from highlighter.native_formats.answer_spans import UTF8_BYTES, AnswerOffsets
from highlighter.native_formats.native_response import NativeCitation, NativeResponse, NativeSource
from highlighter.native_formats.records import (
    NO_RECORD,
    Record,
    get_number,
    get_numbers,
    get_record,
    get_records,
    get_text,
)
from highlighter.native_formats.source_fields import read_sources

SUPPORT = "grounding_support"


def is_grounded_response(record: Record) -> bool:
    return bool(get_records(record, "candidates"))


def parse_grounded_response(record: Record, given: Sequence[NativeSource]) -> NativeResponse:
    """Return the first candidate. Segments name the part that they count in."""
    candidate = next(iter(get_records(record, "candidates")), NO_RECORD)
    metadata = get_record(candidate, "grounding_metadata")
    parts = [
        get_text(part, "text")
        for part in get_records(get_record(candidate, "content"), "parts")
        if not part.get("thought")
    ]
    chunks = read_sources(get_records(metadata, "grounding_chunks"))
    answers = [AnswerOffsets(part) for part in parts]
    starts = list(accumulate(map(len, parts), initial=0))
    whole = AnswerOffsets("".join(parts))
    citations = []
    for support in get_records(metadata, "grounding_supports"):
        segment = get_record(support, "segment")
        index = get_number(segment, "part_index") or 0
        first, last = get_number(segment, "start_index"), get_number(segment, "end_index")
        cited_text = get_text(segment, "text")
        start, end = (
            answers[index].find_span(first, last, cited_text, UTF8_BYTES) if index < len(answers) else (None, None)
        )
        if start is not None and end is not None:
            start, end = start + starts[index], end + starts[index]
        else:  # a stream's parts were joined otherwise than the segments count them
            start, end = whole.find_span(first, last, cited_text, UTF8_BYTES)
        numbers = get_numbers(support, "grounding_chunk_indices")
        sources = tuple(chunks[number] for number in numbers if number < len(chunks))
        citations.append(NativeCitation(SUPPORT, sources, start, end))
    return NativeResponse("".join(parts), tuple(citations), chunks or tuple(given))
