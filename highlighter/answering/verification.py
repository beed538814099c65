"""Checks of a draft against its sources: verdicts, citations for claims without one, and confidence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from highlighter.answering.answer_composer import AnswerComposer
from highlighter.answering.model_judge import CountedJudge
from highlighter.answering.passage_search import AnswerPassage
from highlighter.answering.request import QuestionRequest
from highlighter.grounding.checker import MAX_CLAIMS, Checker, can_be_cited, check_quotations, hold_to_quotations
from highlighter.grounding.cited_sources import CitedMarker, CitedSourceJudge, assign_markers
from highlighter.grounding.claims import extract_claims
from highlighter.grounding.judge import ExternalJudge
from highlighter.grounding.verdicts import (
    SUPPORTED,
    UNSUPPORTED,
    compute_confidence,
    compute_grounding_score,
    list_warnings,
)
from highlighter.locale import N_
from highlighter.models import Claim, ClaimEvidence, Source
from highlighter.monitoring.tracer import tracer
from highlighter.references.resolver import Resolver
from highlighter.references.scanner import find_definitions, find_markers

BREAKS_OFF = N_("The answer breaks off within this sentence.")
_SENTENCE_ENDS = (".", "!", "?", "…", "。", "！", "？", "]", ")", "）", "】", "”", '"', "」", "』")


@dataclass(frozen=True, slots=True)
class DraftChecks:
    claims: tuple[Claim, ...]
    grounding_score: float
    confidence: float
    confidence_level: str
    warnings: tuple[str, ...] = ()
    # Claims that cite nothing, each with the sentence that supports it.
    attributed_claims: tuple[tuple[Claim, ClaimEvidence], ...] = ()
    unread_opinions: int = 0  # claims on which the second judge was asked and said nothing that could be read


class DraftChecker:
    """The checker of drafts, by local rules and optionally by a judge."""

    def __init__(self, checker: Checker, judge: ExternalJudge | None = None, refusal_text: str = ""):
        """Take `refusal_text`, the refusal that the prompts ask for if it is not the standard one: it claims nothing."""
        self.checker = checker
        self.judge = judge
        self.refusal_text = refusal_text

    @tracer.traced("check")
    def check_draft(
        self, request: QuestionRequest, composer: AnswerComposer, is_verbatim: bool, is_broken_off: bool = False
    ) -> DraftChecks:
        """Check a draft. A verbatim draft quotes sentences of its sources, so all its claims are supported.

        In a draft that broke off, a last claim without its end supports nothing.
        """
        judge = CountedJudge(self.judge) if self.judge else None
        if is_verbatim:
            claims, score = tuple(_quote_claims(composer)), 1.0
        else:
            sources = composer.citation_builder.load_sources()
            claims = tuple(self._judge_claims(composer, sources, judge))
            claims = _reject_fragment(claims, composer.text) if is_broken_off else claims
            composer.settle_citations(claims, sources)
            score = round(compute_grounding_score(claims), 4)
        attributed = tuple(_attributable_claims(claims, composer)) if request.include_citations else ()
        probabilities = [citation.probability for citation in composer.citations] or [
            _best_score(composer.citation_builder.answer_passages)
        ]
        best, level = compute_confidence(probabilities, score)
        return DraftChecks(
            claims, score, best, level, tuple(f"⚠ {warning}" for warning in list_warnings(claims)), attributed,
            len(judge.unread_claims) if judge else 0,
        )  # fmt: skip

    def _judge_claims(
        self, composer: AnswerComposer, sources: Sequence[Source], judge: ExternalJudge | None
    ) -> list[Claim]:
        """Judge each claim by all sources, then by those that it cites."""
        marker_spans = sorted({(marker.start, marker.end) for marker in composer.cited_markers})
        sentences = extract_claims(composer.text, [*marker_spans, *self._find_refusals(composer.text)])[:MAX_CLAIMS]
        if not sentences:
            return []
        index = self.checker.index_sources(sources, [sentence.text for sentence in sentences])
        claims = self.checker.judge_claims(sentences, index, judge)
        cited_source_judge = CitedSourceJudge(self.checker, sources, judge)
        claims = cited_source_judge.judge_claims(claims, composer.text, list(_apply_definitions(composer, sources)))
        return hold_to_quotations(claims, check_quotations(composer.text, sources))

    def _find_refusals(self, text: str) -> list[tuple[int, int]]:
        """Return the spans of the service's own refusal, which no rule would know for one."""
        refusal = self.refusal_text
        return [match.span() for match in re.finditer(re.escape(refusal), text, re.IGNORECASE)] if refusal else []


def _apply_definitions(composer: AnswerComposer, sources: Sequence[Source]) -> Iterator[CitedMarker]:
    """Yield the markers; a number that the text itself defines as an unknown source refers to none.

    The definition stands at the end of a text, when the markers have already been sent.
    """
    definitions = find_definitions(composer.text)
    resolver = Resolver(sources)
    for marker in composer.cited_markers:
        written = find_markers(marker.label) if definitions and marker.sources else []
        unresolved = resolver.resolve_markers(written, definitions).unresolved
        yield replace(marker, sources=(), why_unresolved=unresolved[0].why) if unresolved else marker


def _quote_claims(composer: AnswerComposer) -> Iterator[Claim]:
    """Yield each quoted sentence that answers the question as a claim that it supports."""
    for extract, start, end in composer.extracts:
        if not extract.is_evidence:
            continue
        passage = composer.citation_builder.answer_passages[extract.passage_index]
        offset = passage.chunk.start if passage.chunk else 0
        sentence = extract.scored.sentence
        support = ClaimEvidence(
            extract.passage_index, sentence.start - offset, sentence.end - offset, sentence.text, extract.scored.score
        )
        yield Claim(composer.text[start + 1 : end - 1], start, end, SUPPORTED, 1.0, (support,))


def _reject_fragment(claims: Sequence[Claim], text: str) -> tuple[Claim, ...]:
    """Return the claims of a text that broke off; the last one is not supported where its sentence has no end."""
    if not claims or claims[-1].end < len(text.rstrip()) or text.rstrip().endswith(_SENTENCE_ENDS):
        return tuple(claims)
    return (*claims[:-1], replace(claims[-1], verdict=UNSUPPORTED, score=0.0, evidence=(), why=BREAKS_OFF, marks=()))


def _attributable_claims(claims: Sequence[Claim], composer: AnswerComposer) -> Iterator[tuple[Claim, ClaimEvidence]]:
    """Yield the supported claims that cite nothing, no invented source either, each with its best evidence."""
    for claim, cited_markers in zip(claims, assign_markers(claims, composer.text, composer.cited_markers), strict=True):
        if cited_markers:
            continue
        if can_be_cited(claim):
            yield claim, max(claim.evidence, key=lambda support: support.score)


def _best_score(answer_passages: Sequence[AnswerPassage]) -> float:
    return max((best.score for passage in answer_passages if (best := passage.best_sentence[1])), default=0.0)
