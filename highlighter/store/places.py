"""Where in a document: the sentences a span touches, the span of a page, and the documents of given bytes."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Engine, func, select

from highlighter.access import Visible
from highlighter.models import READABLE, Document
from highlighter.store.schema import chunks, documents, sentences


class SentencePlace(NamedTuple):
    """One sentence, named and placed, without its words."""

    chunk: int
    index: int
    start: int
    end: int
    page: int


PLACE = (sentences.c.chunk, sentences.c.idx, sentences.c.start, sentences.c.end, sentences.c.page)


def touched(engine: Engine, document: Document, start: int, end: int) -> list[SentencePlace]:
    """The sentences that `[start, end)` touches, in order. Only the chunks it touches are read."""
    held = select(chunks.c.idx).where(_of(chunks, document), chunks.c.start < end, chunks.c.end > start)
    query = (
        select(*PLACE)
        .where(_of(sentences, document), sentences.c.chunk.in_(held))
        .where(sentences.c.start < end, sentences.c.end > start)
        .order_by(sentences.c.start)
    )
    with engine.connect() as connection:
        return [SentencePlace(*row) for row in connection.execute(query)]


def page_span(engine: Engine, document: Document, page: int) -> tuple[int, int] | None:
    """From the first sentence that begins on a page to the end of the last."""
    query = select(func.min(sentences.c.start), func.max(sentences.c.end)).where(
        _of(sentences, document), sentences.c.page == page
    )
    with engine.connect() as connection:
        start, end = connection.execute(query).one()
    return None if start is None else (start, end)


def of_bytes(engine: Engine, sha256: str, visible: Visible) -> list[str]:
    """Ids of the readable documents made of these bytes, those that are current first."""
    query = select(documents.c.id, documents.c.collection).where(
        documents.c.sha256 == sha256, documents.c.state.in_(sorted(READABLE)), documents.c.leaving == ""
    )
    with engine.connect() as connection:
        rows = connection.execute(query.order_by(documents.c.current.desc(), documents.c.added)).all()
    return [row.id for row in rows if row.collection in visible]


def _of(table, document: Document):
    return (table.c.document_id == document.id) & (table.c.pipeline == document.pipeline)
