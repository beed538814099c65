"""Answers with a list of sources, as frameworks return them: LangChain, LlamaIndex, Haystack, RAGFlow and others.

Documentation: retrieval chains and `Document` of LangChain; `Response` and `NodeWithScore` of LlamaIndex; `GeneratedAnswer`
and `Document` of Haystack; completions with `reference` of RAGFlow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from highlighter.native_formats.native_response import NativeResponse, NativeSource
from highlighter.native_formats.records import (
    Record,
    get_list,
    get_record,
    get_value,
    join_texts,
    only_records,
)
from highlighter.native_formats.source_fields import read_source, read_sources

ANSWER_FIELDS = (
    "answer", "response", "result", "output_text", "output", "reply", "text", "content", "data", "message", "generation",
)  # fmt: skip
SOURCE_FIELDS = (
    "context", "source_documents", "source_nodes", "documents", "sources", "references", "citations", "retrieved_documents",
    "contexts", "passages", "results", "matches", "hits", "chunks", "nodes", "docs",
)  # fmt: skip
# Records around the answer, of which only one is there.
WRAPPERS = (
    "init_parameters",
    "kwargs",
    "reference",
    "data",
    "metadata",
    "response_metadata",
    "additional_kwargs",
    "llm",
    "message",
)
# What answers do not have.
DOCUMENT_FIELDS = (
    "page_content",
    "metadata",
    "meta",
    "score",
    "document_id",
    "node",
    "snippet",
    "passage",
    "excerpt",
    "chunk_text",
)


def is_answer_with_sources(record: Record) -> bool:
    return bool(list_sources(record))


def parse_answer_with_sources(record: Record, given: Sequence[NativeSource]) -> NativeResponse:
    return NativeResponse(find_answer(record), sources=(*read_sources(list_sources(record)), *given))


def is_document(record: Record) -> bool:
    """Return whether a record is a document, a node or a hit by itself."""
    return any(field in record for field in DOCUMENT_FIELDS) and not list_sources(record)


def parse_document(record: Record, given: Sequence[NativeSource]) -> NativeResponse:
    return NativeResponse("", sources=(read_source(record),))


def parse_documents(records: Sequence[Any], given: Sequence[NativeSource]) -> NativeResponse:
    """Return a list of documents without an answer."""
    return NativeResponse("", sources=read_sources(records))


def find_answer(record: Record) -> str:
    """Return the text of the answer, under one of its usual names."""
    for fields in _unwrap(record):
        for name in ANSWER_FIELDS:
            value = get_value(fields, name)
            if isinstance(value, str) and value.strip():
                return value
            if isinstance(value, list) and (text := join_texts(value)).strip():
                return text
            if isinstance(value, Mapping) and (text := join_texts(get_value(value, "content"))).strip():
                return text
    return ""


def list_sources(record: Record) -> list[Any]:
    """Return the sources of the answer, under one of their usual names."""
    for fields in _unwrap(record):
        for name in SOURCE_FIELDS:
            value = get_value(fields, name)
            if isinstance(value, Mapping):  # sources by their ids
                value = only_records(value.values())
            if isinstance(value, list) and any(isinstance(item, Mapping | str) for item in value):
                return value
    return []


def _unwrap(record: Record) -> Iterator[Record]:
    """Yield the record, and the records within it that may hold the answer or its sources."""
    yield record
    inner = [value for name in WRAPPERS if (value := get_record(record, name))]
    inner += only_records(get_list(record, "answers")[:1])
    for fields in inner:
        yield fields
        yield from (value for name in WRAPPERS if (value := get_record(fields, name)))
