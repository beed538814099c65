"""From what a link says to the chunk it means, and what there is around it."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Engine, func, select
from sqlalchemy.exc import NoResultFound

from highlighter.access import VisibleCollections
from highlighter.errors import BadRequest, NotFound, NotReady
from highlighter.locale import N_
from highlighter.models import READABLE, UNFINISHED, Chunk, Document
from highlighter.store.catalog import Catalog, chunk_from_row
from highlighter.store.schema import chunks, texts


def require_document(catalog: Catalog, document_id: str, visible: VisibleCollections) -> Document:
    document = catalog.document(document_id, visible)
    if document is None:
        raise NotFound(f"Document {document_id} was not found. It may have been deleted, or the link is incomplete.")
    if document.leaving:
        raise NotFound(f"{document.name} was deleted. You can undo this in the library for a few seconds.")
    return document


def require_readable_document(catalog: Catalog, document_id: str, visible: VisibleCollections) -> Document:
    document = require_document(catalog, document_id, visible)
    if document.state in UNFINISHED:
        raise NotReady(f"{document.name} is still being processed. Try again in a moment.")
    if document.state not in READABLE:
        raise NotFound(N_(f"{document.name} has no text to show.") + f" {document.reason}")
    return document


def require_page(document: Document, page: int) -> int:
    """Refuses what is no page of the document; they are numbered from 1."""
    if not 1 <= page <= document.pages:
        raise NotFound(
            N_(f"{document.name} has no page {page}; its pages are numbered 1 to {document.pages}.")
            if document.pages > 1
            else N_(f"{document.name} has no page {page}: it has one page.")
        )
    return page


def require_span(catalog: Catalog, document: Document, start: int, end: int) -> None:
    """Refuses what is no span of the canonical text by the pipeline that the document names."""
    try:
        length = len(catalog.text(document))
    except NoResultFound as err:
        raise NotFound(
            f"This text of {document.name} no longer exists: the document was deleted or processed again."
        ) from err
    if not 0 <= start < end:
        raise BadRequest(f"end ({end}) must be greater than start ({start}), and neither less than 0.")
    if end > length:
        raise BadRequest(f"end ({end}) lies beyond the text, which is {length} characters long.")


def require_chunk(
    catalog: Catalog, document: Document, index: int, pipeline: int | None = None, start: int | None = None
) -> Chunk:
    """The chunk a link means: the one it was made for while that is kept, else what holds the same place now."""
    chunk = catalog.chunk(document, index, pipeline)
    if chunk is None and pipeline not in (None, document.pipeline) and start is not None:
        chunk = catalog.chunk_at(document, start)
    if chunk is None:
        count = document.chunks
        raise NotFound(
            f"{document.name} has no chunk {index}: its {count} chunks are numbered 0 to {count - 1}."
            if count > 1
            else f"{document.name} has no chunk {index}: it has one chunk, number 0."
        )
    return chunk


# A document's parts as a list shows them: some at a time, and of each only how it begins.


CHUNK_OPENING_CHARACTERS = 600  # characters: a few headings, and the two lines after them


def list_chunk_openings(engine: Engine, document: Document, limit: int, offset: int = 0) -> list[Chunk]:
    """Their text is cut off after its opening."""
    columns = [column for column in chunks.c if column is not chunks.c.text]
    opening = func.substr(chunks.c.text, 1, CHUNK_OPENING_CHARACTERS).label("text")
    query = select(*columns, opening).where(*_is_chunk_of(document)).order_by(chunks.c.idx).limit(limit).offset(offset)
    with engine.connect() as connection:
        return [chunk_from_row(row) for row in connection.execute(query).mappings()]


def find_chunk_of_page(engine: Engine, document: Document, page: int) -> int:
    """The index of the first part that reaches a page of the document; of the last part, when none does."""
    reaching = select(func.min(chunks.c.idx)).where(*_is_chunk_of(document), chunks.c.last_page >= page)
    with engine.connect() as connection:
        found = connection.execute(reaching).scalar()
    return max(document.chunks - 1, 0) if found is None else found


def read_document_at_pipeline(engine: Engine, document: Document, pipeline: int) -> Document:
    """The document as an earlier pipeline read it, whose pages and parts were others; itself when that is not kept."""
    if pipeline == document.pipeline:
        return document
    earlier = replace(document, pipeline=pipeline)
    ours = (texts.c.document_id == document.id) & (texts.c.pipeline == pipeline)
    with engine.connect() as connection:
        facts = connection.execute(select(texts.c.facts).where(ours)).scalar()
        count = connection.execute(select(func.count()).select_from(chunks).where(*_is_chunk_of(earlier))).scalar()
    return replace(earlier, pages=len(facts["pages"]), chunks=count) if facts else document


def _is_chunk_of(document: Document):
    return chunks.c.document_id == document.id, chunks.c.pipeline == document.pipeline
