"""The bookmarks of a PDF: the outline that its author gave it."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from highlighter.errors import UnreadableFile
from highlighter.models import DAMAGED

MAX_BOOKMARKS = 2_000
_MAX_DEPTH = 6
_MAX_TITLE_CHARACTERS = 300


class Bookmark(NamedTuple):
    """A title with the page that it leads to; level 1 is the highest."""

    level: int
    title: str
    page: int


def read_bookmarks(path: Path) -> list[Bookmark]:
    """Return the bookmarks of a PDF that lead to one of its pages, in their order."""
    # Slow to import, and needed only in child processes.
    import pypdfium2

    bookmarks = []
    with pypdfium2.PdfDocument(path) as document:
        for item in islice(document.get_toc(max_depth=_MAX_DEPTH), MAX_BOOKMARKS):
            target = item.get_dest()
            index = target.get_index() if target else None
            title = " ".join(item.get_title().split())[:_MAX_TITLE_CHARACTERS]
            if title and index is not None and 0 <= index < len(document):
                bookmarks.append(Bookmark(item.level + 1, title, index + 1))
    return bookmarks


def read_serialized_bookmarks(path: Path) -> bytes:
    """Return the bookmarks of a PDF as `load_bookmarks` reads them. Raises UnreadableFile for a file that is damaged."""
    import pypdfium2

    try:
        return json.dumps(read_bookmarks(path)).encode()
    except pypdfium2.PdfiumError as err:
        raise UnreadableFile(DAMAGED, "PDFium cannot open the file.") from err


def load_bookmarks(data: bytes) -> list[Bookmark]:
    return [Bookmark(*fields) for fields in json.loads(data)]
