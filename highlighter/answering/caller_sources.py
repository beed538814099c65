"""Passages from the sources that a caller names instead of a search: texts, stored documents or their chunks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from highlighter.access import VisibleCollections
from highlighter.answering.passage_search import AnswerPassage, assign_labels, build_source
from highlighter.answering.request import MAX_SOURCE_CHARACTERS, CallerSource, QuestionRequest
from highlighter.errors import BadRequest
from highlighter.evidence.passage_highlighter import PassageHighlighter
from highlighter.models import Chunk, Document, Source
from highlighter.search.hybrid_search import HybridSearch
from highlighter.store.lookup import require_chunk, require_readable_document


class CallerSources:
    def __init__(self, search: HybridSearch, passage_highlighter: PassageHighlighter):
        self.search = search
        self.passage_highlighter = passage_highlighter

    def build_passages(
        self, request: QuestionRequest, questions: Sequence[str], visible: VisibleCollections
    ) -> list[AnswerPassage]:
        passages = [
            passage
            for caller_source in request.sources or ()
            for passage in self._build_source_passages(caller_source, request, questions, visible)
        ]
        return assign_labels(passages)

    def _build_source_passages(
        self,
        caller_source: CallerSource,
        request: QuestionRequest,
        questions: Sequence[str],
        visible: VisibleCollections,
    ) -> Iterator[AnswerPassage]:
        if caller_source.document_id:
            document = require_readable_document(self.search.catalog, caller_source.document_id, visible)
            for chunk in self._load_chunks(caller_source, document, request, questions):
                evidence = tuple(
                    (index, self.passage_highlighter.highlight_chunk(question, chunk))
                    for index, question in enumerate(questions)
                )
                yield AnswerPassage(build_source(document, chunk), document, chunk, evidence)
        elif caller_source.text.strip():
            if len(caller_source.text) > MAX_SOURCE_CHARACTERS:
                raise BadRequest(
                    f"A source has {len(caller_source.text):,} characters; the limit is "
                    f"{MAX_SOURCE_CHARACTERS:,}. Upload it as a document."
                )
            evidence = tuple(
                (index, self.passage_highlighter.highlight_text(question, caller_source.text))
                for index, question in enumerate(questions)
            )
            pages = (caller_source.page,) if caller_source.page else ()
            yield AnswerPassage(
                Source(caller_source.filename or "Source", "", "", pages, text=caller_source.text), None, None, evidence
            )

    def _load_chunks(
        self, caller_source: CallerSource, document: Document, request: QuestionRequest, questions: Sequence[str]
    ) -> list[Chunk]:
        if caller_source.chunk_index is not None:
            return [require_chunk(self.search.catalog, document, caller_source.chunk_index)]
        chunks = (
            chunk for question in questions for chunk in self.search.find_best_chunks(question, document, request.limit)
        )
        return list({chunk.index: chunk for chunk in chunks}.values())
