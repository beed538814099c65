"""A page as a picture, drawn by PDFium in a child process."""

from __future__ import annotations

import io
from pathlib import Path

from highlighter.errors import UnreadableFile
from highlighter.models import DAMAGED

IMAGE_WIDTHS_PIXELS = (400, 800, 1200, 1600, 2400)  # pixels: a few, so that what is kept is used again
DEFAULT_WIDTH_PIXELS = 1200
_MAX_PIXELS = 12_000_000  # a very tall page is drawn smaller, not at any cost
_MAX_SIDE_PIXELS = 16_000  # WebP takes no more than 16,383


def choose_width(wanted: int) -> int:
    """The smallest of our widths that is as wide, or the widest."""
    return next((width for width in IMAGE_WIDTHS_PIXELS if width >= wanted), IMAGE_WIDTHS_PIXELS[-1])


def preload_pdfium() -> None:
    """What a child needs for drawing, brought in before somebody waits for it."""
    import pypdfium2  # noqa: F401


def draw_page(path: Path, page: int, width: int, kind: str) -> bytes:
    """`kind` is "png" or "webp". Raises Unreadable for a page that cannot be drawn."""
    # Heavy, and wanted in the child alone.
    import pypdfium2

    try:
        with pypdfium2.PdfDocument(path) as document:
            if document.get_formtype():
                document.init_forms()  # before a page is opened, or what is filled in is not drawn
            drawn = document[page - 1]
            across, up = drawn.get_size()
            if not (across > 0 and up > 0):
                raise UnreadableFile(DAMAGED, "The page has no size.")
            scale = width / across
            scale = min(scale, (_MAX_PIXELS / (across * up)) ** 0.5, _MAX_SIDE_PIXELS / max(across, up))
            picture = drawn.render(scale=scale).to_pil()
    except (pypdfium2.PdfiumError, IndexError) as err:
        raise UnreadableFile(DAMAGED, "PDFium cannot open the page.") from err
    out = io.BytesIO()
    if kind == "webp":
        picture.save(out, "WEBP", quality=80, method=1)  # finer methods take twice as long for a few percent
    else:
        picture.save(out, "PNG", compress_level=4)
    return out.getvalue()
