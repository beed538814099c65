"""A question in, an answer out: divide, search, draft, cite, check, keep. Whoever listens hears each step as it is done."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from uuid import uuid4

from highlighter.access import Visible
from highlighter.evidence.passages import Passages
from highlighter.generation import extractive
from highlighter.generation.answer import Answer, SubQuestion
from highlighter.generation.ask import Ask
from highlighter.generation.citing import Citer
from highlighter.generation.composing import Composer
from highlighter.generation.events import Divided, Done, Event, Found
from highlighter.generation.gather import Gatherer, Piece
from highlighter.generation.own import Own
from highlighter.search.find import Search
from highlighter.store.audit import now
from highlighter.store.disk import no_room

log = logging.getLogger(__name__)

NO_SOURCES = "no relevant sources found"
NO_TEXT = "the sources given hold no text"
NO_EVIDENCE = "the sources found do not answer the question"
NOT_KEPT = "This answer could not be kept: it cannot be opened again, and the audit does not hold it."
DISK_FULL = "The disk is full, so this answer was not kept: it cannot be opened again, and the audit does not hold it."


class Answering:
    def __init__(self, search: Search, passages: Passages, keep: Callable[[Answer, Ask], None] | None = None):
        """`keep` is handed every answer, refusals too, before anybody is told that it is done."""
        self.passages = passages
        self._keep = keep
        self._gatherer = Gatherer(search, passages)
        self._own = Own(search, passages)

    def answer(self, ask: Ask, visible: Visible = Visible()) -> Answer:
        """The whole of it at once."""
        *_, done = self.steps(ask, visible)
        return done.answer

    def steps(self, ask: Ask, visible: Visible = Visible()) -> Iterator[Event]:
        """The same step by step. Whoever stops listening stops the work."""
        began = time.monotonic()
        questions = (ask.question.strip(),)
        yield Divided(questions)
        pieces, warnings = self._pieces(ask, questions, visible)
        found = found_for(questions, pieces)
        yield Found(found, len(pieces))
        answer = Answer(
            uuid4().hex, ask.question, "", found, sources=tuple(piece.source for piece in pieces),
            sources_provided=len(pieces), mode=ask.mode, asked_at=now(), warnings=warnings,
        )  # fmt: skip
        if not pieces:
            answer = refused(answer, NO_SOURCES if ask.sources is None else NO_TEXT)
        else:
            answer = yield from self._written(ask, questions, pieces, answer)
        yield Done(self._kept(replace(answer, latency_ms=round((time.monotonic() - began) * 1000)), ask))

    def _pieces(self, ask: Ask, questions: Sequence[str], visible: Visible) -> tuple[list[Piece], tuple[str, ...]]:
        if ask.sources is not None:
            return self._own.pieces(ask, questions, visible), ()
        pieces, degraded = self._gatherer.gather(ask, questions, visible)
        return pieces, (degraded,) if degraded else ()

    def _written(self, ask: Ask, questions: Sequence[str], pieces: list[Piece], answer: Answer) -> Iterator[Event]:
        composer = Composer(ask, Citer(pieces, questions, self.passages))
        for item in extractive.draft(ask, questions, pieces):
            yield from composer.say(item) if isinstance(item, str) else composer.quote(item)
        if not composer.text:
            return refused(answer, NO_EVIDENCE)
        yield from composer.close()
        return replace(
            answer, text=composer.text, citations=tuple(composer.citations), unresolved=tuple(composer.unresolved),
            sources_used=len(composer.citer.cited), model_used=extractive.NAME,
        )  # fmt: skip

    def _kept(self, answer: Answer, ask: Ask) -> Answer:
        """Whatever hinders keeping it, who asked gets the answer, and is told."""
        if self._keep is None:
            return answer
        try:
            self._keep(answer, ask)
        except Exception as err:
            full = no_room(err)
            log.error("Answer %s was not kept: %s", answer.id, DISK_FULL if full else err, exc_info=not full)
            return replace(answer, warnings=(*answer.warnings, DISK_FULL if full else NOT_KEPT))
        return answer


def refused(answer: Answer, reason: str) -> Answer:
    return replace(answer, refused=True, refusal_reason=reason)


def found_for(questions: Sequence[str], pieces: Sequence[Piece]) -> tuple[SubQuestion, ...]:
    out = []
    for at, question in enumerate(questions):
        holding = [piece for piece in pieces if piece.lit(at)]
        documents = {piece.source.document_id or piece.source.filename for piece in holding}
        out.append(SubQuestion(question, sum(len(piece.lit(at)) for piece in holding), len(documents)))
    return tuple(out)
