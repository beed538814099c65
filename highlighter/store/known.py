"""From what a link says to the chunk it means, and what there is around it."""

from __future__ import annotations

from sqlalchemy.exc import NoResultFound

from highlighter.access import Visible
from highlighter.errors import BadRequest, NotFound, NotReady
from highlighter.locale import N_
from highlighter.models import READABLE, UNFINISHED, Chunk, Document
from highlighter.store.catalog import Catalog


def known_document(catalog: Catalog, document_id: str, visible: Visible) -> Document:
    document = catalog.document(document_id, visible)
    if document is None:
        raise NotFound(f"There is no document {document_id}. It may have been removed, or the link is cut short.")
    if document.leaving:
        raise NotFound(f"{document.name} was deleted. For a few seconds it can be brought back, on the library's page.")
    return document


def readable_document(catalog: Catalog, document_id: str, visible: Visible) -> Document:
    document = known_document(catalog, document_id, visible)
    if document.state in UNFINISHED:
        raise NotReady(f"{document.name} is still being read. Try again in a moment.")
    if document.state not in READABLE:
        raise NotFound(N_(f"{document.name} has no text to show.") + f" {document.reason}")
    return document


def checked_page(document: Document, page: int) -> int:
    """Refuses what is no page of the document; they are numbered from 1."""
    if not 1 <= page <= document.pages:
        raise NotFound(
            N_(f"{document.name} has no page {page}; its pages are numbered 1 to {document.pages}.")
            if document.pages > 1
            else N_(f"{document.name} has no page {page}: it has one page.")
        )
    return page


def checked_span(catalog: Catalog, document: Document, start: int, end: int) -> None:
    """Refuses what is no span of the canonical text by the pipeline that the document names."""
    try:
        length = len(catalog.text(document))
    except NoResultFound as err:
        raise NotFound(f"{document.name} has no such text: it was deleted meanwhile, or read anew.") from err
    if not 0 <= start < end:
        raise BadRequest(f"end ({end}) must be greater than start ({start}), and neither less than 0.")
    if end > length:
        raise BadRequest(f"end ({end}) lies beyond the text, which is {length} characters long.")


def known_chunk(
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
