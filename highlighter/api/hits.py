"""Hits as they are sent: over HTTP, and by the command line as JSON."""

from __future__ import annotations

from highlighter.api.schemas import HighlightAnswer, HitOut, SearchAnswer, SentenceOut
from highlighter.evidence.explaining import explain
from highlighter.models import Chunk, Evidence, Found, Hit
from highlighter.viewer.links import Links
from highlighter.viewer.results import best_span


def as_answer(question: str, found: Found, links: Links) -> SearchAnswer:
    return SearchAnswer(hits=[_hit(question, hit, links) for hit in found.hits], degraded=found.degraded or None)


def as_highlights(
    evidence: Evidence, explained: bool = False, chunk: Chunk | None = None, links: Links | None = None
) -> HighlightAnswer:
    """With the chunk, where it can be seen lit."""
    reasons = explain(evidence) if explained else [None] * len(evidence.sentences)
    pairs = zip(evidence.sentences, reasons, strict=True)
    return HighlightAnswer(
        sentences=[SentenceOut.of(*pair) for pair in pairs],
        threshold=evidence.threshold,
        method=evidence.method,
        degraded=evidence.degraded or None,
        links=_links_of_highlights(evidence, chunk, links) if chunk and links else {},
    )


def _links_of_highlights(evidence: Evidence, chunk: Chunk, links: Links) -> dict[str, str]:
    highlighted = any(one.highlighted for one in evidence.sentences)
    view = links.chunk(chunk, evidence.question, "page", highlighted=highlighted)
    return {"self": view, **_chunk_links(evidence.question, chunk, links)}


def _chunk_links(question: str, chunk: Chunk, links: Links, cited: str = "") -> dict[str, str]:
    return {
        "highlight": links.highlight(chunk, question, cited=cited), "chunk_pdf": links.chunk_pdf(chunk), "document": links.document(chunk.document_id),
    }  # fmt: skip


def _hit(question: str, hit: Hit, links: Links) -> HitOut:
    document, chunk, cited = hit.document, hit.chunk, best_span(hit)
    pages = list(range(chunk.first_page, chunk.last_page + 1))
    return HitOut(
        score=round(hit.score, 4), document_id=document.id, name=document.name, collection=document.collection,
        kind=document.kind, doc_url=hit.doc_url or None, chunk_index=chunk.index, start=chunk.start, end=chunk.end,
        text=chunk.text, section=chunk.section, pages=pages,
        page_labels=[document.labels[page - 1] for page in pages if page <= len(document.labels)],
        sentences=[SentenceOut.of(one) for one in hit.sentences],
        links={
            "self": links.chunk(chunk, question, "page", 0 if cited else _page(hit), cited=cited),
            **_chunk_links(question, chunk, links, cited),
            "original": links.original(document.id, _page(hit) if document.kind == "pdf" else 0),
            "pdf": links.pdf(document.id, _page(hit)),
        },
    )  # fmt: skip


def _page(hit: Hit) -> int:
    """Where the best sentence begins."""
    return hit.sentences[0].sentence.page or hit.chunk.first_page
