"""A draft by a language model: its words as they come, its marks as what they mean."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from highlighter.answering import extractive_answer
from highlighter.answering.answer import AnswerEvent
from highlighter.answering.answer_composer import AnswerComposer
from highlighter.answering.json_data import is_valid_data, parse_json_reply
from highlighter.answering.llm.errors import CompletionInterrupted
from highlighter.answering.llm.fallback import ModelFallback
from highlighter.answering.llm.messages import FINISH_LENGTH, Completion, Message, ReplySchema
from highlighter.answering.passage_search import AnswerPassage
from highlighter.answering.prompt_messages import PromptBuilder, choose_max_tokens, find_truncated_labels
from highlighter.answering.refusals import is_refusal
from highlighter.answering.request import QuestionRequest
from highlighter.answering.structured_output import iterate_strings, replace_strings, select_schema
from highlighter.errors import GroundingError, NoModelAnswered
from highlighter.grounding.strict_mode import list_grounding_errors
from highlighter.locale import N_
from highlighter.models import Source
from highlighter.references.resolver import StreamedReferences
from highlighter.workers.process_pool import ProcessPool

BROKE_OFF_WARNING = N_("The answer is incomplete:")


@dataclass(frozen=True, slots=True)
class Draft:
    """Who wrote it, and what is to be told of it."""

    model: str
    tokens: int = 0
    warnings: tuple[str, ...] = ()
    data: Any = None
    refusal: str = ""  # why nothing was written


class ModelDrafter:
    def __init__(self, models: ModelFallback, prompt_builder: PromptBuilder, process_pool: Callable[[], ProcessPool]):
        """`process_pool`: where it is found out whether a reply keeps to a schema of the caller's own."""
        self.models = models
        self.prompt_builder = prompt_builder
        self._process_pool = process_pool

    def write_draft(
        self,
        request: QuestionRequest,
        questions: Sequence[str],
        answer_passages: Sequence[AnswerPassage],
        composer: AnswerComposer,
    ) -> Generator[AnswerEvent, None, Draft]:
        """NoModel, when none writes; GroundingError, when strictness was asked for and not reached."""
        sources = [piece.source for piece in answer_passages]
        messages = self._build_messages(request, questions, sources)
        warnings = tuple(
            N_(f"{label} is too long; only its beginning was read.") for label in find_truncated_labels(sources)
        )
        if request.require_grounding:
            drafted = yield from self._write_grounded_draft(request, messages, sources, composer)
        elif select_schema(request) is not None:
            drafted = yield from self._write_structured_draft(request, messages, sources, composer)
        else:
            drafted = yield from self._stream_draft(request, messages, sources, composer)
        return Draft(drafted.model, drafted.tokens, (*warnings, *drafted.warnings), drafted.data)

    def _build_messages(
        self, request: QuestionRequest, questions: Sequence[str], sources: Sequence[Source]
    ) -> list[Message]:
        return self.prompt_builder.build_answer_messages(
            request.question, sources, mode=request.mode, format=request.format, style=request.citation_style,
            require_grounding=request.require_grounding, sub_questions=questions, history=request.history, instructions=request.instructions,
            schema=select_schema(request) if request.schema is not None else None,
        )  # fmt: skip

    def _stream_draft(
        self, request: QuestionRequest, messages, sources, composer: AnswerComposer
    ) -> Generator[AnswerEvent, None, Draft]:
        references, more = StreamedReferences(sources), ()
        allowed = choose_max_tokens(request.mode, request.max_tokens)
        writing = self.models.stream(messages, max_tokens=allowed, temperature=request.temperature)
        try:
            for piece in writing:
                for told in references.feed(piece):
                    yield from composer.add_model_text(told)
        except CompletionInterrupted as broken:
            more = (f"{BROKE_OFF_WARNING} {broken.detail}",)
        for told in references.finish():
            yield from composer.add_model_text(told)
        if writing.finish_reason == FINISH_LENGTH:
            more += (N_(f"The answer was cut off at {allowed} tokens."),)
        return Draft(writing.model, writing.tokens, (*writing.failed_attempts, *more))

    def _write_grounded_draft(
        self, request: QuestionRequest, messages, sources, composer: AnswerComposer
    ) -> Generator[AnswerEvent, None, Draft]:
        """Held back until every quote is in its source; one more try, with what was wrong."""
        reply = self._complete(request, messages)
        tokens, said = reply.tokens, reply.failed_attempts
        reasons = self._find_grounding_errors(reply, sources)
        if reasons:
            reply = self._complete(
                request, self.prompt_builder.build_correction_messages(messages, reply.text, reasons)
            )
            tokens, said = tokens + reply.tokens, (*said, *reply.failed_attempts)
            if reasons := self._find_grounding_errors(reply, sources):
                raise GroundingError(reasons)
        yield from compose_text(reply.text, sources, composer)
        return Draft(reply.model, tokens, said)

    def _find_grounding_errors(self, reply: Completion, sources: Sequence[Source]) -> list[str]:
        return [] if is_refusal(reply.text) else list_grounding_errors(reply.text, sources)

    def _write_structured_draft(
        self, request: QuestionRequest, messages, sources, composer: AnswerComposer
    ) -> Generator[AnswerEvent, None, Draft]:
        shape = select_schema(request)
        reply = self._complete(request, messages, shape)
        data = self._parse_data(reply.text, shape)
        if data is None:
            yield from compose_text(reply.text, sources, composer)
            return Draft(reply.model, reply.tokens, (*reply.failed_attempts, _schema_warning(reply.model)))
        said = []
        for text in iterate_strings(data):
            yield from composer.add_text("\n" if said else "")
            began = len(composer.text)
            yield from compose_text(text, sources, composer)
            said.append(composer.text[began:])
        return Draft(reply.model, reply.tokens, reply.failed_attempts, replace_strings(data, said))

    def _parse_data(self, text: str, schema: ReplySchema) -> Any:
        """None, when it does not keep to the shape."""
        try:
            data = parse_json_reply(text)
            if isinstance(schema, type):
                return schema.model_validate(data).model_dump()
        except ValueError:
            return None
        return data if is_valid_data(data, schema, self._process_pool) else None

    def _complete(self, request: QuestionRequest, messages: Sequence[Message], schema=None) -> Completion:
        allowed = choose_max_tokens(request.mode, request.max_tokens)
        return self.models.complete(messages, max_tokens=allowed, temperature=request.temperature, schema=schema)


