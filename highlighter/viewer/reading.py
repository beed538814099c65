"""One part of a document as it is read: its text or its pages, with what is lit in it and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from flask import current_app, g, render_template, request

from highlighter.errors import AlteredContent
from highlighter.evidence.explaining import Because, explain
from highlighter.models import Chunk, Document, Evidence
from highlighter.pages.pictures import USUAL_WIDTH, WIDTHS
from highlighter.store import parts
from highlighter.store.known import checked_page
from highlighter.viewer import asking, render, requested, sought
from highlighter.viewer.cards import passage
from highlighter.viewer.leaves import leaves
from highlighter.viewer.links import AT, FOUND_AT, Sought
from highlighter.viewer.numbers import count_or_zero
from highlighter.viewer.pages import page_name
from highlighter.viewer.taking import takings

# What says which span somebody looks for; kept when they turn from the text to the page.
PLACE = ("at", "v", "quote", "find", "by", "hit", "q", "method", "cited")


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a reader comes from the part that is shown."""

    around: bool = True  # to the parts and pages before and after it
    beyond: bool = True  # to what other documents say: the version that took this one's place


def chunk_view(
    document: Document,
    chunk: Chunk,
    question: str,
    method: str = "",
    bare: bool = False,
    view: str = "",
    asked: Mapping[str, str] | None = None,
    reach: Reach = Reach(),
    **told: Any,
):
    """A chunk's evidence in its text or on its pages, with the site around it or without.

    `asked` says what is looked for, where the address does not; `told` is what else the template is told.
    """
    services = current_app.services
    document = parts.as_read_by(requested.catalog().engine, document, chunk.pipeline)
    kept_apart, asked = asked is not None, request.args if asked is None else asked
    looking = services, document, chunk, asked, requested.links()
    finds = sought.finds(*looking)
    quoted = None if finds else sought.quoted(*looking)
    question = "" if quoted else question
    warming = bool(question) and not bare and asking.warming()
    if question and not warming:
        evidence = services.passages.chunk(question, chunk, method)
    else:
        sentences, _ = services.catalog.sentences(chunk, services.embedder.name)
        evidence = services.passages.plain(sentences)
    cited = sought.span_of(asked, "cited") if evidence.question else None
    besides = False  # what is cited is no evidence by itself
    if cited:
        by_itself, evidence = evidence, render.lighting(evidence, cited)
        besides = evidence != by_itself
    lit = list(quoted.marks) if quoted else render.marks(evidence, cited or (0, 0))
    lit_pages = [_page_at(start, chunk, evidence) for start, _, _ in lit]
    taken = takings(document, chunk, lit, lit_pages, requested.lasting())
    newer = services.catalog.newer(document)
    if view == "page":
        template, shown = "paper.html", _on_paper(document, chunk, lit, lit_pages, finds, asked, reach)
    else:
        hits = finds.in_chunk(chunk) if finds else ()
        template, shown = "chunk.html", {"blocks": render.segments(chunk, evidence, lit, hits)}
    return render_template(
        template,
        **shown,
        document=document,
        newer=newer,
        laters=sought.laters(services, document, [(start, end) for start, end, _ in lit])
        if newer and reach.beyond
        else [],
        finds=finds,
        quoted=quoted,
        chunk=chunk,
        question=question,
        method=method,
        cited=asked["cited"] if cited else "",
        evidence=evidence,
        lit=[mark for _, _, mark in lit],
        in_short=passage(chunk, lit),
        reasons=_reasons(evidence),
        lit_pages=lit_pages,
        pdf_pages=[requested.links().pdf_page(chunk, page) for page in lit_pages],
        takings=taken,
        selected=[_told(one.text, page) for one, page in zip(taken, lit_pages, strict=True)],
        in_pdf=_in_pdf(document, finds, quoted, cited if besides else None),
        same_place=_same_place(asked) if (finds or quoted) and not kept_apart else "",
        warming=warming,
        bare=bare,
        view="page" if view == "page" else "text",
        page_name=page_name(document, chunk.first_page, chunk.last_page),
        previous=services.catalog.chunk(document, chunk.index - 1, chunk.pipeline)
        if chunk.index and reach.around
        else None,
        next=services.catalog.chunk(document, chunk.index + 1, chunk.pipeline) if reach.around else None,
        **told,
    )


def _on_paper(
    document: Document,
    chunk: Chunk,
    lit: list[render.Lit],
    lit_pages: list[int],
    finds: sought.Finds | None,
    asked: Mapping,
    reach: Reach,
) -> dict:
    page = count_or_zero(asked.get("page", ""))
    if page:
        checked_page(document, page)
    facts = requested.catalog().facts(document)["pages"]
    found_page = finds.shown.page if finds and finds.shown else 0
    hits = finds.around(found_page or chunk.first_page) if finds else ()
    opening_page = found_page or (lit_pages[0] if lit_pages else 0)
    made = leaves(document, facts, chunk, lit, current_app.services.paper, page, hits, opening_page)
    try:
        current_app.services.paper.check_pages(document)
    except AlteredContent as err:  # their pictures are refused; said here even where nothing is highlighted
        made = replace(made, problem=err.detail)
    if made.problem:
        g.passing = True  # perhaps: not to be remembered
    if not reach.around:
        made = replace(made, leaves=made.leaves[chunk.first_page - 1 : chunk.last_page])
    return {"paper": made, "usual_width": USUAL_WIDTH, "widths": WIDTHS}


def _same_place(asked: Mapping[str, str]) -> str:
    return urlencode({key: asked[key] for key in PLACE if asked.get(key)})


def _told(text: str, page: int) -> dict[str, str | int]:
    """Of a lit sentence, for the page around a frame."""
    return {"page": page, "text": " ".join(text.split())}


def _in_pdf(
    document: Document, finds: sought.Finds | None, quoted: sought.Quoted | None, cited: tuple[int, int] | None
) -> dict:
    """What is looked for, for the address of the PDF, and the page that it opens at."""
    for name, span in ((FOUND_AT, finds and finds.span), (AT, quoted and quoted.span), (AT, cited)):
        if span:
            page = current_app.services.paper.page_at(document, span[0])
            return {"sought": Sought(name, *span), "page": page}
    return {"sought": None, "page": 0}


def _page_at(start: int, chunk: Chunk, evidence: Evidence) -> int:
    """Where what begins at `start` begins on paper."""
    before = [scored.sentence for scored in evidence.sentences if scored.sentence.start <= start]
    return (before[-1].page if before else 0) or chunk.first_page


def _reasons(evidence: Evidence) -> list[Because]:
    """Of the lit sentences, in reading order."""
    if not any(scored.highlighted for scored in evidence.sentences) or evidence.degraded:
        return []
    pairs = zip(evidence.sentences, explain(evidence), strict=True)
    return [because for scored, because in pairs if scored.highlighted]
