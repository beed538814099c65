"""The boxes of notes on the pages of a document, for a script that draws them."""

from __future__ import annotations

from collections.abc import Sequence

from highlighter.errors import HighlighterError
from highlighter.notes.placement import PlacedNote
from highlighter.pages.display_coordinates import to_display_box
from highlighter.pages.document_pages import DocumentPages

PageBox = tuple[int, float, float, float, float]  # page, x, y, width, height: in points of the page as shown


def list_note_boxes(renderer: DocumentPages, notes: Sequence[PlacedNote]) -> dict[str, list[PageBox]]:
    """Return the boxes of each note by its id; none where its words are on no page, or the page cannot be opened."""
    return {placed.note.id: _list_boxes(renderer, placed) for placed in notes if placed.end}


def _list_boxes(renderer: DocumentPages, placed: PlacedNote) -> list[PageBox]:
    try:
        rectangles = renderer.find_rectangles(placed.document, placed.start, placed.end)
        characters = renderer.read_characters(placed.document, dict.fromkeys(one.page for one in rectangles))
    except HighlighterError:
        return []
    return [
        (rectangle.page, *to_display_box(rectangle, page_characters)[:4])
        for rectangle in rectangles
        if (page_characters := characters[rectangle.page])
    ]
