"""The annotations of an answer's text, as OpenAI's APIs and those that follow them write them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from highlighter.native_formats.answer_spans import AnswerOffsets
from highlighter.native_formats.native_response import NativeCitation, NativeSource
from highlighter.native_formats.records import Record, get_number, get_record, get_text
from highlighter.native_formats.source_fields import read_source

OPENING_BRACKETS, CLOSING_BRACKETS = ("【", "[", "("), ("】", "]", ")")
CITING_TYPES = ("file_citation", "url_citation", "container_file_citation", "citation")


def is_annotation(record: Record) -> bool:
    return record.get("type") in CITING_TYPES


def parse_annotations(
    text: str, annotations: Sequence[Record], sources_by_id: Mapping[str, NativeSource] | None = None
) -> Iterator[NativeCitation]:
    """Yield the citations of a text; `sources_by_id` are the passages that a search returned, by file id.

    The span of a file citation is its marker, 【4:0†source】; that of a URL citation, a link or the cited text.
    """
    answer = AnswerOffsets(text)
    has_positions = _are_positions(annotations)
    for annotation in filter(is_annotation, annotations):
        kind = get_text(annotation, "type")
        details = get_record(annotation, kind) or annotation
        source = read_source({name: value for name, value in details.items() if name not in ("type", "text", "quote")})
        for file_id in source.ids:
            source = source.merge((sources_by_id or {}).get(file_id, NativeSource()))
        start, end = get_number(details, "start_index"), get_number(details, "end_index")
        if start is None:
            start, end = get_number(annotation, "start_index"), get_number(annotation, "end_index")
        if start is None and has_positions:  # the Responses API gives the position after the cited text
            start = end = get_number(annotation, "index")
        quote = get_text(details, "quote") or get_text(annotation, "cited_text")
        marker = get_text(annotation, "text")
        span = answer.find_span(start, end, marker) if marker or start != end else (start, end)
        yield place_annotation(text, NativeCitation(kind, (source,), quote=quote), *span)


def place_annotation(text: str, citation: NativeCitation, start: int | None, end: int | None) -> NativeCitation:
    """Return the citation at its span, which is a marker where it is empty, in brackets or a link."""
    if start is None or end is None or end > len(text):
        return citation
    covered = text[start:end].strip()
    is_bracket = covered[:1] in OPENING_BRACKETS
    if is_bracket and covered[-1] not in CLOSING_BRACKETS and text[end : end + 1] in CLOSING_BRACKETS:
        end, covered = end + 1, text[start : end + 1].strip()  # the end is the last character, as OpenAI documents it
    is_marker = not covered or (is_bracket and covered[-1] in CLOSING_BRACKETS)
    return replace(citation, label=(start, end)) if is_marker else replace(citation, start=start, end=end)


def _are_positions(annotations: Sequence[Record]) -> bool:
    """Return whether `index` of file citations counts characters; some responses count files with it."""
    indexes = [
        get_number(annotation, "index") for annotation in annotations if annotation.get("type") == "file_citation"
    ]
    return any(index is not None and index > len(annotations) for index in indexes)
