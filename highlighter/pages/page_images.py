"""Pictures of pages, drawn by PDFium in a child process."""

from __future__ import annotations

import io
from pathlib import Path

from highlighter.errors import UnreadableFile
from highlighter.models import DAMAGED

IMAGE_WIDTHS_PIXELS = (160, 400, 800, 1200, 1600, 2400)  # only a few, so that cached pictures are used again
DEFAULT_WIDTH_PIXELS = 1200
_MAX_PIXELS = 12_000_000  # a very tall page is drawn smaller, not at any cost
_MAX_SIDE_PIXELS = 16_000  # WebP takes no more than 16,383


def choose_width(min_width: int) -> int:
    """Return the smallest available width that is at least as wide, or the widest."""
    return next((width for width in IMAGE_WIDTHS_PIXELS if width >= min_width), IMAGE_WIDTHS_PIXELS[-1])


def preload_pdfium() -> None:
    """Import what a child needs for drawing, before a user waits for it."""
    import pypdfium2  # noqa: F401


def draw_page(path: Path, page: int, width: int, kind: str) -> bytes:
    """Return a picture of a page as "png" or "webp". Raises UnreadableFile for a page that cannot be drawn."""
    # Slow to import, and needed only in child processes.
    import pypdfium2

    try:
        with pypdfium2.PdfDocument(path) as document:
            if document.get_formtype():
                document.init_forms()  # before a page is opened, or field values are not drawn
            pdf_page = document[page - 1]
            page_width, page_height = pdf_page.get_size()
            if not (page_width > 0 and page_height > 0):
                raise UnreadableFile(DAMAGED, "The page has no size.")
            scale = width / page_width
            scale = min(
                scale,
                (_MAX_PIXELS / (page_width * page_height)) ** 0.5,
                _MAX_SIDE_PIXELS / max(page_width, page_height),
            )
            picture = pdf_page.render(scale=scale).to_pil()
    except (pypdfium2.PdfiumError, IndexError) as err:
        raise UnreadableFile(DAMAGED, "PDFium cannot open the page.") from err
    buffer = io.BytesIO()
    if kind == "webp":
        picture.save(buffer, "WEBP", quality=80, method=1)  # finer methods take twice as long for a few percent
    else:
        picture.save(buffer, "PNG", compress_level=4)
    return buffer.getvalue()
