"""Which of one document's sources a reference means, and the page and chunk in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from highlighter.citations.numerals import number
from highlighter.citations.printed import ends_within, pages_of
from highlighter.citations.reasons import AMBIGUOUS, NO_CHUNK, NO_PAGE, Miss
from highlighter.citations.references import Reference
from highlighter.models import Source


@dataclass(frozen=True, slots=True)
class Place:
    source: int
    page: int = 0
    chunk: int | None = None
    also: tuple[int, ...] = ()


def narrowed(reference: Reference, sources: Sequence[Source], indexes: Sequence[int]) -> Place | Miss:
    """`indexes` are sources of one document. A page or a chunk that none of them has is a miss."""
    if reference.loose:
        return _by_loose(reference, sources, indexes)
    left = list(indexes)
    if reference.chunk is not None:
        left = [index for index in left if _may_have_chunk(sources[index], reference.chunk)]
        if not left:
            return Miss(NO_CHUNK, tuple(indexes))
    page = 0
    if reference.page:
        if not ends_within(reference.page, [sources[index] for index in indexes]):
            return Miss(NO_PAGE, tuple(indexes))
        found = {index: pages_of(reference.page, sources[index]) for index in left}
        left = [index for index in left if not found[index].missing]
        if not left:
            return Miss(NO_PAGE, tuple(indexes))
        if any(found[index].several for index in left):
            return Miss(AMBIGUOUS, tuple(left))
        page = found[left[0]].found
    if reference.clause and len(left) > 1:
        left = [index for index in left if says_clause(sources[index], reference.clause)] or left
    return _chosen(sources, left, page, reference.chunk)


def _by_loose(reference: Reference, sources: Sequence[Source], indexes: Sequence[int]) -> Place | Miss:
    """ "A:3" is page 3 of it; or chunk 3, where there is one. Both, in different places: it cannot be told."""
    plain = replace(reference, loose="")
    by_page = narrowed(replace(plain, page=reference.loose), sources, indexes)
    value = number(reference.loose)
    chunks = [index for index in indexes if value is not None and sources[index].chunk_index == value]
    if not chunks:
        return by_page
    by_chunk = narrowed(replace(plain, chunk=value), sources, chunks)
    if isinstance(by_page, Miss):
        return by_chunk
    if isinstance(by_chunk, Place) and by_page.source != by_chunk.source:
        return Miss(AMBIGUOUS, (by_page.source, by_chunk.source))
    return by_page


def _may_have_chunk(source: Source, chunk: int) -> bool:
    if source.chunk_index is not None:
        return source.chunk_index == chunk
    return not source.chunks or chunk < source.chunks


def says_clause(source: Source, clause: str) -> bool:
    """Whether the source's own text has a clause of this number."""
    if not source.text:
        return False
    return re.search(rf"(?<![\w.]){re.escape(clause)}(?![\w]|\.\d)", source.text, re.IGNORECASE) is not None


def _chosen(sources: Sequence[Source], left: Sequence[int], page: int, chunk: int | None) -> Place:
    """With several that fit, the document at that page: which chunk is not said, and the others are told."""
    first, *others = left
    chunks = {sources[index].chunk_index for index in left}
    pages = {own_page(sources[index]) for index in left}
    own_chunk = chunks.pop() if len(chunks) == 1 else None
    return Place(
        first, page or (pages.pop() if len(pages) == 1 else 0), own_chunk if chunk is None else chunk, tuple(others)
    )


def own_page(source: Source) -> int:
    """Where a source begins; a whole document begins nowhere in particular."""
    if len(source.pages) == 1 or (source.pages and source.chunk_index is not None):
        return source.pages[0]
    return 0
