"""Which physical pages of a source a cited page is.

A page may be printed "iii" or "12" and be the fifteenth of the file. Whoever cites a page reads it off the paper or off a
label that we made of what is printed; so where any page of the document bears that label, that page is meant, even when
another one is so many-th in the file. Only a number that is printed nowhere is counted from the first page on, and only
where "12f" is printed nowhere is it page 12 and the next.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from highlighter.models import Source
from highlighter.references.locators import is_roman, parse_number
from highlighter.references.misses import AMBIGUOUS, NO_CHUNK, NO_PAGE, ReferenceMiss
from highlighter.references.parser import Reference

_PAGE_RANGE = re.compile(r"(?P<first>[^-]+?)-{1,2}(?:pp?\.?)?(?P<last>.+)")
_PAGE_AND_NEXT = re.compile(r"(?P<page>\d+)f")
MAX_PAGES_IN_RANGE = 500


@dataclass(frozen=True, slots=True)
class PageLookup:
    """`found` is where to open it; `missing` what was cited and is not there."""

    page: int = 0
    is_missing: bool = False
    is_ambiguous: bool = False  # the label is printed on several pages


def look_up_pages(cited: str, source: Source) -> PageLookup:
    """The cited page or range held against one source. Unknown pages miss nothing; `found` is then the number cited."""
    whole = _look_up_page(cited, source)
    ends = _PAGE_RANGE.fullmatch(cited)
    if whole is not None or ends is None:  # "3-5" may be one page's label
        return whole or PageLookup(is_missing=True)
    first, last = (
        _look_up_page(ends["first"], source),
        _look_up_page(_expand_range_end(ends["first"], ends["last"]), source),
    )
    if first is None or last is None or last.page < first.page or last.page - first.page > MAX_PAGES_IN_RANGE:
        return PageLookup(is_missing=True)
    touched = [page for page in range(first.page, last.page + 1) if not source.pages or page in source.pages]
    if not touched:
        return PageLookup(is_missing=True)
    return PageLookup(touched[0], is_ambiguous=first.is_ambiguous)


def is_range_within(cited: str, sources: list[Source]) -> bool:
    """Whether both ends of a range are pages that the sources have together: "pp. 3-9" of a file of five is made up."""
    ends = _PAGE_RANGE.fullmatch(cited)
    if ends is None or any(_look_up_page(cited, source) for source in sources):
        return True
    both = ends["first"], _expand_range_end(ends["first"], ends["last"])
    return all(any(not (look_up_pages(end, source)).is_missing for source in sources) for end in both)


def _expand_range_end(first: str, last: str) -> str:
    """ "123-5" and "123-25" leave out what stays the same."""
    if first.isdigit() and last.isdigit() and len(last) < len(first):
        return first[: -len(last)] + last
    return last


def _look_up_page(cited: str, source: Source) -> PageLookup | None:
    """None when the source is known not to have it. A page beyond the source's own is still its document's: see `found`."""
    value = parse_number(cited)
    written = {cited.casefold(), str(value)} if value is not None else {cited.casefold()}
    printed = [page for page, label in enumerate(source.page_labels, 1) if label.strip().casefold() in written]
    if printed:
        here = [page for page in printed if page in source.pages] if source.pages else printed
        if len(here) == 1:
            return PageLookup(here[0])
        return PageLookup(here[0] if here else printed[0], is_missing=not here, is_ambiguous=len(here) > 1)
    if following := _PAGE_AND_NEXT.fullmatch(cited):
        return _look_up_page(following["page"], source)
    if value is None:
        # A roman page is one of the front matter, which no count of ours can place.
        return None if source.pages or not is_roman(cited) else PageLookup(0)
    if value < 1:
        return None
    beyond = value not in source.pages if source.pages else bool(source.page_labels) and value > len(source.page_labels)
    return PageLookup(value, is_missing=beyond)


# Which of one document's sources a reference means, and the page and chunk in it.


@dataclass(frozen=True, slots=True)
class SourceLocation:
    source: int
    page: int = 0
    chunk: int | None = None
    other_sources: tuple[int, ...] = ()


def locate_in_sources(
    reference: Reference, sources: Sequence[Source], indexes: Sequence[int]
) -> SourceLocation | ReferenceMiss:
    """`indexes` are sources of one document. A page or a chunk that none of them has is a miss."""
    if reference.page_or_chunk:
        return _locate_page_or_chunk(reference, sources, indexes)
    left = list(indexes)
    if reference.chunk is not None:
        left = [index for index in left if _can_have_chunk(sources[index], reference.chunk)]
        if not left:
            return ReferenceMiss(NO_CHUNK, tuple(indexes))
    page = 0
    if reference.page:
        if not is_range_within(reference.page, [sources[index] for index in indexes]):
            return ReferenceMiss(NO_PAGE, tuple(indexes))
        found = {index: look_up_pages(reference.page, sources[index]) for index in left}
        left = [index for index in left if not found[index].is_missing]
        if not left:
            return ReferenceMiss(NO_PAGE, tuple(indexes))
        if any(found[index].is_ambiguous for index in left):
            return ReferenceMiss(AMBIGUOUS, tuple(left))
        page = found[left[0]].page
    if reference.clause and len(left) > 1:
        left = [index for index in left if has_clause(sources[index], reference.clause)] or left
    return _make_location(sources, left, page, reference.chunk)


def _locate_page_or_chunk(
    reference: Reference, sources: Sequence[Source], indexes: Sequence[int]
) -> SourceLocation | ReferenceMiss:
    """ "A:3" is page 3 of it; or chunk 3, where there is one. Both, in different places: it cannot be told."""
    plain = replace(reference, page_or_chunk="")
    by_page = locate_in_sources(replace(plain, page=reference.page_or_chunk), sources, indexes)
    value = parse_number(reference.page_or_chunk)
    chunks = [index for index in indexes if value is not None and sources[index].chunk_index == value]
    if not chunks:
        return by_page
    by_chunk = locate_in_sources(replace(plain, chunk=value), sources, chunks)
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
    """Whether the source's own text has a clause of this number."""
    if not source.text:
        return False
    return re.search(rf"(?<![\w.]){re.escape(clause)}(?![\w]|\.\d)", source.text, re.IGNORECASE) is not None


def _make_location(sources: Sequence[Source], indexes: Sequence[int], page: int, chunk: int | None) -> SourceLocation:
    """With several that fit, the document at that page: which chunk is not said, and the others are told."""
    first, *others = indexes
    chunks = {sources[index].chunk_index for index in indexes}
    pages = {get_start_page(sources[index]) for index in indexes}
    own_chunk = chunks.pop() if len(chunks) == 1 else None
    return SourceLocation(
        first, page or (pages.pop() if len(pages) == 1 else 0), own_chunk if chunk is None else chunk, tuple(others)
    )


def get_start_page(source: Source) -> int:
    """Where a source begins; a whole document begins nowhere in particular."""
    if len(source.pages) == 1 or (source.pages and source.chunk_index is not None):
        return source.pages[0]
    return 0
