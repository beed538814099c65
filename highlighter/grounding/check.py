"""An answer held against its sources: claims and quotations, and what they come to. The table of contents of this package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from highlighter.citations.normal import Words
from highlighter.embedder import Embedder
from highlighter.errors import BadRequest
from highlighter.evidence.scorer import Scorer
from highlighter.grounding.claims import Said, claims_of
from highlighter.grounding.judging import Judge, OuterJudge
from highlighter.grounding.quotes import ALTERED, NOT_FOUND, VERIFIED, Compared, Quotation, check_quote, quotations_of
from highlighter.grounding.reading import Meanings, read_claims
from highlighter.grounding.score import SUPPORTED, confidence, grounding_score, is_grounded, with_warnings
from highlighter.grounding.told import Told
from highlighter.grounding.wording import wording
from highlighter.models import Claim, Source, Support

MAX_ANSWER, MAX_SOURCE, MAX_SOURCES, MAX_SENTENCES = 100_000, 200_000, 100, 20_000
# Claims of one answer; each is read for itself.
MAX_CLAIMS = 500
MAX_QUOTATIONS = 200
# A sentence becomes a claim's citation when the claim holds and the sentence is this surely its evidence.
CITED_FROM = 0.5


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quotation of the answer, and what became of it in the source that comes nearest to it."""

    quotation: Quotation
    compared: Compared
    source: int | None  # index into the sources; None where none says it


@dataclass(frozen=True, slots=True)
class Checked:
    text: str
    claims: tuple[Claim, ...]
    quotations: tuple[Quoted, ...]
    grounded: bool
    grounding_score: float
    confidence: float
    confidence_level: str

    @property
    def ungrounded(self) -> tuple[Claim, ...]:
        return tuple(claim for claim in self.claims if claim.verdict != SUPPORTED)

    @property
    def with_warnings(self) -> str:
        return with_warnings(self.text, self.claims)


class Checker:
    def __init__(self, embedder: Embedder, scorer: Scorer):
        self.embedder = embedder
        self.scorer = scorer

    def check(
        self,
        answer: str,
        sources: Sequence[Source],
        marks: Sequence[tuple[int, int]] | None = None,
        judge: OuterJudge | None = None,
    ) -> Checked:
        """Sources with their text. `marks` are the places of the answer's citations, when they are known."""
        _refuse_what_cannot_be_checked(answer, sources)
        said = claims_of(answer, marks)
        if len(said) > MAX_CLAIMS:
            raise BadRequest(
                f"The answer claims {len(said):,} things; {MAX_CLAIMS} are the most that are checked at once."
            )
        claims = tuple(self.claims(said, self.told(sources, [one.text for one in said]), judge)) if said else ()
        best = confidence(one.score for claim in claims for one in claim.evidence)
        return Checked(
            answer, claims, quoted(answer, sources), is_grounded(claims), round(grounding_score(claims), 4),
            round(best[0], 4), best[1],
        )  # fmt: skip

    def told(self, sources: Sequence[Source], claims: Sequence[str] = ()) -> Told:
        """The sources as claims are held against them; made once for all claims of an answer."""
        told = Told([source.text for source in sources])
        if len(told.lines) > MAX_SENTENCES:
            raise BadRequest(
                f"The sources have {len(told.lines):,} sentences; {MAX_SENTENCES:,} are the most that are read at once."
            )
        return told.embed(self.embedder, [wording(claim) for claim in claims])

    def claims(self, said: Sequence[Said], told: Told, judge: OuterJudge | None = None) -> list[Claim]:
        judging = Judge(Meanings(self.embedder), outer=judge)
        readings = read_claims([one.text for one in said], told, self.embedder, self.scorer)
        return [judging.claim(one, reading) for one, reading in zip(said, readings, strict=True)]

    def attribute(self, claim: str, sources: Sequence[Source] | Told) -> Support | None:
        """The sentence that a claim without a citation may cite, or None when none says it."""
        told = sources if isinstance(sources, Told) else self.told(sources, [claim])
        if not told.lines or not claim.strip():
            return None
        judged = self.claims([Said(claim, 0, len(claim))], told)[0]
        best = max(judged.evidence, key=lambda one: one.score, default=None)
        return best if best and judged.verdict == SUPPORTED and best.score >= CITED_FROM else None


def quoted(answer: str, sources: Sequence[Source]) -> tuple[Quoted, ...]:
    """Each quotation held against all sources: verified in one of them, or else altered from one."""
    texts = [Words(source.text) for source in sources]

    @cache  # an answer may quote the same words again and again
    def nearest(quote: str) -> tuple[Compared, int]:
        compared = [(check_quote(quote, text), at) for at, text in enumerate(texts)]
        return min(compared, key=lambda one: _STATES.index(one[0].state))

    found = []
    for quotation in quotations_of(answer)[:MAX_QUOTATIONS]:
        best, at = nearest(quotation.text)
        found.append(Quoted(quotation, best, at if best.state != NOT_FOUND else None))
    return tuple(found)


_STATES = (VERIFIED, ALTERED, NOT_FOUND)


def _refuse_what_cannot_be_checked(answer: str, sources: Sequence[Source]) -> None:
    if not answer.strip():
        raise BadRequest("There is no answer to check.")
    if len(answer) > MAX_ANSWER:
        raise BadRequest(f"The answer has {len(answer):,} characters; {MAX_ANSWER:,} are the most that are read.")
    if not sources:
        raise BadRequest("There are no sources to check the answer against.")
    if len(sources) > MAX_SOURCES:
        raise BadRequest(f"These are {len(sources):,} sources; {MAX_SOURCES} are the most that are read.")
    for number, source in enumerate(sources, 1):
        if not source.text.strip():
            raise BadRequest(f"Source {number} has no text.")
        if len(source.text) > MAX_SOURCE:
            raise BadRequest(
                f"Source {number} has {len(source.text):,} characters; {MAX_SOURCE:,} are the most that are read."
                " Send the parts of it that the answer stands on."
            )
