"""The figures of a chunk's text, each shown with its caption: a part of the picture of its page."""

from __future__ import annotations

from dataclasses import dataclass

from highlighter.errors import HighlighterError
from highlighter.models import Chunk, Document
from highlighter.pages.display_coordinates import DisplayBox, to_display_box
from highlighter.pages.document_pages import DocumentPages
from highlighter.pages.outlines import find_figure
from highlighter.pages.page_images import DEFAULT_WIDTH_PIXELS, IMAGE_WIDTHS_PIXELS

_MAX_SHOWN_FIGURES = 12  # of a chunk: each needs a picture of its page
_MIN_WIDTH_SHARE = 0.5  # of the page: a narrower figure is cut out of a larger picture


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """The figure that a caption belongs to: its page, and its box there where that is known."""

    page: int
    box: DisplayBox | None = None
    page_size: tuple[float, float] = (0.0, 0.0)  # as displayed, in points
    picture_width: int = DEFAULT_WIDTH_PIXELS


def list_shown_figures(renderer: DocumentPages, document: Document, chunk: Chunk) -> dict[tuple[int, int], ShownFigure]:
    """Return the figure of each caption in a chunk, by the caption's span."""
    try:
        captions = renderer.load_structure(document).list_captions(chunk.start, chunk.end)
        return {
            caption: _locate_figure(renderer, document, caption, number < _MAX_SHOWN_FIGURES)
            for number, caption in enumerate(captions)
        }
    except HighlighterError:  # the text can be read without its pages
        return {}


def _locate_figure(
    renderer: DocumentPages, document: Document, caption: tuple[int, int], is_shown: bool
) -> ShownFigure:
    page = renderer.page_at(document, caption[0])
    try:
        figure = find_figure(renderer, document, caption) if is_shown else None
        if figure is None:
            return ShownFigure(page)
        characters = renderer.read_page_characters(document, page)
    except HighlighterError:
        return ShownFigure(page)
    box = to_display_box(figure, characters)
    is_narrow = box.width < _MIN_WIDTH_SHARE * characters.display_size[0]
    width = IMAGE_WIDTHS_PIXELS[-1] if is_narrow else DEFAULT_WIDTH_PIXELS
    return ShownFigure(page, box, characters.display_size, width)
