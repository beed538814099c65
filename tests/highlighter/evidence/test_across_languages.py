"""Scores of sentences in another language than the question."""

import numpy as np
import pytest

from highlighter.evidence.across_languages import is_across_languages, score_across_languages
from highlighter.evidence.calibration import load_calibration
from highlighter.evidence.scorer import EvidenceScorer
from highlighter.models import Sentence

GERMAN = ("Der Mieter zahlt die Miete bis zum dritten Werktag.", "Die Haltung von Hunden ist nicht erlaubt.")


@pytest.mark.parametrize(
    ("question", "texts", "expected"),
    [
        ("When is the rent due?", GERMAN, True),
        ("Wann ist die Miete fällig?", GERMAN, False),
        ("NEC4 clause 61", GERMAN, False),  # of no language: it may be the words of the document
        ("廚師的薪水是多少？", ("厨师的工资按月发放。",), False),  # two scripts of one language
        ("廚師的薪水是多少？", ("The cook is paid monthly.",), True),
        ("When is the rent due?", ("1, 2, 3", "2025"), False),
    ],
)
def test_passage_in_another_language_is_known(question, texts, expected):
    assert is_across_languages(question, texts) is expected


def test_similar_sentence_that_leads_is_highlighted_and_weak_ones_are_not():
    texts = ["One.", "Two.", "Three."]
    assert (score_across_languages(texts, np.array([0.2, 0.5, 0.25])) >= 0.5).tolist() == [False, True, False]
    assert (score_across_languages(texts, np.array([0.25, 0.27, 0.26])) < 0.5).all()


def test_heading_is_no_evidence_unless_nothing_has_a_stop():
    similarities = np.array([0.6, 0.5])
    assert score_across_languages(["收費", "成人二十八元。"], similarities).argmax() == 1
    assert score_across_languages(["收費", "成人二十八元"], similarities).argmax() == 0


@pytest.mark.parametrize("count", [1, 2])
def test_short_passages_have_finite_scores(count):
    scores = score_across_languages(["One."] * count, np.full(count, 0.6))
    assert np.isfinite(scores).all()
    assert (scores > 0.5).all()


def test_claims_are_rated_by_the_networks_in_every_language(tmp_path):
    """To be similar to a sentence in another language supports no claim."""
    vectors = np.array([[0.8, 0.6], [0.2, 0.98]], dtype=np.float32)
    scores = []
    for crosses_languages in (False, True):
        calibration = load_calibration("multilingual-e5-small-int8", tmp_path)
        scorer = EvidenceScorer(calibration, None, crosses_languages=crosses_languages)
        question, similarities = "When is the rent due?", vectors[:, 0]
        sentences = [Sentence(n, n * 100, n * 100 + len(text), text) for n, text in enumerate(GERMAN)]
        evidence = scorer.score(question, np.array([1.0, 0.0]), sentences, vectors, "evidence", 0.5)
        scores.append((evidence.sentences[0].score, scorer.probabilities(question, GERMAN, similarities)[0]))
    (networks, claims_before), (crossed, claims_after) = scores
    assert crossed != networks
    assert claims_before == claims_after
