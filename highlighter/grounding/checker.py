"""An answer held against its sources: claims and quotations, and what they come to. The table of contents of this package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from highlighter.embedding.embedder import Embedder
from highlighter.errors import BadRequest
from highlighter.evidence.scorer import EvidenceScorer
from highlighter.grounding.claim_features import WordVectors, read_claims
from highlighter.grounding.claims import ClaimSentence, extract_claims
from highlighter.grounding.judge import ExternalJudge, Judge
from highlighter.grounding.quotations import (
    ALTERED,
    NOT_FOUND,
    VERIFIED,
    Quotation,
    QuotationCheck,
    check_quote,
    find_quotations,
)
from highlighter.grounding.source_index import SourceIndex
from highlighter.grounding.verdicts import (
    SUPPORTED,
    append_warnings,
    compute_confidence,
    compute_grounding_score,
    is_grounded,
)
from highlighter.grounding.wording import parse_wording
from highlighter.models import Claim, ClaimEvidence, Source
from highlighter.quotes.normal_form import ComparableText

MAX_ANSWER_CHARACTERS, MAX_SOURCE_CHARACTERS, MAX_SOURCES, MAX_SENTENCES = 100_000, 200_000, 100, 20_000
# Claims of one answer; each is read for itself.
MAX_CLAIMS = 500
MAX_QUOTATIONS = 200
# A sentence becomes a claim's citation when the claim holds and the sentence is this surely its evidence.
MIN_CITATION_SCORE = 0.5


@dataclass(frozen=True, slots=True)
class CheckedQuotation:
    """A quotation of the answer, and what became of it in the source that comes nearest to it."""

    quotation: Quotation
    check: QuotationCheck
    source: int | None  # index into the sources; None where none says it


@dataclass(frozen=True, slots=True)
class GroundingReport:
    text: str
    claims: tuple[Claim, ...]
    quotations: tuple[CheckedQuotation, ...]
    grounded: bool
    grounding_score: float
    confidence: float
    confidence_level: str

    @property
    def ungrounded(self) -> tuple[Claim, ...]:
        return tuple(claim for claim in self.claims if claim.verdict != SUPPORTED)

    @property
    def with_warnings(self) -> str:
        return append_warnings(self.text, self.claims)


class Checker:
    def __init__(self, embedder: Embedder, scorer: EvidenceScorer):
        self.embedder = embedder
        self.scorer = scorer

    def check(
        self,
        answer: str,
        sources: Sequence[Source],
        marker_spans: Sequence[tuple[int, int]] | None = None,
        judge: ExternalJudge | None = None,
    ) -> GroundingReport:
        """Sources with their text. `marks` are the places of the answer's citations, when they are known."""
        _validate_input(answer, sources)
        said = extract_claims(answer, marker_spans)
        if len(said) > MAX_CLAIMS:
            raise BadRequest(f"The answer has {len(said):,} claims; the limit is {MAX_CLAIMS}.")
        claims = (
            tuple(self.judge_claims(said, self.index_sources(sources, [one.text for one in said]), judge))
            if said
            else ()
        )
        best = compute_confidence(one.score for claim in claims for one in claim.evidence)
        return GroundingReport(
            answer, claims, check_quotations(answer, sources), is_grounded(claims), round(compute_grounding_score(claims), 4),
            round(best[0], 4), best[1],
        )  # fmt: skip

    def index_sources(self, sources: Sequence[Source], claims: Sequence[str] = ()) -> SourceIndex:
        """The sources as claims are held against them; made once for all claims of an answer."""
        told = SourceIndex([source.text for source in sources])
        if len(told.sentences) > MAX_SENTENCES:
            raise BadRequest(f"The sources have {len(told.sentences):,} sentences; the limit is {MAX_SENTENCES:,}.")
        return told.embed(self.embedder, [parse_wording(claim) for claim in claims])

    def judge_claims(
        self, sentences: Sequence[ClaimSentence], source_index: SourceIndex, judge: ExternalJudge | None = None
    ) -> list[Claim]:
        judging = Judge(WordVectors(self.embedder), external_judge=judge)
        readings = read_claims([one.text for one in sentences], source_index, self.embedder, self.scorer)
        return [judging.judge_claim(one, reading) for one, reading in zip(sentences, readings, strict=True)]

    def find_support(self, claim: str, sources: Sequence[Source] | SourceIndex) -> ClaimEvidence | None:
        """The sentence that a claim without a citation may cite, or None when none says it."""
        told = sources if isinstance(sources, SourceIndex) else self.index_sources(sources, [claim])
        if not told.sentences or not claim.strip():
            return None
        judged = self.judge_claims([ClaimSentence(claim, 0, len(claim))], told)[0]
        best = max(judged.evidence, key=lambda one: one.score, default=None)
        return best if best and judged.verdict == SUPPORTED and best.score >= MIN_CITATION_SCORE else None


def check_quotations(answer: str, sources: Sequence[Source]) -> tuple[CheckedQuotation, ...]:
    """Each quotation held against all sources: verified in one of them, or else altered from one."""
    texts = [ComparableText(source.text) for source in sources]

    @cache  # an answer may quote the same words again and again
    def nearest(quote: str) -> tuple[QuotationCheck, int]:
        compared = [(check_quote(quote, text), at) for at, text in enumerate(texts)]
        return min(compared, key=lambda one: _STATES_BEST_FIRST.index(one[0].state))

    found = []
    for quotation in find_quotations(answer)[:MAX_QUOTATIONS]:
        best, at = nearest(quotation.text)
        found.append(CheckedQuotation(quotation, best, at if best.state != NOT_FOUND else None))
    return tuple(found)


_STATES_BEST_FIRST = (VERIFIED, ALTERED, NOT_FOUND)


def _validate_input(answer: str, sources: Sequence[Source]) -> None:
    if not answer.strip():
        raise BadRequest("Give an answer to check.")
    if len(answer) > MAX_ANSWER_CHARACTERS:
        raise BadRequest(f"The answer has {len(answer):,} characters; the limit is {MAX_ANSWER_CHARACTERS:,}.")
    if not sources:
        raise BadRequest("Give at least one source to check the answer against.")
    if len(sources) > MAX_SOURCES:
        raise BadRequest(f"The request has {len(sources):,} sources; the limit is {MAX_SOURCES}.")
    for number, source in enumerate(sources, 1):
        if not source.text.strip():
            raise BadRequest(f"Source {number} has no text.")
        if len(source.text) > MAX_SOURCE_CHARACTERS:
            raise BadRequest(
                f"Source {number} has {len(source.text):,} characters; the limit is "
                f"{MAX_SOURCE_CHARACTERS:,}. Send only the passages that the answer rests on."
            )
