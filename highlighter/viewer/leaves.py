"""A document's pages with what is lit on them: what the page template loops over. Boxes are in points, as shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from highlighter.errors import Undrawable
from highlighter.models import Chunk, Document, Rectangle
from highlighter.pages.annotate import Note
from highlighter.pages.paper import Paper
from highlighter.pages.shown import Shown, as_shown
from highlighter.viewer.render import Lit, Mark

_UNKNOWN_SIZE = 595.0, 842.0  # of a page that could not be opened
_AROUND = 1  # pages before and after those lit that are drawn without script, too


@dataclass(frozen=True, slots=True)
class Box:
    shown: Shown
    under: tuple[float, float, float, float]  # the line below its text, as a reader sees it: x1, y1, x2, y2


@dataclass(frozen=True, slots=True)
class LitPart:
    """What of one lit sentence stands on one page."""

    mark: Mark
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


@dataclass(frozen=True, slots=True)
class Leaves:
    leaves: tuple[Leaf, ...]
    placeless: tuple[Mark, ...] = ()  # lit, but standing nowhere on paper
    problem: str = ""


def leaves(
    document: Document, facts: Sequence[Sequence], chunk: Chunk, lit: Sequence[Lit], paper: Paper, page: int
) -> Leaves:
    """`facts` are (label, width, height, ...) of each page; `page` is the one that was asked for, or 0."""
    read = replace(document, pipeline=chunk.pipeline)
    parts: dict[int, list[LitPart]] = {}
    placeless, begins, problem = [], {}, ""
    for start, end, mark in lit:
        try:
            places = paper.rectangles(read, start, end)
        except Undrawable as err:
            places, problem = [], err.detail
        if not places:
            placeless.append(mark)
            continue
        begins[mark.number] = places[0].page
        letters = paper.letters(read, _pages(places))
        for number in _pages(places):
            boxes = tuple(_box(as_shown(one, letters[number])) for one in places if one.page == number)
            parts.setdefault(number, []).append(LitPart(mark, number == begins[mark.number], boxes))
    first, last = (page, page) if page else (chunk.first_page, chunk.last_page)
    near = set(range(first - _AROUND, last + _AROUND + 1)) | set(begins.values())
    made = tuple(
        Leaf(number, _label(document, number), *_size(width, height), number in near, tuple(parts.get(number, ())))
        for number, (_, width, height, *_) in enumerate(facts, 1)
    )
    return Leaves(made, tuple(placeless), problem)


def notes(
    document: Document, chunk: Chunk, lit: Sequence[Lit], question: str, paper: Paper, skipped: int = 0
) -> list[Note]:
    """The same as highlights for a PDF whose first `skipped` pages are left out."""
    read = replace(document, pipeline=chunk.pipeline)
    found: list[Note] = []
    for start, end, mark in lit:
        places = paper.rectangles(read, start, end)
        for number in _pages(places):
            letters = paper.page_letters(read, number)
            boxes = tuple(place for place in places if place.page == number)
            said = f"Lit for: {question}\nScore {mark.score:.2f}, similarity {mark.similarity:.2f}"
            name = f"{document.id}-{chunk.pipeline}-{mark.sentence}-{number}"
            origin = (letters.left, letters.bottom)
            found.append(Note(number - skipped, boxes, origin, mark.strength, said, name))
    return found


def _pages(places: Sequence[Rectangle]) -> list[int]:
    return list(dict.fromkeys(place.page for place in places))


def _box(shown: Shown) -> Box:
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
    return Box(shown, tuple(round(value, 2) for value in under))


def _size(width: float, height: float) -> tuple[float, float]:
    return (width, height) if width > 0 and height > 0 else _UNKNOWN_SIZE


def _label(document: Document, number: int) -> str:
    label = document.labels[number - 1] if len(document.labels) >= number else ""
    return label if label != str(number) else ""
