"""What was written, held against what it was written from: verdicts, citations for claims without one, confidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from highlighter.generation.ask import Ask
from highlighter.generation.composing import Composer
from highlighter.generation.gather import Piece
from highlighter.grounding.check import CITED_FROM, MAX_CLAIMS, Checker
from highlighter.grounding.claims import Said, claims_of, without_lead
from highlighter.grounding.judging import OuterJudge
from highlighter.grounding.score import PARTLY, SUPPORTED, confidence, grounding_score, warnings
from highlighter.locale import N_
from highlighter.models import Claim, Support

ELSEWHERE = N_("The source that it cites does not say this; another one does.")


@dataclass(frozen=True, slots=True)
class Checks:
    claims: tuple[Claim, ...]
    grounding_score: float
    confidence: float
    confidence_level: str
    warnings: tuple[str, ...] = ()
    # Claims that cite nothing, each with the source (by index) and its sentence that says it.
    attributed: tuple[tuple[Claim, int, Support], ...] = ()


class Checking:
    def __init__(self, checker: Checker, judge: OuterJudge | None = None):
        self.checker = checker
        self.judge = judge

    def check(self, ask: Ask, composer: Composer, word_for_word: bool) -> Checks:
        """`word_for_word`: it was composed of the sources' own sentences, so there is nothing to doubt."""
        if word_for_word:
            claims, score = tuple(_itself(composer)), 1.0
        else:
            claims = tuple(self._held(composer))
            score = round(grounding_score(claims), 4)
        attributed = tuple(_uncited(claims, composer)) if ask.include_citations else ()
        chances = [one.probability for one in composer.citations] or [_best(composer.citer.pieces)]
        best, level = confidence(chances)
        return Checks(claims, score, best, level, tuple(f"⚠ {one}" for one in warnings(claims)), attributed)

    def _held(self, composer: Composer) -> Iterator[Claim]:
        """Each claim against all that was read; one that cites something must be said there, and not just anywhere."""
        marks = sorted({(one.start, one.end) for one in (*composer.citations, *composer.unresolved)})
        said = claims_of(composer.text, marks)[:MAX_CLAIMS]
        if not said:
            return
        sources = [piece.source for piece in composer.citer.pieces]
        judged = self.checker.claims(said, self.checker.told(sources, [one.text for one in said]), self.judge)
        for one, claim, cited in zip(said, judged, _cited(said, composer), strict=True):
            if not cited or claim.verdict != SUPPORTED or all(one.source in cited for one in claim.evidence):
                yield claim
                continue
            told = self.checker.told([sources[at] for at in cited], [one.text])
            strict = self.checker.claims([one], told, self.judge)[0]
            evidence = tuple(replace(support, source=cited[support.source]) for support in strict.evidence)
            why = strict.why if strict.verdict == PARTLY else ELSEWHERE
            yield claim if strict.verdict == SUPPORTED else replace(strict, evidence=evidence, why=why)


def _cited(claims: Sequence[Said | Claim], composer: Composer) -> Iterator[list[int]]:
    """What each cites. A mark may stand inside its sentence, or right after its stop; or before it, on the same line."""
    begins = [_with_marks_before(one.start, composer) for one in claims]
    for start, until in pairwise([*begins, len(composer.text)]):
        yield sorted({one.source for one in composer.citations if start <= one.start < until})


def _with_marks_before(start: int, composer: Composer) -> int:
    """Where the line begins, when nothing but marks stands before the claim."""
    line = composer.text.rfind("\n", 0, start) + 1
    before = composer.text[line:start]
    for one in composer.citations:
        if line <= one.start and one.end <= start:
            before = before.replace(one.label, "")
    return start if any(map(str.isalnum, without_lead(before))) else line


def _itself(composer: Composer):
    for quoted, start, end in composer.quotes:
        piece = composer.citer.pieces[quoted.piece]
        first = piece.chunk.start if piece.chunk else 0
        sentence = quoted.scored.sentence
        support = Support(
            quoted.piece, sentence.start - first, sentence.end - first, sentence.text, quoted.scored.score
        )
        yield Claim(quoted.text, start, end, SUPPORTED, 1.0, (support,))


def _uncited(claims: Sequence[Claim], composer: Composer):
    for claim, cited in zip(claims, _cited(claims, composer), strict=True):
        if cited:
            continue
        best = max(claim.evidence, key=lambda one: one.score, default=None)
        if best and claim.verdict == SUPPORTED and best.score >= CITED_FROM:
            yield claim, best.source, best


def _best(pieces: Sequence[Piece]) -> float:
    return max((one.score for piece in pieces if (one := piece.best[1])), default=0.0)
