"""Models tried in order until one answers, each with a deadline and retries.

The retries of the SDKs are switched off: they sleep through a disconnect and through the deadline of the call, wait for
minutes where a provider asks for it instead of trying the next model, and do not report each failed attempt.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Iterator, Sequence

from highlighter.answering.llm.call_limits import CallLimits
from highlighter.answering.llm.errors import CompletionCancelled, CompletionEmpty, CompletionInterrupted, ModelError
from highlighter.answering.llm.messages import FINISH_STOP, Completion, CompletionRequest, Message, ReplySchema
from highlighter.answering.llm.model_client import ModelClient
from highlighter.answering.llm.providers import create_model_client
from highlighter.errors import NoModelAnswered
from highlighter.locale import N_, join_messages
from highlighter.monitoring.metrics import ANSWERED, FAILED, MODEL_CALLS, MODEL_SECONDS
from highlighter.monitoring.tracer import tracer
from highlighter.settings import Settings

log = logging.getLogger(__name__)

RETRY_PAUSE_SECONDS = 0.5  # half to the whole of it before the first retry, doubled for each further one
# When a provider asks for a longer wait, the next model is tried.
MAX_RETRY_PAUSE_SECONDS = 10.0


class ModelAttempts:
    """The attempts of one call. The caller iterates them and records each failure before the next attempt."""

    def __init__(self, models: Sequence[ModelClient], seconds: float, retries: int):
        self._models, self._seconds, self._retries = models, seconds, retries
        self._last_error: ModelError | None = None
        self.failed_attempts: list[str] = []

    def iterate_models(self) -> Iterator[tuple[ModelClient, CallLimits]]:
        for model in self._models:
            model.preload_sdk()
            limits = CallLimits(self._seconds)
            for attempt in range(self._retries + 1):
                yield model, limits
                wait = self._retry_wait_seconds(attempt, limits)
                if wait is None:
                    break
                limits.pause(wait)

    def record_failure(self, model: ModelClient, error: ModelError) -> None:
        if isinstance(error, CompletionCancelled):
            raise error
        MODEL_CALLS.labels(model.name, FAILED).inc()
        self._last_error = error
        self.failed_attempts.append(N_("{model}: {problem}", model=model.name, problem=error.detail))
        # The provider's own message may repeat words of the question or of a source.
        log.warning("No answer from %s: %s", model.name, error.title)

    def build_error(self) -> NoModelAnswered:
        if not self._models:
            return NoModelAnswered("No language model is set up: LLM_MODELS is empty.")
        return build_no_model_error(self.failed_attempts)

    def _retry_wait_seconds(self, attempt: int, limits: CallLimits) -> float | None:
        """Return the wait before a retry; None when the same model is not asked again."""
        if self._last_error is None or not self._last_error.is_retryable or attempt == self._retries:
            return None
        # Jitter: callers that failed together must not retry together.
        wait = RETRY_PAUSE_SECONDS * 2**attempt * random.uniform(0.5, 1.0)
        if self._last_error.wait_seconds is not None:
            wait = self._last_error.wait_seconds + random.uniform(0.0, RETRY_PAUSE_SECONDS)
        return wait if wait <= MAX_RETRY_PAUSE_SECONDS and wait < limits.seconds_left else None


def build_no_model_error(failed_attempts: Sequence[str]) -> NoModelAnswered:
    """Return the error that holds a sentence from each failed attempt."""
    return NoModelAnswered(
        join_messages((N_("No language model answered."), *dict.fromkeys(failed_attempts))), tuple(failed_attempts)
    )


class CompletionStream:
    """A completion that is iterated once, text by text, and holds the result afterwards.

    When a model fails before its first word, the next one is asked; without a next one, NoModelAnswered is raised. When
    a model fails later, CompletionInterrupted is raised: the caller decides what to do with the partial answer. When the
    client has gone away, CompletionCancelled is raised.
    """

    def __init__(self, attempts: ModelAttempts, request: CompletionRequest):
        self._attempts, self._request = attempts, request
        self._began = time.monotonic()
        self.model = ""  # as in LLM_MODELS, set with the first word
        self.text = ""  # written so far
        self.tokens = 0
        self.finish_reason = ""
        self.latency_ms = 0

    @property
    def failed_attempts(self) -> tuple[str, ...]:
        """Return a sentence for users about each failed attempt."""
        return tuple(self._attempts.failed_attempts)

    def __iter__(self) -> Iterator[str]:
        try:
            yield from self._iterate_text()
        finally:
            self.latency_ms = round((time.monotonic() - self._began) * 1000)

    def _iterate_text(self) -> Iterator[str]:
        for model, limits in self._attempts.iterate_models():
            leading_space = ""  # white space does not count as a first word
            error: ModelError
            try:
                for part in tracer.iterate("model", model.stream(self._request, limits), model=model.name):
                    self.tokens = part.tokens or self.tokens
                    self.finish_reason = part.finish_reason or self.finish_reason
                    if not self.text and not part.text.strip():
                        leading_space += part.text
                    elif part.text:
                        self.model = model.name
                        text, leading_space = leading_space + part.text, ""
                        self.text += text
                        yield text
                if self.text:
                    MODEL_CALLS.labels(model.name, ANSWERED).inc()
                    MODEL_SECONDS.labels(model.name).observe(time.monotonic() - self._began)
                    return
                error = CompletionEmpty.from_finish_reason(self.finish_reason)
            except ModelError as model_error:
                error = model_error
            if self.text and not isinstance(error, CompletionCancelled):
                MODEL_CALLS.labels(model.name, FAILED).inc()
                raise CompletionInterrupted(
                    N_("{model}: {problem}", model=model.name, problem=error.detail), model.name, self.text, self.tokens
                )
            self._attempts.record_failure(model, error)
            self.tokens, self.finish_reason = 0, ""
        raise self._attempts.build_error()


class ModelFallback:
    """The configured models, tried in order. `deadline` is in seconds for each model, so that the next has time, too."""

    def __init__(self, models: Sequence[ModelClient], deadline: float = 60.0, retries: int = 2):
        self.models = tuple(models)
        self.deadline, self.retries = deadline, retries

    @classmethod
    def from_settings(cls, settings: Settings) -> ModelFallback:
        models = [create_model_client(name, settings) for name in settings.llm_models]
        return cls(models, settings.llm_deadline_seconds, settings.llm_retries)

    def choose(self, names: Sequence[str]) -> ModelFallback:
        """Return those of the models that are named, in order."""
        chosen = [model for name in names for model in self.models if model.name == name]
        return ModelFallback(chosen, self.deadline, self.retries)

    @property
    def is_configured(self) -> bool:
        return bool(self.models)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(model.name for model in self.models)

    def iterate_models(self) -> Iterator[ModelFallback]:
        """Yield each model alone, in order, for a caller that decides itself whether a reply can be used."""
        for model in self.models:
            yield ModelFallback((model,), self.deadline, self.retries)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float,
        schema: ReplySchema = None,
        deadline: float | None = None,
    ) -> Completion:
        """Return the first completion of a model.

        Raise NoModelAnswered without any, and CompletionCancelled when the client has gone away. A model that refuses
        the schema is asked without it: the completion then has `is_structured` False.
        """
        started = time.monotonic()
        request = CompletionRequest(messages, max_tokens, temperature, schema)
        attempts = self._start_attempts(deadline)
        for model, limits in attempts.iterate_models():
            try:
                with tracer.span("model", model=model.name), MODEL_SECONDS.labels(model.name).time():
                    part = model.complete(request, limits)
            except ModelError as error:
                attempts.record_failure(model, error)
                continue
            MODEL_CALLS.labels(model.name, ANSWERED).inc()
            return Completion(
                part.text,
                model.name,
                part.tokens,
                latency_ms=round((time.monotonic() - started) * 1000),
                finish_reason=part.finish_reason or FINISH_STOP,
                is_structured=schema is not None and model.schema_parameter not in part.omitted_parameters,
                failed_attempts=tuple(attempts.failed_attempts),
            )
        raise attempts.build_error()

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float,
        deadline: float | None = None,
    ) -> CompletionStream:
        """Return a stream; no model is asked before the stream is iterated."""
        return CompletionStream(self._start_attempts(deadline), CompletionRequest(messages, max_tokens, temperature))

    def _start_attempts(self, deadline: float | None) -> ModelAttempts:
        return ModelAttempts(self.models, self.deadline if deadline is None else deadline, self.retries)
