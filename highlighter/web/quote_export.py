"""What can be taken along from a lit sentence, and said of it: its quote with a citation, and a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from highlighter.locale import N_
from highlighter.models import Chunk, Document
from highlighter.quotes.anchors import CONTEXT_CHARACTERS, Anchor
from highlighter.quotes.citation_formats import FORMATS, QuoteExport
from highlighter.urls import Links
from highlighter.web.excerpts import format_page_range
from highlighter.web.highlighted_text import HighlightSpan

CITATION_FORMAT_LABELS = {"apa": N_("APA-like"), "bibtex": "BibTeX", "markdown": "Markdown", "link": N_("Link only")}


@dataclass(frozen=True, slots=True)
class HighlightExport:
    number: int  # of the mark
    span: str  # start-end
    text: str
    formats: tuple[tuple[str, str], ...]  # what each is called, and what it is


def build_highlight_exports(
    document: Document, chunk: Chunk, highlights: Sequence[HighlightSpan], pages: Sequence[int], links: Links
) -> list[HighlightExport]:
    """`links` are whole addresses, good for anybody."""
    return [
        _build_highlight_export(document, chunk, one, page, links) for one, page in zip(highlights, pages, strict=True)
    ]


def _build_highlight_export(
    document: Document, chunk: Chunk, highlight: HighlightSpan, page: int, links: Links
) -> HighlightExport:
    start, end, mark = highlight
    a, b = start - chunk.start, end - chunk.start
    text = chunk.text[a:b]
    anchor = Anchor(
        start, end, text, chunk.text[max(a - CONTEXT_CHARACTERS, 0) : a], chunk.text[b : b + CONTEXT_CHARACTERS]
    )
    link = links.permanent_quote(document.sha256, anchor, page)
    cited = QuoteExport.from_metadata(
        text, document.name, format_page_range(document, page), link, document.sha256, document.meta
    )
    return HighlightExport(
        mark.number,
        f"{start}-{end}",
        text,
        tuple((CITATION_FORMAT_LABELS[name], make(cited)) for name, make in FORMATS.items()),
    )
