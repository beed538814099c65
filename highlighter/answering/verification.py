"""Checks of a draft against its sources: verdicts, citations for claims without one, and confidence."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from pydantic import BaseModel, ValidationError

from highlighter.answering.answer_composer import AnswerComposer
from highlighter.answering.llm.fallback import ModelFallback
from highlighter.answering.passage_search import AnswerPassage
from highlighter.answering.prompt_messages import PromptBuilder
from highlighter.answering.request import QuestionRequest
from highlighter.errors import HighlighterError
from highlighter.grounding.checker import MAX_CLAIMS, MIN_CITATION_SCORE, Checker
from highlighter.grounding.claims import ClaimSentence, extract_claims, strip_list_prefix
from highlighter.grounding.judge import ExternalJudge, Opinion
from highlighter.grounding.verdicts import PARTLY, SUPPORTED, compute_confidence, compute_grounding_score, list_warnings
from highlighter.locale import N_
from highlighter.models import Claim, ClaimEvidence, Source

SUPPORTED_ELSEWHERE = N_("The cited source does not say this; another source does.")


@dataclass(frozen=True, slots=True)
class DraftChecks:
    claims: tuple[Claim, ...]
    grounding_score: float
    confidence: float
    confidence_level: str
    warnings: tuple[str, ...] = ()
    # Claims that cite nothing, each with the index of a source and the sentence that supports the claim.
    attributed_claims: tuple[tuple[Claim, int, ClaimEvidence], ...] = ()


class DraftChecker:
    """The checker of drafts, by local rules and optionally by a judge."""

    def __init__(self, checker: Checker, judge: ExternalJudge | None = None):
        self.checker = checker
        self.judge = judge

    def check_draft(self, request: QuestionRequest, composer: AnswerComposer, is_verbatim: bool) -> DraftChecks:
        """Check a draft. A verbatim draft quotes sentences of its sources, so all its claims are supported."""
        if is_verbatim:
            claims, score = tuple(_quote_claims(composer)), 1.0
        else:
            claims = tuple(self._judge_claims(composer))
            score = round(compute_grounding_score(claims), 4)
        attributed = tuple(_attributable_claims(claims, composer)) if request.include_citations else ()
        probabilities = [citation.probability for citation in composer.citations] or [
            _best_score(composer.citation_builder.answer_passages)
        ]
        best, level = compute_confidence(probabilities)
        return DraftChecks(
            claims, score, best, level, tuple(f"⚠ {warning}" for warning in list_warnings(claims)), attributed
        )

    def _judge_claims(self, composer: AnswerComposer) -> Iterator[Claim]:
        """Judge each claim by all sources; a claim with citations must be supported by the cited ones."""
        marker_spans = sorted(
            {(citation.start, citation.end) for citation in composer.citations}
            | {(marker.start, marker.end) for marker in composer.unresolved}
        )
        sentences = extract_claims(composer.text, marker_spans)[:MAX_CLAIMS]
        if not sentences:
            return
        sources = [passage.source for passage in composer.citation_builder.answer_passages]
        index = self.checker.index_sources(sources, [sentence.text for sentence in sentences])
        judged = self.checker.judge_claims(sentences, index, self.judge)
        for sentence, claim, cited in zip(sentences, judged, _cited_sources(sentences, composer), strict=True):
            if not cited or claim.verdict != SUPPORTED or all(support.source in cited for support in claim.evidence):
                yield claim
                continue
            cited_index = self.checker.index_sources([sources[number] for number in cited], [sentence.text])
            strict = self.checker.judge_claims([sentence], cited_index, self.judge)[0]
            evidence = tuple(replace(support, source=cited[support.source]) for support in strict.evidence)
            why = strict.why if strict.verdict == PARTLY else SUPPORTED_ELSEWHERE
            yield claim if strict.verdict == SUPPORTED else replace(strict, evidence=evidence, why=why)


def _cited_sources(claims: Sequence[ClaimSentence | Claim], composer: AnswerComposer) -> Iterator[list[int]]:
    """Yield the sources that each claim cites, by markers in the sentence, right after its stop or before it in the line."""
    starts = [_start_with_markers(claim.start, composer) for claim in claims]
    for start, end in pairwise([*starts, len(composer.text)]):
        yield sorted({citation.source for citation in composer.citations if start <= citation.start < end})


def _start_with_markers(start: int, composer: AnswerComposer) -> int:
    """Return where the line of a claim begins, when only markers precede the claim, else where the claim begins."""
    line = composer.text.rfind("\n", 0, start) + 1
    before = composer.text[line:start]
    for citation in composer.citations:
        if line <= citation.start and citation.end <= start:
            before = before.replace(citation.label, "")
    return start if any(map(str.isalnum, strip_list_prefix(before))) else line


def _quote_claims(composer: AnswerComposer) -> Iterator[Claim]:
    """Yield each quoted sentence as a claim that it supports."""
    for extract, start, end in composer.extracts:
        passage = composer.citation_builder.answer_passages[extract.passage_index]
        offset = passage.chunk.start if passage.chunk else 0
        sentence = extract.scored.sentence
        support = ClaimEvidence(
            extract.passage_index, sentence.start - offset, sentence.end - offset, sentence.text, extract.scored.score
        )
        yield Claim(extract.text, start, end, SUPPORTED, 1.0, (support,))


def _attributable_claims(
    claims: Sequence[Claim], composer: AnswerComposer
) -> Iterator[tuple[Claim, int, ClaimEvidence]]:
    """Yield the supported claims that cite nothing, each with its best evidence."""
    for claim, cited in zip(claims, _cited_sources(claims, composer), strict=True):
        if cited:
            continue
        best = max(claim.evidence, key=lambda support: support.score, default=None)
        if best and claim.verdict == SUPPORTED and best.score >= MIN_CITATION_SCORE:
            yield claim, best.source, best


def _best_score(answer_passages: Sequence[AnswerPassage]) -> float:
    return max((best.score for passage in answer_passages if (best := passage.best_sentence[1])), default=0.0)


# With LLM_JUDGE, a language model gives a second opinion on claims. It can only choose among our verdicts.

log = logging.getLogger(__name__)

MAX_JUDGE_TOKENS = 300


class JudgeVerdict(BaseModel):
    claim: int
    verdict: Literal["supported", "partly", "contradicted", "unsupported"]
    why: str = ""


class JudgeVerdicts(BaseModel):
    verdicts: list[JudgeVerdict]


class ModelJudge:
    """A language model that judges claims."""

    def __init__(self, models: ModelFallback, prompt_builder: PromptBuilder):
        self.models = models
        self.prompt_builder = prompt_builder

    def __call__(self, claim: str, sentences: Sequence[str]) -> Opinion | None:
        """Return the model's opinion on a claim; None without a readable one, and the local check stands."""
        if not sentences:
            return None
        sources = [Source("", f"S{number}", text=text) for number, text in enumerate(sentences, 1)]
        try:
            messages = self.prompt_builder.build_judge_messages([claim], sources)
            reply = self.models.complete(messages, max_tokens=MAX_JUDGE_TOKENS, temperature=0.0, schema=JudgeVerdicts)
            verdict = JudgeVerdicts.model_validate(json.loads(reply.text)).verdicts[0]
        except (HighlighterError, ValidationError, ValueError, IndexError, RecursionError) as err:
            log.warning("The judge gave no opinion: %s", type(err).__name__)
            return None
        return Opinion(verdict.verdict, verdict.why[:500])
