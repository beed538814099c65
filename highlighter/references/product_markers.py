"""Recognise the markers of single products: [ID:0], ##0$$, [S1], <co: 0>...</co: 0>, \\cite{key}, [cite_start]...[cite: 1].

They are found in whole texts only, and read as markers of the usual forms: a number counts the sources from 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from highlighter.references.markers import DOUBLE, LOOKBEHIND_CHARACTERS, CitationMarker, find_quote_before
from highlighter.text.lazy_pattern import compile_later

Span = tuple[int, int]

# Products that count their sources from 0: RAGFlow, in its two notations.
_NUMBERED_FROM_ZERO = compile_later(
    r"\[ID:\s?(?P<numbers>\d{1,3}(?:,\s?(?:ID:\s?)?\d{1,3})*)\]|##(?P<hashed>\d{1,3})\$\$"
)
_SHORT_LABELS = compile_later(r"\[(?P<labels>S\d{1,3}(?:[,;]\s?S\d{1,3})*)\]")
# Cohere's tags around the cited text; the closing one has the numbers, from 0.
_COHERE_TAGS = compile_later(
    r"<co(?::\s?[\d,\s]{1,60})?>(?P<cited>(?:(?!</?co[:>\s]).){1,4000}?)</co:?\s?(?P<numbers>\d{1,3}(?:,\s?\d{1,3})*)?>",
    re.DOTALL,
)
_COHERE_OPENING_NUMBERS = compile_later(r"<co:\s?(?P<numbers>\d{1,3}(?:,\s?\d{1,3})*)>")
_LATEX_CITATION = compile_later(
    r"\\(?:cite|citep|citet|parencite|autocite|footcite)\*?(?:\[[^\[\]\n]{0,80}\]){0,2}\{(?P<keys>[^{}\n]{1,300})\}"
)
# Gemini's pair: the cited text is between them. The second one is a marker of the usual forms.
_GEMINI_START = compile_later(r"\[cite_start\]")
_GEMINI_CITATION = compile_later(r"\[cite:\s?[\d,\s-]{1,60}\]")
_CODE = compile_later(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_PART = compile_later(r"\d+")
_KEY = compile_later(r"[^,\s][^,]*")


@dataclass(frozen=True, slots=True)
class ProductMarker:
    """A marker of a product, read as one of the usual forms; `cited` is the span of the text that it is about, if marked."""

    marker: CitationMarker
    cited: Span | None = None


@dataclass(frozen=True, slots=True)
class ProductMarkers:
    """The markers of products in a text, the spans of their signs, and the text with spaces in place of these."""

    markers: tuple[ProductMarker, ...]
    signs: tuple[Span, ...]
    other_text: str


def find_product_markers(text: str, labels: Iterable[str] = ()) -> ProductMarkers:
    """Return the markers of products. Where the sources have such labels of their own, "[S1]" is one of these."""
    has_short_labels = any(_SHORT_LABELS.fullmatch(f"[{label}]") for label in labels)
    given_text, text = text, blank_spans(text, [match.span() for match in _CODE.finditer(text)])
    markers: list[ProductMarker] = []
    signs: list[Span] = []
    for match in _NUMBERED_FROM_ZERO.finditer(text):
        group = "numbers" if match["numbers"] is not None else "hashed"
        markers += _number_parts(text, match.span(), match.span(group), 1)
        signs.append(match.span())
    for match in () if has_short_labels else _SHORT_LABELS.finditer(text):
        markers += _number_parts(text, match.span(), match.span("labels"), 0)
        signs.append(match.span())
    for match in _COHERE_TAGS.finditer(text) if "<co" in text else ():
        markers += _read_cohere_tags(text, match)
        signs += [(match.start(), match.start("cited")), (match.end("cited"), match.end())]
    for match in _LATEX_CITATION.finditer(text):
        markers += _name_parts(text, match.span(), match.span("keys"))
        signs.append(match.span())
    signs += [match.span() for match in _GEMINI_START.finditer(text)]
    return ProductMarkers(
        tuple(sorted(markers, key=lambda one: one.marker.start)), tuple(signs), blank_spans(given_text, signs)
    )


def find_cited_starts(text: str) -> dict[int, Span]:
    """Return the text that each [cite: 1] is about, by the offset of the marker: it begins after [cite_start]."""
    starts = [match.end() for match in _GEMINI_START.finditer(text)]
    cited, index = {}, 0
    for match in _GEMINI_CITATION.finditer(text) if starts else ():
        while index + 1 < len(starts) and starts[index + 1] <= match.start():
            index += 1
        if starts[index] <= match.start():
            cited[match.start()] = (starts[index], match.start())
    return cited


def _read_cohere_tags(text: str, match: re.Match[str]) -> Iterator[ProductMarker]:
    """Yield a marker for each number, at the closing tag."""
    opening = None if match["numbers"] else _COHERE_OPENING_NUMBERS.match(text, match.start())
    numbers = opening.span("numbers") if opening else match.span("numbers")
    tag = (match.end("cited"), match.end())
    for part in _PART.finditer(text, *numbers) if numbers[0] >= 0 else ():
        yield ProductMarker(_make_marker(text, tag, str(int(part[0]) + 1)), match.span("cited"))


def _number_parts(text: str, whole: Span, numbers: Span, first: int) -> Iterator[ProductMarker]:
    """Yield a marker for each number; `first` is added to those that count from 0."""
    parts = list(_PART.finditer(text, *numbers))
    for part in parts:
        span = whole if len(parts) == 1 else part.span()
        yield ProductMarker(_make_marker(text, span, str(int(part[0]) + first)))


def _name_parts(text: str, whole: Span, keys: Span) -> Iterator[ProductMarker]:
    parts = list(_KEY.finditer(text, *keys))
    for part in parts:
        span = whole if len(parts) == 1 else part.span()
        yield ProductMarker(_make_marker(text, span, part[0].strip()))


def _make_marker(text: str, span: Span, content: str) -> CitationMarker:
    quote = find_quote_before(text[max(span[0] - LOOKBEHIND_CHARACTERS, 0) : span[0]], False)
    return CitationMarker(*span, text=text[slice(*span)], content=content, content_start=0, shape=DOUBLE, quote=quote)


def blank_spans(text: str, spans: Sequence[Span]) -> str:
    """Return the text with spaces in the place of spans, so that all other offsets stay."""
    pieces, end = [], 0
    for start, stop in sorted(spans):
        if start >= end:
            pieces += [text[end:start], " " * (stop - start)]
            end = stop
    return "".join([*pieces, text[end:]])
