"""The outline of a document: the bookmarks of its PDF, or else the headings that reading found."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from highlighter.errors import AlteredContent, NotFound, UnrenderablePage
from highlighter.models import Chunk, Document
from highlighter.pages.bookmarks import Bookmark
from highlighter.services import Services
from highlighter.store import lookup

# More headings than this are no table of contents: the deepest levels are left out.
MAX_HEADINGS = 200
_MAX_TITLE_CHARACTERS = 120  # a longer heading is a paragraph in bold type


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A title of the outline, with the page and the chunk that it leads to; level 1 is the highest."""

    title: str
    level: int
    page: int
    chunk: Chunk


@dataclass(frozen=True, slots=True)
class _Heading:
    """A heading that reading found."""

    title: str
    level: int
    offset: int  # in the document's text
    page: int


def build_outline(services: Services, document: Document) -> list[OutlineEntry]:
    """Return the outline of a document, in reading order; empty where it has neither bookmarks nor headings."""
    chunks = lookup.list_chunk_spans(services.catalog.engine, document)
    if not chunks:
        return []
    headings = _list_headings(services, document)
    bookmarks = _read_bookmarks(services, document)
    if bookmarks:
        return _nest(_build_bookmark_entry(bookmark, headings, chunks) for bookmark in bookmarks)
    return _nest(
        OutlineEntry(heading.title, heading.level, heading.page, _find_chunk(chunks, heading.offset))
        for heading in _select_headings(headings)
    )


def _read_bookmarks(services: Services, document: Document) -> list[Bookmark]:
    try:
        return services.page_renderer.read_bookmarks(document) if document.kind == "pdf" else []
    except (AlteredContent, NotFound, UnrenderablePage):  # the headings were read when the file was whole
        return []


def _nest(entries: Iterable[OutlineEntry]) -> list[OutlineEntry]:
    """Return entries that begin at level 1, each at most one level below the one before it."""
    nested: list[OutlineEntry] = []
    open_levels: list[int] = []  # of the entry and those above it, as the document has them
    for entry in entries:
        while open_levels and open_levels[-1] >= entry.level:
            open_levels.pop()
        open_levels.append(entry.level)
        nested.append(replace(entry, level=len(open_levels)))
    return nested


def _list_headings(services: Services, document: Document) -> list[_Heading]:
    text = services.catalog.text(document)
    headings = []
    for start, end, level in services.catalog.facts(document)["headings"]:
        title = " ".join(text[start:end].split())
        if any(character.isalpha() for character in title) and len(title) <= _MAX_TITLE_CHARACTERS:
            headings.append(_Heading(title, level, start, services.page_renderer.page_at(document, start)))
    return headings


def _select_headings(headings: list[_Heading]) -> list[_Heading]:
    """Return the headings of the highest levels, as many levels as are still a table of contents."""
    count_by_level = Counter(heading.level for heading in headings)
    levels: list[int] = []
    for level in sorted(count_by_level):
        if sum(count_by_level[one] for one in (*levels, level)) > MAX_HEADINGS and levels:
            break
        levels.append(level)
    selected = [heading for heading in headings if heading.level in levels][:MAX_HEADINGS]
    return [
        heading for number, heading in enumerate(selected) if not number or heading.title != selected[number - 1].title
    ]


def _build_bookmark_entry(bookmark: Bookmark, headings: list[_Heading], chunks: Sequence[Chunk]) -> OutlineEntry:
    """Return a bookmark with the chunk of its heading, or else with the first chunk that reaches its page."""
    letters = _keep_letters(bookmark.title)
    on_page = [heading for heading in headings if heading.page == bookmark.page]
    heading = next((one for one in on_page if letters and letters in _keep_letters(one.title)), None)
    if heading:
        chunk = _find_chunk(chunks, heading.offset)
    else:
        chunk = next((chunk for chunk in chunks if chunk.last_page >= bookmark.page), chunks[-1])
    return OutlineEntry(bookmark.title, bookmark.level, bookmark.page, chunk)


def _find_chunk(chunks: Sequence[Chunk], offset: int) -> Chunk:
    return chunks[max(bisect_right(chunks, offset, key=lambda chunk: chunk.start) - 1, 0)]


def _keep_letters(title: str) -> str:
    return "".join(character for character in title.casefold() if character.isalpha())
