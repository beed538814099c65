"""Sources cut to the sentences on cited pages or in cited clauses, so that a claim is held to the place that it cites."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from highlighter.models import ClaimEvidence, Source
from highlighter.text.sentences import split_sentences


def find_pages(source: Source, start: int, end: int) -> list[int]:
    """Return the pages of a span of a source's text, in reading order; none where they are not known."""
    if len(source.pages) == 1:
        return [source.pages[0]]
    return list(dict.fromkeys(page for first, last, page in source.page_spans if first < end and last > start))


@dataclass(frozen=True, slots=True)
class PageOrClause:
    """The pages, or the span of the clause, that a marker cites in a source."""

    pages: frozenset[int] = frozenset()
    clause: tuple[int, int] | None = None

    def holds(self, source: Source, start: int, end: int) -> bool:
        """Return whether a span of the source's text is on the pages or in the clause."""
        if self.clause:
            return self.clause[0] < end and start < self.clause[1]
        return bool(set(find_pages(source, start, end)) & self.pages)


def is_off_pages(evidence: ClaimEvidence, source: Source, pages: Collection[int]) -> bool:
    """Return whether a sentence is known to be on none of these pages."""
    return is_off_places(evidence, source, [PageOrClause(frozenset(pages))])


def is_off_places(evidence: ClaimEvidence, source: Source, places: Sequence[PageOrClause]) -> bool:
    """Return whether a sentence is known to be in none of these places."""
    has_clauses_only = bool(places) and all(place.clause for place in places)
    is_known = has_clauses_only or bool(find_pages(source, evidence.start, evidence.end))
    return is_known and not any(place.holds(source, evidence.start, evidence.end) for place in places)


def split_at_places(source: Source, places: Sequence[PageOrClause]) -> tuple[Source, Source]:
    """Return the source with the sentences in these places only, and with the others only; offsets stay as they are.

    A sentence that begins on one page and ends on the next is on both.
    """
    inside: list[tuple[int, int]] = []
    outside: list[tuple[int, int]] = []
    for sentence in split_sentences(source.text):
        span = (sentence.start_char, sentence.end_char)
        (inside if any(place.holds(source, *span) for place in places) else outside).append(span)
    return replace(source, text=_blank_spans(source.text, outside)), replace(
        source, text=_blank_spans(source.text, inside)
    )


def _blank_spans(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Replace spans by line breaks, so that the sentences on either side stay apart."""
    parts, at = [], 0
    for start, end in spans:
        parts += [text[at:start], "\n" * (end - start)]
        at = end
    return "".join([*parts, text[at:]])


def format_page(source: Source, page: int) -> str:
    """Return a page as readers know it: the number printed on it, or else counted from the first."""
    return source.page_labels[page - 1] if 0 < page <= len(source.page_labels) else str(page)
