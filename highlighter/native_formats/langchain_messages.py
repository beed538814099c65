"""LangChain's messages: contents of Anthropic's or of LangChain's own blocks, with documents beside them.

Its documentation: `AIMessage` and its standard content blocks, whose annotations are citations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from highlighter.native_formats.annotations import parse_annotations
from highlighter.native_formats.answers_with_sources import list_sources
from highlighter.native_formats.anthropic_messages import has_cited_blocks, parse_message
from highlighter.native_formats.native_response import NativeCitation, NativeResponse, NativeSource
from highlighter.native_formats.records import Record, get_record, get_records, get_text, get_value, join_texts
from highlighter.native_formats.source_fields import read_sources

AI_TYPES = ("ai", "AIMessage", "AIMessageChunk")


def is_ai_message(record: Record) -> bool:
    return _unwrap_message(record).get("type") in AI_TYPES


def parse_ai_message(record: Record, given: Sequence[NativeSource]) -> NativeResponse:
    message = _unwrap_message(record)
    if has_cited_blocks(message):
        return parse_message(message, given)
    text, citations = "", []
    for block in get_records(message, "content"):
        block_text = get_text(block, "text")
        found = list(parse_annotations(block_text, get_records(block, "annotations")))
        citations += [_place(citation, block_text).shift(len(text)) for citation in found]
        text += block_text
    text = text or join_texts(get_value(message, "content"))
    sources = (*read_sources(list_sources(message) or list_sources(record)), *given)
    return NativeResponse(text, tuple(citations), sources)


def _place(citation: NativeCitation, block_text: str) -> NativeCitation:
    """Return a citation without offsets as one of its whole block."""
    if citation.label is None and citation.start is None:
        return replace(citation, start=0, end=len(block_text))
    return citation


def _unwrap_message(record: Record) -> Record:
    """Return the fields of a message: those of its constructor, where it was dumped as one."""
    if record.get("type") == "constructor":
        kwargs = get_record(record, "kwargs")
        return {"type": "ai", **kwargs} if "AIMessage" in str(record.get("id")) else kwargs
    if get_record(record, "data") and record.get("type") == "ai":
        return {"type": "ai", **get_record(record, "data")}
    return record
