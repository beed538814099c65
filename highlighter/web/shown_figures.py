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
    except HighlighterError:  # the text can be read without its pages
        return {}
    figures: dict[tuple[int, int], ShownFigure] = {}
    is_readable = True
    for caption in captions:
        figure = None
        if is_readable and len(figures) < _MAX_SHOWN_FIGURES:
            try:
                figure = _locate_figure(renderer, document, caption)
            except HighlighterError:  # others may be on the same page, and each try takes time
                is_readable = False
        figures[caption] = figure or ShownFigure(renderer.page_at(document, caption[0]))
    return figures


def _locate_figure(renderer: DocumentPages, document: Document, caption: tuple[int, int]) -> ShownFigure | None:
    """Return the figure of a caption with its box; None where the page shows none near it."""
    figure = find_figure(renderer, document, caption)
    if figure is None:
        return None
    characters = renderer.read_page_characters(document, figure.page)
    box = to_display_box(figure, characters)
    is_narrow = box.width < _MIN_WIDTH_SHARE * characters.display_size[0]
    width = IMAGE_WIDTHS_PIXELS[-1] if is_narrow else DEFAULT_WIDTH_PIXELS
    return ShownFigure(figure.page, box, characters.display_size, width)
