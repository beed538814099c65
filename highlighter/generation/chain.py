"""Models tried in order, each with its deadline and its retries, until one answers."""

from __future__ import annotations

import time
from collections.abc import Sequence

from highlighter.generation.providers import provider
from highlighter.generation.talking.asking import Asking
from highlighter.generation.talking.calls import DONE, Call, Message, Reply, Shape
from highlighter.generation.talking.failures import ModelFailed
from highlighter.generation.talking.tries import PAUSE_SECONDS, Tries
from highlighter.generation.talking.writing import Writing
from highlighter.settings import Settings


class Chain:
    """`deadline` is in seconds, and each model's own: one that hangs leaves time for the next."""

    def __init__(
        self, models: Sequence[Asking], deadline: float = 60.0, retries: int = 2, pause: float = PAUSE_SECONDS
    ):
        self.models = tuple(models)
        self.deadline, self.retries, self.pause = deadline, retries, pause

    @classmethod
    def from_settings(cls, settings: Settings) -> Chain:
        models = [provider(name, settings) for name in settings.llm_models]
        return cls(models, settings.llm_deadline_seconds, settings.llm_retries)

    @property
    def configured(self) -> bool:
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
        schema: Shape = None,
        deadline: float | None = None,
    ) -> Reply:
        """The first reply that there is. Raises NoModel without any, and Cancelled when nobody waits for it any more.

        A model that cannot be held to the schema is asked without it: the reply is then not `structured`.
        """
        began = time.monotonic()
        call = Call(messages, max_tokens, temperature, schema)
        tries = self._tries(deadline)
        for model, watch in tries.each():
            try:
                part = model.complete(call, watch)
            except ModelFailed as failed:
                tries.failed(model, failed)
                continue
            structured = schema is not None and model.structure not in part.left_out
            taken = round((time.monotonic() - began) * 1000)
            return Reply(part.text, model.name, part.tokens, taken, part.finish or DONE, structured, tuple(tries.said))
        raise tries.exhausted()

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float,
        deadline: float | None = None,
    ) -> Writing:
        """Nothing is asked before it is iterated."""
        return Writing(self._tries(deadline), Call(messages, max_tokens, temperature))

    def _tries(self, deadline: float | None) -> Tries:
        return Tries(self.models, self.deadline if deadline is None else deadline, self.retries, self.pause)
