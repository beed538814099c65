"""OpenAI's Assistants API: messages of a thread, whose markers 【4:0†source】 have annotations.

Its documentation: "Message annotations" of the Assistants API.
"""

from __future__ import annotations

from collections.abc import Sequence

from highlighter.native_formats.annotations import parse_annotations
from highlighter.native_formats.native_response import NativeCitation, NativeResponse, NativeSource
from highlighter.native_formats.records import Record, get_record, get_records, get_text


def is_thread_message(record: Record) -> bool:
    return record.get("object") == "thread.message"


def parse_thread_message(record: Record, given: Sequence[NativeSource]) -> NativeResponse:
    text = ""
    citations: list[NativeCitation] = []
    by_id = {file_id: source for source in given for file_id in source.ids}
    for part in get_records(record, "content"):
        part_record = get_record(part, "text")
        part_text = get_text(part_record, "value")
        found = parse_annotations(part_text, get_records(part_record, "annotations"), by_id)
        citations += [citation.shift(len(text)) for citation in found]
        text += part_text
    return NativeResponse(text, tuple(citations), tuple(given))
