"""The citations of an answer whose markers number or name the sources that came with it, and its links to their pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from highlighter.models import Source
from highlighter.native_formats.native_response import NativeCitation, NativeSource
from highlighter.native_formats.source_fields import read_source_name
from highlighter.references.product_markers import blank_spans, find_cited_starts, find_product_markers
from highlighter.references.resolver import resolve_references

MARKER, LINK = "marker", "link"
_MARKDOWN_LINK = re.compile(
    r"\[(?P<text>[^\[\]\n]{0,300}|\[[^\[\]\n]{1,300}\])\]\(<?(?P<url>[^\s()<>]{1,2000})>?(?:\s\"[^\"\n]{0,200}\")?\)"
)
_OWN_PATH = re.compile(
    r"(?:https?://[^/\s]+)?(?:/[\w.-]+){0,3}/(?:documents/[0-9a-f]{32}|open\?|embed/|api/v1/chunks/highlight\?)"
)


def find_marker_citations(text: str, sources: Sequence[NativeSource]) -> Iterator[NativeCitation]:
    """Yield the citations that markers and links make, in the order of the text."""
    links = list(_find_links(text, sources))
    # A link's text may be a number, too: it is no marker then.
    other_text = blank_spans(text, [link.label for link in links if link.label])
    markers = _find_markers(other_text, sources) if sources else ()
    yield from sorted([*links, *markers], key=lambda citation: citation.label or (0, 0))


def _find_markers(text: str, sources: Sequence[NativeSource]) -> Iterator[NativeCitation]:
    cited = {item.marker.start: item.cited for item in find_product_markers(text).markers if item.cited}
    cited |= find_cited_starts(text)
    resolution = resolve_references(text, [_make_source(source, index) for index, source in enumerate(sources)])
    for reference in resolution.citations:
        source = sources[reference.source]
        if reference.page:
            source = replace(source, page=reference.page)
        start, end = _find_cited_text(cited, reference.start)
        yield NativeCitation(MARKER, (source,), start, end, (reference.start, reference.end), reference.quote)
    for marker in resolution.unresolved:
        start, end = _find_cited_text(cited, marker.start)
        candidates = tuple(sources[index] for index in marker.candidates)
        yield NativeCitation(
            MARKER, (), start, end, (marker.start, marker.end), reason=marker.why, candidates=candidates
        )


def _find_cited_text(cited: dict[int, tuple[int, int]], label_start: int) -> tuple[int, int] | tuple[None, None]:
    """Return the text that a pair of tags encloses; a number within a marker belongs to the marker before it."""
    if label_start in cited:
        return cited[label_start]
    near = [start for start in range(label_start - 60, label_start) if start in cited]
    return (None, None) if not near or cited[near[-1]][1] != near[-1] else cited[near[-1]]


def _make_source(source: NativeSource, index: int) -> Source:
    """Return a source as references are resolved to it: by its number, or by its name."""
    name = next(iter(source.names), "") or next(iter(source.urls), "") or f"\0{index}"
    # An id that is a number would be taken for the source's own.
    label = next((one for one in source.ids if not one.isdigit() and one != name), "")
    return Source(name, label, f"\0{index}")


def _find_links(text: str, sources: Sequence[NativeSource]) -> Iterator[NativeCitation]:
    """Yield the Markdown links that lead to a source, or to a page of this service."""
    by_url = {url: source for source in reversed(sources) for url in source.urls}
    for match in _MARKDOWN_LINK.finditer(text):
        url = match["url"]
        if url in by_url or _OWN_PATH.match(url):
            source = by_url.get(url) or read_source_name(url)
            yield NativeCitation(LINK, (source,), label=match.span())
