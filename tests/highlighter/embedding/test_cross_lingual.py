"""The maps that bring a question near sentences in other languages."""

import numpy as np
import pytest

from highlighter.embedding.bundled_model import MINILM, MULTILINGUAL
from highlighter.embedding.cross_lingual import CrossLingualMap
from highlighter.embedding.embedder import Embedder

TURN = np.array([[0.0, 1.0], [1.0, 0.0]], np.float32)  # exchanges the two directions
MAPS = CrossLingualMap(TURN, TURN, np.array([2.0, 0.0], np.float32))


def test_question_is_mapped_to_a_normalised_vector():
    assert MAPS.map_vector(np.array([3.0, 0.0])) == pytest.approx([0.0, 1.0])
    assert np.isfinite(MAPS.map_vector(np.zeros(2))).all()


def test_each_token_counts_by_its_weight_and_its_nearest_token():
    question = np.array([[1.0, 0.0], [0.0, 1.0]], np.float32)  # the first token counts most
    says_first, says_second, says_nothing = np.array([[0.0, 1.0]]), np.array([[1.0, 0.0]]), np.zeros((0, 2))
    first, second, none = MAPS.compare_tokens(question, [says_first, says_second, says_nothing])
    assert first > 0.8 > second > 0.1
    assert none == pytest.approx(-1.0)
    assert MAPS.compare_tokens(np.zeros((0, 2)), [says_first]) == pytest.approx([0.0])


RENT = "租金須於每月五日前繳付。"
OTHERS = ("Коты любят молоко.", "El museo abre a las nueve.", "The bridge was painted green.")


def test_carried_map_brings_a_question_nearer_to_its_answer_in_another_language(embedder):
    vectors = embedder.encode([RENT, *OTHERS])
    question = embedder.encode_question("Until which day of the month must tenants pay?")
    before, after = vectors @ question, vectors @ embedder.map_across_languages(question)
    assert after[0] / after[1:].max() > 1.2 * before[0] / before[1:].max()


def test_model_without_a_map_compares_questions_as_they_are():
    vector = np.ones(384, np.float32)
    assert Embedder(MINILM.name).map_across_languages(vector) is vector


def test_carried_map_is_verified_with_the_model():
    assert MULTILINGUAL.cross_lingual_name in MULTILINGUAL.sha256_by_name
