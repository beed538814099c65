"""What a reader looks for besides answers: a quoted span, or the finds of a search within the document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from highlighter.locale import N_
from highlighter.models import Chunk, Document, DocumentQuoteMatch, InDocumentMatch, InDocumentResults
from highlighter.quotes.word_diff import DiffSegment
from highlighter.search.citation_reopener import SpanOutcome
from highlighter.services import Services
from highlighter.urls import SPAN_PARAMETER, Links
from highlighter.web.highlighted_text import STRENGTH_STRONG, FindMark, FindSpan, HighlightMark, HighlightSpan
from highlighter.web.request_parameters import parse_count, parse_count_or_zero

# A sign and words for each tier, for people; never colour alone.
TIER_BADGES = {
    "exact": ("●", N_("Exact"), N_("The passage contains this quote word for word.")),
    "normalised": (
        "●",
        N_("Same words"),
        N_("The same words; only spacing, hyphens, quotation marks or letter forms differ."),
    ),
    "fuzzy": ("◐", N_("Nearly exact"), N_("One passage nearly matches; the differences are shown.")),
    "semantic": (
        "○",
        N_("Paraphrased"),
        N_("No passage contains this quote; this sentence has nearly the same meaning."),
    ),
    "none": ("▲", N_("Not found"), N_("No passage matches this quote closely enough, so nothing is highlighted.")),
}
MAX_COMPARED_SENTENCES = 3
# On paper finds are drawn on these many pages either side of the one shown, and no more of them than these.
FIND_PAGES_AROUND, MAX_DRAWN_FINDS = 25, 300
FindSpans = tuple[FindSpan, ...]


@dataclass(frozen=True, slots=True)
class QuoteTarget:
    """A span that a link leads to, with the words it was made for."""

    marks: tuple[HighlightSpan, ...]
    tier: str  # "" when the link holds no words to hold the span against
    quote: str = ""
    differs: tuple[DiffSegment, ...] = ()
    rest: str = ""  # where it goes on, when that is in the next chunk
    why: str = ""
    span: tuple[int, int] | None = None  # all of it, where it is lit


@dataclass(frozen=True, slots=True)
class FindResults:
    """What was found in the whole document, and which of it is shown."""

    found: InDocumentResults
    number: int  # of the one shown, from 1; 0 when none is
    previous: str
    next: str
    in_text: str = ""  # where the text that holds the one shown is read

    @property
    def shown(self) -> InDocumentMatch | None:
        return self.found.spans[self.number - 1] if self.number else None

    @property
    def count(self) -> int:
        return len(self.found.spans)

    @property
    def span(self) -> tuple[int, int] | None:
        return (self.shown.start, self.shown.end) if self.shown else None

    def spans_in_chunk(self, chunk: Chunk) -> FindSpans:
        within = [(n, span) for n, span in self._numbered_spans() if span.chunk == chunk.index]
        return _separate_overlapping_finds(
            (span.start, min(span.end, chunk.end), FindMark(n, n == self.number)) for n, span in within
        )

    def spans_near_page(self, page: int) -> FindSpans:
        """Those near a page, the nearest first choice where there are too many to draw."""
        near = [(n, span) for n, span in self._numbered_spans() if abs(span.page - page) <= FIND_PAGES_AROUND]
        middle = next((at for at, (n, _) in enumerate(near) if n >= self.number), 0)
        begin = max(min(middle - MAX_DRAWN_FINDS // 2, len(near) - MAX_DRAWN_FINDS), 0)
        some = near[begin : begin + MAX_DRAWN_FINDS]
        return _separate_overlapping_finds((span.start, span.end, FindMark(n, n == self.number)) for n, span in some)

    def _numbered_spans(self) -> Iterator[tuple[int, InDocumentMatch]]:
        return enumerate(self.found.spans, 1)


def resolve_quote_target(
    services: Services, document: Document, chunk: Chunk, args: Mapping[str, str], links: Links
) -> QuoteTarget | None:
    """What `at=start-end` asks for, held against `quote=`: a span that says something else is not lit."""
    span = parse_span(args)
    if span is None:
        return None
    quote = args.get("quote", "").strip()
    place = DocumentQuoteMatch(document, *span, "", "", 1.0)
    if quote:
        place = services.quote_locator.match_span(document, *span, quote)
        if place.tier == "none":
            return QuoteTarget((), "none", quote, place.differs, why=place.why)
    part = max(span[0], chunk.start), min(span[1], chunk.end)
    mark = HighlightMark(1, -1, 0.0, 0.0, STRENGTH_STRONG, current=True)
    marks = ((*part, mark),) if part[0] < part[1] else ()
    rest = ""
    if span[0] < chunk.end < span[1] and chunk.index + 1 < document.chunks:
        rest = links.place(replace(place, chunk=chunk.index + 1), quote)
    return QuoteTarget(marks, place.tier, quote, place.differs, rest, span=span if marks else None)


def parse_span(args: Mapping[str, str], name: str = SPAN_PARAMETER) -> tuple[int, int] | None:
    """What `at=start-end`, or another name, asks for; nothing when that is no span."""
    written = args.get(name, "")
    try:
        start, end = map(parse_count, written.split("-"))
    except ValueError:
        return None
    return (start, end) if start < end else None


def load_find_results(
    services: Services, document: Document, chunk: Chunk, args: Mapping[str, str], links: Links
) -> FindResults | None:
    """What `find=` asks for."""
    query = args.get("find", "").strip()
    if not query:
        return None
    found = services.document_search.find(document, query, _read_find_mode(args))
    number = min(parse_count_or_zero(args.get("hit", "")), len(found.spans))
    kept = pick_preserved_parameters(args)
    steps = (_build_find_url(document, found, number + step, links, kept, chunk.index) for step in (-1, 1))
    return FindResults(
        found, number, *steps, _build_find_url(document, found, number, links, {**kept, "view": ""}) if number else ""
    )


def build_first_find_url(services: Services, document: Document, args: Mapping[str, str], links: Links) -> str:
    """The address of the first find in this chunk or after it; of the chunk itself when there is none."""
    found = services.document_search.find(document, args.get("find", ""), _read_find_mode(args))
    chunk_index = parse_count_or_zero(args.get("from", ""))
    number = next((n for n, span in enumerate(found.spans, 1) if span.chunk >= chunk_index), 1 if found.spans else 0)
    kept = pick_preserved_parameters(args)
    if number:
        return _build_find_url(document, found, number, links, kept, chunk_index if "from" in args else None)
    return links.find_result(document.id, chunk_index, found.query, found.by, 0, kept)


def pick_preserved_parameters(args: Mapping[str, str]) -> dict[str, str]:
    """What a reader keeps while they look for something: the evidence, and the view of it."""
    return {name: args[name] for name in ("q", "method", "cited", "view") if args.get(name)}


def compare_with_newer_version(
    services: Services, document: Document, spans: Iterable[tuple[int, int]]
) -> list[SpanOutcome]:
    """What became of the first lit sentences in the version that took the document's place."""
    return [
        services.citation_reopener.find_later_version(document, start, end)
        for start, end in list(spans)[:MAX_COMPARED_SENTENCES]
    ]


def _separate_overlapping_finds(hits: Iterable[FindSpan]) -> FindSpans:
    """Finds may overlap ("anan" in "ananan"); what is shown twice cannot be shown."""
    kept: list[FindSpan] = []
    for start, end, hit in hits:
        start = max(start, kept[-1][1]) if kept else start
        if start < end:
            kept.append((start, end, hit))
    return tuple(kept)


def _build_find_url(
    document: Document,
    found: InDocumentResults,
    number: int,
    links: Links,
    preserved: Mapping[str, str],
    open_chunk_index: int | None = None,
) -> str:
    """Of a find, round and round. On the pages, where all parts are seen, the part that was asked stays, with what is
    lit there."""
    if not found.spans:
        return ""
    at = (number - 1) % len(found.spans)
    span: InDocumentMatch = found.spans[at]
    stays = open_chunk_index is not None and preserved.get("view") == "page" and "q" in preserved
    return links.find_result(
        document.id, open_chunk_index if stays else span.chunk, found.query, found.by, at + 1, preserved
    )


def _read_find_mode(args: Mapping[str, str]) -> str:
    return "meaning" if args.get("by") == "meaning" else "words"
