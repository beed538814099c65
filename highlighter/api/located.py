"""Places as they are sent: over HTTP, and by the command line as JSON."""

from __future__ import annotations

from collections.abc import Iterable

from highlighter.api.paper_schemas import RectangleOut
from highlighter.api.quote_schemas import LaterAnswer, LocateAnswer, PieceOut, PlaceOut, SentenceAt
from highlighter.citations.diff import Piece
from highlighter.errors import AlteredContent, Unavailable, Undrawable
from highlighter.models import Located, Place
from highlighter.pages.paper import Paper
from highlighter.search.reopen import Later
from highlighter.viewer.links import Links


def as_located(found: Located, links: Links, paper: Paper | None) -> LocateAnswer:
    """Without paper, where on it the place stands is not told."""
    place = found.place
    return LocateAnswer(
        quote=found.quote, tier=found.tier, document_id=place.document.id if place else None,
        start=place.start if place else None, end=place.end if place else None,
        sentences=[SentenceAt(index=s.index, start=s.start, end=s.end, text=s.text, page=s.page) for s in found.sentences],
        rectangles=_rectangles(place, paper) if place and paper else [],
        score=round(place.score, 4) if place else 0.0, place=as_place(place, links, found.quote) if place else None,
        candidates=[as_place(one, links) for one in found.candidates],
        why=found.why or None, notes=list(found.notes),
    )  # fmt: skip


def as_place(place: Place, links: Links, quote: str = "") -> PlaceOut:
    document = place.document
    return PlaceOut(
        document_id=document.id, name=document.name, version=document.version, start=place.start, end=place.end,
        text=place.text, tier=place.tier, score=round(place.score, 4), chunk_index=place.chunk, page=place.page,
        last_page=place.last_page, differs=as_pieces(place.differs), why=place.why or None,
        links={
            "self": links.place(place, quote), "annotations": links.annotations(document.id, place.start, place.end),
            "pdf": links.placed_pdf(place), "document": links.document(document.id),
        },
    )  # fmt: skip


def as_later(later: Later, links: Links) -> LaterAnswer:
    return LaterAnswer(
        outcome=later.outcome, says=later.says, before=as_place(later.before, links),
        after=as_place(later.after, links) if later.after else None, differs=as_pieces(later.again.differs),
    )  # fmt: skip


def as_pieces(differs: Iterable[Piece]) -> list[PieceOut]:
    return [PieceOut(kind=piece.kind, ours=piece.ours, theirs=piece.theirs) for piece in differs]


def _rectangles(place: Place, paper: Paper) -> list[RectangleOut]:
    """None, where the page cannot be drawn: the words were found all the same."""
    try:
        found = paper.rectangles(place.document, place.start, place.end)
    except (AlteredContent, Undrawable, Unavailable):
        return []
    return [RectangleOut.of(box) for box in found]
