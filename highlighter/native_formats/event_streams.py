"""Streams of responses, as server-sent events, JSON lines or a list of events, joined into one response."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from highlighter.cpu_budget import check_cpu
from highlighter.errors import BadRequest
from highlighter.native_formats import open_webui
from highlighter.native_formats.records import (
    NO_RECORD,
    Record,
    get_list,
    get_number,
    get_record,
    get_records,
    get_text,
    get_value,
    only_records,
)
from highlighter.native_formats.vercel_parts import SOURCE_PARTS

MAX_EVENTS = 100_000
DONE = "[DONE]"
STREAM_STARTS = ("{", "data:", "event:", "id:", "retry:", ":")
# Other line separators, as U+2028, may stand within the JSON of a line.
_LINE_END = re.compile(r"\r\n|\n|\r")


def parse_text(text: str) -> Any:
    """Return a response that was given as text: its JSON, the events of a stream, or the text itself."""
    stripped = text.strip()
    if stripped.startswith(("{", "[")):
        try:
            return json.loads(stripped)
        except (ValueError, RecursionError):
            if stripped[0] == "[":  # an answer may begin with a marker, too: "[cite_start]It is ..."
                return text
    lines = split_lines(stripped)
    if stripped.startswith("data:") or (stripped.startswith(STREAM_STARTS) and any(map(_is_event_line, lines))):
        return parse_lines(lines)
    return text


def split_lines(text: str) -> list[str]:
    return _LINE_END.split(text)


def _is_event_line(line: str) -> bool:
    data = _get_data(line)
    if data == DONE:
        return True
    try:
        return data.startswith("{") and isinstance(json.loads(data), dict)
    except (ValueError, RecursionError):
        return False


def _get_data(line: str) -> str:
    return line.strip().removeprefix("data:").strip()


def parse_lines(lines: Sequence[str]) -> list[Record]:
    """Return the events of lines: the data of server-sent events, or JSON lines."""
    events: list[Record] = []
    for number, line in enumerate(lines, 1):
        data = _get_data(line)
        if not data or data == DONE or line.startswith(("event:", "id:", "retry:", ":")):
            continue
        try:
            event = json.loads(data)
        except (ValueError, RecursionError) as err:
            raise BadRequest(f"Line {number} of the response is neither JSON nor a server-sent event.") from err
        events += only_records([event])
        if len(events) > MAX_EVENTS:
            raise BadRequest(f"The stream has more than {MAX_EVENTS:,} events.")
    return events


def join_events(events: Sequence[Record]) -> Record | None:
    """Return the response that a stream's events make; None where they are none of a known stream."""
    for is_event, join in STREAMS:
        if any(map(is_event, events)):
            return join(events)
    return None


# Anthropic


def _is_anthropic_event(event: Record) -> bool:
    return event.get("type") in ("message_start", "content_block_start", "content_block_delta")


def _join_anthropic_events(events: Sequence[Record]) -> Record:
    """Return a message of the text and the citations of each block."""
    blocks: dict[int, dict[str, Any]] = {}
    for event in events:
        check_cpu()
        block = blocks.setdefault(get_number(event, "index") or 0, {"type": "text", "text": "", "citations": []})
        started, delta = get_record(event, "content_block"), get_record(event, "delta")
        block["type"] = get_text(started, "type") or block["type"]
        block["text"] += get_text(started, "text") + get_text(delta, "text")
        block["citations"] += [*get_records(started, "citations"), *only_records([delta.get("citation")])]
    return {"type": "message", "role": "assistant", "stop_reason": None, "content": [blocks[n] for n in sorted(blocks)]}


# OpenAI


def _is_responses_event(event: Record) -> bool:
    return get_text(event, "type").startswith("response.")


def _join_responses_events(events: Sequence[Record]) -> Record:
    """Return the whole response of the last event; of a stream that broke off, what was written until then."""
    for event in reversed(events):
        if event.get("type") in ("response.completed", "response.incomplete") and get_list(
            get_record(event, "response"), "output"
        ):
            return get_record(event, "response")
    parts: dict[tuple[int, int], dict[str, Any]] = {}
    items: list[Any] = []
    for event in events:
        check_cpu()
        kind = event.get("type")
        key = get_number(event, "output_index") or 0, get_number(event, "content_index") or 0
        part = parts.setdefault(key, {"type": "output_text", "text": "", "annotations": []})
        if kind == "response.output_text.delta":
            part["text"] += get_text(event, "delta")
        elif kind == "response.output_text.annotation.added":
            part["annotations"].append(get_record(event, "annotation"))
        elif kind == "response.output_item.done" and get_text(get_record(event, "item"), "type") != "message":
            items.append(get_record(event, "item"))
    items.append({"type": "message", "content": [parts[key] for key in sorted(parts)]})
    return {"object": "response", "output": items}


def _is_thread_event(event: Record) -> bool:
    return get_text(event, "object").startswith("thread.message") or get_text(event, "event").startswith("thread.")


def _join_thread_events(events: Sequence[Record]) -> Record:
    """Return the completed message; of a stream that broke off, what was written until then."""
    bodies = [get_record(event, "data") or event for event in events]
    whole = [body for body in bodies if body.get("object") == "thread.message" and get_list(body, "content")]
    if whole:
        return whole[-1]
    parts: dict[int, dict[str, Any]] = {}
    for body in bodies:
        check_cpu()
        for piece in get_records(get_record(body, "delta"), "content"):
            part = parts.setdefault(get_number(piece, "index") or 0, {"value": "", "annotations": []})
            part["value"] += get_text(get_record(piece, "text"), "value")
            part["annotations"] += get_records(get_record(piece, "text"), "annotations")
    return {
        "object": "thread.message",
        "content": [{"type": "text", "text": parts[number]} for number in sorted(parts)],
    }


