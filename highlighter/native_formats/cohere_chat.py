"""Cohere's chat, version 2 and the older version 1: citations with the documents or tool results that they rest on.

Its documentation: "Retrieval augmented generation" and "Tool use citations".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

from highlighter.native_formats.answer_spans import AnswerOffsets
from highlighter.native_formats.native_response import NativeCitation, NativeResponse, NativeSource
from highlighter.native_formats.records import (
    Record,
    get_list,
    get_number,
    get_record,
    get_records,
    get_text,
    iterate_texts,
)
from highlighter.native_formats.source_fields import read_source, read_sources

CITATION = "citation"


def is_cohere_chat(record: Record) -> bool:
    """Return whether a response has a message of content and citations (version 2), or text with documents (version 1)."""
    message = get_record(record, "message")
    if get_list(message, "content") and ("citations" in message or "finish_reason" in record):
        return True
    return "generation_id" in record and bool(get_text(record, "text"))


def parse_cohere_chat(record: Record, given: Sequence[NativeSource]) -> NativeResponse:
    message = get_record(record, "message") or record
    contents = list(iterate_texts(get_list(message, "content"))) or [get_text(message, "text")]
    by_id = {source_id: source for source in given for source_id in source.ids}
    documents = get_records(record, "documents")
    by_id |= zip((get_text(document, "id") for document in documents), read_sources(documents), strict=True)
    starts = list(accumulate(map(len, contents), initial=0))
    answers = [AnswerOffsets(content) for content in contents]
    citations = []
    for citation in get_records(message, "citations"):
        index = min(get_number(citation, "content_index") or 0, len(answers) - 1)
        start, end = answers[index].find_span(
            get_number(citation, "start"), get_number(citation, "end"), get_text(citation, "text")
        )
        sources = tuple(_read_cited_source(source, by_id) for source in get_records(citation, "sources"))
        sources += tuple(
            by_id[name] for name in get_list(citation, "document_ids") if isinstance(name, str) and name in by_id
        )
        citations.append(NativeCitation(CITATION, sources, start, end).shift(starts[index]))
    return NativeResponse("".join(contents), tuple(citations), tuple(by_id.values()))


def _read_cited_source(source: Record, by_id: Mapping[str, NativeSource]) -> NativeSource:
    """Return a source of a citation with what the request gave of it."""
    cited = read_source(source)
    for source_id in cited.ids:
        cited = cited.merge(by_id.get(source_id, NativeSource()))
    return cited
