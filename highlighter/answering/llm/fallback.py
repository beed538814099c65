"""Whom to ask next, after whom failed how; and what those asked before have said."""

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
from highlighter.locale import N_
from highlighter.settings import Settings

log = logging.getLogger(__name__)

RETRY_PAUSE_SECONDS = 0.5  # before the first retry, or half of it; twice as long before each that follows
# A provider that asks for a longer wait is left for the next of the chain.
MAX_RETRY_PAUSE_SECONDS = 10.0


class ModelAttempts:
    """Iterated by whoever asks. Coming back for the next means that the last one failed, as `failed` was told."""

    def __init__(self, models: Sequence[ModelClient], seconds: float, retries: int, pause: float):
        self._models, self._seconds, self._retries, self._pause = models, seconds, retries, pause
        self._last_error: ModelError | None = None
        self.failed_attempts: list[str] = []

    def iterate_models(self) -> Iterator[tuple[ModelClient, CallLimits]]:
        for model in self._models:
            model.preload_sdk()
            watch = CallLimits(self._seconds)
            for attempt in range(self._retries + 1):
                yield model, watch
                wait = self._retry_wait_seconds(attempt, watch)
                if wait is None:
                    break
                watch.pause(wait)

    def record_failure(self, model: ModelClient, error: ModelError) -> None:
        if isinstance(error, CompletionCancelled):
            raise error
        self._last_error = error
        self.failed_attempts.append(f"{model.name}: {error.detail}")
        log.warning("No answer from %s", self.failed_attempts[-1])

    def build_error(self) -> NoModelAnswered:
        if not self._models:
            return NoModelAnswered("No language model is set up: LLM_MODELS is empty.")
        return NoModelAnswered(
            " ".join((N_("No language model answered."), *dict.fromkeys(self.failed_attempts))),
            tuple(self.failed_attempts),
        )

    def _retry_wait_seconds(self, attempt: int, limits: CallLimits) -> float | None:
        """None: the same model is not asked again."""
        if self._last_error is None or not self._last_error.is_retryable or attempt == self._retries:
            return None
        # Jitter: those who failed together shall not come back together.
        wait = self._pause * 2**attempt * random.uniform(0.5, 1.0)
        if self._last_error.wait_seconds is not None:
            wait = self._last_error.wait_seconds + random.uniform(0.0, self._pause)
        return wait if wait <= MAX_RETRY_PAUSE_SECONDS and wait < limits.seconds_left else None


# An answer while a model writes it, and what there is to tell of it afterwards.


class CompletionStream:
    """Iterated once, it gives the text piece by piece.

    A model that fails before its first word is followed by the next one; when there is none, NoModel is raised. One that
    fails later raises BrokenOff: what is to become of its half answer is the caller's to decide. When nobody listens any
    more, Cancelled is raised.
    """

    def __init__(self, attempts: ModelAttempts, request: CompletionRequest):
        self._attempts, self._request = attempts, request
        self._began = time.monotonic()
        self.model = ""  # as in LLM_MODELS, once it has written something
        self.text = ""  # so far
        self.tokens = 0
        self.finish_reason = ""
        self.latency_ms = 0

    @property
    def failed_attempts(self) -> tuple[str, ...]:
        """Of tries that failed before: one sentence each, fit to be shown."""
        return tuple(self._attempts.failed_attempts)

    def __iter__(self) -> Iterator[str]:
        try:
            yield from self._iterate_text()
        finally:
            self.latency_ms = round((time.monotonic() - self._began) * 1000)

    def _iterate_text(self) -> Iterator[str]:
        for model, watch in self._attempts.iterate_models():
            blank = ""  # white space is no word yet
            try:
                for part in model.stream(self._request, watch):
                    self.tokens, self.finish_reason = (
                        part.tokens or self.tokens,
                        part.finish_reason or self.finish_reason,
                    )
                    if not self.text and not part.text.strip():
                        blank += part.text
                    elif part.text:
                        self.model = model.name
                        piece, blank = blank + part.text, ""
                        self.text += piece
                        yield piece
                if self.text:
                    return
                why = CompletionEmpty.from_finish_reason(self.finish_reason)
            except ModelError as failed:
                why = failed
            if self.text and not isinstance(why, CompletionCancelled):
                raise CompletionInterrupted(f"{model.name}: {why.detail}", model.name, self.text, self.tokens)
            self._attempts.record_failure(model, why)
            self.tokens, self.finish_reason = 0, ""
        raise self._attempts.build_error()


# Models tried in order, each with its deadline and its retries, until one answers.


class ModelFallback:
    """`deadline` is in seconds, and each model's own: one that hangs leaves time for the next."""

    def __init__(
        self,
        models: Sequence[ModelClient],
        deadline: float = 60.0,
        retries: int = 2,
        pause: float = RETRY_PAUSE_SECONDS,
    ):
        self.models = tuple(models)
        self.deadline, self.retries, self.pause = deadline, retries, pause

    @classmethod
    def from_settings(cls, settings: Settings) -> ModelFallback:
        models = [create_model_client(name, settings) for name in settings.llm_models]
        return cls(models, settings.llm_deadline_seconds, settings.llm_retries)

    @property
    def is_configured(self) -> bool:
        return bool(self.models)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(model.name for model in self.models)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float,
        schema: ReplySchema = None,
        deadline: float | None = None,
    ) -> Completion:
        """The first reply that there is. Raises NoModel without any, and Cancelled when nobody waits for it any more.

        A model that cannot be held to the schema is asked without it: the reply is then not `structured`.
        """
        began = time.monotonic()
        call = CompletionRequest(messages, max_tokens, temperature, schema)
        tries = self._start_attempts(deadline)
        for model, watch in tries.iterate_models():
            try:
                part = model.complete(call, watch)
            except ModelError as failed:
                tries.record_failure(model, failed)
                continue
            structured = schema is not None and model.schema_parameter not in part.omitted_parameters
            taken = round((time.monotonic() - began) * 1000)
            return Completion(
                part.text,
                model.name,
                part.tokens,
                taken,
                part.finish_reason or FINISH_STOP,
                structured,
                tuple(tries.failed_attempts),
            )
        raise tries.build_error()

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float,
        deadline: float | None = None,
    ) -> CompletionStream:
        """Nothing is asked before it is iterated."""
        return CompletionStream(self._start_attempts(deadline), CompletionRequest(messages, max_tokens, temperature))

    def _start_attempts(self, deadline: float | None) -> ModelAttempts:
        return ModelAttempts(self.models, self.deadline if deadline is None else deadline, self.retries, self.pause)
