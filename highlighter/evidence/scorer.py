"""Scoring sentences as evidence for a question: what viewer, API, command line and search all go through."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import cached_property, partial
from hashlib import sha256

import numpy as np

from highlighter.cpu_budget import check_cpu
from highlighter.embedding.embedder import Embedder
from highlighter.evidence.across_languages import are_sentences, find_texts_in_other_languages, score_across_languages
from highlighter.evidence.calibration import Calibration
from highlighter.evidence.features import compute_features
from highlighter.evidence.joint_model import JointScorer, hash_model
from highlighter.evidence.near_identical_rows import list_rows_with_other_numbers
from highlighter.evidence.question_reader import QuestionReader, combine_with_prior, is_read_by_words_alone
from highlighter.evidence.table_headers import adjust_table_scores
from highlighter.models import Evidence, ScoredSentence, Sentence
from highlighter.rounding import round_for_comparison
from highlighter.version import __version__


class EvidenceScorer:
    """Scores the sentences of a passage against a question."""

    def __init__(
        self,
        calibration: Calibration,
        joint: JointScorer | None,
        *,
        multilingual: Embedder | None = None,
        reader: QuestionReader | None = None,
    ):
        """`multilingual` is the embedder in use where its similarities hold between languages."""
        self.calibration = calibration
        self.joint = joint
        self.multilingual = multilingual
        self.reader = reader

    @cached_property
    def fingerprint(self) -> str:
        """Return what changes with the package, the networks or the joint model: equal ones give equal scores."""
        parts = [__version__.encode(), self.calibration.to_bytes(), bytes([self.multilingual is not None])]
        models = [model.model_file for model in (self.joint, self.reader) if model is not None]
        digests = [sha256(part).digest() for part in parts]
        digests += [hash_model(file) for file in models if file.exists()]
        return sha256(b"".join(digests)).hexdigest()

    def score(
        self,
        question: str,
        question_vector: np.ndarray,
        sentences: Sequence[Sentence],
        vectors: np.ndarray,
        method: str,
        threshold: float,
        *,
        heading_indexes: Container[int] = (),
        quick: bool = False,
    ) -> Evidence:
        """Return every sentence with its similarity, its score and whether it is highlighted.

        `heading_indexes` are sentences that name what follows and say nothing about it: they are no evidence, and are
        left out when the other sentences are scored. `quick` leaves out the model that reads question and passage
        together.
        """
        if not sentences:
            return Evidence(question, (), threshold, method)
        similarities = _compute_similarities(vectors, question_vector)
        scored_rows = [row for row, sentence in enumerate(sentences) if sentence.index not in heading_indexes]
        scored_rows = scored_rows or list(range(len(sentences)))
        scores = np.zeros(len(sentences))
        if method == "cosine":
            scores[scored_rows] = similarities[scored_rows]
        else:
            texts = [sentences[row].read_text for row in scored_rows]
            scores[scored_rows] = self.rate_sentences(
                question, texts, similarities[scored_rows], quick, vectors[scored_rows]
            )
            scores = adjust_table_scores(question, [sentence.text for sentence in sentences], scores)
        return build_evidence(question, sentences, similarities, scores, method, threshold)

    def rate_sentences(
        self,
        question: str,
        texts: Sequence[str],
        similarities: np.ndarray,
        quick: bool = False,
        vectors: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return how likely each sentence is evidence: by the networks, or across languages by the sentences' vectors.

        Claims are checked by the networks alone: to be similar in another language supports no claim. Rows that differ from
        others only in their numbers are scored without those that the question does not ask about, which score 0.
        """
        if others := set(list_rows_with_other_numbers(question, texts)):
            rest = [row for row in range(len(texts)) if row not in others]
            scores = np.zeros(len(texts))
            rest_vectors = None if vectors is None else vectors[rest]
            scores[rest] = self._rate_sentences(
                question, [texts[row] for row in rest], similarities[rest], quick, rest_vectors
            )
            return scores
        return self._rate_sentences(question, texts, similarities, quick, vectors)

    def _rate_sentences(
        self,
        question: str,
        texts: Sequence[str],
        similarities: np.ndarray,
        quick: bool,
        vectors: np.ndarray | None,
    ) -> np.ndarray:
        """Return the scores of a passage, whose sentences may be in several languages."""
        if not question.strip() or self.multilingual is None:
            return self._rate_in_one_language(question, texts, similarities, quick)
        is_other = find_texts_in_other_languages(question, texts)
        scores = np.zeros(len(texts))
        if is_other.any():
            crossed = self._rate_across_languages(self.multilingual, question, texts, quick, vectors)
            scores[is_other] = _equalize_duplicates(texts, round_for_comparison(crossed))[is_other]
        if not is_other.all():
            rows = np.flatnonzero(~is_other).tolist()
            scores[rows] = self._rate_in_one_language(question, [texts[row] for row in rows], similarities[rows], quick)
        return scores

    def read_across_languages(self, question: str, texts: Sequence[str], vectors: np.ndarray) -> float | None:
        """Return by how much the likeliest sentence in another language than the question answers it rather than nothing, in logits.

        None where the question reader cannot read, or where no sentence is in another language.
        """
        if self.multilingual is None or self.reader is None:
            return None
        rows = find_texts_in_other_languages(question, texts) & are_sentences(texts)
        if not rows.any():
            return None
        question_vector = self.multilingual.map_across_languages(self.multilingual.encode_question(question))
        margins = self.reader.read(question, texts, _compute_similarities(vectors, question_vector))
        return None if margins is None else float(margins[rows].max())

    def _rate_across_languages(
        self, embedder: Embedder, question: str, texts: Sequence[str], quick: bool, vectors: np.ndarray | None
    ) -> np.ndarray:
        if vectors is None:
            vectors = embedder.encode(texts)
        question_vector = embedder.map_across_languages(embedder.encode_question(question))
        similarities = _compute_similarities(vectors, question_vector)

        def compare_words(rows: np.ndarray) -> np.ndarray:
            return embedder.compare_tokens(question, [texts[row] for row in rows.tolist()])

        if quick:
            return score_across_languages(texts, similarities)
        margins = None if self.reader is None else self.reader.read(question, texts, similarities)
        return score_across_languages(texts, similarities, compare_words, margins)

    def _rate_in_one_language(
        self, question: str, texts: Sequence[str], similarities: np.ndarray, quick: bool
    ) -> np.ndarray:
        if not quick and self.reader is not None and question.strip() and is_read_by_words_alone(texts):
            prior = self.probabilities(question, texts, similarities, quick=True)
            margins = self.reader.read(question, texts, prior)
            if margins is not None:
                return _equalize_duplicates(texts, round_for_comparison(combine_with_prior(margins, prior)))
        return self.probabilities(question, texts, similarities, quick)

    def probabilities(
        self, question: str, texts: Sequence[str], similarities: np.ndarray, quick: bool = False
    ) -> np.ndarray:
        """Return how likely each sentence is evidence, by the networks fitted to people's judgement."""
        check_cpu()
        if not question.strip():
            return np.zeros(len(texts))
        columns = compute_features(question, texts, similarities)
        read_jointly = None if quick or self.joint is None else partial(self.joint.score_passage, question, texts)
        return _equalize_duplicates(texts, round_for_comparison(self.calibration.probabilities(columns, read_jointly)))


