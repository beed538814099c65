"""What a reader looks for besides answers: a quoted span, or the finds of a search within the document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from highlighter.citations.diff import Piece
from highlighter.locale import N_
from highlighter.models import Chunk, Document, FoundSpans, Place, Span
from highlighter.search.reopen import Later
from highlighter.services import Services
from highlighter.viewer.links import AT, Links
from highlighter.viewer.numbers import count, count_or_zero
from highlighter.viewer.render import STRONG_LIT, Found, Hit, Lit, Mark

# A sign and words for each tier, for people; never colour alone.
BADGES = {
    "exact": ("●", N_("Exact"), N_("The passage says this, word for word.")),
    "normalised": (
        "●",
        N_("Same words"),
        N_("The same words; only spacing, hyphens, quotation marks or letter forms differ."),
    ),
    "fuzzy": ("◐", N_("Nearly"), N_("One passage nearly says this; what differs is shown.")),
    "semantic": ("○", N_("In other words"), N_("No passage says this; this sentence means nearly the same.")),
    "none": ("▲", N_("Not found"), N_("Nothing is lit: no passage says this surely enough.")),
}
LATERS = 3
# On paper finds are drawn on these many pages either side of the one shown, and no more of them than these.
PAGES_AROUND, DRAWN = 25, 300
Hits = tuple[Found, ...]


@dataclass(frozen=True, slots=True)
class Quoted:
    """A span that a link leads to, with the words it was made for."""

    marks: tuple[Lit, ...]
    tier: str  # "" when the link holds no words to hold the span against
    quote: str = ""
    differs: tuple[Piece, ...] = ()
    rest: str = ""  # where it goes on, when that is in the next chunk
    why: str = ""
    span: tuple[int, int] | None = None  # all of it, where it is lit


@dataclass(frozen=True, slots=True)
class Finds:
    """What was found in the whole document, and which of it is shown."""

    found: FoundSpans
    number: int  # of the one shown, from 1; 0 when none is
    previous: str
    next: str
    in_text: str = ""  # where the text that holds the one shown is read

    @property
    def shown(self) -> Span | None:
        return self.found.spans[self.number - 1] if self.number else None

    @property
    def count(self) -> int:
        return len(self.found.spans)

    @property
    def span(self) -> tuple[int, int] | None:
        return (self.shown.start, self.shown.end) if self.shown else None

    def in_chunk(self, chunk: Chunk) -> Hits:
        within = [(n, span) for n, span in self._numbered() if span.chunk == chunk.index]
        return _apart((span.start, min(span.end, chunk.end), Hit(n, n == self.number)) for n, span in within)

    def around(self, page: int) -> Hits:
        """Those near a page, the nearest first choice where there are too many to draw."""
        near = [(n, span) for n, span in self._numbered() if abs(span.page - page) <= PAGES_AROUND]
        middle = next((at for at, (n, _) in enumerate(near) if n >= self.number), 0)
        begin = max(min(middle - DRAWN // 2, len(near) - DRAWN), 0)
        some = near[begin : begin + DRAWN]
        return _apart((span.start, span.end, Hit(n, n == self.number)) for n, span in some)

    def _numbered(self) -> Iterator[tuple[int, Span]]:
        return enumerate(self.found.spans, 1)


def quoted(
    services: Services, document: Document, chunk: Chunk, args: Mapping[str, str], links: Links
) -> Quoted | None:
    """What `at=start-end` asks for, held against `quote=`: a span that says something else is not lit."""
    span = span_of(args)
    if span is None:
        return None
    quote = args.get("quote", "").strip()
    place = Place(document, *span, "", "", 1.0)
    if quote:
        place = services.locator.judged(document, *span, quote)
        if place.tier == "none":
            return Quoted((), "none", quote, place.differs, why=place.why)
    part = max(span[0], chunk.start), min(span[1], chunk.end)
    mark = Mark(1, -1, 0.0, 0.0, STRONG_LIT, current=True)
    marks = ((*part, mark),) if part[0] < part[1] else ()
    rest = ""
    if span[0] < chunk.end < span[1] and chunk.index + 1 < document.chunks:
        rest = links.place(replace(place, chunk=chunk.index + 1), quote)
    return Quoted(marks, place.tier, quote, place.differs, rest, span=span if marks else None)


def span_of(args: Mapping[str, str], name: str = AT) -> tuple[int, int] | None:
    """What `at=start-end`, or another name, asks for; nothing when that is no span."""
    written = args.get(name, "")
    try:
        start, end = map(count, written.split("-"))
    except ValueError:
        return None
    return (start, end) if start < end else None


def finds(services: Services, document: Document, chunk: Chunk, args: Mapping[str, str], links: Links) -> Finds | None:
    """What `find=` asks for."""
    query = args.get("find", "").strip()
    if not query:
        return None
    found = services.finder.find(document, query, _by(args))
    number = min(count_or_zero(args.get("hit", "")), len(found.spans))
    kept = kept_with_finds(args)
    steps = (_address(document, found, number + step, links, kept, chunk.index) for step in (-1, 1))
    return Finds(
        found, number, *steps, _address(document, found, number, links, {**kept, "view": ""}) if number else ""
    )


def first_find(services: Services, document: Document, args: Mapping[str, str], links: Links) -> str:
    """The address of the first find in this chunk or after it; of the chunk itself when there is none."""
    found = services.finder.find(document, args.get("find", ""), _by(args))
    chunk_index = count_or_zero(args.get("from", ""))
    number = next((n for n, span in enumerate(found.spans, 1) if span.chunk >= chunk_index), 1 if found.spans else 0)
    kept = kept_with_finds(args)
    if number:
        return _address(document, found, number, links, kept, chunk_index if "from" in args else None)
    return links.found(document.id, chunk_index, found.query, found.by, 0, kept)


def kept_with_finds(args: Mapping[str, str]) -> dict[str, str]:
    """What a reader keeps while they look for something: the evidence, and the view of it."""
    return {name: args[name] for name in ("q", "method", "cited", "view") if args.get(name)}


def laters(services: Services, document: Document, spans: Iterable[tuple[int, int]]) -> list[Later]:
    """What became of the first lit sentences in the version that took the document's place."""
    return [services.reopener.later(document, start, end) for start, end in list(spans)[:LATERS]]


def _apart(hits: Iterable[Found]) -> Hits:
    """Finds may overlap ("anan" in "ananan"); what is shown twice cannot be shown."""
    kept: list[Found] = []
    for start, end, hit in hits:
        start = max(start, kept[-1][1]) if kept else start
        if start < end:
            kept.append((start, end, hit))
    return tuple(kept)


def _address(
    document: Document, found: FoundSpans, number: int, links: Links, kept: Mapping[str, str], asked: int | None = None
) -> str:
    """Of a find, round and round. On the pages, where all parts are seen, the part that was asked stays, with what is
    lit there."""
    if not found.spans:
        return ""
    at = (number - 1) % len(found.spans)
    span: Span = found.spans[at]
    stays = asked is not None and kept.get("view") == "page" and "q" in kept
    return links.found(document.id, asked if stays else span.chunk, found.query, found.by, at + 1, kept)


def _by(args: Mapping[str, str]) -> str:
    return "meaning" if args.get("by") == "meaning" else "words"
