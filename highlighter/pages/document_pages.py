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

from highlighter.errors import NotFound, TooLarge, Unavailable, UnreadableFile, UnrenderablePage
from highlighter.locale import N_
from highlighter.models import TIMED_OUT, Document, Rectangle
from highlighter.pages.page_characters import PageCharacters, read_page_characters
from highlighter.pages.page_images import draw_page, preload_pdfium
from highlighter.pages.pdf_highlights import PdfHighlight, write_highlights
from highlighter.pages.rectangles import compute_rectangles
from highlighter.pages.render_cache import RenderCache
from highlighter.store.catalog import Catalog
from highlighter.store.files import FileStore
from highlighter.store.lookup import require_page
from highlighter.store.source_map import SourceMap
from highlighter.store.verified_files import get_verified_paged_pdf
from highlighter.workers.process_pool import ProcessPool, ProcessPoolClosed

MAX_SPAN_PAGES = 50  # that one span may touch: a reader asks for sentences, not for a book
MAX_DRAWING_SECONDS = 20.0  # somebody is waiting
_MAX_CACHED_MAPS, _MAX_CACHED_PAGES = 8, 128  # in memory; some megabytes each


class DocumentPages:
    """`process_pool` is asked for on first use: whoever shows no page starts no child."""

    def __init__(self, catalog: Catalog, files: FileStore, get_process_pool: Callable[[], ProcessPool]):
        self._catalog, self._files, self._get_process_pool = catalog, files, get_process_pool
        self._source_maps: LRUCache[tuple, SourceMap] = LRUCache(_MAX_CACHED_MAPS)
        self._characters_of_pages: LRUCache[tuple, PageCharacters | None] = LRUCache(_MAX_CACHED_PAGES)
        self._lock = threading.Lock()

    def start_drawing_process(self) -> None:
        """Start a child process that can draw, so that the first page is there as soon as the next."""
        with suppress(ProcessPoolClosed, UnreadableFile):
            self._get_process_pool().run(preload_pdfium)

    def find_rectangles(self, document: Document, start: int, end: int) -> list[Rectangle]:
        """Where `[start, end)` of the canonical text stands, in reading order. Nothing where it stands nowhere."""
        spans = self._load_source_map(document).raw_spans_by_page(start, end)
        if len(spans) > MAX_SPAN_PAGES:
            raise TooLarge(f"The span covers {len(spans)} pages; the limit is {MAX_SPAN_PAGES}. Split the request.")
        letters = self.read_characters(document, spans)
        return [
            box for page, raw in spans.items() if (seen := letters[page]) for box in compute_rectangles(page, seen, raw)
        ]

    def read_characters(self, document: Document, pages: Iterable[int]) -> dict[int, PageCharacters | None]:
        """What stands where on these pages; None for one that cannot be opened."""
        self.check_pages(document)
        keys = {page: (document.id, document.pipeline, page) for page in pages}
        shelf = self._open_cache(document)
        with self._lock:
            found = {
                page: self._characters_of_pages[key] for page, key in keys.items() if key in self._characters_of_pages
            }
        for page in keys.keys() - found.keys():
            if data := shelf.read(f"{page}.seen"):
                found[page] = PageCharacters.from_bytes(data)
        if missing := sorted(keys.keys() - found.keys()):
            read = self._run_in_child(
                N_(f"The pages of {document.name} cannot be displayed:"),
                document,
                read_page_characters,
                self._find_paged_file(document),
                missing,
            )
            for page, seen in zip(missing, read, strict=True):
                found[page] = seen
                if seen:
                    shelf.save(f"{page}.seen", seen.to_bytes())
        with self._lock:
            self._characters_of_pages.update({keys[page]: seen for page, seen in found.items()})
        return found

    def check_pages(self, document: Document) -> None:
        """Raise AlteredContent when the file that the pages are drawn from is altered, whatever was drawn of it before."""
        get_verified_paged_pdf(self._catalog, self._files, document)

    def page_at(self, document: Document, offset: int) -> int:
        """The page on which the character at this place of the canonical text stands."""
        return self._load_source_map(document).page_at(offset)

    def read_page_characters(self, document: Document, page: int) -> PageCharacters:
        seen = self.read_characters(document, [require_page(document, page)])[page]
        if seen is None:
            raise UnrenderablePage(f"Page {page} of {document.name} is damaged and cannot be opened.")
        return seen

    def draw_page(self, document: Document, page: int, width: int, kind: str) -> bytes:
        """A page as "png" or "webp"."""
        self.check_pages(document)
        shelf, name = self._open_cache(document), f"{require_page(document, page)}-{width}.{kind}"
        data = shelf.read(name)
        if data is None:
            data = self._run_in_child(
                N_(f"Page {page} of {document.name} cannot be displayed:"),
                document,
                draw_page,
                self._find_paged_file(document),
                page,
                width,
                kind,
            )
            shelf.save(name, data)
        return data

    def write_highlighted_pdf(self, document: Document, source: Path, notes: Sequence[PdfHighlight]) -> Path:
        """A copy of `source` (the paged form, or a part of it) with these highlights in it."""
        shelf = self._open_cache(document)
        name = hashlib.sha256(repr((source.parent.name, source.name, notes)).encode()).hexdigest()[:32] + ".pdf"
        if found := shelf.find_file(name):
            return found
        try:
            with shelf.open_new(name) as copy:
                # pypdf takes its time over some files: all that reading one may take.
                self._run_in_child(
                    N_(f"The PDF of {document.name} cannot be created:"),
                    document,
                    write_highlights,
                    source,
                    tuple(notes),
                    copy,
                    seconds=None,
                )
        except FileNotFoundError as err:
            raise _pages_missing(document) from err
        return shelf.find_file(name) or source

    def _load_source_map(self, document: Document) -> SourceMap:
        key = (document.id, document.pipeline)
        with self._lock:
            found = self._source_maps.get(key)
        if found is None:
            try:
                found = self._catalog.source_map(document)
            except NoResultFound as err:
                raise _pages_missing(document) from err
            with self._lock:
                self._source_maps[key] = found
        return found

    def _find_paged_file(self, document: Document) -> Path:
        path = get_verified_paged_pdf(self._catalog, self._files, document)
        if not path.is_file():
            raise _pages_missing(document)
        return path

    def _open_cache(self, document: Document) -> RenderCache:
        return RenderCache(self._files.rendered_folder(document))

    def _run_in_child(
        self,
        failure: str,
        document: Document,
        task: Callable[..., Any],
        *arguments: Any,
        seconds: float | None = MAX_DRAWING_SECONDS,
    ) -> Any:
        try:
            return self._get_process_pool().run(task, *arguments, seconds=seconds)
        except UnreadableFile as err:
            if not self._files.paged_pdf_path(document).is_file():
                raise _pages_missing(document) from err
            why = N_("it takes too long") if err.state == TIMED_OUT else N_("the file is damaged or too complex there")
            raise UnrenderablePage(f"{failure} {why}. " + N_("The original can still be opened.")) from err
        except (ProcessPoolClosed, CancelledError) as err:
            raise Unavailable("The service is shutting down. Try again in a moment.") from err


def _pages_missing(document: Document) -> NotFound:
    return NotFound(f"The pages of {document.name} are missing: the document was deleted, or must be uploaded again.")
