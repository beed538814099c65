"""Answers in the shapes of OpenAI's API, as events while they are written."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

from highlighter.answering.answer import Answer, AnswerEvent, CitationEvent, DoneEvent, SubQuestionsEvent, TokenEvent
from highlighter.errors import HighlighterError
from highlighter.urls import Links
from highlighter.web.model_api import openai_shapes
from highlighter.web.model_api.citation_links import describe_answer
from highlighter.web.model_api.event_texts import write_event


class ChatStream:
    """Writes the chunks of a chat completion. The annotations come with the text that they follow."""

    def __init__(self, model: str, links: Links, has_usage: bool = False):
        self._links, self._has_usage = links, has_usage
        self._chunk = {
            "id": f"chatcmpl-{uuid4().hex}", "object": "chat.completion.chunk", "created": int(time.time()), "model": model,
        }  # fmt: skip

    def write(self, event: AnswerEvent) -> Iterator[str]:
        match event:
            case SubQuestionsEvent():
                yield self._write_delta({"role": "assistant", "content": ""})
            case TokenEvent(text):
                yield self._write_delta({"content": text})
            case CitationEvent(citation):
                yield self._write_delta({"annotations": [openai_shapes.build_chat_annotation(citation, self._links)]})
            case DoneEvent(answer):
                yield self._write_delta({}, "stop", highlighter=describe_answer(answer, self._links))
                if self._has_usage:
                    yield self._write_chunk(choices=[], usage=openai_shapes.build_chat_usage(answer))
                yield "data: [DONE]\n\n"

    @staticmethod
    def write_error(err: HighlighterError) -> str:
        return write_event(openai_shapes.build_error(err))

    def _write_delta(self, delta: dict[str, Any], finish_reason: str | None = None, **fields: Any) -> str:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
        return self._write_chunk(choices=[choice], **fields)

    def _write_chunk(self, **fields: Any) -> str:
        return write_event({**self._chunk, **fields})


class ResponseStream:
    """Writes the events of a response with one message of one text."""

    def __init__(self, model: str, links: Links):
        self._model, self._links = model, links
        self._response_id, self._item_id = f"resp_{uuid4().hex}", f"msg_{uuid4().hex}"
        self._annotations: list[dict[str, Any]] = []
        self._number = 0

    def write(self, event: AnswerEvent) -> Iterator[str]:
        match event:
            case SubQuestionsEvent():
                yield from self._write_start()
            case TokenEvent(text):
                yield self._write_part_event("response.output_text.delta", delta=text, logprobs=[])
            case CitationEvent(citation):
                for annotation in openai_shapes.build_annotations(citation, self._links):
                    yield self._write_part_event(
                        "response.output_text.annotation.added",
                        annotation_index=len(self._annotations),
                        annotation=annotation,
                    )
                    self._annotations.append(annotation)
            case DoneEvent(answer):
                yield from self._write_end(answer)

    def write_error(self, err: HighlighterError) -> str:
        error = openai_shapes.build_error(err)["error"]
        return self._write("error", code=error["type"], message=error["message"], param=None)

    def build(self, answer: Answer) -> dict[str, Any]:
        """Return the whole response of an answer."""
        annotations = [item for one in answer.citations for item in openai_shapes.build_annotations(one, self._links)]
        part = openai_shapes.build_text_part(answer.text, annotations)
        item = openai_shapes.build_message_item(self._item_id, "completed", [part])
        body = openai_shapes.build_response(self._response_id, self._model, "completed", [item], answer)
        return {**body, "highlighter": describe_answer(answer, self._links)}

    def _write_start(self) -> Iterator[str]:
        response = openai_shapes.build_response(self._response_id, self._model, "in_progress")
        yield self._write("response.created", response=response)
        yield self._write("response.in_progress", response=response)
        item = openai_shapes.build_message_item(self._item_id, "in_progress", [])
        yield self._write("response.output_item.added", output_index=0, item=item)
        yield self._write_part_event("response.content_part.added", part=openai_shapes.build_text_part(""))

    def _write_end(self, answer: Answer) -> Iterator[str]:
        body = self.build(answer)
        item = body["output"][0]
        yield self._write_part_event("response.output_text.done", text=answer.text, logprobs=[])
        yield self._write_part_event("response.content_part.done", part=item["content"][0])
        yield self._write("response.output_item.done", output_index=0, item=item)
        yield self._write("response.completed", response=body)

    def _write_part_event(self, kind: str, **fields: Any) -> str:
        return self._write(kind, item_id=self._item_id, output_index=0, content_index=0, **fields)

    def _write(self, kind: str, **fields: Any) -> str:
        self._number += 1
        return write_event({"type": kind, "sequence_number": self._number - 1, **fields}, kind)
