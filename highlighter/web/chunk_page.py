"""The page of one chunk: its text or its physical pages, with the highlights in it and the reasons for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from flask import g, render_template, request

from highlighter.errors import AlteredContent
from highlighter.evidence.explanations import Explanation, explain_evidence
from highlighter.models import Chunk, Document, Evidence
from highlighter.pages.page_images import DEFAULT_WIDTH_PIXELS, IMAGE_WIDTHS_PIXELS
from highlighter.store import lookup
from highlighter.store.lookup import require_page
from highlighter.store.word_confidences import WordConfidences
from highlighter.urls import FOUND_SPAN_PARAMETER, SPAN_PARAMETER, LinkTarget
from highlighter.web import highlighted_text, link_targets, request_context, request_parameters
from highlighter.web.application import current_services
from highlighter.web.excerpts import format_page_range, make_preview_text
from highlighter.web.highlighted_text import HighlightMark, HighlightSpan
from highlighter.web.link_targets import FindResults, QuoteTarget
from highlighter.web.page_overlays import OverlaidPages, OverlayRequest, build_overlaid_pages, get_differing_page_label
from highlighter.web.quote_export import build_highlight_exports
from highlighter.web.request_parameters import parse_count_or_zero, read_tint
from highlighter.web.shown_figures import list_shown_figures
from highlighter.web.text_language import find_differing_language, name_unread_language

# The parameters that name a quote or a find; a reader who turns from the text to the pages keeps them.
TARGET_PARAMETERS = ("at", "v", "quote", "find", "by", "hit", "q", "method", "cited")
PAGE_VIEW, TEXT_VIEW = "page", "text"


@dataclass(frozen=True, slots=True)
class ReachableContent:
    """What a reader can open from the chunk that is shown."""

    includes_neighbours: bool = True  # the chunks and pages before and after it
    includes_newer_version: bool = True  # another document: the version that superseded this one


@dataclass(frozen=True, slots=True)
class ChunkPageOptions:
    """The question that a chunk is shown for, and how it is shown."""

    question: str = ""
    method: str = ""
    view: str = ""  # PAGE_VIEW; anything else is the text
    is_bare: bool = False  # without the header and forms of the site, for a frame
    parameters: Mapping[str, str] | None = None  # in place of the request's own, where a signed link holds them
    reachable: ReachableContent = ReachableContent()


@dataclass(frozen=True, slots=True)
class ChunkHighlights:
    """The highlights of a chunk, and the evidence that they come from."""

    evidence: Evidence
    spans: list[HighlightSpan]
    pages: list[int]  # the page on which each span begins
    cited: tuple[tuple[int, int], ...] = ()  # the spans that an answer cites
    is_cited_span_added: bool = False  # they would not be highlighted as evidence alone


@dataclass(frozen=True, slots=True)
class ChunkView:
    """Everything that the page of one chunk shows."""

    document: Document
    chunk: Chunk
    options: ChunkPageOptions
    parameters: Mapping[str, str]
    question: str  # empty where a quote is shown instead of evidence
    is_model_loading: bool  # so that there are no highlights yet
    finds: FindResults | None
    quote: QuoteTarget | None
    highlights: ChunkHighlights
    confidences: WordConfidences  # of recognised words

    @property
    def is_page_view(self) -> bool:
        return self.options.view == PAGE_VIEW


def render_chunk_page(document: Document, chunk: Chunk, options: ChunkPageOptions) -> str:
    """Return the HTML of a chunk with its highlights, as text or on its pages."""
    document = lookup.read_document_at_pipeline(request_context.get_catalog().engine, document, chunk.pipeline)
    view = _build_chunk_view(document, chunk, options)
    content = _build_page_view_variables(view) if view.is_page_view else _build_text_view_variables(view)
    variables = {
        **content,
        **_build_view_variables(view),
        **_build_highlight_variables(view),
        **_build_recognition_variables(view),
        **_build_export_variables(view),
        **_build_version_variables(view),
        **_build_neighbour_variables(view),
    }
    return render_template("page_view.html" if view.is_page_view else "text_view.html", **variables)


def _build_chunk_view(document: Document, chunk: Chunk, options: ChunkPageOptions) -> ChunkView:
    parameters = request.args if options.parameters is None else options.parameters
    services, links = current_services(), request_context.get_links()
    finds = link_targets.load_find_results(services, document, chunk, parameters, links)
    quote = None if finds else link_targets.resolve_quote_target(services, document, chunk, parameters, links)
    question = "" if quote else options.question
    is_loading = bool(question) and not options.is_bare and request_parameters.is_model_loading()
    evidence = _find_evidence(chunk, "" if is_loading else question, options.method)
    highlights = _build_highlights(chunk, evidence, quote, parameters)
    confidences = services.catalog.word_confidences(document)
    return ChunkView(document, chunk, options, parameters, question, is_loading, finds, quote, highlights, confidences)


def _find_evidence(chunk: Chunk, question: str, method: str) -> Evidence:
    """Return the sentences of a chunk, scored where there is a question."""
    services = current_services()
    if question:
        return services.passage_highlighter.highlight_chunk(question, chunk, method)
    sentences, _ = services.catalog.sentences(chunk, services.embedder.name)
    return services.passage_highlighter.build_plain_evidence(sentences)


def _build_highlights(
    chunk: Chunk, evidence: Evidence, quote: QuoteTarget | None, parameters: Mapping[str, str]
) -> ChunkHighlights:
    cited = link_targets.parse_spans(parameters, "cited") if evidence.question else ()
    shown = highlighted_text.highlight_cited_sentences(evidence, cited) if cited else evidence
    spans = list(quote.marks) if quote else highlighted_text.build_highlight_spans(shown, cited)
    spans = [(start, end, _add_language(mark, chunk, start, end)) for start, end, mark in spans]
    pages = [_find_page_of_offset(start, chunk, shown) for start, _, _ in spans]
    return ChunkHighlights(shown, spans, pages, cited, is_cited_span_added=shown != evidence)


def _add_language(mark: HighlightMark, chunk: Chunk, start: int, end: int) -> HighlightMark:
    """Return a mark with the language of its sentence, where that is not the chunk's."""
    sentence = chunk.text[max(start - chunk.start, 0) : end - chunk.start]
    return replace(mark, language=find_differing_language(sentence, chunk.text))


