import numpy as np
import pytest

from highlighter.evidence import scorer
from highlighter.models import Sentence

QUESTION = np.array([1.0, 0.0], dtype=np.float32)


def sentences(*texts):
    return [Sentence(n, n * 100, n * 100 + len(text), text) for n, text in enumerate(texts)]


def at(*similarities):
    """Unit vectors that have these cosines with QUESTION."""
    return np.array([[s, np.sqrt(1 - s * s)] for s in similarities], dtype=np.float32)


def lit(evidence):
    return [scored.sentence.index for scored in evidence.sentences if scored.highlighted]


def test_cosine_is_raw_cosine_held_against_the_threshold():
    found = scorer.score("tide", QUESTION, sentences("a", "b", "c"), at(0.7, 0.5, 0.49), "cosine", 0.5)
    assert [round(s.score, 2) for s in found.sentences] == [0.7, 0.5, 0.49]
    assert lit(found) == [0, 1]


def test_the_joined_score_is_relative_to_the_passage():
    """Three sentences alike in cosine, and one that also has the words: it alone is lit."""
    texts = sentences("Some boats sail.", "Some ships sail.", "The tide turns at noon.", "Some rafts sail.")
    found = scorer.score("When does the tide turn?", QUESTION, texts, at(0.55, 0.55, 0.56, 0.55), "evidence", 0.5)
    assert lit(found) == [2]


@pytest.mark.parametrize("method", scorer.METHODS)
def test_a_title_is_no_evidence_and_stands_in_nobody_s_way(method):
    texts = sentences("Tides", "They turn at noon.", "Boats wait.")
    found = scorer.score("When do tides turn?", QUESTION, texts, at(0.9, 0.6, 0.1), method, 0.5, titles={0})
    assert lit(found) == [1]
    assert found.sentences[0].similarity == pytest.approx(0.9)


def test_a_passage_of_titles_alone_is_held_as_it_is():
    found = scorer.score("tides", QUESTION, sentences("Tides"), at(0.9), "cosine", 0.5, titles={0})
    assert lit(found) == [0]


def test_similarity_is_returned_beside_the_score():
    found = scorer.score("tide", QUESTION, sentences("a", "b"), at(0.6, 0.3), "evidence", 0.5)
    assert [round(s.similarity, 2) for s in found.sentences] == [0.6, 0.3]
    assert all(0.0 <= s.score <= 1.0 for s in found.sentences)


def test_a_passage_below_the_floor_lights_nothing():
    found = scorer.score("tide", QUESTION, sentences("a", "b"), at(0.2, 0.1), "evidence", 0.5)
    assert lit(found) == []


@pytest.mark.parametrize("method", scorer.METHODS)
def test_an_embedder_gone_wrong_lights_nothing_and_breaks_nothing(method):
    broken = np.array([[np.nan, np.nan], [np.inf, 0.0]], dtype=np.float32)
    found = scorer.score("tide", QUESTION, sentences("a", "b"), broken, method, 0.5)
    assert lit(found) == []
    assert all(np.isfinite(s.score) and np.isfinite(s.similarity) for s in found.sentences)


@pytest.mark.parametrize("method", scorer.METHODS)
def test_a_passage_of_no_sentences_is_empty_evidence(method):
    assert scorer.score("tide", QUESTION, [], np.empty((0, 2)), method, 0.5).sentences == ()