def _is_chat_chunk(event: Record) -> bool:
    return any("delta" in choice for choice in get_records(event, "choices"))


def _join_chat_chunks(events: Sequence[Record]) -> Record:
    """Return one completion; what vendors send beside the choices, or once, stays."""
    joined: dict[str, Any] = {}
    message: dict[str, Any] = {"role": "assistant"}
    text, annotations = "", list[Record]()
    blocks: list[Record] = []
    for event in events:
        joined |= {key: value for key, value in event.items() if key != "choices" and value}
        choice = next(iter(get_records(event, "choices")), NO_RECORD)
        delta = get_record(choice, "delta") or get_record(choice, "message")
        content = delta.get("content")
        if isinstance(content, str):
            text += content
            blocks += [{"type": "text", "text": content}]
        elif isinstance(content, list):
            blocks += only_records(content)
            text += "".join(get_text(block, "text") for block in only_records(content))
        annotations += get_records(delta, "annotations")
        message |= {key: value for key, value in delta.items() if key not in ("content", "annotations") and value}
    has_references = any(block.get("type") != "text" for block in blocks)
    message |= {"content": blocks if has_references else text, "annotations": annotations}
    return joined | {"choices": [{"index": 0, "message": message}]}


# Cohere


def _is_cohere_event(event: Record) -> bool:
    return event.get("type") in ("content-delta", "citation-start", "message-end") and "delta" in event


def _join_cohere_events(events: Sequence[Record]) -> Record:
    contents: dict[int, dict[str, Any]] = {}
    citations: list[Record] = []
    for event in events:
        check_cpu()
        message = get_record(get_record(event, "delta"), "message")
        if event.get("type") in ("content-start", "content-delta"):
            block = contents.setdefault(get_number(event, "index") or 0, {"type": "text", "text": ""})
            block["text"] += get_text(get_record(message, "content"), "text")
        elif event.get("type") == "citation-start":
            citations += get_records(message, "citations") or only_records([message.get("citations")])
    blocks = [contents[number] for number in sorted(contents)]
    return {"finish_reason": "COMPLETE", "message": {"role": "assistant", "content": blocks, "citations": citations}}


# Gemini, Bedrock, Mistral's conversations, Open WebUI and the Vercel AI SDK


def _is_gemini_chunk(event: Record) -> bool:
    return bool(get_records(event, "candidates"))


def _join_gemini_chunks(events: Sequence[Record]) -> Record:
    """Return one response. Its segments count in the whole text, which comes in parts."""
    text, metadata = "", dict[str, Any]()
    for event in events:
        candidate = next(iter(get_records(event, "candidates")), NO_RECORD)
        parts = get_records(get_record(candidate, "content"), "parts")
        text += "".join(get_text(part, "text") for part in parts if not part.get("thought"))
        metadata |= {name: value for name, value in get_record(candidate, "grounding_metadata").items() if value}
    return {"candidates": [{"content": {"parts": [{"text": text}]}, "groundingMetadata": metadata}]}


def _is_bedrock_event(event: Record) -> bool:
    return "citation" in event or ("output" in event and "text" in get_record(event, "output"))


def _join_bedrock_events(events: Sequence[Record]) -> Record:
    text = "".join(get_text(get_record(event, "output"), "text") for event in events)
    found = [get_record(event, "citation") for event in events if "citation" in event]
    return {"output": {"text": text}, "citations": [get_record(citation, "citation") or citation for citation in found]}


def _is_conversation_event(event: Record) -> bool:
    return event.get("type") == "message.output.delta"


def _join_conversation_events(events: Sequence[Record]) -> Record:
    contents = [get_value(event, "content") for event in events if _is_conversation_event(event)]
    chunks = [{"type": "text", "text": content} if isinstance(content, str) else content for content in contents]
    return {"outputs": [{"type": "message.output", "content": chunks}]}


def _is_open_webui_event(event: Record) -> bool:
    return event.get("type") in open_webui.EVENT_TYPES and "data" in event


def _is_vercel_event(event: Record) -> bool:
    return event.get("type") == "text-delta" or event.get("type") in SOURCE_PARTS


def _join_vercel_events(events: Sequence[Record]) -> Record:
    parts: list[Record] = []
    for event in events:
        if event.get("type") == "text-delta":
            parts.append({"type": "text", "text": get_text(event, "delta", "text", "text_delta")})
        elif event.get("type") in SOURCE_PARTS:
            parts.append(get_record(event, "source") or event)
    return {"role": "assistant", "parts": parts}


Join = Callable[[Sequence[Record]], Record]
STREAMS: tuple[tuple[Callable[[Record], bool], Join], ...] = (
    (_is_anthropic_event, _join_anthropic_events),
    (_is_responses_event, _join_responses_events),
    (_is_thread_event, _join_thread_events),
    (_is_chat_chunk, _join_chat_chunks),
    (_is_cohere_event, _join_cohere_events),
    (_is_gemini_chunk, _join_gemini_chunks),
    (_is_conversation_event, _join_conversation_events),
    (_is_open_webui_event, open_webui.join_events),
    (_is_vercel_event, _join_vercel_events),
    (_is_bedrock_event, _join_bedrock_events),
)
