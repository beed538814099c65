"""The pages of a document: where its text is on them, pages as pictures, and its PDF with highlights.

Code that opens the file runs in the pool of child processes; its results are kept in the document's render cache.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

from cachetools import LRUCache

from highlighter.errors import NotFound, TooLarge, Unavailable, UnreadableFile, UnrenderablePage
from highlighter.locale import N_, end_sentence, join_messages
from highlighter.models import TIMED_OUT, Document, Rectangle
from highlighter.pages.bookmarks import Bookmark, load_bookmarks, read_serialized_bookmarks
from highlighter.pages.figure_boxes import FigureBoxes, load_figure_boxes, read_figure_boxes
from highlighter.pages.page_characters import PageCharacters, read_serialized_characters
from highlighter.pages.page_images import draw_page, preload_pdfium
from highlighter.pages.pdf_highlights import PdfHighlight, write_highlights
from highlighter.pages.rectangles import compute_rectangles
from highlighter.pages.render_cache import RenderCache
from highlighter.store.catalog import Catalog, TextMissing
from highlighter.store.files import FileStore
from highlighter.store.lookup import require_page
from highlighter.store.source_map import SourceMap
from highlighter.store.verified_files import get_verified_paged_pdf
from highlighter.text.document_structure import DocumentStructure
from highlighter.workers.process_pool import ProcessPool, ProcessPoolClosed

MAX_SPAN_PAGES = 50  # of one span: readers ask for sentences, not for a book
MAX_DRAWING_SECONDS = 20.0  # a user is waiting
MAX_FIGURE_SECONDS = 5.0  # the text is shown without figures rather than late
_MAX_CACHED_MAPS, _MAX_CACHED_PAGES = 8, 128  # in memory; some megabytes each

_BOOKMARKS_ENTRY = "bookmarks.json"

Loaded = TypeVar("Loaded", SourceMap, DocumentStructure)


class DocumentPages:
    """The pages of all documents.

    The process pool is created on first use, so that no child starts before a page is shown.
    """

    def __init__(self, catalog: Catalog, files: FileStore, get_process_pool: Callable[[], ProcessPool]):
        self._catalog, self._files, self._get_process_pool = catalog, files, get_process_pool
        self._source_maps: LRUCache[tuple[str, int], SourceMap] = LRUCache(_MAX_CACHED_MAPS)
        self._characters_of_pages: LRUCache[tuple[str, int, int], PageCharacters | None] = LRUCache(_MAX_CACHED_PAGES)
        self._structures: LRUCache[tuple[str, int], DocumentStructure] = LRUCache(_MAX_CACHED_MAPS)
        self._lock = threading.Lock()

    def start_drawing_process(self) -> None:
        """Start a child process that can draw, so that the first page is not slower than the next."""
        with suppress(ProcessPoolClosed, UnreadableFile):
            self._get_process_pool().run(preload_pdfium)

    def find_rectangles(self, document: Document, start: int, end: int) -> list[Rectangle]:
        """Return the rectangles of a span of the canonical text, in reading order; none where it is on no page.

        Each cell of a table has rectangles of its own.
        """
        pages = self._load_source_map(document).pages_of_span(start, end)
        if len(pages) > MAX_SPAN_PAGES:
            raise TooLarge(
                N_(
                    "The span covers {count} pages; the limit is {limit}. Split the request.",
                    count=len(pages),
                    limit=MAX_SPAN_PAGES,
                )
            )
        cells = self.load_structure(document).tables.split_at_cells(start, end)
        return [rectangle for rectangles in self.find_cell_rectangles(document, cells) for rectangle in rectangles]

    def find_cell_rectangles(self, document: Document, cells: Sequence[tuple[int, int]]) -> list[list[Rectangle]]:
        """Return the rectangles of each of some spans in reading order, none of which goes beyond a cell of a table."""
        source_map = self._load_source_map(document)
        raw_spans = [source_map.raw_spans_by_page(start, end) for start, end in cells]
        characters = self.read_characters(document, dict.fromkeys(page for by_page in raw_spans for page in by_page))
        return [
            [
                rectangle
                for page, raw in by_page.items()
                if (page_characters := characters[page])
                for rectangle in compute_rectangles(page, page_characters, raw)
            ]
            for by_page in raw_spans
        ]

    def read_characters(self, document: Document, pages: Iterable[int]) -> dict[int, PageCharacters | None]:
        """Return the characters of these pages; None for a page that cannot be opened."""
        self.check_pages(document)
        keys = {page: (document.id, document.pipeline, page) for page in pages}
        cache = self._open_cache(document)
        with self._lock:
            characters = {
                page: self._characters_of_pages[key] for page, key in keys.items() if key in self._characters_of_pages
            }
        for page in keys.keys() - characters.keys():
            if data := self._read_rendered(document, cache, f"{page}.seen"):
                characters[page] = PageCharacters.from_bytes(data)
        if missing := sorted(keys.keys() - characters.keys()):
            data_of_missing = self._run_in_child(
                N_("The pages of {name} cannot be displayed:", name=document.name),
                document,
                read_serialized_characters,
                self._find_paged_file(document),
                missing,
            )
            for page, data in zip(missing, data_of_missing, strict=True):
                characters[page] = PageCharacters.from_bytes(data) if data else None
                if data:
                    self._save_rendered(document, cache, f"{page}.seen", data)
        with self._lock:
            self._characters_of_pages.update(
                {keys[page]: page_characters for page, page_characters in characters.items()}
            )
        return characters

    def check_pages(self, document: Document) -> None:
        """Raise AlteredContent when the file of the pages was altered, even if the pages are cached."""
        get_verified_paged_pdf(self._catalog, self._files, document)

    def page_at(self, document: Document, offset: int) -> int:
        """Return the page of the character at this offset of the canonical text."""
        return self._load_source_map(document).page_at(offset)

    def read_page_characters(self, document: Document, page: int) -> PageCharacters:
        """Return the characters of a page. Raises UnrenderablePage when it cannot be opened."""
        characters = self.read_characters(document, [require_page(document, page)])[page]
        if characters is None:
            raise UnrenderablePage(
                N_("Page {page} of {name} is damaged and cannot be opened.", page=page, name=document.name)
            )
        return characters

    def draw_page(self, document: Document, page: int, width: int, kind: str) -> bytes:
        """Return a picture of a page as "png" or "webp"."""
        self.check_pages(document)
        name = f"{require_page(document, page)}-{width}.{kind}"
        return self._render(document, name, _page_failure(document, page), draw_page, page, width, kind)

    def read_figure_boxes(self, document: Document, page: int) -> FigureBoxes:
        """Return the boxes of the images and drawings on a page."""
        name, failure = f"{require_page(document, page)}.figures.json", _page_failure(document, page)
        data = self._render(document, name, failure, read_figure_boxes, page, seconds=MAX_FIGURE_SECONDS)
        return load_figure_boxes(data)

    def read_bookmarks(self, document: Document) -> list[Bookmark]:
        """Return the bookmarks of the PDF that a document's pages are in."""
        self.check_pages(document)
        failure = N_("The bookmarks of {name} cannot be read:", name=document.name)
        return load_bookmarks(self._render(document, _BOOKMARKS_ENTRY, failure, read_serialized_bookmarks))

    def write_highlighted_pdf(self, document: Document, source: Path, highlights: Sequence[PdfHighlight]) -> Path:
        """Return a copy of `source` (the paged PDF, or a part of it) with these highlights."""
        cache = self._open_cache(document)
        digest = hashlib.sha256(repr((source.parent.name, source.name, highlights)).encode()).hexdigest()
        name = f"{digest[:32]}.pdf"
        if path := cache.find_file(name):
            return path
        try:
            with cache.open_new(name) as copy:
                # pypdf is slow with some files, so writing may take as long as reading a file may.
                self._run_in_child(
                    N_("The PDF of {name} cannot be created:", name=document.name),
                    document,
                    write_highlights,
                    source,
                    tuple(highlights),
                    copy,
                    seconds=None,
                )
        except FileNotFoundError as err:
            raise _missing_pages_error(document) from err
        return cache.find_file(name) or source

    def load_structure(self, document: Document) -> DocumentStructure:
        """Return the tables and figures of a document."""
        return self._load(document, self._structures, self._catalog.structure)

    def _load_source_map(self, document: Document) -> SourceMap:
        return self._load(document, self._source_maps, self._catalog.source_map)

    def _load(
        self, document: Document, cache: LRUCache[tuple[str, int], Loaded], read: Callable[[Document], Loaded]
    ) -> Loaded:
        key = (document.id, document.pipeline)
        with self._lock:
            loaded = cache.get(key)
        if loaded is None:
            try:
                loaded = read(document)
            except TextMissing as err:
                raise _missing_pages_error(document) from err
            with self._lock:
                cache[key] = loaded
        return loaded

    def _find_paged_file(self, document: Document) -> Path:
        path = get_verified_paged_pdf(self._catalog, self._files, document)
        if not path.is_file():
            raise _missing_pages_error(document)
        return path

    def _render(
        self,
        document: Document,
        name: str,
        failure: str,
        task: Callable[..., bytes],
        *arguments: Any,
        seconds: float = MAX_DRAWING_SECONDS,
    ) -> bytes:
        """Return an entry of the cache; where there is none, a child process makes it from the file of the pages."""
        cache = self._open_cache(document)
        data = self._read_rendered(document, cache, name)
        if data is None:
            paged_file = self._find_paged_file(document)
            data = cast(bytes, self._run_in_child(failure, document, task, paged_file, *arguments, seconds=seconds))
            self._save_rendered(document, cache, name, data)
        return data

    def _open_cache(self, document: Document) -> RenderCache:
        return RenderCache(self._files.rendered_folder(document))

    def _read_rendered(self, document: Document, cache: RenderCache, name: str) -> bytes | None:
        """Return an entry of the cache, or what another machine rendered."""
        data = cache.read(name)
        if data is None and (data := self._files.read_rendered(document, name)) is not None:
            cache.save(name, data)
        return data

    def _save_rendered(self, document: Document, cache: RenderCache, name: str, data: bytes) -> None:
        cache.save(name, data)
        self._files.save_rendered(document, name, data)
        if self._files.address and self._catalog.document(document.id) is None:  # deleted meanwhile, with its files
            self._files.remove_generated_files(document.id)

    def _run_in_child(
        self,
        failure: str,  # the first half of the error's sentence
        document: Document,
        task: Callable[..., Any],
        *arguments: Any,
        seconds: float | None = MAX_DRAWING_SECONDS,
    ) -> Any:
        try:
            return self._get_process_pool().run(task, *arguments, seconds=seconds)
        except UnreadableFile as err:
            if not self._files.paged_pdf_path(document).is_file():
                raise _missing_pages_error(document) from err
            reason = (
                N_("it takes too long") if err.state == TIMED_OUT else N_("the file is damaged or too complex there")
            )
            raise UnrenderablePage(
                join_messages([failure, end_sentence(reason), N_("The original can still be opened.")])
            ) from err
        except (ProcessPoolClosed, CancelledError) as err:
            raise Unavailable("The service is shutting down. Try again in a moment.") from err


def _page_failure(document: Document, page: int) -> str:
    return N_("Page {page} of {name} cannot be displayed:", page=page, name=document.name)


def _missing_pages_error(document: Document) -> NotFound:
    return NotFound(
        N_("The pages of {name} are missing: the document was deleted, or must be uploaded again.", name=document.name)
    )
