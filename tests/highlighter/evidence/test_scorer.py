from functools import partial

import numpy as np
import pytest

from highlighter.evidence.calibration import load_calibration
from highlighter.evidence.features import compute_features
from highlighter.evidence.joint_model import JointScorer
from highlighter.evidence.scorer import EvidenceScorer
from highlighter.models import Sentence
from highlighter.settings import HIGHLIGHT_METHODS

QUESTION = np.array([1.0, 0.0], dtype=np.float32)
MODEL = "all-MiniLM-L6-v2-int8"

LEASE = (
    "The tenant pays 900 pounds a month.",
    "The rent is due on the first day of each month.",
    "Either party may end the lease by giving two months' notice in writing.",
    "Pets are not allowed in the flat.",
)


@pytest.fixture(scope="module")
def scorer(tmp_path_factory):
    return EvidenceScorer(load_calibration(MODEL, tmp_path_factory.mktemp("kept")), JointScorer())


def sentences(*texts):
    return [Sentence(n, n * 100, n * 100 + len(text), text) for n, text in enumerate(texts)]


def at(*similarities):
    """Unit vectors that have these cosines with QUESTION."""
    return np.array([[s, np.sqrt(1 - s * s)] for s in similarities], dtype=np.float32)


def lit(evidence):
    return [scored.sentence.index for scored in evidence.sentences if scored.highlighted]


def held(scorer, embedder, question, *texts, **how):
    vectors = embedder.encode(list(texts))
    return scorer.score(
        question, embedder.encode_question(question), sentences(*texts), vectors, "evidence", 0.5, **how
    )


def test_cosine_is_raw_cosine_held_against_the_threshold(scorer):
    found = scorer.score("tide", QUESTION, sentences("a", "b", "c"), at(0.7, 0.5, 0.49), "cosine", 0.5)
    assert [round(s.score, 2) for s in found.sentences] == [0.7, 0.5, 0.49]
    assert lit(found) == [0, 1]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When is the rent due?", 1),
        ("How much is the rent?", 0),
        ("How can the lease be ended?", 2),
        ("May the tenant keep a dog?", 3),
    ],
)
def test_the_sentence_that_answers_is_the_best(scorer, embedder, question, answer):
    found = held(scorer, embedder, question, *LEASE)
    assert int(np.argmax([s.score for s in found.sentences])) == answer


def test_a_passage_that_does_not_answer_lights_nothing(scorer, embedder):
    assert lit(held(scorer, embedder, "Who won the football match on Sunday?", *LEASE)) == []


@pytest.mark.parametrize(
    ("question", "texts", "answer"),
    [
        ("合同什么时候终止？", ("本合同自签字之日起生效。", "本合同于2025年12月31日终止。", "租金每月支付。"), 1),
        ("租金何時支付？", ("本合同自签字之日起生效。", "本合同于2025年12月31日终止。", "租金每月一日支付。"), 2),
    ],
)
def test_chinese_traditional_and_simplified(scorer, embedder, question, texts, answer):
    found = held(scorer, embedder, question, *texts)
    assert int(np.argmax([s.score for s in found.sentences])) == answer


@pytest.mark.parametrize("method", HIGHLIGHT_METHODS)
def test_a_title_is_no_evidence_and_stands_in_nobody_s_way(scorer, method):
    texts = sentences("Tides", "They turn at noon.", "Boats wait.")
    found = scorer.score("When do tides turn?", QUESTION, texts, at(0.9, 0.6, 0.1), method, 0.3, heading_indexes={0})
    assert 0 not in lit(found)
    assert found.sentences[0].similarity == pytest.approx(0.9)
    assert int(np.argmax([s.score for s in found.sentences])) == 1


def test_a_passage_of_titles_alone_is_held_as_it_is(scorer):
    found = scorer.score("tides", QUESTION, sentences("Tides"), at(0.9), "cosine", 0.5, heading_indexes={0})
    assert lit(found) == [0]


