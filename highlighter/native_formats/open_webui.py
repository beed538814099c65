"""Open WebUI: events and messages with sources, each of which has passages with metadata.

Its documentation: "Events" (source, citation), and the field `sources` of messages and streams.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from highlighter.native_formats.native_response import NativeResponse, NativeSource
from highlighter.native_formats.records import Record, get_list, get_record, get_records, get_text
from highlighter.native_formats.source_fields import check_source_count, read_source

EVENT_TYPES = ("source", "citation")
TEXT_EVENT_TYPES = ("message", "chat:message", "chat:message:delta", "replace", "chat:completion")


def is_message_with_sources(record: Record) -> bool:
    """Return whether a record is a message of Open WebUI, or events joined into one."""
    return "content" in record and has_passages(get_records(record, "sources"))


def has_passages(entries: Sequence[Record]) -> bool:
    """Return whether entries have passages beside their source, as only Open WebUI writes them."""
    return any(
        isinstance(entry.get("document"), list) and isinstance(entry.get("source"), Mapping) for entry in entries
    )


def parse_message_with_sources(record: Record, given: Sequence[NativeSource]) -> NativeResponse:
    sources = list_event_sources(get_records(record, "sources"))
    return NativeResponse(get_text(record, "content"), sources=(*sources, *given))


def list_event_sources(entries: Sequence[Record]) -> list[NativeSource]:
    """Return the sources in the order of their numbers: each different source once, with its passages."""
    sources: dict[str, NativeSource] = {}
    count = 0
    for entry in entries:
        origin, metadata = get_record(entry, "source"), get_records(entry, "metadata")
        passages: list[Any] = get_list(entry, "document") or [""]
        count += len(passages)
        check_source_count(count)
        for position, passage in enumerate(passages):
            details = metadata[position] if position < len(metadata) else {}
            key = str(details.get("source") or origin.get("id") or origin.get("name") or "")
            source = read_source({"content": passage, "metadata": details, "source": origin})
            sources[key] = sources[key].merge(source) if key in sources else source
    return list(sources.values())


def join_events(events: Sequence[Record]) -> Record:
    """Return events of sources and of text as one message."""
    entries, text = [], ""
    for event in events:
        data = get_record(event, "data") or event
        if event.get("type") in EVENT_TYPES:
            entries.append(data)
        elif event.get("type") == "replace":
            text = get_text(data, "content")
        elif event.get("type") in TEXT_EVENT_TYPES:
            text += get_text(data, "content")
    return {"content": text, "sources": entries}
