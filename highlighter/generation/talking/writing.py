"""An answer while a model writes it, and what there is to tell of it afterwards."""

from __future__ import annotations

import time
from collections.abc import Iterator

from highlighter.generation.talking.calls import Call
from highlighter.generation.talking.failures import BrokenOff, Cancelled, Empty, ModelFailed
from highlighter.generation.talking.tries import Tries


class Writing:
    """Iterated once, it gives the text piece by piece.

    A model that fails before its first word is followed by the next one; when there is none, NoModel is raised. One that
    fails later raises BrokenOff: what is to become of its half answer is the caller's to decide. When nobody listens any
    more, Cancelled is raised.
    """

    def __init__(self, tries: Tries, call: Call):
        self._tries, self._call = tries, call
        self._began = time.monotonic()
        self.model = ""  # as in LLM_MODELS, once it has written something
        self.text = ""  # so far
        self.tokens = 0
        self.finish = ""
        self.latency_ms = 0

    @property
    def said(self) -> tuple[str, ...]:
        """Of tries that failed before: one sentence each, fit to be shown."""
        return tuple(self._tries.said)

    def __iter__(self) -> Iterator[str]:
        try:
            yield from self._written()
        finally:
            self.latency_ms = round((time.monotonic() - self._began) * 1000)

    def _written(self) -> Iterator[str]:
        for model, watch in self._tries.each():
            blank = ""  # white space is no word yet
            try:
                for part in model.stream(self._call, watch):
                    self.tokens, self.finish = part.tokens or self.tokens, part.finish or self.finish
                    if not self.text and not part.text.strip():
                        blank += part.text
                    elif part.text:
                        self.model = model.name
                        piece, blank = blank + part.text, ""
                        self.text += piece
                        yield piece
                if self.text:
                    return
                why = Empty.of(self.finish)
            except ModelFailed as failed:
                why = failed
            if self.text and not isinstance(why, Cancelled):
                raise BrokenOff(f"{model.name}: {why.detail}", model.name, self.text, self.tokens)
            self._tries.failed(model, why)
            self.tokens, self.finish = 0, ""
        raise self._tries.exhausted()
