"""A document's parts as a list shows them: some at a time, and of each only how it begins."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Engine, func, select

from highlighter.models import Chunk, Document
from highlighter.store.catalog import as_chunk
from highlighter.store.schema import chunks, texts

OPENING = 600  # characters: a few headings, and the two lines after them


def page(engine: Engine, document: Document, limit: int, offset: int = 0) -> list[Chunk]:
    """Their text is cut off after its opening."""
    columns = [column for column in chunks.c if column is not chunks.c.text]
    opening = func.substr(chunks.c.text, 1, OPENING).label("text")
    query = select(*columns, opening).where(*_ours(document)).order_by(chunks.c.idx).limit(limit).offset(offset)
    with engine.connect() as connection:
        return [as_chunk(row) for row in connection.execute(query).mappings()]


def holding_page(engine: Engine, document: Document, page: int) -> int:
    """The index of the first part that reaches a page of the document; of the last part, when none does."""
    reaching = select(func.min(chunks.c.idx)).where(*_ours(document), chunks.c.last_page >= page)
    with engine.connect() as connection:
        found = connection.execute(reaching).scalar()
    return max(document.chunks - 1, 0) if found is None else found


def as_read_by(engine: Engine, document: Document, pipeline: int) -> Document:
    """The document as an earlier pipeline read it, whose pages and parts were others; itself when that is not kept."""
    if pipeline == document.pipeline:
        return document
    earlier = replace(document, pipeline=pipeline)
    ours = (texts.c.document_id == document.id) & (texts.c.pipeline == pipeline)
    with engine.connect() as connection:
        facts = connection.execute(select(texts.c.facts).where(ours)).scalar()
        count = connection.execute(select(func.count()).select_from(chunks).where(*_ours(earlier))).scalar()
    return replace(earlier, pages=len(facts["pages"]), chunks=count) if facts else document


def _ours(document: Document):
    return chunks.c.document_id == document.id, chunks.c.pipeline == document.pipeline
