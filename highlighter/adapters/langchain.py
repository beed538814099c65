"""LangChain: a retriever whose documents know their lit sentences and links, and an answer's marks turned into links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field, field_validator

from highlighter.adapters import require_package
from highlighter.adapters.library import Library, convert_to_library, make_links_absolute
from highlighter.models import ResolvedReference, Source
from highlighter.references.resolver import resolve_references
from highlighter.schemas.search import HitOut
from highlighter.search import DEFAULT_HITS, MIN_SCORE

with require_package("langchain-core"):
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever


class HighlighterRetriever(BaseRetriever):
    """The passages that answer. `library`: a Highlighter, or a highlighter.client.Client.

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
    def _convert_library(cls, given: Any) -> Library:
        return convert_to_library(given)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        how = {"limit": self.limit, "collection": self.collection, "where": self.where, "min_score": self.min_score}
        return [_build_document(hit, self.library) for hit in self.library.search(query, **how).hits]


@dataclass(frozen=True, slots=True)
class LinkedCitation:
    """A mark of an answer: `answer[start:end] == label`. Without a document nobody knows what it means, and `why` says so."""

    label: str
    start: int  # code points
    end: int
    document: Document | None
    page: int | None = None
    tier: str = ""  # how surely
    links: dict[str, str] | None = None
    why: str = ""


def citation_links(answer: str, documents: Sequence[Document]) -> list[LinkedCitation]:
    """What the marks of an answer ("[1]", "[contract.pdf, p.3]" ...) mean among the documents that its writer was shown, in
    that order; in the order of the text. A mark that means none of them, or not one alone, gets no link."""
    found = resolve_references(answer, [_build_source(one) for one in documents])
    linked = [_link_citation(one, documents[one.source]) for one in found.citations]
    unknown = [LinkedCitation(one.label, one.start, one.end, None, why=one.why) for one in found.unresolved]
    return sorted([*linked, *unknown], key=lambda one: (one.start, one.end))


def _build_document(hit: HitOut, library: Library) -> Document:
    lit = [one for one in hit.sentences if one.highlighted]
    return Document(
        id=f"{hit.document_id}/{hit.chunk_index}",
        page_content=hit.text,
        metadata={
            "source": hit.name, "document_id": hit.document_id, "chunk_index": hit.chunk_index,
            "page": hit.sentences[0].page or hit.pages[0], "pages": hit.pages, "section": hit.section,
            "collection": hit.collection, "score": hit.score, "start": hit.start,
            "lit": [{"text": one.text, "page": one.page, "start": one.start, "end": one.end} for one in lit],
            "links": make_links_absolute(hit.links, library),
        },
    )  # fmt: skip


def _build_source(document: Document) -> Source:
    """A document of another retriever will do, if it says where it is from; only ours have links."""
    told = document.metadata
    pages = told.get("pages") or ([told["page"]] if told.get("page") else [])
    name = str(told.get("source") or document.id or "")
    return Source(name, "", str(told.get("document_id") or ""), tuple(pages), chunk_index=told.get("chunk_index"))


def _link_citation(one: ResolvedReference, document: Document) -> LinkedCitation:
    page = one.page or document.metadata.get("page")
    return LinkedCitation(one.label, one.start, one.end, document, page, one.tier, document.metadata.get("links") or {})