def test_similarity_is_returned_beside_the_score(scorer):
    found = scorer.score("tide", QUESTION, sentences("a", "b"), at(0.6, 0.3), "evidence", 0.5)
    assert [round(s.similarity, 2) for s in found.sentences] == [0.6, 0.3]
    assert all(0.0 <= s.score <= 1.0 for s in found.sentences)


@pytest.mark.parametrize("method", HIGHLIGHT_METHODS)
def test_an_embedder_gone_wrong_breaks_nothing(scorer, method):
    broken = np.array([[np.nan, np.nan], [np.inf, 0.0]], dtype=np.float32)
    found = scorer.score("tide", QUESTION, sentences("a", "b"), broken, method, 0.5)
    assert lit(found) == []
    assert all(np.isfinite(s.score) and np.isfinite(s.similarity) for s in found.sentences)


@pytest.mark.parametrize("method", HIGHLIGHT_METHODS)
def test_a_passage_of_no_sentences_is_empty_evidence(scorer, method):
    assert scorer.score("tide", QUESTION, [], np.empty((0, 2)), method, 0.5).sentences == ()


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("", LEASE),
        (" \n", LEASE),
        ("why " * 2500, LEASE),
        ("ꙮ ᚠᛇᚻ 𓂀?", LEASE),
        ("When is the rent due?", ("ᚠᛇᚻ᛫ᛒᛦᚦ", "𓂀𓂀𓂀")),
        ("When is the rent due?", ("The rent is due on the first day.",)),
        ("12 34?", ("12 34 56", "78 90", "1 2 3")),
        ("When is the rent due?", ("word " * 3000, "The rent is due today.")),
        ("When?", ("", " ", ".")),
        ("Is it \ud800?", ("It is \udfff.", "No.")),
    ],
)
def test_every_passage_has_defined_scores(scorer, embedder, question, texts):
    found = held(scorer, embedder, question, *texts)
    assert len(found.sentences) == len(texts)
    assert all(0.0 <= s.score <= 1.0 and np.isfinite(s.score) for s in found.sentences)
    if not question.strip():
        assert lit(found) == []


def test_two_thousand_sentences_are_held_and_the_answer_is_found(scorer, embedder):
    texts = [f"Box {n} holds {n % 7} pairs of grey socks." for n in range(2000)]
    texts[1234] = "The harbour master signs the permit for night work."
    found = held(scorer, embedder, "Who signs the permit for night work?", *texts)
    assert int(np.argmax([s.score for s in found.sentences])) == 1234
    assert 1234 in lit(found)
    assert len(lit(found)) <= 2


def test_identical_sentences_are_held_alike(scorer, embedder):
    found = held(scorer, embedder, "When is the rent due?", *["The rent is due on the first day."] * 3)
    assert len({s.score for s in found.sentences}) == 1


def test_what_is_said_twice_gets_the_best_score_that_it_gets_anywhere(scorer, embedder):
    """Its last place is not its best."""
    question, texts = "When is the rent due?", [LEASE[1], *LEASE, LEASE[1]]
    similar = embedder.encode(texts) @ embedder.encode_question(question)
    alone = scorer.calibration.probabilities(
        compute_features(question, texts, similar), partial(scorer.joint.score_passage, question, texts)
    )
    places = [at for at, text in enumerate(texts) if text == LEASE[1]]
    assert alone[places].max() > alone[places[-1]]
    assert scorer.probabilities(question, texts, similar)[places] == pytest.approx(alone[places].max(), abs=1e-4)


def test_without_the_joint_model_its_place_is_taken_by_the_features(scorer, embedder, tmp_path, caplog):
    lame = EvidenceScorer(scorer.calibration, JointScorer(tmp_path / "nothing here"))
    for _ in range(2):
        found = held(lame, embedder, "When is the rent due?", *LEASE)
    assert found == held(scorer, embedder, "When is the rent due?", *LEASE, quick=True)
    assert sum("joint model cannot be loaded" in record.message for record in caplog.records) == 1
