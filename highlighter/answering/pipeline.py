"""The steps from a question to an answer: decompose, search, draft, cite, check, save. Each step sends events."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from copy import copy
from dataclasses import replace
from typing import TypeVar
from uuid import uuid4

from highlighter.access import VisibleCollections
from highlighter.answering import extractive_answer, structured_output
from highlighter.answering.answer import (
    EXTRACTIVE_MODEL,
    Answer,
    AnswerEvent,
    CheckEvent,
    CitationEvent,
    DoneEvent,
    EvidenceEvent,
    SubQuestionsEvent,
    TokenEvent,
)
from highlighter.answering.answer_composer import AnswerComposer
from highlighter.answering.answered_parts import count_evidence, mark_answered_parts
from highlighter.answering.caller_sources import CallerSources
from highlighter.answering.citation_builder import CitationBuilder
from highlighter.answering.decomposition.decomposer import decompose_question
from highlighter.answering.drafters import NO_EVIDENCE, Draft, Drafter
from highlighter.answering.passage_search import AnswerPassage, PassageGatherer, list_instruction_warnings
from highlighter.answering.refusals import adds_to_refusal, choose_refusal, is_refusal
from highlighter.answering.request import QuestionRequest
from highlighter.answering.verification import DraftChecker, DraftChecks
from highlighter.errors import Unavailable
from highlighter.evidence.passage_highlighter import PassageHighlighter
from highlighter.grounding.verdicts import CONFIDENCE_LOW, SUPPORTED, UNSUPPORTED, list_warnings
from highlighter.locale import N_
from highlighter.monitoring.tracer import tracer
from highlighter.search.hybrid_search import NO_MODEL_NOTE, HybridSearch
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
ADDED_TO_REFUSAL_WARNING = N_(
    "The model wrote that the sources do not answer the question, and added more. The addition was checked like any answer."
)
NO_CITATIONS_WARNING = N_("The answer cites no source, although citations were asked for.")
INVENTED_CITATIONS_WARNING = N_("No citation of the answer has a matching source.")
CITES_NO_SOURCE = N_("The answer cites no source for this.")
NOT_CHECKED_WARNING = N_(
    "The embedding model is not available, so it could not be judged whether the sources support this answer."
)

# Events of a step, and the answer that the step returns.
AnswerEvents = Generator[AnswerEvent, None, Answer]

Result = TypeVar("Result")


class AnswerPipeline:
    """The pipeline that answers questions, at once or event by event."""

    def __init__(
        self,
        search: HybridSearch,
        passage_highlighter: PassageHighlighter,
        drafter: Drafter,
        checker: DraftChecker,
        save_answer: Callable[[Answer, QuestionRequest, VisibleCollections], None] | None = None,
        min_grounding: float = 0.0,
    ):
        """Take `save_answer`, which is called with every answer, refusals too, before the last event is sent.

        Answers with a grounding score below `min_grounding` are refused.
        """
        self.passage_highlighter = passage_highlighter
        self.drafter = drafter
        self.checker = checker
        self._save_answer = save_answer
        self._min_grounding = min_grounding
        self._passage_gatherer = PassageGatherer(search, passage_highlighter)
        self._caller_sources = CallerSources(search, passage_highlighter)

    def answer(self, request: QuestionRequest, visible: VisibleCollections = VisibleCollections()) -> Answer:
        """Answer a question at once."""
        events = self._adapt(request)._iterate_events(request, visible, is_streamed=False)
        *_, done = tracer.iterate("question", events)
        assert isinstance(done, DoneEvent)
        return done.answer

    def stream_events(
        self, request: QuestionRequest, visible: VisibleCollections = VisibleCollections()
    ) -> Iterator[AnswerEvent]:
        """Answer a question event by event. When the iteration stops, so does the work."""
        return tracer.iterate("question", self._adapt(request)._iterate_events(request, visible, is_streamed=True))

    def _adapt(self, request: QuestionRequest) -> AnswerPipeline:
        """Return the pipeline with the model, the refusal and the limit of a request. It can only raise MIN_GROUNDING."""
        adapted = copy(self)
        adapted.drafter = self.drafter.adapt(request)
        adapted._min_grounding = max(self._min_grounding, request.min_grounding)
        return adapted

    def _iterate_events(
        self, request: QuestionRequest, visible: VisibleCollections, is_streamed: bool
    ) -> Iterator[AnswerEvent]:
        """Yield the events of an answer. Unless they are streamed, a reply that breaks off has not been shown yet."""
        started, model_drafter = time.monotonic(), self.drafter.model_drafter
        decomposition = decompose_question(
            request.question, request.history, model_drafter.models, model_drafter.prompt_builder
        )
        questions = decomposition.questions
        yield SubQuestionsEvent(questions)
        passages, degraded = self._gather_passages(request, questions, visible)
        sub_questions = count_evidence(questions, passages)
        yield EvidenceEvent(sub_questions, len(passages))
        answer = Answer(
            uuid4().hex,
            request.question,
            "",
            sub_questions,
            sources=tuple(passage.source for passage in passages),
            sources_provided=len(passages),
            tokens_used=decomposition.tokens,
            warnings=(*decomposition.warnings, *degraded, *list_instruction_warnings(passages)),
            mode=request.mode,
            asked_at=current_timestamp(),
            prompt_version=model_drafter.prompt_builder.version,
        )
        if passages:
            answer = yield from self._write_answer(request, questions, passages, answer, is_streamed)
        else:
            answer = yield from self._refuse(answer, _explain_missing_passages(request, degraded))
        answer = replace(
            answer,
            warnings=tuple(dict.fromkeys(answer.warnings)),  # a model may fail in the same way at several steps
            latency_ms=round((time.monotonic() - started) * 1000),
        )
        yield DoneEvent(self._save(answer, request, visible, passages))

    def _gather_passages(
        self, request: QuestionRequest, questions: Sequence[str], visible: VisibleCollections
    ) -> tuple[list[AnswerPassage], tuple[str, ...]]:
        if request.sources is not None:
            return self._caller_sources.build_passages(request, questions, visible), ()
        passages, degraded = self._passage_gatherer.gather_passages(request, questions, visible)
        return passages, (degraded,) if degraded else ()

    def _write_answer(
        self,
        request: QuestionRequest,
        questions: Sequence[str],
        answer_passages: list[AnswerPassage],
        answer: Answer,
        is_streamed: bool,
    ) -> AnswerEvents:
        composer = AnswerComposer(request, CitationBuilder(answer_passages, questions, self.passage_highlighter))
        in_json = structured_output.select_schema(request) is not None
        drafting = self.drafter.write_draft(request, questions, answer_passages, composer, is_streamed)
        draft = yield from (_suppress_events(drafting) if in_json else drafting)
        answer = replace(
            answer, text=composer.text, model_used=draft.model, tokens_used=answer.tokens_used + draft.tokens,
            warnings=(*answer.warnings, *draft.warnings),
        )  # fmt: skip
        if draft.refusal or self._is_refusal_draft(draft, composer.text):
            return (yield from self._refuse(answer, draft.refusal or NO_EVIDENCE, was_streamed=not in_json))
        if draft.model != EXTRACTIVE_MODEL and adds_to_refusal(composer.text, self._refusal_text):
            answer = replace(answer, warnings=(*answer.warnings, ADDED_TO_REFUSAL_WARNING))
        if draft.model == EXTRACTIVE_MODEL and (reason := _explain_quotes(composer)):
            return (yield from self._refuse_with_quotes(answer, composer, reason, was_streamed=not in_json))
        checking = self._check_answer(request, composer, draft, answer)
        checked = yield from (_suppress_events(checking) if in_json else checking)
        if checked.grounding_score < self._min_grounding:
            return (yield from self._refuse_ungrounded(answer, checked, was_streamed=not in_json))
        answer = checked
        if in_json:
            data = (
                structured_output.build_extractive_data(answer, request)
                if draft.model == EXTRACTIVE_MODEL
                else structured_output.limit_confidence(draft.data, answer, request)
            )
            answer = yield from structured_output.convert_to_json(answer, data)
        return answer

    def _check_answer(
        self, request: QuestionRequest, composer: AnswerComposer, draft: Draft, answer: Answer
    ) -> AnswerEvents:
        try:
            is_verbatim = draft.model == EXTRACTIVE_MODEL
            checks = self.checker.check_draft(request, composer, is_verbatim, draft.is_broken_off)
        except Unavailable as err:  # the embedding model is missing
            log.warning("%s", err.detail)
            checks = DraftChecks((), 0.0, 0.0, CONFIDENCE_LOW)
            answer = replace(answer, warnings=(*answer.warnings, NOT_CHECKED_WARNING))
        if checks.claims and request.include_citations and not composer.citations:
            warning = INVENTED_CITATIONS_WARNING if composer.unresolved else NO_CITATIONS_WARNING
            answer = replace(answer, warnings=(*answer.warnings, warning))
            checks = checks if checks.attributed_claims else _reject_claims(checks)
        if checks.unread_opinions:
            answer = replace(answer, warnings=(*answer.warnings, _describe_unread_judge(checks)))
        yield CheckEvent(checks.claims, checks.grounding_score)
        for claim, support in checks.attributed_claims:
            yield from composer.add_attribution(claim, support)
        if structured_output.select_schema(request) is None:
            yield from composer.add_source_list()
            if request.append_warnings and checks.warnings:
                yield from composer.add_text("\n\n" + "\n".join(checks.warnings))
        return replace(
            answer,
            text=composer.text,
            sub_questions=mark_answered_parts(
                answer.sub_questions, checks.claims, composer.citation_builder.answer_passages
            ),
            citations=tuple(composer.citations),
            unresolved=tuple(composer.unresolved),
            sources_used=len(composer.citation_builder.cited_passages),
            claims=checks.claims,
            grounding_score=checks.grounding_score,
            confidence=checks.confidence,
            confidence_level=checks.confidence_level,
        )

    def _is_refusal_draft(self, draft: Draft, text: str) -> bool:
        """Return whether a model refuses to answer. Quotes of an extractive answer may read like a refusal, and are none."""
        if draft.model == EXTRACTIVE_MODEL or (draft.data is not None and not text):
            return False
        return is_refusal(text, self._refusal_text)

    def _refuse(self, answer: Answer, reason: str, was_streamed: bool = True) -> AnswerEvents:
        """Refuse an answer, in the words of the model or else in those of the service."""
        is_judged = reason != extractive_answer.NOT_JUDGED
        text = answer.text or (
            choose_refusal(answer.question, self._refusal_text)
            if is_judged
            else extractive_answer.NOT_JUDGED_TEXTS[detect_chinese_script(answer.question)]
        )
        if not (answer.text and was_streamed):
            yield TokenEvent(text)
        sub_questions = tuple(replace(item, answered=False if is_judged else None) for item in answer.sub_questions)
        return replace(answer, text=text, sub_questions=sub_questions, refused=True, refusal_reason=reason)

    def _refuse_with_quotes(
        self, answer: Answer, composer: AnswerComposer, reason: str, was_streamed: bool
    ) -> AnswerEvents:
        """Refuse an answer and keep the sentences that were quoted: they come close, and can be opened."""
        if was_streamed:
            yield from composer.add_source_list()
        answer = yield from self._refuse(replace(answer, text=composer.text), reason, was_streamed)
        if not was_streamed:
            yield from map(CitationEvent, composer.citations)
        cited = composer.citation_builder.cited_passages
        return replace(answer, citations=tuple(composer.citations), sources_used=len(cited))

    def _refuse_ungrounded(self, answer: Answer, checked: Answer, was_streamed: bool) -> AnswerEvents:
        """Refuse an answer after its check. Its text, which a stream has sent already, is no part of the last event."""
        text = choose_refusal(answer.question, self._refusal_text)
        if not was_streamed:
            yield TokenEvent(text)
        reason = N_(
            "the grounding score of {score:g} is below the limit of {limit:g}",
            score=checked.grounding_score,
            limit=self._min_grounding,
        )
        return replace(
            answer,
            text=text,
            refused=True,
            refusal_reason=reason,
            grounding_score=checked.grounding_score,
            warnings=checked.warnings,
        )

    @property
    def _refusal_text(self) -> str:
        return self.drafter.model_drafter.refusal_text

    def _save(
        self,
        answer: Answer,
        request: QuestionRequest,
        visible: VisibleCollections,
        passages: Sequence[AnswerPassage],
    ) -> Answer:
        """Save the answer and what it found. When that fails, the caller still gets the answer, with a warning."""
        if self._save_answer is None:
            return answer
        try:
            self._save_answer(answer, request, visible)
        except Exception as err:
            disk_full = is_disk_full(err)
            log.error(
                "Answer %s was not saved: %s",
                answer.id,
                DISK_FULL_WARNING if disk_full else err,
                exc_info=not disk_full,
            )
            return replace(answer, warnings=(*answer.warnings, DISK_FULL_WARNING if disk_full else NOT_SAVED_WARNING))
        self._save_evidence(passages)
        return replace(answer, is_stored=True)

    def _save_evidence(self, passages: Sequence[AnswerPassage]) -> None:
        """Save what was found in the passages of a stored answer. Without it, a click on a citation takes longer."""
        found = [(p.chunk, evidence) for p in passages if p.chunk is not None for _, evidence in p.evidence]
        try:
            self.passage_highlighter.save_evidence(found)
        except Exception:
            log.warning("What an answer found could not be stored with it", exc_info=True)


def _reject_claims(checks: DraftChecks) -> DraftChecks:
    """Return the checks of an answer that cites nothing at all: none of its claims counts as supported."""
    claims = tuple(
        replace(claim, verdict=UNSUPPORTED, score=0.0, why=CITES_NO_SOURCE) if claim.verdict == SUPPORTED else claim
        for claim in checks.claims
    )
    warnings = tuple(f"⚠ {warning}" for warning in list_warnings(claims))
    return replace(
        checks, claims=claims, grounding_score=0.0, confidence=0.0, confidence_level=CONFIDENCE_LOW, warnings=warnings
    )


def _describe_unread_judge(checks: DraftChecks) -> str:
    return N_(
        "The second judge (LLM_JUDGE) gave no verdict that could be read on {count} of {claims} claims: there, the "
        "built-in check alone decided.",
        count=checks.unread_opinions,
        claims=len(checks.claims),
    )


def _explain_missing_passages(request: QuestionRequest, degraded: Sequence[str]) -> str:
    if request.sources is not None:
        return NO_SOURCE_TEXT
    return extractive_answer.NOT_JUDGED if NO_MODEL_NOTE in degraded else NO_SOURCES


def _explain_quotes(composer: AnswerComposer) -> str:
    """Return why the quotes of an extractive draft do not answer the question; an empty string when one does."""
    if not extractive_answer.is_judged(composer.citation_builder.answer_passages):
        return extractive_answer.NOT_JUDGED
    return "" if any(extract.is_evidence for extract, _, _ in composer.extracts) else NO_EVIDENCE


def _suppress_events(step: Generator[AnswerEvent, None, Result]) -> Generator[AnswerEvent, None, Result]:
    """Run a step without its events: an answer in JSON is sent only when it is complete."""
    while True:
        try:
            next(step)
        except StopIteration as end:
            result: Result = end.value
            return result
    yield  # makes this function a generator
