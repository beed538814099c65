"""One part of a document as it is read: its text or its pages, with what is lit in it and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from flask import g, render_template, request

from highlighter.errors import AlteredContent
from highlighter.evidence.explanations import Explanation, explain_evidence
from highlighter.models import Chunk, Document, Evidence
from highlighter.pages.page_images import DEFAULT_WIDTH_PIXELS, IMAGE_WIDTHS_PIXELS
from highlighter.store import lookup
from highlighter.store.lookup import require_page
from highlighter.urls import FOUND_SPAN_PARAMETER, SPAN_PARAMETER, LinkTarget
from highlighter.web import highlighted_text, link_targets, request_context, request_parameters
from highlighter.web.application import current_services
from highlighter.web.excerpts import format_page_range, make_preview_text
from highlighter.web.page_overlays import build_overlaid_pages
from highlighter.web.quote_export import build_highlight_exports
from highlighter.web.request_parameters import parse_count_or_zero

# What says which span somebody looks for; kept when they turn from the text to the page.
TARGET_PARAMETERS = ("at", "v", "quote", "find", "by", "hit", "q", "method", "cited")


@dataclass(frozen=True, slots=True)
class ReachableContent:
    """How far a reader comes from the part that is shown."""

    includes_neighbours: bool = True  # to the parts and pages before and after it
    includes_newer_version: bool = True  # to what other documents say: the version that took this one's place


def render_chunk_page(
    document: Document,
    chunk: Chunk,
    question: str,
    method: str = "",
    bare: bool = False,
    view: str = "",
    parameters: Mapping[str, str] | None = None,
    reachable: ReachableContent = ReachableContent(),
    **template_variables: Any,
):
    """A chunk's evidence in its text or on its pages, with the site around it or without.

    `asked` says what is looked for, where the address does not; `told` is what else the template is told.
    """
    services = current_services()
    document = lookup.read_document_at_pipeline(request_context.get_catalog().engine, document, chunk.pipeline)
    kept_apart, parameters = parameters is not None, request.args if parameters is None else parameters
    looking = services, document, chunk, parameters, request_context.get_links()
    finds = link_targets.load_find_results(*looking)
    quoted = None if finds else link_targets.resolve_quote_target(*looking)
    question = "" if quoted else question
    warming = bool(question) and not bare and request_parameters.is_model_loading()
    if question and not warming:
        evidence = services.passage_highlighter.highlight_chunk(question, chunk, method)
    else:
        sentences, _ = services.catalog.sentences(chunk, services.embedder.name)
        evidence = services.passage_highlighter.build_plain_evidence(sentences)
    cited = link_targets.parse_span(parameters, "cited") if evidence.question else None
    besides = False  # what is cited is no evidence by itself
    if cited:
        by_itself, evidence = evidence, highlighted_text.highlight_cited_sentences(evidence, cited)
        besides = evidence != by_itself
    lit = list(quoted.marks) if quoted else highlighted_text.build_highlight_spans(evidence, cited or (0, 0))
    lit_pages = [_find_page_of_offset(start, chunk, evidence) for start, _, _ in lit]
    taken = build_highlight_exports(document, chunk, lit, lit_pages, request_context.build_absolute_links())
    newer = services.catalog.superseding_document(document)
    if view == "page":
        template, shown = (
            "paper.html",
            _build_page_view_variables(document, chunk, lit, lit_pages, finds, parameters, reachable),
        )
    else:
        hits = finds.spans_in_chunk(chunk) if finds else ()
        template, shown = "chunk.html", {"blocks": highlighted_text.build_text_blocks(chunk, evidence, lit, hits)}
    return render_template(
        template,
        **shown,
        document=document,
        newer=newer,
        laters=link_targets.compare_with_newer_version(services, document, [(start, end) for start, end, _ in lit])
        if newer and reachable.includes_newer_version
        else [],
        finds=finds,
        quoted=quoted,
        chunk=chunk,
        question=question,
        method=method,
        cited=parameters["cited"] if cited else "",
        evidence=evidence,
        lit=[mark for _, _, mark in lit],
        in_short=make_preview_text(chunk, lit),
        reasons=_explain_highlights(evidence),
        lit_pages=lit_pages,
        pdf_pages=[request_context.get_links().pdf_page(chunk, page) for page in lit_pages],
        takings=taken,
        selected=[_describe_selection(one.text, page) for one, page in zip(taken, lit_pages, strict=True)],
        in_pdf=_find_pdf_target(document, finds, quoted, cited if besides else None),
        same_place=_encode_target_query(parameters) if (finds or quoted) and not kept_apart else "",
        warming=warming,
        bare=bare,
        view="page" if view == "page" else "text",
        page_name=format_page_range(document, chunk.first_page, chunk.last_page),
        previous=services.catalog.chunk(document, chunk.index - 1, chunk.pipeline)
        if chunk.index and reachable.includes_neighbours
        else None,
        next=services.catalog.chunk(document, chunk.index + 1, chunk.pipeline)
        if reachable.includes_neighbours
        else None,
        **template_variables,
    )


def _build_page_view_variables(
    document: Document,
    chunk: Chunk,
    highlights: list[highlighted_text.HighlightSpan],
    lit_pages: list[int],
    finds: link_targets.FindResults | None,
    parameters: Mapping,
    reachable: ReachableContent,
) -> dict:
    page = parse_count_or_zero(parameters.get("page", ""))
    if page:
        require_page(document, page)
    facts = request_context.get_catalog().facts(document)["pages"]
    found_page = finds.shown.page if finds and finds.shown else 0
    hits = finds.spans_near_page(found_page or chunk.first_page) if finds else ()
    opening_page = found_page or (lit_pages[0] if lit_pages else 0)
    made = build_overlaid_pages(
        document, facts, chunk, highlights, current_services().page_renderer, page, hits, opening_page
    )
    try:
        current_services().page_renderer.check_pages(document)
    except AlteredContent as err:  # their pictures are refused; said here even where nothing is highlighted
        made = replace(made, problem=err.detail)
    if made.problem:
        g.passing = True  # perhaps: not to be remembered
    if not reachable.includes_neighbours:
        made = replace(made, leaves=made.leaves[chunk.first_page - 1 : chunk.last_page])
    return {"paper": made, "usual_width": DEFAULT_WIDTH_PIXELS, "widths": IMAGE_WIDTHS_PIXELS}


def _encode_target_query(parameters: Mapping[str, str]) -> str:
    return urlencode({key: parameters[key] for key in TARGET_PARAMETERS if parameters.get(key)})


def _describe_selection(text: str, page: int) -> dict[str, str | int]:
    """Of a lit sentence, for the page around a frame."""
    return {"page": page, "text": " ".join(text.split())}


def _find_pdf_target(
    document: Document,
    finds: link_targets.FindResults | None,
    quoted: link_targets.QuoteTarget | None,
    cited: tuple[int, int] | None,
) -> dict:
    """What is looked for, for the address of the PDF, and the page that it opens at."""
    for name, span in (
        (FOUND_SPAN_PARAMETER, finds and finds.span),
        (SPAN_PARAMETER, quoted and quoted.span),
        (SPAN_PARAMETER, cited),
    ):
        if span:
            page = current_services().page_renderer.page_at(document, span[0])
            return {"sought": LinkTarget(name, *span), "page": page}
    return {"sought": None, "page": 0}


def _find_page_of_offset(start: int, chunk: Chunk, evidence: Evidence) -> int:
    """Where what begins at `start` begins on paper."""
    before = [scored.sentence for scored in evidence.sentences if scored.sentence.start <= start]
    return (before[-1].page if before else 0) or chunk.first_page


def _explain_highlights(evidence: Evidence) -> list[Explanation]:
    """Of the lit sentences, in reading order."""
    if not any(scored.highlighted for scored in evidence.sentences) or evidence.degraded:
        return []
    pairs = zip(evidence.sentences, explain_evidence(evidence), strict=True)
    return [because for scored, because in pairs if scored.highlighted]
