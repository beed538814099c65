"""Who writes: the first model that answers, or else the evidence itself. Never silently."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence

from highlighter.errors import NoModel
from highlighter.generation import extractive
from highlighter.generation.ask import Ask
from highlighter.generation.composing import Composer
from highlighter.generation.events import Event
from highlighter.generation.gather import Piece
from highlighter.generation.prompted import Drafted, Prompted
from highlighter.locale import N_

NOBODY = "none"
NO_EVIDENCE = N_("the sources found do not answer the question")
NO_MODEL = N_("no language model answered")
NOT_BY_QUOTING = N_("a JSON schema of one's own needs a language model (LLM_MODELS)")
QUOTED_INSTEAD = N_("No language model answered, so the evidence itself is quoted.")


class Drafting:
    def __init__(self, prompted: Prompted, fall_back: bool = True):
        self.prompted = prompted
        self.fall_back = fall_back

    def draft(
        self, ask: Ask, questions: Sequence[str], pieces: Sequence[Piece], composer: Composer
    ) -> Generator[Event, None, Drafted]:
        said: tuple[str, ...] = ()
        if self.prompted.chain.configured:
            try:
                return (yield from self.prompted.draft(ask, questions, pieces, composer))
            except NoModel as none:
                if not self.fall_back:
                    return Drafted(NOBODY, warnings=none.said, refusal=NO_MODEL)
                said = (QUOTED_INSTEAD, *none.said)
        if isinstance(ask.schema, Mapping):
            return Drafted(extractive.NAME, warnings=said, refusal=NOT_BY_QUOTING)
        for item in extractive.draft(ask, questions, pieces):
            yield from composer.say(item) if isinstance(item, str) else composer.quote(item)
        return Drafted(extractive.NAME, warnings=said, refusal="" if composer.text else NO_EVIDENCE)
