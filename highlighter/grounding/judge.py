"""A claim's verdict: what was fitted says how surely it holds, what differs says why it does not."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
from highlighter.grounding.contrasts import DATE, NEGATION, NUMBER, OPPOSITE, Contrast
from highlighter.grounding.verdicts import CONTRADICTED, PARTLY, SUPPORTED, UNSUPPORTED, VERDICTS
from highlighter.locale import N_
from highlighter.models import Claim, ClaimEvidence
from highlighter.rounding import round_for_comparison

log = logging.getLogger(__name__)

MODEL_FOLDER = Path(__file__).parent / "model"
# From here on a claim holds; a word is said.
MIN_SUPPORTED_SCORE = MIN_WORD_PROBABILITY = 0.5
# A claim that shares less with the sentences than this is about something else, not partly supported.
MIN_PARTLY_SHARE = 0.5
# A sentence that shares this much of a claim speaks of the same thing, and so can contradict it.
MIN_CONTRADICTION_SHARE = 0.5
# One that shares this much says the same but for a "not" or a word turned round, whatever the weighing makes of it.
MIN_SAME_WORDS_SHARE = 0.8
# Sentences shown with a verdict, and how likely each must at least be evidence, or share of the claim's words.
MAX_EVIDENCE_SENTENCES, MIN_EVIDENCE_PROBABILITY, MIN_EVIDENCE_SHARE = 3, 0.2, 0.4
# What an outer judge says otherwise moves the score just over the border, and no further: it gives no probability.
MIN_EXTERNALLY_SUPPORTED_SCORE, MAX_UNSUPPORTED_SCORE = 0.51, 0.49
# Runs of words that "why" names, at most.
MAX_RUNS_NAMED = 3

NO_SENTENCE_SAYS_THIS = N_("No source says this.")


@dataclass(frozen=True, slots=True)
class Opinion:
    """What an outer judge says of a claim: one of the verdicts, and why as a sentence for people."""

    verdict: str
    why: str = ""


# Claim and evidence sentences in; an opinion out, or None where it has none. It may be a language model.
ExternalJudge = Callable[[str, Sequence[str]], Opinion | None]


@dataclass(frozen=True, slots=True)
class ClaimModels:
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
    def __init__(
        self, word_vectors: WordVectors, models: ClaimModels | None = None, external_judge: ExternalJudge | None = None
    ):
        self.word_vectors = word_vectors
        self.models = models or load_models()
        self.external_judge = external_judge

    def judge_claim(self, sentence: ClaimSentence, reading: ClaimReading) -> Claim:
        check_cpu()
        held, score = self.score_claim(reading)
        against = _choose_contrast(reading)
        if against and against[1].kind in (NEGATION, OPPOSITE) and reading.shares[against[0]] >= MIN_SAME_WORDS_SHARE:
            score = min(score, MAX_UNSUPPORTED_SCORE)
        verdict, why = _decide_verdict(reading, held, score, against)
        evidence = _select_evidence(reading, against if verdict == CONTRADICTED else None)
        if self.external_judge and (opinion := self._ask_external_judge(sentence, evidence, reading)):
            verdict, why = opinion.verdict, opinion.why or (why if verdict == opinion.verdict else "")
            score = (
                max(score, MIN_EXTERNALLY_SUPPORTED_SCORE)
                if verdict == SUPPORTED
                else min(score, MAX_UNSUPPORTED_SCORE)
            )
        return Claim(sentence.text, sentence.start, sentence.end, verdict, round(score, 4), evidence, why)

    def score_claim(self, reading: ClaimReading) -> tuple[np.ndarray, float]:
        """How surely each telling word is said, and how surely the whole."""
        held = round_for_comparison(self.models.words.probabilities(compute_word_features(reading, self.word_vectors)))
        score = float(round_for_comparison(self.models.claims.probabilities(compute_claim_features(reading, held)))[0])
        return held, score if reading.sentence_indexes else 0.0

    def _ask_external_judge(
        self, sentence: ClaimSentence, evidence: Sequence[ClaimEvidence], reading: ClaimReading
    ) -> Opinion | None:
        texts = [one.text for one in evidence] or [line.text for line in reading.wordings[:MAX_EVIDENCE_SENTENCES]]
        try:
            opinion = self.external_judge(sentence.text, texts)
        except Exception as err:  # whatever it is made of: the local verdict stands
            log.warning("The outer judge failed, and the local verdict is kept: %s", err)
            return None
        return opinion if opinion and opinion.verdict in VERDICTS else None


def _choose_contrast(reading: ClaimReading) -> tuple[int, Contrast] | None:
    """The contrast that weighs most: numbers and dates before a turned word, that before a "not"."""
    strong = [(at, one) for at, one in reading.contrasts if reading.shares[at] >= MIN_CONTRADICTION_SHARE]
    ranks = {NUMBER: 0, DATE: 0, NEGATION: 2}
    return min(strong, key=lambda found: (ranks.get(found[1].kind, 1), found[0]), default=None)


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


def _list_unsupported_runs(reading: ClaimReading, word_probabilities: np.ndarray) -> str:
    """The runs of words that no sentence says, as the claim writes them."""
    text, words = reading.claim.text, reading.claim.content_words
    bad = [h < MIN_WORD_PROBABILITY for h in word_probabilities]
    if not any(bad) and len(word_probabilities):
        bad = [h == word_probabilities.min() for h in word_probabilities]
    runs: list[list[int]] = []
    for at, (word, wrong) in enumerate(zip(words, bad, strict=True)):
        if not wrong:
            continue
        if runs and at and bad[at - 1]:
            runs[-1][1] = word.end
        else:
            runs.append([word.start, word.end])
    return " … ".join(text[start:end] for start, end in runs[:MAX_RUNS_NAMED])


def _select_evidence(reading: ClaimReading, contrast: tuple[int, Contrast] | None) -> tuple[ClaimEvidence, ...]:
    """What speaks for it, or against it, the weightiest first."""
    order = list(range(len(reading.sentence_indexes)))
    if contrast is not None:
        order.insert(0, order.pop(contrast[0]))
    shown = [
        at
        for n, at in enumerate(order)
        if (contrast and n == 0)
        or reading.evidence_probabilities[at] >= MIN_EVIDENCE_PROBABILITY
        or reading.shares[at] >= MIN_EVIDENCE_SHARE
    ]
    # A sentence may be evidence in other words, or say the claim's own: whichever is surer.
    lines = [
        (
            reading.source_index.sentences[reading.sentence_indexes[at]],
            float(max(reading.evidence_probabilities[at], reading.shares[at])),
        )
        for at in shown[:MAX_EVIDENCE_SENTENCES]
    ]
    return tuple(
        ClaimEvidence(line.source, line.start, line.end, line.text, round(surely, 4)) for line, surely in lines
    )
