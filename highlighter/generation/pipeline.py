"""A question in, an answer out: divide, search, draft, cite, check, keep. Whoever listens hears each step as it is done."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from uuid import uuid4

from highlighter.access import Visible
from highlighter.evidence.passages import Passages
from highlighter.generation import extractive, shapes
from highlighter.generation.answer import Answer, SubQuestion
from highlighter.generation.ask import Ask
from highlighter.generation.checking import Checking
from highlighter.generation.citing import Citer
from highlighter.generation.composing import Composer
from highlighter.generation.drafting import NO_EVIDENCE, Drafting
from highlighter.generation.events import Checked, Divided, Done, Event, Found, Token
from highlighter.generation.gather import Gatherer, Piece
from highlighter.generation.own import Own
from highlighter.generation.prompted import Drafted
from highlighter.generation.questions import sub_questions
from highlighter.generation.refusals import REFUSALS, is_refusal
from highlighter.language import language
from highlighter.locale import N_
from highlighter.search.find import Search
from highlighter.store.audit import now
from highlighter.store.disk import no_room

log = logging.getLogger(__name__)

NO_SOURCES = "no relevant sources found"
NO_TEXT = "the sources given hold no text"
NOT_KEPT = N_("This answer could not be kept: it cannot be opened again, and the audit does not hold it.")
DISK_FULL = N_(
    "The disk is full, so this answer was not kept: it cannot be opened again, and the audit does not hold it."
)

# Steps that are told as they are done, and the answer in the end.
Steps = Generator[Event, None, Answer]


class Answering:
    def __init__(
        self,
        search: Search,
        passages: Passages,
        drafting: Drafting,
        checking: Checking,
        keep: Callable[[Answer, Ask, Visible], None] | None = None,
    ):
        """`keep` is handed every answer, refusals too, before anybody is told that it is done."""
        self.passages = passages
        self.drafting = drafting
        self.checking = checking
        self._keep = keep
        self._gatherer = Gatherer(search, passages)
        self._own = Own(search, passages)

    def answer(self, ask: Ask, visible: Visible = Visible()) -> Answer:
        """The whole of it at once."""
        *_, done = self.steps(ask, visible)
        return done.answer

    def steps(self, ask: Ask, visible: Visible = Visible()) -> Iterator[Event]:
        """The same step by step. Whoever stops listening stops the work."""
        began, prompted = time.monotonic(), self.drafting.prompted
        division = sub_questions(ask.question, ask.history, prompted.chain, prompted.prompts)
        questions = division.questions
        yield Divided(questions)
        pieces, degraded = self._pieces(ask, questions, visible)
        found = found_for(questions, pieces)
        yield Found(found, len(pieces))
        answer = Answer(
            uuid4().hex, ask.question, "", found, sources=tuple(piece.source for piece in pieces),
            sources_provided=len(pieces), tokens_used=division.tokens, warnings=(*division.warnings, *degraded),
            mode=ask.mode, asked_at=now(), prompt_version=prompted.prompts.version,
        )  # fmt: skip
        if pieces:
            answer = yield from self._written(ask, questions, pieces, answer)
        else:
            answer = yield from _refused(answer, NO_SOURCES if ask.sources is None else NO_TEXT)
        yield Done(self._kept(replace(answer, latency_ms=round((time.monotonic() - began) * 1000)), ask, visible))

    def _pieces(self, ask: Ask, questions: Sequence[str], visible: Visible) -> tuple[list[Piece], tuple[str, ...]]:
        if ask.sources is not None:
            return self._own.pieces(ask, questions, visible), ()
        pieces, degraded = self._gatherer.gather(ask, questions, visible)
        return pieces, (degraded,) if degraded else ()

    def _written(self, ask: Ask, questions: Sequence[str], pieces: list[Piece], answer: Answer) -> Steps:
        composer = Composer(ask, Citer(pieces, questions, self.passages))
        in_json = shapes.shape_of(ask) is not None
        steps = self.drafting.draft(ask, questions, pieces, composer)
        drafted = yield from (_silently(steps) if in_json else steps)
        answer = replace(
            answer, text=composer.text, model_used=drafted.model, tokens_used=answer.tokens_used + drafted.tokens,
            warnings=(*answer.warnings, *drafted.warnings),
        )  # fmt: skip
        if drafted.refusal or _refuses(drafted, composer.text):
            return (yield from _refused(answer, drafted.refusal or NO_EVIDENCE, told=not in_json))
        steps = self._checked(ask, composer, drafted, answer)
        answer = yield from (_silently(steps) if in_json else steps)
        if in_json:
            data = shapes.quoted(answer, ask) if drafted.model == extractive.NAME else drafted.data
            answer = yield from shapes.in_json(answer, data)
        return answer

    def _checked(self, ask: Ask, composer: Composer, drafted: Drafted, answer: Answer) -> Steps:
        checks = self.checking.check(ask, composer, drafted.model == extractive.NAME)
        yield Checked(checks.claims, checks.grounding_score)
        for claim, source, support in checks.attributed:
            yield from composer.attribute(claim, source, support)
        if shapes.shape_of(ask) is None:
            yield from composer.close()
            if ask.append_warnings and checks.warnings:
                yield from composer.say("\n\n" + "\n".join(checks.warnings))
        return replace(
            answer, text=composer.text, citations=tuple(composer.citations), unresolved=tuple(composer.unresolved),
            sources_used=len(composer.citer.cited), claims=checks.claims, grounding_score=checks.grounding_score,
            confidence=checks.confidence, confidence_level=checks.confidence_level,
        )  # fmt: skip

    def _kept(self, answer: Answer, ask: Ask, visible: Visible) -> Answer:
        """Whatever hinders keeping it, who asked gets the answer, and is told."""
        if self._keep is None:
            return answer
        try:
            self._keep(answer, ask, visible)
        except Exception as err:
            full = no_room(err)
            log.error("Answer %s was not kept: %s", answer.id, DISK_FULL if full else err, exc_info=not full)
            return replace(answer, warnings=(*answer.warnings, DISK_FULL if full else NOT_KEPT))
        return replace(answer, kept=True)


def _refuses(drafted: Drafted, text: str) -> bool:
    """Whether a model says that there is no answer. Quotations of documents may say such things, and answer by them."""
    return drafted.model != extractive.NAME and (drafted.data is None or bool(text)) and is_refusal(text)


def _refused(answer: Answer, reason: str, told: bool = True) -> Steps:
    """In the constant words, where a model has not found its own."""
    text = answer.text or REFUSALS[language(answer.question)]
    if not (answer.text and told):
        yield Token(text)
    return replace(answer, text=text, refused=True, refusal_reason=reason)


def _silently(steps: Iterator[Event]) -> Generator[Event, None, Answer | Drafted]:
    """What is to be put into JSON is told when it is whole."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value
    yield


def found_for(questions: Sequence[str], pieces: Sequence[Piece]) -> tuple[SubQuestion, ...]:
    out = []
    for at, question in enumerate(questions):
        holding = [piece for piece in pieces if piece.lit(at)]
        documents = {piece.source.document_id or piece.source.filename for piece in holding}
        out.append(SubQuestion(question, sum(len(piece.lit(at)) for piece in holding), len(documents)))
    return tuple(out)
