"""The adapter for Haystack: a retriever of the library, and a component that highlights documents of any other retriever."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from highlighter.adapters import require_package
from highlighter.adapters.highlights import SentenceHighlighter, describe_hit
from highlighter.adapters.library import convert_to_library
from highlighter.search import DEFAULT_HITS, MIN_SCORE

with require_package("haystack-ai", "haystack"):
    from haystack import Document, component


@component
class LibraryRetriever:
    """A retriever of the chunks that answer a question. `library` is a Highlighter or a highlighter.client.Client.

    >>> retriever = LibraryRetriever(library=Client("http://127.0.0.1:8000"), top_k=4)    # doctest: +SKIP
    >>> retriever.run("Who pays for delay?")["documents"][0].meta["lit"]                      # doctest: +SKIP
    """

    def __init__(
        self,
        library: Any,
        top_k: int = DEFAULT_HITS,
        collection: str = "",
        filters: dict[str, Any] | None = None,
        min_score: float = MIN_SCORE,
    ):
        """Create a retriever. `filters` are values by key of the metadata, or lists of which any matches: not Haystack's own."""
        self.library = convert_to_library(library)
        self.top_k, self.collection, self.filters, self.min_score = top_k, collection, filters, min_score

    @component.output_types(documents=list[Document])
    def run(
        self, query: str, top_k: int | None = None, filters: dict[str, Any] | None = None
    ) -> dict[str, list[Document]]:
        """Return the documents, best first. `top_k` and `filters` take the place of the retriever's own."""
        results = self.library.search(
            query,
            limit=self.top_k if top_k is None else top_k,
            collection=self.collection,
            where=self.filters if filters is None else filters,
            min_score=self.min_score,
        )
        return {
            "documents": [
                Document(
                    id=f"{hit.document_id}/{hit.chunk_index}",
                    content=hit.text,
                    score=hit.score,
                    meta=describe_hit(hit, self.library),
                )
                for hit in results.hits
            ]
        }


@component
class DocumentHighlighter:
    """A component that adds `lit` and `links` to the meta of each document, as the post-processor for LlamaIndex does.

    >>> DocumentHighlighter(library=Client("http://127.0.0.1:8000"), drop=True)               # doctest: +SKIP
    """

    def __init__(self, library: Any, drop: bool = False):
        """Create a component. `drop` leaves out documents without evidence."""
        self._highlighter = SentenceHighlighter(convert_to_library(library))
        self.drop = drop

    @component.output_types(documents=list[Document])
    def run(self, query: str, documents: list[Document]) -> dict[str, list[Document]]:
        """Return copies of the documents, in their order."""
        highlighted = [self._highlight(query, document) for document in documents]
        return {"documents": [document for document in highlighted if document.meta["lit"] or not self.drop]}

    def _highlight(self, query: str, document: Document) -> Document:
        document_id = str(document.meta.get("document_id") or "")
        sentences, links = self._highlighter.highlight(query, document.content or "", document_id)
        return replace(document, meta={**document.meta, "lit": sentences, "links": links})
