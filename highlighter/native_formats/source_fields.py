"""Read a source from any vendor's record of it: ids, names, URLs, texts and page, wherever the record has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from highlighter.cpu_budget import check_cpu
from highlighter.errors import TooLarge
from highlighter.native_formats.native_response import NativeSource
from highlighter.native_formats.records import Record, get_number, get_text, iterate_texts
from highlighter.text.characters import repair_surrogates

# A field may be of several kinds: "source" is a path, a URL, an id, or a record of its own.
ID_FIELDS = frozenset(
    """id id_ _id node_id ref_doc_id doc_id document_id documentId chunk_id chunkId file_id fileId source_id sourceId sourceid
    reference_id referenceId parent_id external_id uuid x-amz-bedrock-kb-chunk-id x-amz-bedrock-kb-document-id document""".split()
)
NAME_FIELDS = frozenset(
    """filename file_name fileName name title path file_path filepath filePath source document_name documentName docnm_kwd
    document_title documentTitle displayName display_name label""".split()
)
URL_FIELDS = frozenset(
    """url uri link href doc_url source_url sourceUrl web_url view source documentUrl x-amz-bedrock-kb-source-uri self
    permalink page_url""".split()
)
TEXT_FIELDS = frozenset(
    """text content page_content pageContent snippet snippets chunk_text chunkText content_with_weight
    passage excerpt chunkContent document documents extra_snippets""".split()
)
QUOTE_FIELDS = ("quote", "cited_text", "citedText", "exact")
PAGE_FIELDS = (
    "page_label", "page_number", "pageNumber", "x-amz-bedrock-kb-document-page-number", "start_page_number", "firstPage",
    "first_page", "page", "pageIdentifier",
)  # fmt: skip
CHUNK_FIELDS = ("chunk_index", "chunkIndex")
# Records within the record that describe the same source.
NESTED_FIELDS = frozenset(
    """metadata meta document attributes source location s3Location s3_location webLocation node kwargs extra_info web
    retrievedContext retrieved_context ragChunk rag_chunk pageSpan page_span links chunkInfo chunk_info documentMetadata
    document_metadata unstructuredDocumentInfo structData struct_data tool_output url_citation file_citation file sourceMetadata
    source_metadata extras customDocumentLocation confluenceLocation sharePointLocation content""".split()
)
MAX_SOURCES = 1_000  # of one request
MAX_DEPTH, MAX_RECORDS, MAX_VALUES = 4, 30, 40
MAX_NAME_CHARACTERS, MAX_PASSAGE_CHARACTERS = 2_000, 20_000


def read_sources(records: Sequence[Any]) -> tuple[NativeSource, ...]:
    """Return the sources of a list; raise TooLarge where it is longer than a request may be."""
    check_source_count(len(records))
    return tuple(map(read_source, records))


def check_source_count(count: int) -> None:
    if count > MAX_SOURCES:
        raise TooLarge(f"There are {count:,} sources; the limit is {MAX_SOURCES:,}.")


def read_source(record: Any) -> NativeSource:
    """Return the source that a record describes; a text alone is a URL, a file name or an id."""
    check_cpu()
    if isinstance(record, str):
        return read_source_name(record)
    if not isinstance(record, Mapping):
        return NativeSource()
    ids: dict[str, None] = {}
    names: dict[str, None] = {}
    urls: dict[str, None] = {}
    passages: dict[str, None] = {}
    records = list(_list_records(record))
    for fields in records:
        for key, value in list(fields.items())[:MAX_VALUES]:
            if key in TEXT_FIELDS:
                passages |= dict.fromkeys(_read_passages(value))
            if not isinstance(value, str | int) or isinstance(value, bool):
                continue
            text = repair_surrogates(str(value).strip()[:MAX_NAME_CHARACTERS])
            if text and key in ID_FIELDS and len(text) <= 300:
                ids[text] = None
            if text and key in NAME_FIELDS and not is_url(text):
                names[text] = None
            if text and key in URL_FIELDS and is_url(text):
                urls[text] = None
    return NativeSource(
        tuple(ids), tuple(names), tuple(urls), tuple(passages), _read_page(records), _read_chunk_index(records),
        _read_quote(records),
    )  # fmt: skip


def read_source_name(text: str) -> NativeSource:
    """Return the source that a single text names."""
    text = repair_surrogates(text.strip())
    if len(text) > MAX_NAME_CHARACTERS or "\n" in text:
        return NativeSource(passages=tuple(_read_passages(text)))
    return NativeSource(urls=(text,)) if is_url(text) else NativeSource(ids=(text,), names=(text,))


def is_url(text: str) -> bool:
    """Return whether a text is a URL, or the path of a page of this service."""
    return "://" in text[:40] or text.startswith(("/documents/", "/open?", "/api/v1/"))


def _list_records(record: Record) -> Iterator[Record]:
    """Yield the record and those within it that describe the same source, the outermost first."""
    level, count = [record], 0
    for _ in range(MAX_DEPTH):
        following = []
        for fields in level:
            count += 1
            if count > MAX_RECORDS:
                return
            yield fields
            nested = (value for key, value in fields.items() if key in NESTED_FIELDS)
            following += [value for value in nested if isinstance(value, Mapping)]
        level = following


def _read_passages(value: Any) -> Iterator[str]:
    """Yield the texts of a field: one, several, or blocks of one text."""
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        texts = value[:MAX_VALUES]
    else:
        texts = ["".join(iterate_texts(value))]
    for text in texts:
        if stripped := text.strip():
            yield repair_surrogates(stripped[:MAX_PASSAGE_CHARACTERS])


def _read_page(records: list[Record]) -> int:
    values = (get_number(fields, name) for name in PAGE_FIELDS for fields in records)
    return next((value for value in values if value), 0)


def _read_chunk_index(records: list[Record]) -> int | None:
    values = (get_number(fields, name) for name in CHUNK_FIELDS for fields in records)
    return next((value for value in values if value is not None), None)


def _read_quote(records: list[Record]) -> str:
    quotes = (get_text(fields, name) for name in QUOTE_FIELDS for fields in records)
    return next((repair_surrogates(quote[:MAX_PASSAGE_CHARACTERS]) for quote in quotes if quote.strip()), "")
