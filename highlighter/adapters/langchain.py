"""The adapter for LangChain: a retriever with highlighted sentences and links, and links for the markers of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field, field_validator

from highlighter.adapters import require_package
from highlighter.adapters.highlights import describe_hit
from highlighter.adapters.library import Library, convert_to_library
from highlighter.models import ResolvedReference, Source
from highlighter.references.resolver import resolve_references
from highlighter.schemas.search import HitOut
from highlighter.search import DEFAULT_HITS, MIN_SCORE

with require_package("langchain-core"):
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever


class HighlighterRetriever(BaseRetriever):
    """A retriever of the chunks that answer a question. `library` is a Highlighter or a highlighter.client.Client.

    >>> retriever = HighlighterRetriever(library=Client("http://127.0.0.1:8000"), limit=4)    # doctest: +SKIP
    >>> retriever.invoke("Who pays for delay?")[0].metadata["lit"]                            # doctest: +SKIP
    """

    library: Any
    limit: int = DEFAULT_HITS
    collection: str = ""
    where: dict[str, Any] = Field(default_factory=dict)
    min_score: float = MIN_SCORE

    @field_validator("library")
    @classmethod
    def _convert_library(cls, library: Any) -> Library:
        return convert_to_library(library)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        results = self.library.search(
            query, limit=self.limit, collection=self.collection, where=self.where, min_score=self.min_score
        )
        return [_build_document(hit, self.library) for hit in results.hits]


@dataclass(frozen=True, slots=True)
class LinkedCitation:
    """A marker of an answer, where `answer[start:end] == label`. Without a document it is unresolved, and `why` says why."""

    label: str
    start: int  # code points
    end: int
    document: Document | None
    page: int | None = None
    tier: str = ""  # of the match between the marker and the document
    links: dict[str, str] | None = None
    why: str = ""


def citation_links(answer: str, documents: Sequence[Document]) -> list[LinkedCitation]:
    """Resolve the markers of an answer ("[1]", "[contract.pdf, p.3]" ...) to documents, in the order of the text.

    The documents are in the order in which the model got them. A marker that means none of them, or several, gets no link.
    """
    resolution = resolve_references(answer, [_build_source(document) for document in documents])
    resolved = [_link_citation(reference, documents[reference.source]) for reference in resolution.citations]
    unresolved = [
        LinkedCitation(marker.label, marker.start, marker.end, None, why=marker.why) for marker in resolution.unresolved
    ]
    return sorted([*resolved, *unresolved], key=lambda citation: (citation.start, citation.end))


def _build_document(hit: HitOut, library: Library) -> Document:
    return Document(
        id=f"{hit.document_id}/{hit.chunk_index}",
        page_content=hit.text,
        metadata=describe_hit(hit, library),
    )


def _build_source(document: Document) -> Source:
    """Return a document as a source. Documents of other retrievers need a `source` in their metadata, and have no links."""
    metadata = document.metadata
    pages = metadata.get("pages") or ([metadata["page"]] if metadata.get("page") else [])
    return Source(
        filename=str(metadata.get("source") or document.id or ""),
        label="",
        document_id=str(metadata.get("document_id") or ""),
        pages=tuple(pages),
        chunk_index=metadata.get("chunk_index"),
    )


def _link_citation(reference: ResolvedReference, document: Document) -> LinkedCitation:
    return LinkedCitation(
        label=reference.label,
        start=reference.start,
        end=reference.end,
        document=document,
        page=reference.page or document.metadata.get("page"),
        tier=reference.tier,
        links=document.metadata.get("links") or {},
    )
