"""A document's pages with what is lit on them: what the page template loops over. Boxes are in points, as shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from highlighter.errors import AlteredContent, Undrawable
from highlighter.models import Chunk, Document, Rectangle
from highlighter.pages.annotate import FOUND, Note
from highlighter.pages.paper import Paper
from highlighter.pages.shown import Shown, as_shown
from highlighter.viewer.render import STRONG_LIT, Found, Hit, Lit, Mark

_UNKNOWN_SIZE = 595.0, 842.0  # of a page that could not be opened
_AROUND = 1  # pages before and after those lit that are drawn without script, too


@dataclass(frozen=True, slots=True)
class Box:
    shown: Shown
    under: tuple[float, float, float, float]  # the line below its text, as a reader sees it: x1, y1, x2, y2
    dark: bool  # the paper there is, and its letters light


@dataclass(frozen=True, slots=True)
class LitPart:
    """What of one lit sentence, or of one find, stands on one page."""

    mark: Mark | Hit
    first: bool
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    number: int
    label: str  # as printed on it, where that differs
    width: float
    height: float
    near: bool
    lit: tuple[LitPart, ...] = ()
    hits: tuple[LitPart, ...] = ()


@dataclass(frozen=True, slots=True)
class Leaves:
    leaves: tuple[Leaf, ...]
    opening_page: int  # where a reader begins; 0 where there is a highlight or a find to begin at
    placeless: tuple[Mark | Hit, ...] = ()  # lit, but standing nowhere on paper
    problem: str = ""


@dataclass(slots=True)
class _Drawn:
    parts: dict[int, list[LitPart]] = field(default_factory=dict)  # by page
    begins: dict[int, int] = field(default_factory=dict)  # the page, by the number of what is drawn
    placeless: list[Mark | Hit] = field(default_factory=list)
    problem: str = ""


def leaves(
    document: Document,
    facts: Sequence[Sequence],
    chunk: Chunk,
    lit: Sequence[Lit],
    paper: Paper,
    page: int,
    hits: Sequence[Found] = (),
    opening_page: int = 0,
) -> Leaves:
    """Return the pages of a document with what is highlighted and found on them.

    `facts` are (label, width, height, ...) of each page. `page` is the one that was asked for, or 0; `opening_page` is
    where the page view opens when neither a highlight nor the current find can be drawn on any page.
    """
    read = replace(document, pipeline=chunk.pipeline)
    drawn, found = _drawn(read, lit, paper), _drawn(read, hits, paper)
    first, last = (page, page) if page else (chunk.first_page, chunk.last_page)
    near = set(range(first - _AROUND, last + _AROUND + 1)) | set(drawn.begins.values())
    shown = {found.begins[hit.number] for _, _, hit in hits if hit.current and hit.number in found.begins}
    near |= shown
    made = tuple(
        Leaf(
            number, _label(document, number), *_size(width, height), number in near,
            tuple(drawn.parts.get(number, ())), tuple(found.parts.get(number, ())),
        )
        for number, (_, width, height, *_) in enumerate(facts, 1)
    )  # fmt: skip
    missed = [hit for hit in found.placeless if hit.current]  # of the others nobody asks
    opening_page = 0 if drawn.begins or shown else page or opening_page or chunk.first_page
    return Leaves(made, opening_page, (*drawn.placeless, *missed), drawn.problem or found.problem)


def _drawn(read: Document, spans: Sequence[Lit | Found], paper: Paper) -> _Drawn:
    made = _Drawn()
    for start, end, mark in spans:
        try:
            places = paper.rectangles(read, start, end)
        except (AlteredContent, Undrawable) as err:
            places, made.problem = [], err.detail
        if not places:
            made.placeless.append(mark)
            continue
        made.begins[mark.number] = places[0].page
        letters = paper.letters(read, _pages(places))
        for number in _pages(places):
            boxes = tuple(_box(one, as_shown(one, letters[number])) for one in places if one.page == number)
            made.parts.setdefault(number, []).append(LitPart(mark, number == places[0].page, boxes))
    return made


def notes(
    document: Document, chunk: Chunk, lit: Sequence[Lit], question: str, paper: Paper, skipped: int = 0
) -> list[Note]:
    """The same as highlights for a PDF whose first `skipped` pages are left out."""
    read = replace(document, pipeline=chunk.pipeline)
    found: list[Note] = []
    for start, end, mark in lit:
        said = f"Lit for: {question}\nScore {mark.score:.2f}, similarity {mark.similarity:.2f}"
        found += _notes(read, start, end, mark.strength, said, str(mark.sentence), paper, skipped)
    return found


def note_of_span(document: Document, start: int, end: int, is_find: bool, paper: Paper, skipped: int = 0) -> list[Note]:
    """A quoted span, or a find, as a highlight for a PDF: one for each of its pages."""
    said, strength = ("Found here", FOUND) if is_find else ("Quoted from here", STRONG_LIT)
    return _notes(document, start, end, strength, said, f"{start}-{end}", paper, skipped)


def _notes(
    read: Document, start: int, end: int, strength: int, said: str, name: str, paper: Paper, skipped: int = 0
) -> list[Note]:
    places = paper.rectangles(read, start, end)
    found = []
    for number in _pages(places):
        letters = paper.page_letters(read, number)
        boxes = tuple(place for place in places if place.page == number)
        origin = (letters.left, letters.bottom)
        tag = f"{read.id}-{read.pipeline}-{name}-{number}"
        found.append(Note(number - skipped, boxes, origin, strength, said, tag))
    return found


def _pages(places: Sequence[Rectangle]) -> list[int]:
    return list(dict.fromkeys(place.page for place in places))


def _box(place: Rectangle, shown: Shown) -> Box:
    x, y, width, height, turn = shown
    match turn:
        case 90:
            under = x + width, y, x + width, y + height
        case 180:
            under = x, y, x + width, y
        case 270:
            under = x, y, x, y + height
        case _:
            under = x, y + height, x + width, y + height
    return Box(shown, tuple(round(value, 2) for value in under), place.dark)


def _size(width: float, height: float) -> tuple[float, float]:
    return (width, height) if width > 0 and height > 0 else _UNKNOWN_SIZE


def _label(document: Document, number: int) -> str:
    label = document.labels[number - 1] if len(document.labels) >= number else ""
    return label if label != str(number) else ""