def _find_page_of_offset(offset: int, chunk: Chunk, evidence: Evidence) -> int:
    """Return the page of the last sentence that begins at an offset or before it."""
    before = [scored.sentence for scored in evidence.sentences if scored.sentence.start <= offset]
    return (before[-1].page if before else 0) or chunk.first_page


# Template variables. Their names are those of templates/viewer.html, text_view.html and page_view.html.


def _build_view_variables(view: ChunkView) -> dict[str, Any]:
    has_target = view.finds or view.quote
    keeps_parameters = view.options.parameters is None
    return {
        "document": view.document,
        "chunk": view.chunk,
        "question": view.question,
        "method": view.options.method,
        "find_results": view.finds,
        "quote_target": view.quote,
        "target_query": _encode_target_query(view.parameters) if has_target and keeps_parameters else "",
        "is_model_loading": view.is_model_loading,
        "bare": view.options.is_bare,
        "tint": read_tint(view.parameters),
        "view": PAGE_VIEW if view.is_page_view else TEXT_VIEW,
        "page_name": format_page_range(view.document, view.chunk.first_page, view.chunk.last_page),
    }


def _build_highlight_variables(view: ChunkView) -> dict[str, Any]:
    highlights, links = view.highlights, request_context.get_links()
    return {
        "cited": view.parameters["cited"] if highlights.cited else "",
        "evidence": highlights.evidence,
        "highlights": [mark for _, _, mark in highlights.spans],
        "preview_text": make_preview_text(view.chunk, highlights.spans),
        "sentence_language": _name_sentence_language(view),
        "reasons": _explain_highlights(highlights.evidence),
        "highlight_pages": highlights.pages,
        "pdf_pages": [links.pdf_page(view.chunk, page) for page in highlights.pages],
        "pdf_target": _find_pdf_target(view),
    }


def _name_sentence_language(view: ChunkView) -> str:
    """Return the name of the language of the highlighted sentence that the page opens at, where it differs."""
    marks = [mark for _, _, mark in view.highlights.spans]
    opened = next((mark for mark in marks if mark.is_current), marks[0] if marks else None)
    return name_unread_language(opened.language, view.question) if opened and opened.language else ""


def _build_recognition_variables(view: ChunkView) -> dict[str, Any]:
    """Return how reliably the chunk and its highlighted sentences were recognised; None where they were not."""
    chunk, confidences = view.chunk, view.confidences
    of_highlights = [confidences.mean(start, end) for start, end, _ in view.highlights.spans]
    return {
        "recognition_confidence": confidences.mean(chunk.start, chunk.end),
        "lowest_highlight_confidence": min((mean for mean in of_highlights if mean is not None), default=None),
        "has_doubtful_words": bool(confidences.doubtful_spans(chunk.start, chunk.end)),
    }


def _build_export_variables(view: ChunkView) -> dict[str, Any]:
    """Return the quotes that a reader can copy, and what the page around a frame is told of each."""
    exports = build_highlight_exports(
        view.document, view.chunk, view.highlights.spans, view.highlights.pages, request_context.build_absolute_links()
    )
    selected = [
        {"page": page, "text": " ".join(export.text.split())}
        for export, page in zip(exports, view.highlights.pages, strict=True)
    ]
    return {"highlight_exports": exports, "selected": selected}


def _build_version_variables(view: ChunkView) -> dict[str, Any]:
    services = current_services()
    newer = services.catalog.superseding_document(view.document)
    outcomes = []
    if newer and view.options.reachable.includes_newer_version:
        spans = [(start, end) for start, end, _ in view.highlights.spans]
        outcomes = link_targets.compare_with_newer_version(services, view.document, spans)
    return {"newer_version": newer, "version_comparisons": outcomes}


