"""Anthropic's Messages API: text blocks, each with the citations that it rests on.

Its documentation: "Citations", "Search results" and "Web search tool" of the Messages API.
"""

from __future__ import annotations

from collections.abc import Sequence

from highlighter.native_formats.native_response import NativeCitation, NativeResponse, NativeSource
from highlighter.native_formats.records import Record, get_number, get_records, get_text
from highlighter.native_formats.source_fields import read_source

# The type of each citation, with the fields of its number among the sources of the request and of its offsets.
SOURCE_NUMBER_FIELDS = {
    "char_location": "document_index",
    "page_location": "document_index",
    "content_block_location": "document_index",
    "search_result_location": "search_result_index",
    "web_search_result_location": "",
}


def is_message(record: Record) -> bool:
    """Return whether a record is a message whose blocks have Anthropic's citations."""
    if record.get("type") == "message" and record.get("role") == "assistant" and "stop_reason" in record:
        return True
    return has_cited_blocks(record)


def has_cited_blocks(record: Record) -> bool:
    """Return whether a content of blocks has citations of one of Anthropic's types."""
    citations = (citation for block in get_records(record, "content") for citation in get_records(block, "citations"))
    return any(get_text(citation, "type") in SOURCE_NUMBER_FIELDS for citation in citations)


def parse_message(record: Record, given: Sequence[NativeSource]) -> NativeResponse:
    """Return a message. Each text block is the cited text of its citations."""
    text, citations = "", []
    for block in get_records(record, "content"):
        block_text = get_text(block, "text") if block.get("type") == "text" else ""
        end = len(text) + len(block_text)
        citations += [
            _parse_citation(citation, given, len(text), end)
            for citation in get_records(block, "citations")
            if block_text
        ]
        text += block_text
    return NativeResponse(text, tuple(citations), tuple(given))


def _parse_citation(citation: Record, given: Sequence[NativeSource], start: int, end: int) -> NativeCitation:
    kind = get_text(citation, "type")
    quote = get_text(citation, "cited_text")
    source = read_source({name: value for name, value in citation.items() if name not in ("cited_text", "type")})
    number = get_number(citation, SOURCE_NUMBER_FIELDS.get(kind, "") or "document_index")
    if number is not None and number < len(given):
        source = source.merge(given[number])
    first, last = get_number(citation, "start_char_index"), get_number(citation, "end_char_index")
    offsets = (first, last) if first is not None and last is not None and first < last else None
    return NativeCitation(kind, (source,), start, end, quote=quote, offsets=offsets)
