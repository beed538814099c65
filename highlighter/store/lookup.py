"""Lookups of the document, page, span or chunk that a link names; what is missing raises an error."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import ColumnElement, Engine, func, select

from highlighter.access import VisibleCollections
from highlighter.errors import BadRequest, NotFound, NotReady
from highlighter.locale import N_, join_messages
from highlighter.models import READABLE, UNFINISHED, Chunk, Document
from highlighter.store.catalog import Catalog, chunk_from_row
from highlighter.store.schema import chunks, rows_of_document, texts

MAX_CHUNKS_WITH_HEADINGS = 40  # of one document, from its beginning


def require_document(catalog: Catalog, document_id: str, visible: VisibleCollections) -> Document:
    """Return the document; raise NotFound when it does not exist, is not visible, or is being deleted."""
    document = catalog.document(document_id, visible)
    if document is None:
        raise NotFound(
            N_("Document {id} was not found. It may have been deleted, or the link is incomplete.", id=document_id)
        )
    if document.deletion_time:
        raise NotFound(
            N_("{name} was deleted. You can undo this in the library for a few seconds.", name=document.name)
        )
    return document


def require_readable_document(catalog: Catalog, document_id: str, visible: VisibleCollections) -> Document:
    """Return the document; raise NotReady while it is being processed, NotFound when it has no text."""
    document = require_document(catalog, document_id, visible)
    if document.state in UNFINISHED:
        raise NotReady(N_("{name} is still being processed. Try again in a moment.", name=document.name))
    if document.state not in READABLE:
        raise NotFound(join_messages([N_("{name} has no text to show.", name=document.name), document.reason]))
    return document


def require_page(document: Document, page: int) -> int:
    """Return the page if the document has it; raise NotFound otherwise. Pages are numbered from 1."""
    if not 1 <= page <= document.pages:
        raise NotFound(
            N_(
                "{name} has no page {page}; its pages are numbered 1 to {pages}.",
                name=document.name,
                page=page,
                pages=document.pages,
            )
            if document.pages > 1
            else N_("{name} has no page {page}: it has one page.", name=document.name, page=page)
        )
    return page


def require_span(catalog: Catalog, document: Document, start: int, end: int) -> None:
    """Raise an error unless the span lies in the canonical text that the document's pipeline read."""
    length = len(catalog.text(document))
    if not 0 <= start < end:
        raise BadRequest(
            N_("end ({end}) must be greater than start ({start}), and neither less than 0.", end=end, start=start)
        )
    if end > length:
        raise BadRequest(
            N_("end ({end}) lies beyond the text, which is {count} characters long.", end=end, count=length)
        )


def list_headings(engine: Engine, document: Document) -> list[tuple[str, int]]:
    """Return the headings at the beginning of a document, in order: (text, level)."""
    is_chunk = rows_of_document(chunks, document.id, document.pipeline)
    query = select(chunks.c.start, chunks.c.text, chunks.c.headings).where(is_chunk).order_by(chunks.c.idx)
    with engine.connect() as connection:
        rows = connection.execute(query.limit(MAX_CHUNKS_WITH_HEADINGS)).all()
    return [
        (row.text[start - row.start : end - row.start], level) for row in rows for start, end, level in row.headings
    ]


def require_chunk(
    catalog: Catalog, document: Document, index: int, pipeline: int | None = None, start: int | None = None
) -> Chunk:
    """Return the chunk that a link names; if its pipeline's rows are gone, the current chunk at the same offset."""
    chunk = catalog.chunk(document, index, pipeline)
    if chunk is None and pipeline not in (None, document.pipeline) and start is not None:
        chunk = catalog.chunk_at(document, start)
    if chunk is None:
        count = document.chunks
        error = NotFound(
            N_(
                "{name} has no chunk {index}: its {count} chunks are numbered 0 to {last}.",
                name=document.name,
                index=index,
                count=count,
                last=count - 1,
            )
            if count > 1
            else N_("{name} has no chunk {index}: it has one chunk, number 0.", name=document.name, index=index)
        )
        error.page_detail = (
            N_(
                "{name} has no section {number}: it has {count} sections.",
                name=document.name,
                number=index + 1,
                count=count,
            )
            if count > 1
            else N_("{name} has no section {number}: it has one section.", name=document.name, number=index + 1)
        )
        raise error
    return chunk


# Chunks for lists: page by page, and of each only the beginning of its text.

CHUNK_OPENING_CHARACTERS = 600  # a few headings, and the two lines after them


def list_chunk_openings(engine: Engine, document: Document, limit: int, offset: int = 0) -> list[Chunk]:
    """Return chunks whose text is cut off after its opening."""
    columns = [column for column in chunks.c if column is not chunks.c.text]
    opening = func.substr(chunks.c.text, 1, CHUNK_OPENING_CHARACTERS).label("text")
    query = select(*columns, opening).where(_is_chunk_of(document)).order_by(chunks.c.idx).limit(limit).offset(offset)
    with engine.connect() as connection:
        return [chunk_from_row(row) for row in connection.execute(query).mappings()]


def list_chunk_spans(engine: Engine, document: Document) -> list[Chunk]:
    """Return all chunks of a document without their texts and headings."""
    columns = [column for column in chunks.c if column not in (chunks.c.idx, chunks.c.text, chunks.c.headings)]
    query = select(chunks.c.idx.label("index"), *columns).where(_is_chunk_of(document)).order_by(chunks.c.idx)
    with engine.connect() as connection:
        return [Chunk(**row) for row in connection.execute(query).mappings()]


def find_chunk_of_page(engine: Engine, document: Document, page: int) -> int:
    """Return the index of the first chunk that reaches a page; of the last chunk, when none does."""
    query = select(func.min(chunks.c.idx)).where(_is_chunk_of(document), chunks.c.last_page >= page)
    with engine.connect() as connection:
        index = connection.execute(query).scalar()
    return max(document.chunks - 1, 0) if index is None else index


def read_document_at_pipeline(engine: Engine, document: Document, pipeline: int) -> Document:
    """Return the document with the page and chunk counts of an earlier pipeline; unchanged when its rows are gone."""
    if pipeline == document.pipeline:
        return document
    earlier = replace(document, pipeline=pipeline)
    with engine.connect() as connection:
        facts = connection.execute(select(texts.c.facts).where(rows_of_document(texts, document.id, pipeline))).scalar()
        count = connection.execute(select(func.count()).select_from(chunks).where(_is_chunk_of(earlier))).scalar_one()
    return replace(earlier, pages=len(facts["pages"]), chunks=count) if facts else document


def _is_chunk_of(document: Document) -> ColumnElement[bool]:
    return rows_of_document(chunks, document.id, document.pipeline)
