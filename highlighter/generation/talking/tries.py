"""Whom to ask next, after whom failed how; and what those asked before have said."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator, Sequence

from highlighter.errors import NoModel
from highlighter.generation.talking.asking import Asking
from highlighter.generation.talking.failures import Cancelled, ModelFailed
from highlighter.generation.talking.watch import Watch
from highlighter.locale import N_

log = logging.getLogger(__name__)

PAUSE_SECONDS = 0.5  # before the first retry, or half of it; twice as long before each that follows
# A provider that asks for a longer wait is left for the next of the chain.
LONGEST_PAUSE_SECONDS = 10.0


class Tries:
    """Iterated by whoever asks. Coming back for the next means that the last one failed, as `failed` was told."""

    def __init__(self, models: Sequence[Asking], seconds: float, retries: int, pause: float):
        self._models, self._seconds, self._retries, self._pause = models, seconds, retries, pause
        self._last: ModelFailed | None = None
        self.said: list[str] = []

    def each(self) -> Iterator[tuple[Asking, Watch]]:
        for model in self._models:
            model.get_ready()
            watch = Watch(self._seconds)
            for attempt in range(self._retries + 1):
                yield model, watch
                wait = self._wait(attempt, watch)
                if wait is None:
                    break
                watch.pause(wait)

    def failed(self, model: Asking, why: ModelFailed) -> None:
        if isinstance(why, Cancelled):
            raise why
        self._last = why
        self.said.append(f"{model.name}: {why.detail}")
        log.warning("No answer from %s", self.said[-1])

    def exhausted(self) -> NoModel:
        if not self._models:
            return NoModel("No language model is set up: LLM_MODELS names none.")
        return NoModel(" ".join((N_("No language model answered."), *dict.fromkeys(self.said))), tuple(self.said))

    def _wait(self, attempt: int, watch: Watch) -> float | None:
        """None: the same model is not asked again."""
        if self._last is None or not self._last.again or attempt == self._retries:
            return None
        # Jitter: those who failed together shall not come back together.
        wait = self._pause * 2**attempt * random.uniform(0.5, 1.0)
        if self._last.wait is not None:
            wait = self._last.wait + random.uniform(0.0, self._pause)
        return wait if wait <= LONGEST_PAUSE_SECONDS and wait < watch.left else None
