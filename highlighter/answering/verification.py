"""What was written, held against what it was written from: verdicts, citations for claims without one, confidence."""

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
    # Claims that cite nothing, each with the source (by index) and its sentence that says it.
    attributed_claims: tuple[tuple[Claim, int, ClaimEvidence], ...] = ()


class DraftChecker:
    def __init__(self, checker: Checker, judge: ExternalJudge | None = None):
        self.checker = checker
        self.judge = judge

    def check_draft(self, request: QuestionRequest, composer: AnswerComposer, is_verbatim: bool) -> DraftChecks:
        """`word_for_word`: it was composed of the sources' own sentences, so there is nothing to doubt."""
        if is_verbatim:
            claims, score = tuple(_quote_claims(composer)), 1.0
        else:
            claims = tuple(self._judge_claims(composer))
            score = round(compute_grounding_score(claims), 4)
        attributed = tuple(_attributable_claims(claims, composer)) if request.include_citations else ()
        chances = [one.probability for one in composer.citations] or [
            _best_score(composer.citation_builder.answer_passages)
        ]
        best, level = compute_confidence(chances)
        return DraftChecks(claims, score, best, level, tuple(f"⚠ {one}" for one in list_warnings(claims)), attributed)

    def _judge_claims(self, composer: AnswerComposer) -> Iterator[Claim]:
        """Each claim against all that was read; one that cites something must be said there, and not just anywhere."""
        marks = sorted({(one.start, one.end) for one in (*composer.citations, *composer.unresolved)})
        said = extract_claims(composer.text, marks)[:MAX_CLAIMS]
        if not said:
            return
        sources = [piece.source for piece in composer.citation_builder.answer_passages]
        judged = self.checker.judge_claims(
            said, self.checker.index_sources(sources, [one.text for one in said]), self.judge
        )
        for one, claim, cited in zip(said, judged, _cited_sources(said, composer), strict=True):
            if not cited or claim.verdict != SUPPORTED or all(one.source in cited for one in claim.evidence):
                yield claim
                continue
            told = self.checker.index_sources([sources[at] for at in cited], [one.text])
            strict = self.checker.judge_claims([one], told, self.judge)[0]
            evidence = tuple(replace(support, source=cited[support.source]) for support in strict.evidence)
            why = strict.why if strict.verdict == PARTLY else SUPPORTED_ELSEWHERE
            yield claim if strict.verdict == SUPPORTED else replace(strict, evidence=evidence, why=why)


def _cited_sources(claims: Sequence[ClaimSentence | Claim], composer: AnswerComposer) -> Iterator[list[int]]:
    """What each cites. A mark may stand inside its sentence, or right after its stop; or before it, on the same line."""
    begins = [_start_with_markers(one.start, composer) for one in claims]
    for start, until in pairwise([*begins, len(composer.text)]):
        yield sorted({one.source for one in composer.citations if start <= one.start < until})


def _start_with_markers(start: int, composer: AnswerComposer) -> int:
    """Where the line begins, when nothing but marks stands before the claim."""
    line = composer.text.rfind("\n", 0, start) + 1
    before = composer.text[line:start]
    for one in composer.citations:
        if line <= one.start and one.end <= start:
            before = before.replace(one.label, "")
    return start if any(map(str.isalnum, strip_list_prefix(before))) else line


def _quote_claims(composer: AnswerComposer):
    for quoted, start, end in composer.extracts:
        piece = composer.citation_builder.answer_passages[quoted.passage_index]
        first = piece.chunk.start if piece.chunk else 0
        sentence = quoted.scored.sentence
        support = ClaimEvidence(
            quoted.passage_index, sentence.start - first, sentence.end - first, sentence.text, quoted.scored.score
        )
        yield Claim(quoted.text, start, end, SUPPORTED, 1.0, (support,))


def _attributable_claims(claims: Sequence[Claim], composer: AnswerComposer):
    for claim, cited in zip(claims, _cited_sources(claims, composer), strict=True):
        if cited:
            continue
        best = max(claim.evidence, key=lambda one: one.score, default=None)
        if best and claim.verdict == SUPPORTED and best.score >= MIN_CITATION_SCORE:
            yield claim, best.source, best


def _best_score(answer_passages: Sequence[AnswerPassage]) -> float:
    return max((one.score for piece in answer_passages if (one := piece.best_sentence[1])), default=0.0)


# A language model's second opinion on a claim, for who sets LLM_JUDGE. It may only choose among our verdicts.


log = logging.getLogger(__name__)

MAX_JUDGE_TOKENS = 300


class JudgeVerdict(BaseModel):
    claim: int
    verdict: Literal["supported", "partly", "contradicted", "unsupported"]
    why: str = ""


class JudgeVerdicts(BaseModel):
    verdicts: list[JudgeVerdict]


class ModelJudge:
    def __init__(self, models: ModelFallback, prompt_builder: PromptBuilder):
        self.models = models
        self.prompt_builder = prompt_builder

    def __call__(self, claim: str, sentences: Sequence[str]) -> Opinion | None:
        """None, when it has none that can be read: the local check stands."""
        if not sentences:
            return None
        sources = [Source("", f"S{number}", text=text) for number, text in enumerate(sentences, 1)]
        try:
            messages = self.prompt_builder.build_judge_messages([claim], sources)
            reply = self.models.complete(messages, max_tokens=MAX_JUDGE_TOKENS, temperature=0.0, schema=JudgeVerdicts)
            first = JudgeVerdicts.model_validate(json.loads(reply.text)).verdicts[0]
        except (HighlighterError, ValidationError, ValueError, IndexError, RecursionError) as err:
            log.warning("The judge gave no opinion: %s", type(err).__name__)
            return None
        return Opinion(first.verdict, first.why[:500])