def _build_neighbour_variables(view: ChunkView) -> dict[str, Any]:
    if not view.options.reachable.includes_neighbours:
        return {"previous": None, "next": None}
    catalog, chunk = request_context.get_catalog(), view.chunk
    return {
        "previous": catalog.chunk(view.document, chunk.index - 1, chunk.pipeline) if chunk.index else None,
        "next": catalog.chunk(view.document, chunk.index + 1, chunk.pipeline),
    }


def _build_text_view_variables(view: ChunkView) -> dict[str, Any]:
    finds = view.finds.spans_in_chunk(view.chunk) if view.finds else ()
    highlights = view.highlights
    doubtful = highlighted_text.build_doubtful_spans(view.chunk, view.confidences)
    tables = current_services().catalog.tables(view.document, view.chunk)
    if not view.options.reachable.includes_neighbours:  # the header of a table that the chunk cuts is another chunk's
        tables = tables.clip(view.chunk.start)
    figures = list_shown_figures(current_services().page_renderer, view.document, view.chunk)
    blocks = highlighted_text.build_text_blocks(
        view.chunk, highlights.evidence, highlights.spans, finds, doubtful, tables, figures
    )
    return {"blocks": blocks}


def _build_page_view_variables(view: ChunkView) -> dict[str, Any]:
    pages = _build_checked_pages(view)
    if pages.problem:
        g.is_uncacheable = True  # the problem may be over at the next request: the page is not cached
    first, last = 1, len(pages.page_sizes)
    if not view.options.reachable.includes_neighbours:
        first, last = view.chunk.first_page, view.chunk.last_page
        pages = replace(pages, pages=tuple(page for page in pages.pages if first <= page.number <= last))
    return {
        "page_overlays": pages,
        "first_page": first,
        "last_page": last,
        "page_sizes": _count_equal_sizes(pages.page_sizes[first - 1 : last]),
        "page_labels": _list_differing_labels(view.document, first, last),
        "default_width": DEFAULT_WIDTH_PIXELS,
        "widths": IMAGE_WIDTHS_PIXELS,
    }


def _count_equal_sizes(sizes: Sequence[tuple[float, float]]) -> list[tuple[int, float, float]]:
    """Return (count, width, height) of each run of pages of the same size: a book has few."""
    return [(len(list(run)), *size) for size, run in groupby(sizes)]


def _list_differing_labels(document: Document, first: int, last: int) -> list[str]:
    """Return what is printed on each page as its number, "" where that is its number; nothing if it is so on all pages."""
    labels = [get_differing_page_label(document, number) for number in range(first, last + 1)]
    return labels if any(labels) else []


def _build_checked_pages(view: ChunkView) -> OverlaidPages:
    """Return the pages of a document with what is highlighted and found on them."""
    document, renderer = view.document, current_services().page_renderer
    requested_page = parse_count_or_zero(view.parameters.get("page", ""))
    if requested_page:
        require_page(document, requested_page)
    pages = build_overlaid_pages(renderer, _build_overlay_request(view, requested_page))
    try:
        renderer.check_pages(document)
    except AlteredContent as err:  # its page images are refused, so the page says why even where nothing is highlighted
        return replace(pages, problem=err.detail)
    return pages


def _build_overlay_request(view: ChunkView, requested_page: int) -> OverlayRequest:
    finds, highlights = view.finds, view.highlights
    found_page = finds.current_match.page if finds and finds.current_match else 0
    return OverlayRequest(
        view.document,
        view.chunk,
        page_facts=request_context.get_catalog().facts(view.document)["pages"],
        highlights=highlights.spans,
        finds=finds.spans_near_page(found_page or view.chunk.first_page) if finds else (),
        instructions=highlighted_text.build_instruction_spans(highlights.evidence),
        doubtful=highlighted_text.build_doubtful_spans(view.chunk, view.confidences),
        requested_page=requested_page,
        opening_page=found_page or (highlights.pages[0] if highlights.pages else 0),
    )


def _encode_target_query(parameters: Mapping[str, str]) -> str:
    return urlencode({name: parameters[name] for name in TARGET_PARAMETERS if parameters.get(name)})


def _find_pdf_target(view: ChunkView) -> dict[str, Any]:
    """Return the spans that the link to the PDF names besides the question, and the page where the PDF opens."""
    highlights = view.highlights
    found = (view.finds.span,) if view.finds and view.finds.span else ()
    for parameter, spans in (
        (FOUND_SPAN_PARAMETER, found),
        (SPAN_PARAMETER, view.quote.spans if view.quote else ()),
        (SPAN_PARAMETER, highlights.cited if highlights.is_cited_span_added else ()),
    ):
        if spans:
            page = current_services().page_renderer.page_at(view.document, spans[0][0])
            return {"target": LinkTarget(parameter, spans), "page": page}
    return {"target": None, "page": 0}


def _explain_highlights(evidence: Evidence) -> list[Explanation]:
    """Return the explanations of the highlighted sentences, in reading order."""
    if not any(scored.highlighted for scored in evidence.sentences) or evidence.degraded:
        return []
    pairs = zip(evidence.sentences, explain_evidence(evidence), strict=True)
    return [explanation for scored, explanation in pairs if scored.highlighted]
