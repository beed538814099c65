"""OpenAI's chat completions, and what others put into them: Perplexity, Azure On Your Data, Mistral, Open WebUI.

Documentation: "Web search" of OpenAI's chat completions; "Sonar" of Perplexity; "On Your Data" of Azure OpenAI;
"Citations and references" of Mistral; "Events" and the API of Open WebUI.
"""

from __future__ import annotations

from collections.abc import Sequence

from highlighter.native_formats.annotations import parse_annotations
from highlighter.native_formats.mistral_chunks import has_reference_chunks, parse_chunks
from highlighter.native_formats.native_response import NativeResponse, NativeSource
from highlighter.native_formats.open_webui import has_passages, list_event_sources
from highlighter.native_formats.records import (
    NO_RECORD,
    Record,
    get_list,
    get_record,
    get_records,
    get_value,
    join_texts,
    only_records,
)
from highlighter.native_formats.source_fields import read_source


def is_chat_completion(record: Record) -> bool:
    return any("message" in choice or "delta" in choice for choice in get_records(record, "choices"))


def parse_chat_completion(record: Record, given: Sequence[NativeSource]) -> NativeResponse:
    """Return the first choice, with its annotations, or with the numbered sources of its markers."""
    choice = next(iter(get_records(record, "choices")), NO_RECORD)
    message = get_record(choice, "message") or get_record(choice, "delta")
    content = get_value(message, "content")
    if isinstance(content, list) and has_reference_chunks(only_records(content)):
        return parse_chunks(only_records(content), given)
    text = join_texts(content)
    citations = tuple(parse_annotations(text, get_records(message, "annotations")))
    return NativeResponse(text, citations, () if citations else tuple(_list_sources(record, message)) or tuple(given))


def _list_sources(record: Record, message: Record) -> list[NativeSource]:
    """Return the sources that the markers of the text number, from the first of the places where they may be."""
    azure = get_records(get_record(message, "context"), "citations")
    if azure:
        return [read_source(citation) for citation in azure]
    entries = get_records(record, "sources") or get_records(message, "sources")
    if entries:
        return list_event_sources(entries) if has_passages(entries) else [read_source(entry) for entry in entries]
    return _list_perplexity_sources(record) or _list_perplexity_sources(message)


def _list_perplexity_sources(record: Record) -> list[NativeSource]:
    """Return the URLs of a Perplexity response, each with the title and snippet of its search result."""
    results = [read_source(result) for result in get_records(record, "search_results")]
    by_url = {url: result for result in results for url in result.urls}
    urls = [url for url in get_list(record, "citations") if isinstance(url, str)]
    return [read_source(url).merge(by_url.get(url, NativeSource())) for url in urls] or results
