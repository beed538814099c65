"""The formats that are recognised: each by a function that knows it and one that reads it, the particular ones first."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from highlighter.errors import BadRequest
from highlighter.native_formats import (
    answers_with_sources,
    anthropic_messages,
    bedrock_knowledge_bases,
    chat_completions,
    cohere_chat,
    gemini_grounding,
    langchain_messages,
    mistral_chunks,
    open_webui,
    openai_responses,
    openai_threads,
    vercel_parts,
    vertex_grounding,
)
from highlighter.native_formats.event_streams import join_events, parse_lines, parse_text, split_lines
from highlighter.native_formats.marker_citations import find_marker_citations
from highlighter.native_formats.native_response import NativeCitation, NativeResponse, NativeSource, check_answer_length
from highlighter.native_formats.records import Record, only_records
from highlighter.native_formats.source_fields import read_sources

Parse = Callable[[Record, Sequence[NativeSource]], NativeResponse]
UNKNOWN_FORMAT = (
    "The format of the response is not known. Send it as it came from its API, or an answer with its sources: "
    '{"answer": "...", "sources": [{"filename": "...", "text": "..."}]}.'
)


@dataclass(frozen=True, slots=True)
class NativeFormat:
    """A format with its name, the function that recognises it and the function that reads it."""

    name: str
    is_format: Callable[[Record], bool]
    parse: Parse


FORMATS = (
    NativeFormat("langchain_message", langchain_messages.is_ai_message, langchain_messages.parse_ai_message),
    NativeFormat("anthropic_messages", anthropic_messages.is_message, anthropic_messages.parse_message),
    NativeFormat("openai_responses", openai_responses.is_response, openai_responses.parse_response),
    NativeFormat("openai_threads", openai_threads.is_thread_message, openai_threads.parse_thread_message),
    NativeFormat("chat_completions", chat_completions.is_chat_completion, chat_completions.parse_chat_completion),
    NativeFormat("gemini", gemini_grounding.is_grounded_response, gemini_grounding.parse_grounded_response),
    NativeFormat("vertex_check_grounding", vertex_grounding.is_grounding_check, vertex_grounding.parse_grounding_check),
    NativeFormat("vertex_search_answer", vertex_grounding.is_search_answer, vertex_grounding.parse_search_answer),
    NativeFormat("bedrock", bedrock_knowledge_bases.is_generated_answer, bedrock_knowledge_bases.parse_generated_answer),
    NativeFormat("cohere_chat", cohere_chat.is_cohere_chat, cohere_chat.parse_cohere_chat),
    NativeFormat("mistral_conversation", mistral_chunks.is_conversation, mistral_chunks.parse_conversation),
    NativeFormat("open_webui", open_webui.is_message_with_sources, open_webui.parse_message_with_sources),
    NativeFormat("vercel_ai_sdk", vercel_parts.has_source_parts, vercel_parts.parse_parts),
    NativeFormat(
        "answer_with_sources", answers_with_sources.is_answer_with_sources, answers_with_sources.parse_answer_with_sources
    ),
    NativeFormat("document", answers_with_sources.is_document, answers_with_sources.parse_document),
)  # fmt: skip
DOCUMENTS_FORMAT, TEXT_FORMAT = "documents", "text"
SOURCE_KIND = "source"  # a source that came with an answer which does not say where it cites it


def read_response(response: Any, answer: str = "", sources: Sequence[Any] = ()) -> tuple[str, NativeResponse]:
    """Return the format of a response and what it says; raise BadRequest for an unknown format.

    `answer` is the text for a response that has none, and `sources` are those that the request to the vendor held.
    """
    given = read_sources(sources)
    name, parsed = _detect_and_parse(response, given, answer)
    parsed = parsed if parsed.text else replace(parsed, text=answer)
    check_answer_length(parsed.text)
    return name, _add_other_citations(parsed)


def _detect_and_parse(response: Any, given: Sequence[NativeSource], answer: str) -> tuple[str, NativeResponse]:
    if isinstance(response, str):
        response = parse_text(response)
    if isinstance(response, str):
        return TEXT_FORMAT, NativeResponse(response, sources=tuple(given))
    if isinstance(response, list):
        return _parse_list(response, given)
    if isinstance(response, Mapping):
        for native_format in FORMATS:
            if native_format.is_format(response):
                return native_format.name, native_format.parse(response, given)
        if answer or answers_with_sources.find_answer(response):
            return TEXT_FORMAT, NativeResponse(answers_with_sources.find_answer(response), sources=tuple(given))
    raise BadRequest(UNKNOWN_FORMAT)


def _parse_list(items: Sequence[Any], given: Sequence[NativeSource]) -> tuple[str, NativeResponse]:
    """Return what events, lines of a stream, or documents say."""
    if items and all(isinstance(item, str) for item in items):
        items = parse_lines([line for item in items for line in split_lines(item)])
    records = only_records(items)
    joined = join_events(records)
    if joined is not None:
        return _detect_and_parse(joined, given, "")
    if records and all(langchain_messages.is_ai_message(record) or "page_content" not in record for record in records):
        last = next((record for record in reversed(records) if langchain_messages.is_ai_message(record)), None)
        if last is not None:
            return _detect_and_parse(last, given, "")
    if not records:
        raise BadRequest(UNKNOWN_FORMAT)
    return DOCUMENTS_FORMAT, answers_with_sources.parse_documents(records, given)


def _add_other_citations(response: NativeResponse) -> NativeResponse:
    """Return the response with the citations of its markers and links, or else one of each source."""
    covered = CoveredText(citation.label or (citation.start, citation.end) for citation in response.citations)
    sources = () if response.citations else response.sources
    found = find_marker_citations(response.text, sources)
    added = [citation for citation in found if citation.label and not covered.overlaps(*citation.label)]
    if not response.citations and not added:
        added = [NativeCitation(SOURCE_KIND, (source,)) for source in response.sources]
    return replace(response, citations=(*response.citations, *added))


class CoveredText:
    """Spans of an answer, which may overlap."""

    def __init__(self, spans: Iterable[tuple[int | None, int | None]]):
        known = sorted((start, end) for start, end in spans if start is not None and end is not None)
        self._starts = [start for start, _ in known]
        self._ends = list(accumulate((end for _, end in known), max))

    def overlaps(self, start: int, end: int) -> bool:
        """Return whether one of the spans has a character of this one."""
        before = bisect_left(self._starts, end)
        return before > 0 and self._ends[before - 1] > start
