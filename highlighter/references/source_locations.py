"""Locate a reference in its sources: which page, chunk and source it means.

The fifteenth page of a file may be labelled "iii" or "12". A citation names the printed label or a label made from it,
so where any page of the document has that label, that page is meant, even if another page has that number in the file.
Only a number that is printed nowhere and that the labels do not skip is counted from the first page, and "12f" is page 12 and the next only if it is
printed nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from highlighter.models import Source
from highlighter.references.clauses import ClauseIndex, ClauseNumber, ClausePlace
from highlighter.references.locators import is_roman, parse_number
from highlighter.references.misses import AMBIGUOUS, NO_CHUNK, NO_CLAUSE, NO_PAGE, ReferenceMiss
from highlighter.references.parser import Reference

_PAGE_RANGE = re.compile(r"(?P<first>[^-]+?)-{1,2}(?:pp?\.?)?(?P<last>.+)")
_PAGE_AND_NEXT = re.compile(r"(?P<page>\d+)f")
MAX_PAGES_IN_RANGE = 500


@dataclass(frozen=True, slots=True)
class PageLookup:
    """The result of looking up a page: `page` is the physical page to open."""

    page: int = 0
    is_missing: bool = False  # the source does not have the cited page
    is_ambiguous: bool = False  # the label is printed on several pages


def look_up_pages(cited: str, source: Source) -> PageLookup:
    """Look up a cited page or range in a source. A source without known pages has every page."""
    single_page = _look_up_page(cited, source)
    ends = _PAGE_RANGE.fullmatch(cited)
    if single_page is not None or ends is None:  # "3-5" may be the label of one page
        return single_page or PageLookup(is_missing=True)
    first, last = (
        _look_up_page(ends["first"], source),
        _look_up_page(_expand_range_end(ends["first"], ends["last"]), source),
    )
    if first is None or last is None or last.page < first.page or last.page - first.page > MAX_PAGES_IN_RANGE:
        return PageLookup(is_missing=True)
    pages = [page for page in range(first.page, last.page + 1) if not source.pages or page in source.pages]
    if not pages:
        return PageLookup(is_missing=True)
    return PageLookup(pages[0], is_ambiguous=first.is_ambiguous)


def list_cited_pages(cited: str, source: Source) -> frozenset[int]:
    """Return every physical page that a cited page or range may mean: as printed, and as counted from the first page.

    Authors do both, so neither reading is wrong.
    """
    if pages := _list_page_readings(cited, source):
        return pages
    if following := _PAGE_AND_NEXT.fullmatch(cited):
        return frozenset(page + more for page in _list_page_readings(following["page"], source) for more in (0, 1))
    ends = _PAGE_RANGE.fullmatch(cited)
    if ends is None:
        return frozenset()
    firsts = _list_page_readings(ends["first"], source)
    lasts = _list_page_readings(_expand_range_end(ends["first"], ends["last"]), source)
    ranges = (range(first, last + 1) for first in firsts for last in lasts if 0 <= last - first <= MAX_PAGES_IN_RANGE)
    return frozenset(page for pages in ranges for page in pages)


def _list_page_readings(cited: str, source: Source) -> frozenset[int]:
    value = parse_number(cited)
    spellings = {cited.casefold(), str(value)} if value is not None else {cited.casefold()}
    printed = {page for page, label in enumerate(source.page_labels, 1) if label.strip().casefold() in spellings}
    return frozenset(printed | ({value} if value else set()))


def is_range_within(cited: str, sources: list[Source]) -> bool:
    """Return whether the sources together have both ends of a page range: "pp. 3-9" of a file of five is made up."""
    ends = _PAGE_RANGE.fullmatch(cited)
    if ends is None or any(_look_up_page(cited, source) for source in sources):
        return True
    range_ends = ends["first"], _expand_range_end(ends["first"], ends["last"])
    return all(any(not (look_up_pages(end, source)).is_missing for source in sources) for end in range_ends)


def _expand_range_end(first: str, last: str) -> str:
    """Return the last page of a shortened range in full: "123-5", "123-25"."""
    if first.isdigit() and last.isdigit() and len(last) < len(first):
        return first[: -len(last)] + last
    return last


def _look_up_page(cited: str, source: Source) -> PageLookup | None:
    """Look up a single page; None if the document does not have it.

    A page of the document outside the source's own pages is found, but missing.
    """
    value = parse_number(cited)
    spellings = {cited.casefold(), str(value)} if value is not None else {cited.casefold()}
    labelled_pages = [page for page, label in enumerate(source.page_labels, 1) if label.strip().casefold() in spellings]
    if labelled_pages:
        own_pages = [page for page in labelled_pages if page in source.pages] if source.pages else labelled_pages
        if len(own_pages) == 1:
            return PageLookup(own_pages[0])
        return PageLookup(
            own_pages[0] if own_pages else labelled_pages[0], is_missing=not own_pages, is_ambiguous=len(own_pages) > 1
        )
    if following := _PAGE_AND_NEXT.fullmatch(cited):
        return _look_up_page(following["page"], source)
    if value is None:
        # A roman numeral is a page of the front matter, which cannot be counted from the first page.
        return None if source.pages or not is_roman(cited) else PageLookup(0)
    if value < 1 or _is_skipped(value, source.page_labels):
        return None
    is_outside = (
        value not in source.pages if source.pages else bool(source.page_labels) and value > len(source.page_labels)
    )
    return PageLookup(value, is_missing=is_outside)


def _is_skipped(value: int, labels: Sequence[str]) -> bool:
    """Return whether the labels of two neighbouring pages leave a number out: that of a hidden slide."""
    return any(a.isdecimal() and b.isdecimal() and int(a) < value < int(b) for a, b in pairwise(labels))


# Locations in the sources of one document.


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """The index of a source, and the page and chunk in it."""

    source: int
    page: int = 0
    chunk: int | None = None
    other_sources: tuple[int, ...] = ()
    cited_pages: frozenset[int] = frozenset()  # every page that the reference may mean; none: it names no page
    clause: ClausePlace | None = None  # in the source's text


def locate_in_sources(
    reference: Reference, sources: Sequence[Source], indexes: Sequence[int]
) -> SourceLocation | ReferenceMiss:
    """Locate a reference in sources of one document. A page or chunk that none of them has is a miss."""
    if reference.page_or_chunk:
        return _locate_page_or_chunk(reference, sources, indexes)
    remaining = list(indexes)
    if reference.chunk is not None:
        remaining = [index for index in remaining if _can_have_chunk(sources[index], reference.chunk)]
        if not remaining:
            return ReferenceMiss(NO_CHUNK, tuple(indexes))
    page = 0
    if reference.page:
        if not is_range_within(reference.page, [sources[index] for index in indexes]):
            return ReferenceMiss(NO_PAGE, tuple(indexes))
        lookups = {index: look_up_pages(reference.page, sources[index]) for index in remaining}
        remaining = [index for index in remaining if not lookups[index].is_missing]
        if not remaining:
            return ReferenceMiss(NO_PAGE, tuple(indexes))
        if any(lookups[index].is_ambiguous for index in remaining):
            return ReferenceMiss(AMBIGUOUS, tuple(remaining))
        page = lookups[remaining[0]].page
    if reference.clause and len(remaining) > 1:
        remaining = [index for index in remaining if has_clause(sources[index], reference.clause)] or remaining
    location = _make_location(sources, remaining, page, reference.chunk)
    cited_pages = list_cited_pages(reference.page, sources[remaining[0]]) if reference.page else frozenset[int]()
    return replace(location, cited_pages=cited_pages)


def _locate_page_or_chunk(
    reference: Reference, sources: Sequence[Source], indexes: Sequence[int]
) -> SourceLocation | ReferenceMiss:
    """Locate "A:3": page 3, or chunk 3 if there is one; ambiguous if both exist in different sources."""
    base = replace(reference, page_or_chunk="")
    by_page = locate_in_sources(replace(base, page=reference.page_or_chunk), sources, indexes)
    if isinstance(by_page, SourceLocation):
        by_page = replace(by_page, cited_pages=frozenset())  # it may name no page
    value = parse_number(reference.page_or_chunk)
    chunks = [index for index in indexes if value is not None and sources[index].chunk_index == value]
    if not chunks:
        return by_page
    by_chunk = locate_in_sources(replace(base, chunk=value), sources, chunks)
    if isinstance(by_page, ReferenceMiss):
        return by_chunk
    if isinstance(by_chunk, SourceLocation) and by_page.source != by_chunk.source:
        return ReferenceMiss(AMBIGUOUS, (by_page.source, by_chunk.source))
    return by_page


def _can_have_chunk(source: Source, chunk: int) -> bool:
    if source.chunk_index is not None:
        return source.chunk_index == chunk
    return not source.chunks or chunk < source.chunks


def has_clause(source: Source, clause: str) -> bool:
    """Return whether the text of the source has a clause with this number."""
    if not source.text:
        return False
    return re.search(rf"(?<![\w.]){re.escape(clause)}(?![\w]|\.\d)", source.text, re.IGNORECASE) is not None


def locate_clause(
    location: SourceLocation, source: Source, clauses: ClauseIndex, cited: ClauseNumber
) -> SourceLocation | ReferenceMiss:
    """Return a location with the place of the cited clause in the source's text. A stored document may lack the clause.

    Where a page is cited, too, the clause counts only if it begins there.
    """
    lookup = clauses.find(cited)
    if lookup.place is None:
        is_whole = bool(source.document_id) and source.chunk_index is None
        return ReferenceMiss(NO_CLAUSE, (location.source,)) if lookup.is_missing and is_whole else location
    pages = [page for start, end, page in source.page_spans if start <= lookup.place.start < end]
    page = pages[0] if pages else location.page
    if location.cited_pages and page not in location.cited_pages:
        return location
    return replace(location, page=page, clause=lookup.place)


def _make_location(sources: Sequence[Source], indexes: Sequence[int], page: int, chunk: int | None) -> SourceLocation:
    """Return the location in the first of the sources that fit, with the others listed; the chunk only if all agree."""
    first, *others = indexes
    chunks = {sources[index].chunk_index for index in indexes}
    pages = {get_start_page(sources[index]) for index in indexes}
    own_chunk = chunks.pop() if len(chunks) == 1 else None
    return SourceLocation(
        first, page or (pages.pop() if len(pages) == 1 else 0), own_chunk if chunk is None else chunk, tuple(others)
    )


def get_start_page(source: Source) -> int:
    """Return the first page of a source; 0 for a whole document."""
    if len(source.pages) == 1 or (source.pages and source.chunk_index is not None):
        return source.pages[0]
    return 0
