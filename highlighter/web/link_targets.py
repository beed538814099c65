"""The targets of links into a document: a quoted span, or a find of a search within the document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from highlighter.errors import BadRequest
from highlighter.locale import N_
from highlighter.models import Chunk, Document, DocumentQuoteMatch, InDocumentMatch, InDocumentResults
from highlighter.quotes.word_diff import DiffSegment
from highlighter.search.citation_reopener import SpanOutcome
from highlighter.services import Services
from highlighter.urls import SPAN_PARAMETER, Links
from highlighter.web.highlighted_text import FindMark, FindSpan, HighlightSpan, build_target_highlights
from highlighter.web.request_parameters import parse_count, parse_count_or_zero

# For each tier a sign, a label and an explanation: a reader may not tell colours apart.
TIER_BADGES = {
    "exact": ("●", N_("Exact"), N_("The passage contains this quote word for word.")),
    "normalised": (
        "●",
        N_("Same words"),
        N_("The same words; only spacing, hyphens, quotation marks, letter forms or the form of numbers differ."),
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
# A URL names at most this many spans.
MAX_SPANS = 40
# In the page view finds are drawn on this many pages before and after the one shown, and at most this many finds.
FIND_PAGES_AROUND, MAX_DRAWN_FINDS = 25, 300
FindSpans = tuple[FindSpan, ...]


@dataclass(frozen=True, slots=True)
class QuoteTarget:
    """A span that a link leads to, with the words that the link was made for."""

    marks: tuple[HighlightSpan, ...]
    tier: str  # how well the span matches the quote; "" for a link without a quote
    quote: str = ""
    differs: tuple[DiffSegment, ...] = ()
    continuation_url: str = ""  # the URL of the next chunk, when the span goes on there
    reason: str = ""
    spans: tuple[tuple[int, int], ...] = ()  # the whole spans, where they are highlighted


@dataclass(frozen=True, slots=True)
class FindResults:
    """The finds of a search within a document, and the one that is shown."""

    results: InDocumentResults
    number: int  # of the shown find, from 1; 0 when none is shown
    previous: str  # URLs
    next: str
    text_url: str = ""  # the shown find in the text view

    @property
    def current_match(self) -> InDocumentMatch | None:
        return self.results.spans[self.number - 1] if self.number else None

    @property
    def count(self) -> int:
        return len(self.results.spans)

    @property
    def span(self) -> tuple[int, int] | None:
        return (self.current_match.start, self.current_match.end) if self.current_match else None

    def spans_in_chunk(self, chunk: Chunk) -> FindSpans:
        """Return the finds that begin in a chunk, cut off at its end."""
        return _separate_overlapping_finds(
            (match.start, min(match.end, chunk.end), self._make_mark(number))
            for number, match in self._numbered_spans()
            if match.chunk == chunk.index
        )

    def spans_near_page(self, page: int) -> FindSpans:
        """Return the finds around a page; where they are too many to draw, those around the shown find."""
        near = [(n, match) for n, match in self._numbered_spans() if abs(match.page - page) <= FIND_PAGES_AROUND]
        middle = next((index for index, (number, _) in enumerate(near) if number >= self.number), 0)
        begin = max(min(middle - MAX_DRAWN_FINDS // 2, len(near) - MAX_DRAWN_FINDS), 0)
        return _separate_overlapping_finds(
            (match.start, match.end, self._make_mark(number)) for number, match in near[begin : begin + MAX_DRAWN_FINDS]
        )

    def list_first_by_page(self) -> list[tuple[int, int]]:
        """Return each page with finds, and the number of the first one that begins on it."""
        first_numbers: dict[int, int] = {}
        for number, match in self._numbered_spans():
            first_numbers.setdefault(match.page, number)
        return list(first_numbers.items())

    def _make_mark(self, number: int) -> FindMark:
        return FindMark(number, number == self.number)

    def _numbered_spans(self) -> Iterator[tuple[int, InDocumentMatch]]:
        return enumerate(self.results.spans, 1)


def resolve_quote_target(
    services: Services, document: Document, chunk: Chunk, args: Mapping[str, str], links: Links
) -> QuoteTarget | None:
    """Return the spans that `at=start-end` names. A span that does not say what `quote=` says is not highlighted."""
    spans = parse_spans(args)
    if not spans:
        return None
    quote, span = args.get("quote", "").strip(), (spans[0][0], spans[-1][1])
    match = DocumentQuoteMatch(document, *span, "", "", 1.0, spans=spans)
    if quote:
        match = services.quote_locator.match_span(document, *span, quote)
        if match.tier == "none":
            return QuoteTarget((), "none", quote, match.differs, reason=match.why)
    marks = build_target_highlights(chunk, match.highlighted_spans)
    rest = ""
    if span[0] < chunk.end < span[1] and chunk.index + 1 < document.chunks:
        rest = links.quote_match(replace(match, chunk=chunk.index + 1), quote)
    return QuoteTarget(
        marks, match.tier, quote, match.differs, rest, match.why, spans=match.highlighted_spans if marks else ()
    )


def parse_span(args: Mapping[str, str], name: str = SPAN_PARAMETER) -> tuple[int, int] | None:
    """Return the span from the first to the last one that a parameter names, or None where it names none."""
    spans = parse_spans(args, name)
    return (spans[0][0], spans[-1][1]) if spans else None


def parse_spans(args: Mapping[str, str], name: str = SPAN_PARAMETER) -> tuple[tuple[int, int], ...]:
    """Return the spans that a parameter names as start-end,start-end, in the order of the text; none where they overlap."""
    try:
        spans = sorted((parse_count(start), parse_count(end)) for start, end in _split_spans(args.get(name, "")))
    except ValueError:
        return ()
    edges = [edge for span in spans for edge in span]
    are_separate = edges == sorted(edges) and all(start < end for start, end in spans)
    return tuple(spans) if are_separate and len(spans) <= MAX_SPANS else ()


def require_spans(args: Mapping[str, str], name: str) -> tuple[tuple[int, int], ...]:
    """Return the spans that a parameter names, if any; raise BadRequest where `parse_spans` would ignore what it names."""
    spans = parse_spans(args, name)
    if args.get(name) and not spans:
        raise BadRequest(
            N_(
                "{name} must be up to {limit} separate spans, such as 10-20,35-50: each ends after it begins.",
                name=name,
                limit=MAX_SPANS,
            )
        )
    return spans


def _split_spans(value: str) -> Iterator[tuple[str, str]]:
    for span in value.split(","):
        start, end = span.split("-")
        yield start, end


def load_find_results(
    services: Services, document: Document, chunk: Chunk, args: Mapping[str, str], links: Links
) -> FindResults | None:
    """Return the finds of the search that `find=` names, with the URLs to step through them."""
    query = args.get("find", "").strip()
    if not query:
        return None
    results = services.document_search.find(document, query, read_find_mode(args))
    number = min(parse_count_or_zero(args.get("hit", "")), len(results.spans))
    preserved = pick_preserved_parameters(args)
    return FindResults(
        results,
        number,
        previous=build_find_url(document, results, number - 1, links, preserved, chunk.index),
        next=build_find_url(document, results, number + 1, links, preserved, chunk.index),
        text_url=build_find_url(document, results, number, links, {**preserved, "view": ""}) if number else "",
    )


def build_first_find_url(services: Services, document: Document, args: Mapping[str, str], links: Links) -> str:
    """Return the URL of the first find in the chunk that `from=` names or after it, or of the chunk without a find."""
    results = services.document_search.find(document, args.get("find", ""), read_find_mode(args))
    chunk_index = parse_count_or_zero(args.get("from", ""))
    matches = results.spans
    number = next((n for n, match in enumerate(matches, 1) if match.chunk >= chunk_index), 1 if matches else 0)
    preserved = pick_preserved_parameters(args)
    if number:
        open_chunk_index = chunk_index if "from" in args else None
        return build_find_url(document, results, number, links, preserved, open_chunk_index)
    return links.find_result(document.id, chunk_index, results.query, results.by, 0, preserved)


def pick_preserved_parameters(args: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters that stay in the URL while a reader steps through finds: the question and the view."""
    return {name: args[name] for name in ("q", "method", "cited", "view") if args.get(name)}


