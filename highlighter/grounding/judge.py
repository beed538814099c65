"""The judge of claims: a fitted model decides whether a claim is supported, contrasts explain why it is not."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from highlighter.cpu_budget import check_cpu
from highlighter.evidence.probability_network import ProbabilityNetwork
from highlighter.grounding.claim_features import (
    CLAIM_FEATURES,
    WORD_FEATURES,
    ClaimReading,
    WordVectors,
    compute_claim_features,
    compute_word_features,
)
from highlighter.grounding.claims import ClaimSentence
from highlighter.grounding.contrasts import NEGATION, OPPOSITE, Contrast
from highlighter.grounding.cut_quotes import find_omitted_restriction
from highlighter.grounding.differences import find_difference, find_missing_runs
from highlighter.grounding.verdicts import CONTRADICTED, PARTLY, SUPPORTED, UNSUPPORTED, VERDICTS
from highlighter.grounding.wording import DATE, NUMBER, parse_wording
from highlighter.locale import N_
from highlighter.models import Claim, ClaimEvidence
from highlighter.rounding import round_for_comparison

log = logging.getLogger(__name__)

MODEL_FOLDER = Path(__file__).parent / "model"
# From these scores on, a claim or a word of a claim is supported.
MIN_SUPPORTED_SCORE = MIN_WORD_PROBABILITY = 0.5
# A claim that shares less with the sentences is about something else, not partly supported.
MIN_PARTLY_SHARE = 0.5
# A sentence that shares this much of a claim is about the same thing, and so can contradict it.
MIN_CONTRADICTION_SHARE = 0.5
# A sentence that shares this much differs only in a negation or an opposite, which then overrules the model's score.
MIN_SAME_WORDS_SHARE = 0.8
# Sentences shown with a verdict, and the probability to be evidence, or share of the claim's words, that each needs.
MAX_EVIDENCE_SENTENCES, MIN_EVIDENCE_PROBABILITY, MIN_EVIDENCE_SHARE = 3, 0.2, 0.4
# An external judge gives no probability: a different opinion moves the score just over the threshold.
MIN_EXTERNALLY_SUPPORTED_SCORE, MAX_UNSUPPORTED_SCORE = 0.51, 0.49
PRONOUN = "one"  # rather than a number
# Runs of words named in an explanation.
MAX_RUNS_NAMED = 3

NO_SENTENCE_SAYS_THIS = N_("No source says this.")


@dataclass(frozen=True, slots=True)
class Opinion:
    """An external judge's verdict on a claim, with the reason as a sentence for users."""

    verdict: str
    why: str = ""


# Maps a claim and its evidence sentences to an opinion, or to None without one. It may be a language model.
ExternalJudge = Callable[[str, Sequence[str]], Opinion | None]


@dataclass(frozen=True, slots=True)
class ClaimModels:
    """The fitted models of words and of claims."""

    words: ProbabilityNetwork
    claims: ProbabilityNetwork

    def save(self, folder: Path) -> None:
        self.words.save(folder / "words.npz")
        self.claims.save(folder / "claims.npz")


@cache
def load_models(folder: Path = MODEL_FOLDER) -> ClaimModels:
    return ClaimModels(
        ProbabilityNetwork.load(folder / "words.npz", WORD_FEATURES),
        ProbabilityNetwork.load(folder / "claims.npz", CLAIM_FEATURES),
    )


