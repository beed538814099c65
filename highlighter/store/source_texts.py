"""The texts of sources: given directly, or stored as a document or a chunk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from highlighter.access import VisibleCollections
from highlighter.models import Document, Source
from highlighter.store.catalog import Catalog
from highlighter.store.lookup import require_chunk, require_readable_document


def load_source_texts(sources: Sequence[Source], catalog: Catalog, visible: VisibleCollections) -> list[Source]:
    """Return the sources with their texts; raise NotFound for documents that do not exist or are not visible."""
    return [
        _load_source_text(source, catalog, visible) if source.document_id and not source.text else source
        for source in sources
    ]


def _load_source_text(source: Source, catalog: Catalog, visible: VisibleCollections) -> Source:
    document = require_readable_document(catalog, source.document_id, visible)
    if source.chunk_index is None:
        text, start = catalog.text(document), 0
    else:
        chunk = require_chunk(catalog, document, source.chunk_index)
        text, start = chunk.text, chunk.start
    # Of a document of one page, every sentence is on it.
    page_spans = catalog.source_map(document).page_spans(start, start + len(text)) if document.pages > 1 else ()
    recognition = catalog.word_confidences(document).mean(start, start + len(text)) or 0.0
    filename = source.filename or document.name
    loaded = replace(source, filename=filename, text=text, recognition=recognition, page_spans=page_spans)
    return add_pages(loaded, document, catalog)


def add_pages(source: Source, document: Document, catalog: Catalog) -> Source:
    """Return the source with the pages of its document, so that a reference to a missing page is recognised."""
    chunk = catalog.chunk(document, source.chunk_index) if source.chunk_index is not None else None
    pages = range(chunk.first_page, chunk.last_page + 1) if chunk else range(1, document.pages + 1)
    return replace(
        source,
        pages=source.pages or pages,
        page_labels=source.page_labels or document.labels,
        chunks=document.chunks,
        page_count=document.pages,
    )