def _schema_warning(model: str) -> str:
    return N_(f"{model} did not use the requested format; its text is shown unchanged.")


def compose_text(text: str, sources: Sequence[Source], composer: AnswerComposer) -> Iterator[AnswerEvent]:
    """A text that is there already. No mark of it reaches into the next one."""
    references = StreamedReferences(sources)
    composer.start_model_text()
    for told in (*references.feed(text), *references.finish()):
        yield from composer.add_model_text(told)


# Who writes: the first model that answers, or else the evidence itself. Never silently.


NO_MODEL_NAME = "none"
NO_EVIDENCE = N_("the sources found do not answer the question")
NO_MODEL = N_("no language model answered")
SCHEMA_NEEDS_MODEL = N_("a custom JSON schema needs a language model (LLM_MODELS)")
EXTRACTIVE_FALLBACK_WARNING = N_("No language model answered, so the evidence is quoted directly.")


class Drafter:
    def __init__(self, model_drafter: ModelDrafter, extractive_fallback: bool = True):
        self.model_drafter = model_drafter
        self.extractive_fallback = extractive_fallback

    def write_draft(
        self,
        request: QuestionRequest,
        questions: Sequence[str],
        answer_passages: Sequence[AnswerPassage],
        composer: AnswerComposer,
    ) -> Generator[AnswerEvent, None, Draft]:
        said: tuple[str, ...] = ()
        if self.model_drafter.models.is_configured:
            try:
                return (yield from self.model_drafter.write_draft(request, questions, answer_passages, composer))
            except NoModelAnswered as none:
                if not self.extractive_fallback:
                    return Draft(NO_MODEL_NAME, warnings=none.attempts, refusal=NO_MODEL)
                said = (EXTRACTIVE_FALLBACK_WARNING, *none.attempts)
        if isinstance(request.schema, Mapping):
            return Draft(extractive_answer.EXTRACTIVE_MODEL, warnings=said, refusal=SCHEMA_NEEDS_MODEL)
        for item in extractive_answer.write_extractive_draft(request, questions, answer_passages):
            yield from composer.add_text(item) if isinstance(item, str) else composer.add_extract(item)
        return Draft(extractive_answer.EXTRACTIVE_MODEL, warnings=said, refusal="" if composer.text else NO_EVIDENCE)