class Judge:
    """The judge of claims by the fitted models, with the opinion of an external judge if there is one."""

    def __init__(
        self, word_vectors: WordVectors, models: ClaimModels | None = None, external_judge: ExternalJudge | None = None
    ):
        self.word_vectors = word_vectors
        self.models = models or load_models()
        self.external_judge = external_judge

    def judge_claim(self, sentence: ClaimSentence, reading: ClaimReading) -> Claim:
        check_cpu()
        word_probabilities, score = self.score_claim(reading)
        contrast = _choose_contrast(reading)
        if (
            contrast
            and contrast[1].kind in (NEGATION, OPPOSITE)
            and reading.shares[contrast[0]] >= MIN_SAME_WORDS_SHARE
        ):
            score = min(score, MAX_UNSUPPORTED_SCORE)
        verdict, why = _decide_verdict(reading, word_probabilities, score, contrast)
        evidence = _select_evidence(reading, contrast if verdict == CONTRADICTED else None)
        if verdict == SUPPORTED and (reason := _explain_what_is_missing(reading, evidence)):
            verdict, why, score = PARTLY, reason, min(score, MAX_UNSUPPORTED_SCORE)
        opinion = self._ask_external_judge(sentence, evidence, reading)
        if opinion and (_is_lower(opinion.verdict, verdict) or _may_lift(reading, verdict)):
            why = opinion.why or (why if verdict == opinion.verdict else "")
            verdict = opinion.verdict
            score = (
                max(score, MIN_EXTERNALLY_SUPPORTED_SCORE)
                if verdict == SUPPORTED
                else min(score, MAX_UNSUPPORTED_SCORE)
            )
        claim = Claim(sentence.text, sentence.start, sentence.end, verdict, round(score, 4), evidence, why)
        return _add_marks(claim, reading)

    def score_claim(self, reading: ClaimReading) -> tuple[np.ndarray, float]:
        """Return the probability of each content word to be supported, and that of the whole claim."""
        word_probabilities = round_for_comparison(
            self.models.words.probabilities(compute_word_features(reading, self.word_vectors))
        )
        claim_features = compute_claim_features(reading, word_probabilities)
        score = float(round_for_comparison(self.models.claims.probabilities(claim_features))[0])
        return word_probabilities, score if reading.sentence_indexes else 0.0

    def _ask_external_judge(
        self, sentence: ClaimSentence, evidence: Sequence[ClaimEvidence], reading: ClaimReading
    ) -> Opinion | None:
        if self.external_judge is None:
            return None
        texts = [item.text for item in evidence] or [
            wording.text for wording in reading.wordings[:MAX_EVIDENCE_SENTENCES]
        ]
        try:
            opinion = self.external_judge(sentence.text, texts)
        except Exception as err:  # it may raise anything; the local verdict stands
            log.warning("The outer judge failed, and the local verdict is kept: %s", err)
            return None
        return opinion if opinion and opinion.verdict in VERDICTS else None


def _choose_contrast(reading: ClaimReading) -> tuple[int, Contrast] | None:
    """Return the most important contrast: numbers and dates before opposites, opposites before negations."""
    candidates = [
        (position, contrast)
        for position, contrast in reading.contrasts
        if reading.shares[position] >= MIN_CONTRADICTION_SHARE
    ]
    ranks = {NUMBER: 0, DATE: 0, NEGATION: 2}
    return min(candidates, key=lambda item: (ranks.get(item[1].kind, 1), item[0]), default=None)


def _decide_verdict(
    reading: ClaimReading, word_probabilities: np.ndarray, score: float, contrast: tuple[int, Contrast] | None
) -> tuple[str, str]:
    if score >= MIN_SUPPORTED_SCORE:
        return SUPPORTED, ""
    if contrast is not None:
        return CONTRADICTED, contrast[1].why
    share = float(word_probabilities.mean()) if len(word_probabilities) else 0.0
    if share < MIN_PARTLY_SHARE or not _select_evidence(reading, None):
        return UNSUPPORTED, NO_SENTENCE_SAYS_THIS
    missing = _list_unsupported_runs(reading, word_probabilities)
    return PARTLY, N_(f"The sources do not say “{missing}”.") if missing else N_(
        "The sources support only part of this."
    )


