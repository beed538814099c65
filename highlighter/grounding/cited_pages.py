"""Sources cut to the sentences on cited pages, so that a claim is held to the page that it cites."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from highlighter.models import ClaimEvidence, Source
from highlighter.text.sentences import split_sentences


def find_pages(source: Source, start: int, end: int) -> list[int]:
    """Return the pages of a span of a source's text, in reading order; none where they are not known."""
    if len(source.pages) == 1:
        return [source.pages[0]]
    return list(dict.fromkeys(page for first, last, page in source.page_spans if first < end and last > start))


def is_off_pages(evidence: ClaimEvidence, source: Source, pages: Collection[int]) -> bool:
    """Return whether a sentence is known to be on none of these pages."""
    own_pages = find_pages(source, evidence.start, evidence.end)
    return bool(own_pages) and not set(own_pages) & set(pages)


def split_at_pages(source: Source, pages: Collection[int]) -> tuple[Source, Source]:
    """Return the source with the sentences on these pages only, and with the others only; offsets stay as they are.

    A sentence that begins on one page and ends on the next is on both.
    """
    on_pages: list[tuple[int, int]] = []
    off_pages: list[tuple[int, int]] = []
    for sentence in split_sentences(source.text):
        span = (sentence.start_char, sentence.end_char)
        is_on_page = set(find_pages(source, *span)) & set(pages)
        (on_pages if is_on_page else off_pages).append(span)
    return replace(source, text=_blank_spans(source.text, off_pages)), replace(
        source, text=_blank_spans(source.text, on_pages)
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
