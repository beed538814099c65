"""Mistral: contents of chunks, of which some are references, and conversations with tool references.

Its documentation: "Citations and references", "Websearch" and "Document library" of agents.
"""

from __future__ import annotations

from collections.abc import Sequence

from highlighter.native_formats.native_response import NativeCitation, NativeResponse, NativeSource
from highlighter.native_formats.records import Record, get_numbers, get_records, get_text, get_value, only_records
from highlighter.native_formats.source_fields import read_source

REFERENCE, TOOL_REFERENCE = "reference", "tool_reference"


def has_reference_chunks(chunks: Sequence[Record]) -> bool:
    return any(chunk.get("type") in (REFERENCE, TOOL_REFERENCE) for chunk in chunks)


def is_conversation(record: Record) -> bool:
    return record.get("object") == "conversation.response" or any(
        output.get("type") == "message.output" for output in get_records(record, "outputs")
    )


def parse_conversation(record: Record, given: Sequence[NativeSource]) -> NativeResponse:
    chunks: list[Record] = []
    for output in get_records(record, "outputs"):
        content = get_value(output, "content")
        if isinstance(content, list):
            chunks += only_records(content)
        elif isinstance(content, str):
            chunks.append({"type": "text", "text": content})
    return parse_chunks(chunks, given)


def parse_chunks(chunks: Sequence[Record], given: Sequence[NativeSource]) -> NativeResponse:
    """Return the chunks as one text. A reference chunk is a marker without characters, after the text that it supports."""
    text, citations = "", []
    for chunk in chunks:
        kind = get_text(chunk, "type")
        if kind == REFERENCE:
            numbers = get_numbers(chunk, "reference_ids")
            sources = tuple(given[number] for number in numbers if number < len(given))
            reason = (
                "" if sources else f"The sources of the references {', '.join(map(str, numbers))} did not come along."
            )
            citations.append(NativeCitation(kind, sources, label=(len(text), len(text)), reason=reason))
        elif kind == TOOL_REFERENCE:
            citations.append(NativeCitation(kind, (read_source(chunk),), label=(len(text), len(text))))
        else:
            text += get_text(chunk, "text")
    return NativeResponse(text, tuple(citations), tuple(given))
