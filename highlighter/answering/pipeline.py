"""A question in, an answer out: divide, search, draft, cite, check, keep. Whoever listens hears each step as it is done."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from uuid import uuid4

from highlighter.access import VisibleCollections
from highlighter.answering import extractive_answer, structured_output
from highlighter.answering.answer import (
    Answer,
    AnswerEvent,
    CheckEvent,
    DoneEvent,
    EvidenceEvent,
    SubQuestion,
    SubQuestionsEvent,
    TokenEvent,
)
from highlighter.answering.answer_composer import AnswerComposer
from highlighter.answering.caller_sources import CallerSources
from highlighter.answering.citation_builder import CitationBuilder
from highlighter.answering.decomposition.decomposer import decompose_question
from highlighter.answering.drafters import NO_EVIDENCE, Draft, Drafter
from highlighter.answering.passage_search import AnswerPassage, PassageGatherer
from highlighter.answering.refusals import REFUSALS_BY_LANGUAGE, is_refusal
from highlighter.answering.request import QuestionRequest
from highlighter.answering.verification import DraftChecker
from highlighter.evidence.passage_highlighter import PassageHighlighter
from highlighter.locale import N_
from highlighter.search.hybrid_search import HybridSearch
from highlighter.store.audit_log import current_timestamp
from highlighter.store.storage_errors import is_disk_full
from highlighter.text.language import detect_chinese_script

log = logging.getLogger(__name__)

NO_SOURCES = "no relevant sources found"
NO_SOURCE_TEXT = "the given sources contain no text"
NOT_SAVED_WARNING = N_("This answer could not be saved: it cannot be opened again and is not in the audit log.")
DISK_FULL_WARNING = N_(
    "The disk is full, so this answer was not saved: it cannot be opened again and is not in the audit log."
)

# Steps that are told as they are done, and the answer in the end.
AnswerEvents = Generator[AnswerEvent, None, Answer]


class AnswerPipeline:
    def __init__(
        self,
        search: HybridSearch,
        passage_highlighter: PassageHighlighter,
        drafter: Drafter,
        checker: DraftChecker,
        save_answer: Callable[[Answer, QuestionRequest, VisibleCollections], None] | None = None,
    ):
        """`keep` is handed every answer, refusals too, before anybody is told that it is done."""
        self.passage_highlighter = passage_highlighter
        self.drafter = drafter
        self.checker = checker
        self._save_answer = save_answer
        self._passage_gatherer = PassageGatherer(search, passage_highlighter)
        self._caller_sources = CallerSources(search, passage_highlighter)

    def answer(self, request: QuestionRequest, visible: VisibleCollections = VisibleCollections()) -> Answer:
        """The whole of it at once."""
        *_, done = self.stream_events(request, visible)
        return done.answer

    def stream_events(
        self, request: QuestionRequest, visible: VisibleCollections = VisibleCollections()
    ) -> Iterator[AnswerEvent]:
        """The same step by step. Whoever stops listening stops the work."""
        began, prompted = time.monotonic(), self.drafter.model_drafter
        division = decompose_question(request.question, request.history, prompted.models, prompted.prompt_builder)
        questions = division.questions
        yield SubQuestionsEvent(questions)
        pieces, degraded = self._gather_passages(request, questions, visible)
        found = count_evidence(questions, pieces)
        yield EvidenceEvent(found, len(pieces))
        answer = Answer(
            uuid4().hex, request.question, "", found, sources=tuple(piece.source for piece in pieces),
            sources_provided=len(pieces), tokens_used=division.tokens, warnings=(*division.warnings, *degraded),
            mode=request.mode, asked_at=current_timestamp(), prompt_version=prompted.prompt_builder.version,
        )  # fmt: skip
        if pieces:
            answer = yield from self._write_answer(request, questions, pieces, answer)
        else:
            answer = yield from _refuse(answer, NO_SOURCES if request.sources is None else NO_SOURCE_TEXT)
        yield DoneEvent(
            self._save(replace(answer, latency_ms=round((time.monotonic() - began) * 1000)), request, visible)
        )

    def _gather_passages(
        self, request: QuestionRequest, questions: Sequence[str], visible: VisibleCollections
    ) -> tuple[list[AnswerPassage], tuple[str, ...]]:
        if request.sources is not None:
            return self._caller_sources.build_passages(request, questions, visible), ()
        pieces, degraded = self._passage_gatherer.gather_passages(request, questions, visible)
        return pieces, (degraded,) if degraded else ()

    def _write_answer(
        self, request: QuestionRequest, questions: Sequence[str], answer_passages: list[AnswerPassage], answer: Answer
    ) -> AnswerEvents:
        composer = AnswerComposer(request, CitationBuilder(answer_passages, questions, self.passage_highlighter))
        in_json = structured_output.select_schema(request) is not None
        steps = self.drafter.write_draft(request, questions, answer_passages, composer)
        drafted = yield from (_suppress_events(steps) if in_json else steps)
        answer = replace(
            answer, text=composer.text, model_used=drafted.model, tokens_used=answer.tokens_used + drafted.tokens,
            warnings=(*answer.warnings, *drafted.warnings),
        )  # fmt: skip
        if drafted.refusal or _is_refusal_draft(drafted, composer.text):
            return (yield from _refuse(answer, drafted.refusal or NO_EVIDENCE, was_streamed=not in_json))
        steps = self._check_answer(request, composer, drafted, answer)
        answer = yield from (_suppress_events(steps) if in_json else steps)
        if in_json:
            data = (
                structured_output.build_extractive_data(answer, request)
                if drafted.model == extractive_answer.EXTRACTIVE_MODEL
                else drafted.data
            )
            answer = yield from structured_output.convert_to_json(answer, data)
        return answer

    def _check_answer(
        self, request: QuestionRequest, composer: AnswerComposer, draft: Draft, answer: Answer
    ) -> AnswerEvents:
        checks = self.checker.check_draft(request, composer, draft.model == extractive_answer.EXTRACTIVE_MODEL)
        yield CheckEvent(checks.claims, checks.grounding_score)
        for claim, source, support in checks.attributed_claims:
            yield from composer.add_attribution(claim, source, support)
        if structured_output.select_schema(request) is None:
            yield from composer.add_source_list()
            if request.append_warnings and checks.warnings:
                yield from composer.add_text("\n\n" + "\n".join(checks.warnings))
        return replace(
            answer, text=composer.text, citations=tuple(composer.citations), unresolved=tuple(composer.unresolved),
            sources_used=len(composer.citation_builder.cited_passages), claims=checks.claims, grounding_score=checks.grounding_score,
            confidence=checks.confidence, confidence_level=checks.confidence_level,
        )  # fmt: skip

    def _save(self, answer: Answer, request: QuestionRequest, visible: VisibleCollections) -> Answer:
        """Whatever hinders keeping it, who asked gets the answer, and is told."""
        if self._save_answer is None:
            return answer
        try:
            self._save_answer(answer, request, visible)
        except Exception as err:
            full = is_disk_full(err)
            log.error("Answer %s was not kept: %s", answer.id, DISK_FULL_WARNING if full else err, exc_info=not full)
            return replace(answer, warnings=(*answer.warnings, DISK_FULL_WARNING if full else NOT_SAVED_WARNING))
        return replace(answer, kept=True)


def _is_refusal_draft(draft: Draft, text: str) -> bool:
    """Whether a model says that there is no answer. Quotations of documents may say such things, and answer by them."""
    return draft.model != extractive_answer.EXTRACTIVE_MODEL and (draft.data is None or bool(text)) and is_refusal(text)


def _refuse(answer: Answer, reason: str, was_streamed: bool = True) -> AnswerEvents:
    """In the constant words, where a model has not found its own."""
    text = answer.text or REFUSALS_BY_LANGUAGE[detect_chinese_script(answer.question)]
    if not (answer.text and was_streamed):
        yield TokenEvent(text)
    return replace(answer, text=text, refused=True, refusal_reason=reason)


def _suppress_events(steps: Iterator[AnswerEvent]) -> Generator[AnswerEvent, None, Answer | Draft]:
    """What is to be put into JSON is told when it is whole."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value
    yield


def count_evidence(questions: Sequence[str], answer_passages: Sequence[AnswerPassage]) -> tuple[SubQuestion, ...]:
    out = []
    for at, question in enumerate(questions):
        holding = [piece for piece in answer_passages if piece.highlighted_sentences(at)]
        documents = {piece.source.document_id or piece.source.filename for piece in holding}
        out.append(
            SubQuestion(question, sum(len(piece.highlighted_sentences(at)) for piece in holding), len(documents))
        )
    return tuple(out)
