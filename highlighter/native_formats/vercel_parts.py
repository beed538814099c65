"""The Vercel AI SDK: messages whose parts are texts and sources, and results with `sources`.

Its documentation: `UIMessage` with source-url and source-document parts, and `sources` of generateText and streamText.
"""

from __future__ import annotations

from collections.abc import Sequence

from highlighter.native_formats.native_response import NativeResponse, NativeSource
from highlighter.native_formats.records import Record, get_records, get_text
from highlighter.native_formats.source_fields import read_sources

SOURCE_PARTS = ("source-url", "source-document", "source")


def has_source_parts(record: Record) -> bool:
    parts = (*get_records(record, "parts"), *get_records(record, "content"), *get_records(record, "sources"))
    return any(part.get("type") in SOURCE_PARTS or "sourceType" in part for part in parts)


def parse_parts(record: Record, given: Sequence[NativeSource]) -> NativeResponse:
    parts = get_records(record, "parts") or get_records(record, "content")
    sources = [part for part in parts if part.get("type") in SOURCE_PARTS] or get_records(record, "sources")
    text = "".join(get_text(part, "text") for part in parts if part.get("type") == "text") or get_text(record, "text")
    return NativeResponse(text, sources=(*read_sources(sources), *given))