def _explain_what_is_missing(reading: ClaimReading, evidence: Sequence[ClaimEvidence]) -> str:
    """Return what a likely claim says more than its sentences; empty where nothing is found.

    A number or date that none of them has, or the "unless" or "only" of a sentence that the claim repeats without it.
    """
    if missing := _list_missing_numbers(reading):
        return N_(f"The sources do not say “{missing}”.")
    restriction = find_omitted_restriction(reading.claim.text.rstrip(".。"), evidence[0].text) if evidence else None
    return N_(f"It leaves out “{restriction}”.") if restriction else ""


def _list_missing_numbers(reading: ClaimReading) -> str:
    """Return the numbers and dates of a claim that none of the sentences compared with it contains."""
    keys = frozenset().union(*(wording.keys for wording in reading.wordings))
    return " … ".join(
        reading.claim.text[word.start : word.end]
        for word in reading.claim.content_words
        if word.kind in (NUMBER, DATE) and word.text != PRONOUN and not word.keys & keys
    )


_BEST_FIRST = (SUPPORTED, PARTLY, UNSUPPORTED, CONTRADICTED)


def _is_lower(verdict: str, other: str) -> bool:
    """Return whether a verdict is worse for a claim than another, or the same."""
    return _BEST_FIRST.index(verdict) >= _BEST_FIRST.index(other)


def _may_lift(reading: ClaimReading, verdict: str) -> bool:
    """Return whether an external judge may find more in the sources than the rules: never over hard evidence."""
    return verdict != CONTRADICTED and not _list_missing_numbers(reading)


def _add_marks(claim: Claim, reading: ClaimReading) -> Claim:
    """Return a claim that does not hold with the words that decide marked, in itself and in its first sentence."""
    if claim.verdict == SUPPORTED or not claim.evidence:
        return claim
    first, *rest = claim.evidence
    if difference := find_difference(reading.claim, parse_wording(first.text)):
        marked = replace(first, marks=difference.source_spans)
        return replace(claim, marks=difference.claim_spans, evidence=(marked, *rest))
    keys = frozenset().union(*(parse_wording(item.text).keys for item in claim.evidence))
    return replace(claim, marks=tuple(find_missing_runs(reading.claim, keys)))


def _list_unsupported_runs(reading: ClaimReading, word_probabilities: np.ndarray) -> str:
    """Return the runs of words that no sentence supports, as the claim writes them."""
    text, words = reading.claim.text, reading.claim.content_words
    is_unsupported = [probability < MIN_WORD_PROBABILITY for probability in word_probabilities]
    if not any(is_unsupported) and len(word_probabilities):
        is_unsupported = [probability == word_probabilities.min() for probability in word_probabilities]
    runs: list[list[int]] = []
    for position, (word, is_missing) in enumerate(zip(words, is_unsupported, strict=True)):
        if not is_missing:
            continue
        if runs and position and is_unsupported[position - 1]:
            runs[-1][1] = word.end
        else:
            runs.append([word.start, word.end])
    return " … ".join(text[start:end] for start, end in runs[:MAX_RUNS_NAMED])


def _select_evidence(reading: ClaimReading, contrast: tuple[int, Contrast] | None) -> tuple[ClaimEvidence, ...]:
    """Return the sentences for the claim, or against it, most important first."""
    order = list(range(len(reading.sentence_indexes)))
    if contrast is not None:
        order.insert(0, order.pop(contrast[0]))
    shown = [
        position
        for rank, position in enumerate(order)
        if (contrast and rank == 0)
        or reading.evidence_probabilities[position] >= MIN_EVIDENCE_PROBABILITY
        or reading.shares[position] >= MIN_EVIDENCE_SHARE
    ]
    # A sentence may be evidence in other words or share the claim's words: the higher score counts.
    scored_sentences = [
        (
            reading.source_index.sentences[reading.sentence_indexes[position]],
            float(max(reading.evidence_probabilities[position], reading.shares[position])),
        )
        for position in shown[:MAX_EVIDENCE_SENTENCES]
    ]
    return tuple(
        ClaimEvidence(sentence.source, sentence.start, sentence.end, sentence.text, round(score, 4))
        for sentence, score in scored_sentences
    )
