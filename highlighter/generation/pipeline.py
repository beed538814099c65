"""A question in, an answer out: divide, search, draft, cite, check, keep. Whoever listens hears each step as it is done."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from uuid import uuid4

from highlighter.access import Visible
from highlighter.errors import NoModel
from highlighter.evidence.passages import Passages
from highlighter.generation import extractive, shapes
from highlighter.generation.answer import Answer, SubQuestion
from highlighter.generation.ask import Ask
from highlighter.generation.checking import Checking
from highlighter.generation.citing import Citer
from highlighter.generation.composing import Composer
from highlighter.generation.events import Checked, Divided, Done, Event, Found
from highlighter.generation.gather import Gatherer, Piece
from highlighter.generation.own import Own
from highlighter.generation.prompted import Drafted, Prompted
from highlighter.generation.questions import sub_questions
from highlighter.generation.refusals import REFUSALS, is_refusal
from highlighter.language import language
from highlighter.search.find import Search
from highlighter.store.audit import now

NO_SOURCES = "no relevant sources found"
NO_TEXT = "the sources given hold no text"
NO_EVIDENCE = "the sources found do not answer the question"
NO_MODEL = "no language model answered"
QUOTED_INSTEAD = "No language model answered, so the evidence itself is quoted."
NOT_BY_QUOTING = "a JSON schema of one's own needs a language model (LLM_MODELS)"


class Answering:
    def __init__(
        self, search: Search, passages: Passages, checking: Checking, prompted: Prompted, fall_back: bool = True
    ):
        self.passages = passages
        self.checking = checking
        self.prompted = prompted
        self.fall_back = fall_back
        self._gatherer = Gatherer(search, passages)
        self._own = Own(search, passages)

    def answer(self, ask: Ask, visible: Visible = Visible()) -> Answer:
        """The whole of it at once."""
        *_, done = self.steps(ask, visible)
        return done.answer

    def steps(self, ask: Ask, visible: Visible = Visible()) -> Iterator[Event]:
        """The same step by step. Whoever stops listening stops the work."""
        began = time.monotonic()
        division = sub_questions(ask.question, ask.history, self.prompted.chain, self.prompted.prompts)
        questions = division.questions
        yield Divided(questions)
        pieces, degraded = self._pieces(ask, questions, visible)
        found = found_for(questions, pieces)
        yield Found(found, len(pieces))
        answer = Answer(
            uuid4().hex, ask.question, "", found, sources=tuple(piece.source for piece in pieces),
            sources_provided=len(pieces), tokens_used=division.tokens, warnings=(*division.warnings, *degraded),
            mode=ask.mode, asked_at=now(), prompt_version=self.prompted.prompts.version,
        )  # fmt: skip
        if pieces:
            answer = yield from self._written(ask, questions, pieces, answer)
        else:
            answer = yield from self._refused(ask, answer, NO_SOURCES if ask.sources is None else NO_TEXT)
        yield Done(replace(answer, latency_ms=round((time.monotonic() - began) * 1000)))

    def _pieces(self, ask: Ask, questions: Sequence[str], visible: Visible) -> tuple[list[Piece], tuple[str, ...]]:
        if ask.sources is not None:
            return self._own.pieces(ask, questions, visible), ()
        pieces, degraded = self._gatherer.gather(ask, questions, visible)
        return pieces, (degraded,) if degraded else ()

    def _written(self, ask: Ask, questions: Sequence[str], pieces: list[Piece], answer: Answer) -> _Step:
        composer = Composer(ask, Citer(pieces, questions, self.passages))
        steps = self._drafted(ask, questions, pieces, composer)
        in_json = shapes.shape_of(ask) is not None
        drafted = yield from (_silently(steps) if in_json else steps)
        answer = replace(
            answer, model_used=drafted.model, tokens_used=answer.tokens_used + drafted.tokens,
            warnings=(*answer.warnings, *drafted.warnings),
        )  # fmt: skip
        if drafted.model == "none":
            return (yield from self._refused(ask, answer, NO_MODEL))
        nothing = not composer.text.strip() and drafted.data is None
        if nothing or (composer.text.strip() and is_refusal(composer.text)):
            composer.citations.clear()
            reason = drafted.refusal or NO_EVIDENCE
            return (yield from self._refused(ask, replace(answer, text=composer.text), reason))
        checked = self.checking.check(ask, composer, drafted.model == extractive.NAME)
        if not in_json:
            yield Checked(checked.claims, checked.grounding_score)
        for claim, source, support in checked.attributed:
            step = composer.attribute(claim, source, support)
            yield from (_silently(step) if in_json else step)
        if not in_json:
            yield from composer.close()
            if ask.append_warnings and checked.warnings:
                yield from composer.say("\n\n" + "\n".join(checked.warnings))
        answer = replace(
            answer, text=composer.text, citations=tuple(composer.citations), unresolved=tuple(composer.unresolved),
            sources_used=len(composer.citer.cited), claims=checked.claims, grounding_score=checked.grounding_score,
            confidence=checked.confidence, confidence_level=checked.confidence_level,
        )  # fmt: skip
        if in_json:
            data = shapes.quoted(answer, ask) if drafted.model == extractive.NAME else drafted.data
            answer = yield from shapes.in_json(answer, data)
        return answer

    def _drafted(
        self, ask: Ask, questions: Sequence[str], pieces: list[Piece], composer: Composer
    ) -> Generator[Event, None, Drafted]:
        """By the first model that answers; without one, of the evidence itself, and never silently."""
        said: tuple[str, ...] = ()
        if self.prompted.chain.configured:
            try:
                return (yield from self.prompted.draft(ask, questions, pieces, composer))
            except NoModel as none:
                if not self.fall_back:
                    return Drafted("none", warnings=none.said)
                said = (QUOTED_INSTEAD, *none.said)
        if isinstance(ask.schema, dict):
            return Drafted(extractive.NAME, warnings=said, refusal=NOT_BY_QUOTING)
        for item in extractive.draft(ask, questions, pieces):
            yield from composer.say(item) if isinstance(item, str) else composer.quote(item)
        return Drafted(extractive.NAME, warnings=said)

    def _refused(self, ask: Ask, answer: Answer, reason: str) -> _Step:
        """In the constant words, where a model has not found its own."""
        text = answer.text or REFUSALS[language(ask.question)]
        if not answer.text:
            yield from Composer(ask, Citer([], [], self.passages)).say(text)
        return replace(answer, text=text, refused=True, refusal_reason=reason)


_Step = Generator[Event, None, Answer]


def _silently(steps: Iterator[Event]) -> Generator[Event, None, Drafted]:
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
