"""What can be taken along from a lit sentence, and said of it: its quote with a citation, and a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from highlighter.citations.anchors import CONTEXT, Anchor
from highlighter.citations.written import FORMATS, Cited
from highlighter.locale import N_
from highlighter.models import Chunk, Document
from highlighter.viewer.links import Links
from highlighter.viewer.pages import page_name
from highlighter.viewer.render import Lit

NAMES = {"apa": N_("APA-like"), "bibtex": "BibTeX", "markdown": "Markdown", "link": N_("Link alone")}


@dataclass(frozen=True, slots=True)
class Taking:
    number: int  # of the mark
    span: str  # start-end
    text: str
    formats: tuple[tuple[str, str], ...]  # what each is called, and what it is


def takings(document: Document, chunk: Chunk, lit: Sequence[Lit], pages: Sequence[int], links: Links) -> list[Taking]:
    """`links` are whole addresses, good for anybody."""
    return [_taking(document, chunk, one, page, links) for one, page in zip(lit, pages, strict=True)]


def _taking(document: Document, chunk: Chunk, lit: Lit, page: int, links: Links) -> Taking:
    start, end, mark = lit
    a, b = start - chunk.start, end - chunk.start
    text = chunk.text[a:b]
    anchor = Anchor(start, end, text, chunk.text[max(a - CONTEXT, 0) : a], chunk.text[b : b + CONTEXT])
    link = links.opening(document.sha256, anchor, page)
    cited = Cited.of(text, document.name, page_name(document, page), link, document.sha256, document.meta)
    return Taking(
        mark.number, f"{start}-{end}", text, tuple((NAMES[name], make(cited)) for name, make in FORMATS.items())
    )
