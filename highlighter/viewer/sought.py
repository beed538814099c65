"""What a reader of a chunk looks for besides answers: a quoted span, or the finds of a search within the document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from highlighter.citations.diff import Piece
from highlighter.models import Chunk, Document, FoundSpans, Place, Span
from highlighter.search.reopen import Later
from highlighter.services import Services
from highlighter.viewer.links import Links
from highlighter.viewer.render import Lit, Mark

# A sign and words for each tier, for people; never colour alone.
BADGES = {
    "exact": ("●", "Exact", "The passage says this, word for word."),
    "normalised": ("●", "Same words", "The same words; only spacing, hyphens, quotation marks or letter forms differ."),
    "fuzzy": ("◐", "Nearly", "One passage nearly says this; what differs is shown."),
    "semantic": ("○", "In other words", "No passage says this; this sentence means nearly the same."),
    "none": ("▲", "Not found", "Nothing is lit: no passage says this surely enough."),
}
STRONG, FAINT = 3, 1
LATERS = 3


@dataclass(frozen=True, slots=True)
class Quoted:
    """A span that a link leads to, with the words it was made for."""

    marks: tuple[Lit, ...]
    tier: str  # "" when the link holds no words to hold the span against
    quote: str = ""
    differs: tuple[Piece, ...] = ()
    rest: str = ""  # where it goes on, when that is in the next chunk
    why: str = ""


@dataclass(frozen=True, slots=True)
class Finds:
    """What was found in the whole document, and which of it is shown."""

    found: FoundSpans
    marks: tuple[Lit, ...]
    number: int  # of the one shown, from 1; 0 when none is
    previous: str
    next: str

    @property
    def shown(self) -> Span | None:
        return self.found.spans[self.number - 1] if self.number else None

    @property
    def count(self) -> int:
        return len(self.found.spans)


def quoted(
    services: Services, document: Document, chunk: Chunk, args: Mapping[str, str], links: Links
) -> Quoted | None:
    """What `at=start-end` asks for, held against `quote=`: a span that says something else is not lit."""
    span = _span(args.get("at", ""))
    if span is None:
        return None
    quote = args.get("quote", "").strip()
    place = Place(document, *span, "", "", 1.0)
    if quote:
        place = services.locator.judged(document, *span, quote)
        if place.tier == "none":
            return Quoted((), "none", quote, place.differs, why=place.why)
    part = max(span[0], chunk.start), min(span[1], chunk.end)
    mark = Mark(1, -1, 0.0, 0.0, STRONG, current=True)
    marks = ((*part, mark),) if part[0] < part[1] else ()
    rest = ""
    if span[0] < chunk.end < span[1] and chunk.index + 1 < document.chunks:
        rest = links.place(replace(place, chunk=chunk.index + 1), quote)
    return Quoted(marks, place.tier, quote, place.differs, rest)


def finds(services: Services, document: Document, chunk: Chunk, args: Mapping[str, str], links: Links) -> Finds | None:
    """What `find=` asks for. Every find in the chunk is lit, the one shown most."""
    query = args.get("find", "").strip()
    if not query:
        return None
    found = services.finder.find(document, query, _by(args))
    number = min(_number(args, "hit"), len(found.spans))
    here = [(n, span) for n, span in enumerate(found.spans, 1) if span.chunk == chunk.index]
    marks = tuple(
        (span.start, min(span.end, chunk.end), _find_mark(order, n == number))
        for order, (n, span) in enumerate(here, 1)
    )
    return Finds(found, _apart(marks), number, *(_address(document, found, number + step, links) for step in (-1, 1)))


def first_find(services: Services, document: Document, args: Mapping[str, str], links: Links) -> str:
    """The address of the first find in this chunk or after it; of the chunk itself when there is none."""
    found = services.finder.find(document, args.get("find", ""), _by(args))
    chunk_index = _number(args, "from")
    number = next((n for n, span in enumerate(found.spans, 1) if span.chunk >= chunk_index), 1 if found.spans else 0)
    chunk = found.spans[number - 1].chunk if number else chunk_index
    return links.found(document.id, chunk, found.query, found.by, number)


def laters(services: Services, document: Document, spans: Iterable[tuple[int, int]]) -> list[Later]:
    """What became of the first lit sentences in the version that took the document's place."""
    return [services.reopener.later(document, start, end) for start, end in list(spans)[:LATERS]]


def _find_mark(order: int, current: bool) -> Mark:
    return Mark(order, -1, 0.0, 0.0, STRONG if current else FAINT, current=current)


def _apart(marks: tuple[Lit, ...]) -> tuple[Lit, ...]:
    """Finds may overlap ("anan" in "ananan"); what is lit twice cannot be shown."""
    kept: list[Lit] = []
    for start, end, mark in marks:
        start = max(start, kept[-1][1]) if kept else start
        if start < end:
            kept.append((start, end, mark))
    return tuple(kept)


def _address(document: Document, found: FoundSpans, number: int, links: Links) -> str:
    """Of a find, round and round."""
    if not found.spans:
        return ""
    at = (number - 1) % len(found.spans)
    span: Span = found.spans[at]
    return links.found(document.id, span.chunk, found.query, found.by, at + 1)


def _by(args: Mapping[str, str]) -> str:
    return "meaning" if args.get("by") == "meaning" else "words"


def _number(args: Mapping[str, str], name: str) -> int:
    written = args.get(name, "")
    return int(written) if written.isdecimal() and len(written) < 10 else 0


def _span(written: str) -> tuple[int, int] | None:
    start, _, end = written.partition("-")
    if not (start.isdecimal() and end.isdecimal() and len(written) <= 24) or int(start) >= int(end):
        return None
    return int(start), int(end)
