"""OpenAI's Responses API: output text with annotations, and the results of file searches.

Its documentation: "File search" and "Web search" of the Responses API.
"""

from __future__ import annotations

from collections.abc import Sequence

from highlighter.native_formats.annotations import parse_annotations
from highlighter.native_formats.native_response import NativeCitation, NativeResponse, NativeSource
from highlighter.native_formats.records import Record, get_records, get_text
from highlighter.native_formats.source_fields import read_sources


def is_response(record: Record) -> bool:
    items = get_records(record, "output")
    return record.get("object") == "response" or any(
        item.get("type") in ("message", "file_search_call", "web_search_call") for item in items
    )


def parse_response(record: Record, given: Sequence[NativeSource]) -> NativeResponse:
    """Return a response; the annotations of each text part count from its beginning."""
    items = get_records(record, "output")
    searches = [item for item in items if item.get("type") == "file_search_call"]
    results = read_sources([result for search in searches for result in get_records(search, "results")])
    by_id: dict[str, NativeSource] = {}
    for source in (*results, *given):
        for file_id in source.ids:
            by_id[file_id] = by_id[file_id].merge(source) if file_id in by_id else source
    text = ""
    citations: list[NativeCitation] = []
    for item in items:
        for part in get_records(item, "content"):
            part_text = get_text(part, "text") if part.get("type") == "output_text" else ""
            found = parse_annotations(part_text, get_records(part, "annotations"), by_id)
            citations += [citation.shift(len(text)) for citation in found]
            text += part_text
    return NativeResponse(text, tuple(citations), (*results, *given))