def _compute_similarities(vectors: np.ndarray, question_vector: np.ndarray) -> np.ndarray:
    """Return the cosine of each sentence and a question: 0 for invalid vectors, which must not highlight anything."""
    with np.errstate(invalid="ignore", over="ignore"):
        similarities = np.nan_to_num(vectors @ question_vector, posinf=0.0, neginf=0.0)
    return round_for_comparison(np.clip(similarities, -1.0, 1.0))


def _equalize_duplicates(texts: Sequence[str], probabilities: np.ndarray) -> np.ndarray:
    """Give equal sentences the best score that any of them gets in the passage."""
    best: dict[str, float] = {}
    for text, probability in zip(texts, probabilities, strict=True):
        best[text] = max(probability, best.get(text, 0.0))
    return np.array([best[text] for text in texts])


def build_evidence(
    question: str,
    sentences: Sequence[Sentence],
    similarities: np.ndarray,
    scores: np.ndarray,
    method: str,
    threshold: float,
) -> Evidence:
    """Return sentences with their scores; those with the threshold's score and more are highlighted."""
    scored_sentences = (
        ScoredSentence(sentence, float(similarity), float(score), bool(score >= threshold))
        for sentence, similarity, score in zip(sentences, similarities, scores, strict=True)
    )
    return Evidence(question, tuple(scored_sentences), threshold, method)


def build_unscored_evidence(
    question: str, sentences: Sequence[Sentence], threshold: float, method: str, degraded: str
) -> Evidence:
    """Return a passage without highlights, for when it could not be scored against the question."""
    return Evidence(question, tuple(ScoredSentence(s, 0.0, 0.0, False) for s in sentences), threshold, method, degraded)


def build_whole_passage_evidence(
    question: str, passage: Sentence, threshold: float, method: str, degraded: str
) -> Evidence:
    """Return a passage highlighted as a whole, for when its sentences cannot be told apart."""
    return Evidence(question, (ScoredSentence(passage, 0.0, 0.0, True),), threshold, method, degraded)
