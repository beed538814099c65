"""The caller's own sources instead of a search: texts, documents that are kept here, or chunks of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from highlighter.access import Visible
from highlighter.errors import BadRequest
from highlighter.evidence.passages import Passages
from highlighter.generation.ask import MAX_SOURCE, Ask, Given
from highlighter.generation.gather import Piece, as_source, labelled
from highlighter.models import Chunk, Document, Source
from highlighter.search.find import Search
from highlighter.store.known import known_chunk, readable_document


class Own:
    def __init__(self, search: Search, passages: Passages):
        self.search = search
        self.passages = passages

    def pieces(self, ask: Ask, questions: Sequence[str], visible: Visible) -> list[Piece]:
        found = [piece for given in ask.sources or () for piece in self._of(given, ask, questions, visible)]
        return labelled(found)

    def _of(self, given: Given, ask: Ask, questions: Sequence[str], visible: Visible) -> Iterator[Piece]:
        if given.document_id:
            document = readable_document(self.search.catalog, given.document_id, visible)
            for chunk in self._chunks(given, document, ask, questions):
                evidence = tuple((at, self.passages.chunk(text, chunk)) for at, text in enumerate(questions))
                yield Piece(as_source(document, chunk), document, chunk, evidence)
        elif given.text.strip():
            if len(given.text) > MAX_SOURCE:
                raise BadRequest(
                    f"A source has {len(given.text):,} characters; {MAX_SOURCE:,} are the most that are read."
                    " Take it in as a document."
                )
            evidence = tuple((at, self.passages.text(text, given.text)) for at, text in enumerate(questions))
            pages = (given.page,) if given.page else ()
            yield Piece(Source(given.filename or "Source", "", "", pages, text=given.text), None, None, evidence)

    def _chunks(self, given: Given, document: Document, ask: Ask, questions: Sequence[str]) -> list[Chunk]:
        if given.chunk_index is not None:
            return [known_chunk(self.search.catalog, document, given.chunk_index)]
        chunks = (chunk for text in questions for chunk in self.search.best_chunks(text, document, ask.limit))
        return list({chunk.index: chunk for chunk in chunks}.values())
