"""The serialization of hits and highlights: for HTTP, and for the JSON of the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from highlighter.cpu_budget import check_cpu
from highlighter.evidence.explanations import Explanation, explain_evidence
from highlighter.models import Chunk, CitedCell, Document, Evidence, ScoredSentence, SearchHit, SearchOutcome
from highlighter.schemas.search import HighlightMethod, HighlightResponse, HitOut, SearchResponse, SentenceOut
from highlighter.serializers.recognition import describe_recognition
from highlighter.store.word_confidences import WordConfidences
from highlighter.text.document_tables import DocumentTables
from highlighter.urls import Links, format_best_span


def serialize_search_results(
    question: str,
    results: SearchOutcome,
    links: Links,
    load_confidences: Callable[[Document], WordConfidences],
) -> SearchResponse:
    """Return the hits of a search; `load_confidences` returns the recognised words of a document."""
    documents = {hit.document.id: hit.document for hit in results.hits}
    confidences = {id: load_confidences(document) for id, document in documents.items()}
    return SearchResponse(
        hits=[_serialize_hit(question, hit, links, confidences[hit.document.id]) for hit in results.hits],
        degraded=results.degraded or None,
    )


def serialize_highlights(
    evidence: Evidence,
    with_reasons: bool = False,
    chunk: Chunk | None = None,
    links: Links | None = None,
    tables: DocumentTables = DocumentTables(),
    confidences: WordConfidences = WordConfidences(),
) -> HighlightResponse:
    """Return the sentences of evidence; with `chunk` and `links`, also links to the highlighted chunk.

    With `tables`, highlighted sentences in tables name their cells. With `confidences`, sentences that were recognised
    have the confidence and their doubtful words.
    """
    reasons = explain_evidence(evidence) if with_reasons else [None] * len(evidence.sentences)
    pairs = zip(evidence.sentences, reasons, strict=True)
    return HighlightResponse(
        sentences=[_serialize_sentence(scored, reason, tables, confidences) for scored, reason in pairs],
        threshold=evidence.threshold,
        method=cast(HighlightMethod, evidence.method),
        degraded=evidence.degraded or None,
        links=_build_highlight_links(evidence, chunk, links) if chunk and links else {},
    )


def _serialize_sentence(
    scored: ScoredSentence,
    reason: Explanation | None = None,
    tables: DocumentTables = DocumentTables(),
    confidences: WordConfidences = WordConfidences(),
) -> SentenceOut:
    check_cpu()  # a text may have thousands of sentences, and each is asked for its language
    recognition = describe_recognition(confidences, scored.sentence.start, scored.sentence.end)
    return SentenceOut.from_scored(scored, reason, _find_cells(scored, tables), recognition)


def _find_cells(scored: ScoredSentence, tables: DocumentTables) -> tuple[CitedCell, ...]:
    return tables.find_cited_cells(scored.sentence.start, scored.sentence.end) if scored.highlighted else ()


def _build_highlight_links(evidence: Evidence, chunk: Chunk, links: Links) -> dict[str, str]:
    highlighted = any(scored.highlighted for scored in evidence.sentences)
    view = links.chunk(chunk, evidence.question, "page", highlighted=highlighted)
    return {"self": view, **_build_chunk_links(evidence.question, chunk, links)}


def _build_chunk_links(question: str, chunk: Chunk, links: Links, cited: str = "") -> dict[str, str]:
    return {
        "highlight": links.highlight(chunk, question, cited=cited), "chunk_pdf": links.chunk_pdf(chunk), "document": links.document(chunk.document_id),
    }  # fmt: skip


def _serialize_hit(question: str, hit: SearchHit, links: Links, confidences: WordConfidences) -> HitOut:
    document, chunk, cited = hit.document, hit.chunk, format_best_span(hit)
    pages = list(range(chunk.first_page, chunk.last_page + 1))
    return HitOut(
        score=round(hit.score, 4), document_id=document.id, name=document.name, collection=document.collection,
        kind=document.kind, doc_url=hit.doc_url or None, chunk_index=chunk.index, start=chunk.start, end=chunk.end,
        text=chunk.text, section=chunk.section, pages=pages,
        page_labels=[document.labels[page - 1] for page in pages if page <= len(document.labels)],
        sentences=[_serialize_sentence(scored, confidences=confidences) for scored in hit.sentences],
        links={
            "self": links.chunk(chunk, question, "page", 0 if cited else _get_best_page(hit), cited=cited),
            **_build_chunk_links(question, chunk, links, cited),
            "original": links.original(document.id, _get_best_page(hit) if document.kind == "pdf" else 0),
            "pdf": links.pdf(document.id, _get_best_page(hit)),
        },
    )  # fmt: skip


def _get_best_page(hit: SearchHit) -> int:
    """Return the page on which the best sentence of a hit begins."""
    return hit.sentences[0].sentence.page or hit.chunk.first_page