def compare_with_newer_version(
    services: Services, document: Document, spans: Iterable[tuple[int, int]]
) -> list[SpanOutcome]:
    """Return what became of the first spans in the version that superseded a document."""
    return [
        services.citation_reopener.find_later_version(document, start, end)
        for start, end in list(spans)[:MAX_COMPARED_SENTENCES]
    ]


def _separate_overlapping_finds(finds: Iterable[FindSpan]) -> FindSpans:
    """Cut off what a find shares with the one before ("anan" in "ananan"): no text is marked twice."""
    separate: list[FindSpan] = []
    for start, end, mark in finds:
        start = max(start, separate[-1][1]) if separate else start
        if start < end:
            separate.append((start, end, mark))
    return tuple(separate)


def build_find_url(
    document: Document,
    results: InDocumentResults,
    number: int,
    links: Links,
    preserved: Mapping[str, str],
    open_chunk_index: int | None = None,
) -> str:
    """Return the URL of a find; the one after the last is the first.

    The page view shows all chunks, so there the open chunk stays open, with its highlights.
    """
    if not results.spans:
        return ""
    index = (number - 1) % len(results.spans)
    chunk_index = results.spans[index].chunk
    if open_chunk_index is not None and preserved.get("view") == "page" and "q" in preserved:
        chunk_index = open_chunk_index
    return links.find_result(document.id, chunk_index, results.query, results.by, index + 1, preserved)


def read_find_mode(args: Mapping[str, str]) -> str:
    return "meaning" if args.get("by") == "meaning" else "words"
