"""Which sentences of a passage answer a question: the one seam that viewer, API, command line and search go through."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import partial

import numpy as np

from highlighter.cpu_budget import check_cpu
from highlighter.evidence.calibration import Calibration
from highlighter.evidence.features import compute_features
from highlighter.evidence.joint_model import JointScorer
from highlighter.models import Evidence, ScoredSentence, Sentence
from highlighter.rounding import round_for_comparison


class EvidenceScorer:
    def __init__(self, calibration: Calibration, joint: JointScorer | None):
        self.calibration = calibration
        self.joint = joint

    def score(
        self,
        question: str,
        question_vector: np.ndarray,
        sentences: Sequence[Sentence],
        vectors: np.ndarray,
        method: str,
        threshold: float,
        heading_indexes: Container[int] = (),
        quick: bool = False,
    ) -> Evidence:
        """Every sentence with its similarity, its score and whether it is lit. Both numbers are always returned.

        `titles` are sentences (by index) that name what follows and say nothing of it: they are no evidence, and do not
        stand in the way of what is. `quick` leaves out the model that reads question and passage together.
        """
        if not sentences:
            return Evidence(question, (), threshold, method)
        # An embedder gone wrong must not light anything, nor break the page.
        with np.errstate(invalid="ignore", over="ignore"):
            similarities = np.clip(np.nan_to_num(vectors @ question_vector, posinf=0.0, neginf=0.0), -1.0, 1.0)
        similarities = round_for_comparison(similarities)
        telling = [at for at, sentence in enumerate(sentences) if sentence.index not in heading_indexes] or range(
            len(sentences)
        )
        scores = np.zeros(len(sentences))
        if method == "cosine":
            scores[telling] = similarities[telling]
        else:
            texts = [sentences[at].text for at in telling]
            scores[telling] = self.probabilities(question, texts, similarities[telling], quick)
        scored = (
            ScoredSentence(sentence, float(similarity), float(number), bool(number >= threshold))
            for sentence, similarity, number in zip(sentences, similarities, scores, strict=True)
        )
        return Evidence(question, tuple(scored), threshold, method)

    def probabilities(
        self, question: str, texts: Sequence[str], similarities: np.ndarray, quick: bool = False
    ) -> np.ndarray:
        """How likely each sentence is evidence, all told: what was fitted on people's own judgement."""
        check_cpu()
        if not question.strip():
            return np.zeros(len(texts))
        columns = compute_features(question, texts, similarities)
        read = None if quick or self.joint is None else partial(self.joint.score_passage, question, texts)
        return _equalize_duplicates(texts, round_for_comparison(self.calibration.probabilities(columns, read)))


def _equalize_duplicates(texts: Sequence[str], chances: np.ndarray) -> np.ndarray:
    """What is said twice is evidence twice: the same words get the best score that they get anywhere in the passage."""
    best: dict[str, float] = {}
    for text, chance in zip(texts, chances, strict=True):
        best[text] = max(chance, best.get(text, 0.0))
    return np.array([best[text] for text in texts])


def build_unscored_evidence(
    question: str, sentences: Sequence[Sentence], threshold: float, method: str, degraded: str
) -> Evidence:
    """The plain passage, when nothing could be held against the question."""
    return Evidence(question, tuple(ScoredSentence(s, 0.0, 0.0, False) for s in sentences), threshold, method, degraded)


def build_whole_passage_evidence(
    question: str, passage: Sentence, threshold: float, method: str, degraded: str
) -> Evidence:
    """The whole passage marked, when its sentences cannot be told apart."""
    return Evidence(question, (ScoredSentence(passage, 0.0, 0.0, True),), threshold, method, degraded)
