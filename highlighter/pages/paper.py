"""A document as paper: where its words stand, its pages as pictures, its PDF with highlights.

What touches the file happens in the pool of child processes, and is kept on the document's shelf.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from pathlib import Path
from typing import Any

from cachetools import LRUCache
from sqlalchemy.exc import NoResultFound

from highlighter.errors import NotFound, TooLarge, Unavailable, Undrawable, Unreadable
from highlighter.locale import N_
from highlighter.models import TIMED_OUT, Document, Rectangle
from highlighter.pages.annotate import Note, annotate
from highlighter.pages.letters import Letters, read_letters
from highlighter.pages.pictures import draw, get_ready
from highlighter.pages.rectangles import rectangles_on
from highlighter.pages.shelf import Shelf
from highlighter.store.catalog import Catalog
from highlighter.store.checked_files import checked_paged
from highlighter.store.files import Files
from highlighter.store.known import checked_page
from highlighter.store.source_map import SourceMap
from highlighter.workers.jail import Closed, Jail

MOST_PAGES = 50  # that one span may touch: a reader asks for sentences, not for a book
DRAWING_SECONDS = 20.0  # somebody is waiting
_MAPS_KEPT, _LETTERS_KEPT = 8, 128  # in memory; some megabytes each


class Paper:
    """`jail` is asked for on first use: whoever shows no page starts no child."""

    def __init__(self, catalog: Catalog, files: Files, jail: Callable[[], Jail]):
        self._catalog, self._files, self._jail = catalog, files, jail
        self._maps: LRUCache[tuple, SourceMap] = LRUCache(_MAPS_KEPT)
        self._letters: LRUCache[tuple, Letters | None] = LRUCache(_LETTERS_KEPT)
        self._lock = threading.Lock()

    def get_ready(self) -> None:
        """Start a child process that can draw, so that the first page is there as soon as the next."""
        with suppress(Closed, Unreadable):
            self._jail().run(get_ready)

    def rectangles(self, document: Document, start: int, end: int) -> list[Rectangle]:
        """Where `[start, end)` of the canonical text stands, in reading order. Nothing where it stands nowhere."""
        spans = self._map(document).raw_by_page(start, end)
        if len(spans) > MOST_PAGES:
            raise TooLarge(f"The span runs over {len(spans)} pages; at most {MOST_PAGES} are looked at. Ask in parts.")
        letters = self.letters(document, spans)
        return [box for page, raw in spans.items() if (seen := letters[page]) for box in rectangles_on(page, seen, raw)]

    def letters(self, document: Document, pages: Iterable[int]) -> dict[int, Letters | None]:
        """What stands where on these pages; None for one that cannot be opened."""
        self.check_pages(document)
        keys = {page: (document.id, document.pipeline, page) for page in pages}
        shelf = self._shelf(document)
        with self._lock:
            found = {page: self._letters[key] for page, key in keys.items() if key in self._letters}
        for page in keys.keys() - found.keys():
            if data := shelf.get(f"{page}.seen"):
                found[page] = Letters.from_bytes(data)
        if missing := sorted(keys.keys() - found.keys()):
            read = self._run(
                N_(f"The pages of {document.name} cannot be drawn:"),
                document,
                read_letters,
                self._paged(document),
                missing,
            )
            for page, seen in zip(missing, read, strict=True):
                found[page] = seen
                if seen:
                    shelf.keep(f"{page}.seen", seen.to_bytes())
        with self._lock:
            self._letters.update({keys[page]: seen for page, seen in found.items()})
        return found

    def check_pages(self, document: Document) -> None:
        """Raise AlteredContent when the file that the pages are drawn from is altered, whatever was drawn of it before."""
        checked_paged(self._catalog, self._files, document)

    def page_at(self, document: Document, offset: int) -> int:
        """The page on which the character at this place of the canonical text stands."""
        return self._map(document).page_at(offset)

    def page_letters(self, document: Document, page: int) -> Letters:
        seen = self.letters(document, [checked_page(document, page)])[page]
        if seen is None:
            raise Undrawable(f"Page {page} of {document.name} is damaged and cannot be opened.")
        return seen

    def picture(self, document: Document, page: int, width: int, kind: str) -> bytes:
        """A page as "png" or "webp"."""
        self.check_pages(document)
        shelf, name = self._shelf(document), f"{checked_page(document, page)}-{width}.{kind}"
        data = shelf.get(name)
        if data is None:
            data = self._run(
                N_(f"Page {page} of {document.name} cannot be drawn:"),
                document,
                draw,
                self._paged(document),
                page,
                width,
                kind,
            )
            shelf.keep(name, data)
        return data

    def lit_pdf(self, document: Document, source: Path, notes: Sequence[Note]) -> Path:
        """A copy of `source` (the paged form, or a part of it) with these highlights in it."""
        shelf = self._shelf(document)
        name = hashlib.sha256(repr((source.parent.name, source.name, notes)).encode()).hexdigest()[:32] + ".pdf"
        if found := shelf.find(name):
            return found
        try:
            with shelf.making(name) as copy:
                # pypdf takes its time over some files: all that reading one may take.
                self._run(
                    N_(f"The PDF of {document.name} cannot be drawn:"),
                    document,
                    annotate,
                    source,
                    tuple(notes),
                    copy,
                    seconds=None,
                )
        except FileNotFoundError as err:
            raise _gone(document) from err
        return shelf.find(name) or source

    def _map(self, document: Document) -> SourceMap:
        key = (document.id, document.pipeline)
        with self._lock:
            found = self._maps.get(key)
        if found is None:
            try:
                found = self._catalog.source_map(document)
            except NoResultFound as err:
                raise _gone(document) from err
            with self._lock:
                self._maps[key] = found
        return found

    def _paged(self, document: Document) -> Path:
        path = checked_paged(self._catalog, self._files, document)
        if not path.is_file():
            raise _gone(document)
        return path

    def _shelf(self, document: Document) -> Shelf:
        return Shelf(self._files.drawn(document))

    def _run(
        self,
        what: str,
        document: Document,
        task: Callable[..., Any],
        *arguments: Any,
        seconds: float | None = DRAWING_SECONDS,
    ) -> Any:
        try:
            return self._jail().run(task, *arguments, seconds=seconds)
        except Unreadable as err:
            if not self._files.paged(document).is_file():
                raise _gone(document) from err
            why = N_("it takes too long") if err.state == TIMED_OUT else N_("the file is damaged there, or too heavy")
            raise Undrawable(f"{what} {why}. " + N_("The original can still be opened.")) from err
        except (Closed, CancelledError) as err:
            raise Unavailable("The service is being stopped. Try again in a moment.") from err


def _gone(document: Document) -> NotFound:
    return NotFound(f"The pages of {document.name} are not there: it was deleted meanwhile, or must be taken in again.")
