"""Writers of drafts: a language model, or else sentences of the sources themselves."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from highlighter.answering import extractive_answer
from highlighter.answering.answer import EXTRACTIVE_MODEL, AnswerEvent
from highlighter.answering.answer_composer import AnswerComposer
from highlighter.answering.decomposition.vague_question import is_vague
from highlighter.answering.json_data import is_valid_data, parse_json_reply
from highlighter.answering.llm.errors import CompletionInterrupted
from highlighter.answering.llm.fallback import CompletionStream, ModelFallback, build_no_model_error
from highlighter.answering.llm.messages import FINISH_LENGTH, Completion, Message, ReplySchema
from highlighter.answering.passage_search import AnswerPassage
from highlighter.answering.prompt_messages import PromptBuilder, choose_max_tokens, find_truncated_labels
from highlighter.answering.refusals import is_refusal
from highlighter.answering.request import SUMMARY, QuestionRequest
from highlighter.answering.structured_output import iterate_strings, replace_strings, select_schema
from highlighter.errors import BadRequest, GroundingError, NoModelAnswered
from highlighter.grounding.checker import Checker
from highlighter.grounding.judge import ExternalJudge
from highlighter.grounding.strict_mode import list_grounding_errors
from highlighter.locale import N_, join_messages
from highlighter.models import Source
from highlighter.references.resolver import StreamedReferences, StreamSegment
from highlighter.workers.process_pool import ProcessPool

log = logging.getLogger(__name__)

BROKE_OFF_WARNING = N_("The answer is incomplete:")
NOT_GROUNDED = N_("The reply is not grounded in its sources.")
NOT_IN_FORMAT = N_("The reply does not have the requested format.")


@dataclass(frozen=True, slots=True)
class Draft:
    """The draft of an answer: its model, cost, warnings and data. The text is in the composer."""

    model: str
    tokens: int = 0
    warnings: tuple[str, ...] = ()
    data: Any = None
    refusal: str = ""  # why nothing was written
    is_broken_off: bool = False  # in the middle, by the provider or by the token limit


class ModelDrafter:
    """The writer of drafts by language models, streamed, strict or in a schema."""

    def __init__(
        self,
        models: ModelFallback,
        prompt_builder: PromptBuilder,
        process_pool: Callable[[], ProcessPool],
        checker: Checker,
        judge: ExternalJudge | None = None,
        refusal_text: str = "",
    ):
        """Take a process pool in which data is validated against a caller's schema, as that may take too long.

        The checker and the judge decide about the claims of strict mode. `refusal_text` is the refusal that the prompts
        ask for, if it is not the standard one.
        """
        self.models = models
        self.prompt_builder = prompt_builder
        self._process_pool = process_pool
        self._checker, self._judge = checker, judge
        self.refusal_text = refusal_text

    def adapt(self, request: QuestionRequest) -> ModelDrafter:
        """Return the drafter for a request that names its model or the words of a refusal."""
        if not request.model and not request.refusal:
            return self
        models, prompts = self.models, self.prompt_builder
        if request.model:
            models = models.choose([_require_model(request.model, models.names)])
        if request.refusal:
            prompts = prompts.with_refusal(request.refusal)
        refusal = request.refusal or self.refusal_text
        return ModelDrafter(models, prompts, self._process_pool, self._checker, self._judge, refusal)

    def write_draft(
        self,
        request: QuestionRequest,
        questions: Sequence[str],
        answer_passages: Sequence[AnswerPassage],
        composer: AnswerComposer,
        is_streamed: bool = True,
    ) -> Generator[AnswerEvent, None, Draft]:
        """Write a draft, which a reader sees while it is written if it is streamed.

        A reply of which nothing was shown, and that cannot be used, is followed by that of the next model. Raise
        NoModelAnswered without a usable reply, and GroundingError when strict mode is not satisfied.
        """
        sources = [passage.source for passage in answer_passages]
        messages = self._build_messages(request, questions, sources)
        warnings = tuple(
            N_("{label} is too long; only its beginning was read.", label=label)
            for label in find_truncated_labels(sources)
        )
        if request.require_grounding:
            draft = yield from self._write_grounded_draft(request, messages, sources, composer)
        elif select_schema(request) is not None:
            draft = yield from self._write_structured_draft(request, messages, sources, composer)
        else:
            draft = yield from self._stream_draft(request, messages, sources, composer, is_streamed)
        return replace(draft, warnings=(*warnings, *draft.warnings))

    def _build_messages(
        self, request: QuestionRequest, questions: Sequence[str], sources: Sequence[Source]
    ) -> list[Message]:
        return self.prompt_builder.build_answer_messages(
            request.question,
            sources,
            mode=request.mode,
            format=request.format,
            style=request.citation_style,
            require_grounding=request.require_grounding,
            sub_questions=questions,
            history=request.history,
            instructions=request.instructions,
            schema=select_schema(request) if request.schema is not None else None,
        )

    def _stream_draft(
        self,
        request: QuestionRequest,
        messages: list[Message],
        sources: list[Source],
        composer: AnswerComposer,
        is_streamed: bool,
    ) -> Generator[AnswerEvent, None, Draft]:
        """Write a draft from the first complete reply, or else from the first that began and was interrupted."""
        max_tokens = choose_max_tokens(request.mode, request.max_tokens)
        attempts: list[str] = []
        interrupted: list[StreamedReply] = []
        for models in self.models.iterate_models():
            completion = models.stream(messages, max_tokens=max_tokens, temperature=request.temperature)
            reply = StreamedReply(completion, sources)
            try:
                if is_streamed:
                    yield from compose_segments(reply.read(), composer)
                else:
                    reply.unsent_segments += reply.read()
            except NoModelAnswered as error:
                attempts += error.attempts
                continue
            attempts += completion.failed_attempts
            if not reply.interruption or composer.text:
                break
            attempts.append(reply.interruption)
            interrupted += [reply] if reply.unsent_segments else []
        else:
            if not interrupted:
                raise build_no_model_error(attempts)
            reply = interrupted[0]
            attempts.remove(reply.interruption)  # the warning below says it
        yield from compose_segments(reply.unsent_segments, composer)
        if reply.interruption:
            attempts.append(join_messages([BROKE_OFF_WARNING, reply.interruption]))
        is_cut_off = reply.completion.finish_reason == FINISH_LENGTH
        if is_cut_off:
            attempts.append(N_("The answer was cut off at {limit} tokens.", limit=max_tokens))
        return Draft(
            reply.completion.model,
            reply.completion.tokens,
            tuple(attempts),
            is_broken_off=is_cut_off or bool(reply.interruption),
        )

    def _write_grounded_draft(
        self, request: QuestionRequest, messages: list[Message], sources: list[Source], composer: AnswerComposer
    ) -> Generator[AnswerEvent, None, Draft]:
        """Write a draft whose claims and quotes are grounded in their sources; each model may correct its reply once."""
        attempts: list[str] = []
        tokens = 0
        grounding_error: GroundingError | None = None
        for models in self.models.iterate_models():
            try:
                reply = self._complete(models, request, messages)
                attempts += reply.failed_attempts
                tokens += reply.tokens
                if reasons := self._find_grounding_errors(reply, sources):
                    correction = self.prompt_builder.build_correction_messages(messages, reply.text, reasons)
                    reply = self._complete(models, request, correction)
                    attempts += reply.failed_attempts
                    tokens += reply.tokens
                    reasons = self._find_grounding_errors(reply, sources)
            except NoModelAnswered as error:
                attempts += error.attempts
                continue
            if not reasons:
                yield from compose_text(reply.text, sources, composer)
                return Draft(reply.model, tokens, tuple(attempts))
            attempts.append(_describe_failure(reply.model, NOT_GROUNDED))
            grounding_error = GroundingError(reasons)
        raise grounding_error or build_no_model_error(attempts)

    def _find_grounding_errors(self, reply: Completion, sources: Sequence[Source]) -> list[str]:
        if is_refusal(reply.text, self.refusal_text):
            return []
        return list_grounding_errors(reply.text, sources, self._checker, self._judge)

    def _write_structured_draft(
        self, request: QuestionRequest, messages: list[Message], sources: list[Source], composer: AnswerComposer
    ) -> Generator[AnswerEvent, None, Draft]:
        """Write a draft from the first reply in the requested format, or else from the text of the first reply."""
        schema = select_schema(request)
        attempts: list[str] = []
        tokens = 0
        unshaped: Completion | None = None
        for models in self.models.iterate_models():
            try:
                reply = self._complete(models, request, messages, schema)
            except NoModelAnswered as error:
                attempts += error.attempts
                continue
            attempts += reply.failed_attempts
            tokens += reply.tokens
            data = self._parse_data(reply.text, schema)
            if data is not None:
                data = yield from compose_data(data, sources, composer)
                return Draft(reply.model, tokens, tuple(attempts), data)
            if is_refusal(reply.text, self.refusal_text):  # it needs no format
                yield from compose_text(reply.text, sources, composer)
                return Draft(reply.model, tokens, tuple(attempts))
            attempts.append(_describe_failure(reply.model, NOT_IN_FORMAT))
            unshaped = unshaped or reply
        if unshaped is None:
            raise build_no_model_error(attempts)
        yield from compose_text(unshaped.text, sources, composer)
        return Draft(unshaped.model, tokens, (*attempts, _schema_warning(unshaped.model)))

    def _parse_data(self, text: str, schema: ReplySchema) -> Any:
        """Return the data of a reply; None when the data does not match the schema."""
        try:
            data = parse_json_reply(text)
            if isinstance(schema, type):
                return schema.model_validate(data).model_dump()
        except ValueError:
            return None
        return data if is_valid_data(data, schema or {}, self._process_pool) else None

    def _complete(
        self, models: ModelFallback, request: QuestionRequest, messages: Sequence[Message], schema: ReplySchema = None
    ) -> Completion:
        max_tokens = choose_max_tokens(request.mode, request.max_tokens)
        return models.complete(messages, max_tokens=max_tokens, temperature=request.temperature, schema=schema)


def _require_model(name: str, names: Sequence[str]) -> str:
    """Return the name of a model that answers may be asked of; raise BadRequest for any other."""
    choices = (*names, EXTRACTIVE_MODEL)
    if name not in choices:
        raise BadRequest(
            N_("No model is called {name!r} here; use one of {choices}.", name=name, choices=", ".join(choices))
        )
    return name


def _schema_warning(model: str) -> str:
    return N_("{model} did not use the requested format; its text is shown unchanged.", model=model)


def _describe_failure(model: str, reason: str) -> str:
    log.warning("No usable answer from %s: %s", model, reason)
    return N_("{model}: {problem}", model=model, problem=reason)


class StreamedReply:
    """A reply in segments. `interruption` says why it broke off; `unsent_segments` may be kept until it is complete."""

    def __init__(self, completion: CompletionStream, sources: Sequence[Source]):
        self.completion = completion
        self.interruption = ""
        self.unsent_segments: list[StreamSegment] = []
        self._references = StreamedReferences(sources)

    def read(self) -> Iterator[StreamSegment]:
        """Yield the segments of the reply. When it breaks off in its first marker, there are none."""
        has_begun = False
        try:
            for text in self.completion:
                for segment in self._references.feed(text):
                    has_begun = True
                    yield segment
        except CompletionInterrupted as interruption:
            self.interruption = interruption.detail
        if has_begun or not self.interruption:
            yield from self._references.finish()


def compose_segments(segments: Iterable[StreamSegment], composer: AnswerComposer) -> Iterator[AnswerEvent]:
    for segment in segments:
        yield from composer.add_model_text(segment)


def compose_data(data: Any, sources: Sequence[Source], composer: AnswerComposer) -> Generator[AnswerEvent, None, Any]:
    """Add the strings of the data, each on lines of its own, and return the data with the strings as composed."""
    texts: list[str] = []
    for text in iterate_strings(data):
        yield from composer.add_text("\n" if texts else "")
        start = len(composer.text)
        yield from compose_text(text, sources, composer)
        texts.append(composer.text[start:])
    return replace_strings(data, texts)


def compose_text(text: str, sources: Sequence[Source], composer: AnswerComposer) -> Iterator[AnswerEvent]:
    """Add a whole text of a model. A marker cannot continue in the next text."""
    references = StreamedReferences(sources)
    composer.start_model_text()
    yield from compose_segments((*references.feed(text), *references.finish()), composer)


# The choice between a model and the extractive answer; the fallback always adds a warning.

NO_MODEL_NAME = "none"
NO_EVIDENCE = N_("the sources found do not answer the question")
VAGUE_QUESTION = N_("the question does not say what it asks about")
NO_MODEL = N_("no language model answered")
SCHEMA_NEEDS_MODEL = N_("a custom JSON schema needs a language model (LLM_MODELS)")
EXTRACTIVE_FALLBACK_WARNING = N_("No language model answered, so the evidence is quoted directly.")


class Drafter:
    """The writer of drafts that falls back to an extractive answer when no model answers."""

    def __init__(self, model_drafter: ModelDrafter, extractive_fallback: bool = True):
        self.model_drafter = model_drafter
        self.extractive_fallback = extractive_fallback

    def adapt(self, request: QuestionRequest) -> Drafter:
        """Return the drafter for a request that names its model or the words of a refusal."""
        return Drafter(self.model_drafter.adapt(request), self.extractive_fallback)

    def write_draft(
        self,
        request: QuestionRequest,
        questions: Sequence[str],
        answer_passages: Sequence[AnswerPassage],
        composer: AnswerComposer,
        is_streamed: bool = True,
    ) -> Generator[AnswerEvent, None, Draft]:
        warnings: tuple[str, ...] = ()
        if self.model_drafter.models.is_configured:
            try:
                return (
                    yield from self.model_drafter.write_draft(
                        request, questions, answer_passages, composer, is_streamed
                    )
                )
            except NoModelAnswered as error:
                if not self.extractive_fallback:
                    return Draft(NO_MODEL_NAME, warnings=error.attempts, refusal=NO_MODEL)
                warnings = (EXTRACTIVE_FALLBACK_WARNING, *error.attempts)
        if isinstance(request.schema, Mapping):
            return Draft(EXTRACTIVE_MODEL, warnings=warnings, refusal=SCHEMA_NEEDS_MODEL)
        if request.sources is None and request.mode != SUMMARY and all(map(is_vague, questions)):
            return Draft(EXTRACTIVE_MODEL, warnings=warnings, refusal=VAGUE_QUESTION)
        for item in extractive_answer.write_extractive_draft(request, questions, answer_passages):
            yield from composer.add_text(item) if isinstance(item, str) else composer.add_extract(item)
        return Draft(EXTRACTIVE_MODEL, warnings=warnings, refusal="" if composer.text else NO_EVIDENCE)
