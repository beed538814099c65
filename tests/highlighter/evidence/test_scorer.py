"""The scores of sentences as evidence."""

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


def build_sentences(*texts):
    return [Sentence(n, n * 100, n * 100 + len(text), text) for n, text in enumerate(texts)]


def vectors_of(*similarities):
    """Return unit vectors that have these cosines with QUESTION."""
    return np.array([[s, np.sqrt(1 - s * s)] for s in similarities], dtype=np.float32)


def list_highlighted(evidence):
    return [scored.sentence.index for scored in evidence.sentences if scored.highlighted]


def score(scorer, embedder, question, *texts, **how):
    vectors = embedder.encode(list(texts))
    return scorer.score(
        question, embedder.encode_question(question), build_sentences(*texts), vectors, "evidence", 0.5, **how
    )


def test_cosine_method_compares_the_cosine_with_the_threshold(scorer):
    evidence = scorer.score("tide", QUESTION, build_sentences("a", "b", "c"), vectors_of(0.7, 0.5, 0.49), "cosine", 0.5)
    assert [round(s.score, 2) for s in evidence.sentences] == [0.7, 0.5, 0.49]
    assert list_highlighted(evidence) == [0, 1]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When is the rent due?", 1),
        ("How much is the rent?", 0),
        ("How can the lease be ended?", 2),
        ("May the tenant keep a dog?", 3),
    ],
)
def test_answering_sentence_has_the_best_score(scorer, embedder, question, answer):
    evidence = score(scorer, embedder, question, *LEASE)
    assert int(np.argmax([s.score for s in evidence.sentences])) == answer


def test_nothing_is_highlighted_in_a_passage_without_an_answer(scorer, embedder):
    assert list_highlighted(score(scorer, embedder, "Who won the football match on Sunday?", *LEASE)) == []


@pytest.mark.parametrize(
    ("question", "texts", "answer"),
    [
        ("合同什么时候终止？", ("本合同自签字之日起生效。", "本合同于2025年12月31日终止。", "租金每月支付。"), 1),
        ("租金何時支付？", ("本合同自签字之日起生效。", "本合同于2025年12月31日终止。", "租金每月一日支付。"), 2),
    ],
)
def test_answering_sentence_has_the_best_score_in_chinese(scorer, embedder, question, texts, answer):
    evidence = score(scorer, embedder, question, *texts)
    assert int(np.argmax([s.score for s in evidence.sentences])) == answer


@pytest.mark.parametrize("method", HIGHLIGHT_METHODS)
def test_heading_is_no_evidence_and_does_not_affect_other_sentences(scorer, method):
    texts = build_sentences("Tides", "They turn at noon.", "Boats wait.")
    evidence = scorer.score(
        "When do tides turn?", QUESTION, texts, vectors_of(0.9, 0.6, 0.1), method, 0.3, heading_indexes={0}
    )
    assert 0 not in list_highlighted(evidence)
    assert evidence.sentences[0].similarity == pytest.approx(0.9)
    assert int(np.argmax([s.score for s in evidence.sentences])) == 1


def test_passage_of_headings_alone_is_scored(scorer):
    evidence = scorer.score(
        "tides", QUESTION, build_sentences("Tides"), vectors_of(0.9), "cosine", 0.5, heading_indexes={0}
    )
    assert list_highlighted(evidence) == [0]


def test_similarity_is_returned_with_the_score(scorer):
    evidence = scorer.score("tide", QUESTION, build_sentences("a", "b"), vectors_of(0.6, 0.3), "evidence", 0.5)
    assert [round(s.similarity, 2) for s in evidence.sentences] == [0.6, 0.3]
    assert all(0.0 <= s.score <= 1.0 for s in evidence.sentences)


@pytest.mark.parametrize("method", HIGHLIGHT_METHODS)
def test_invalid_vectors_highlight_nothing(scorer, method):
    broken = np.array([[np.nan, np.nan], [np.inf, 0.0]], dtype=np.float32)
    evidence = scorer.score("tide", QUESTION, build_sentences("a", "b"), broken, method, 0.5)
    assert list_highlighted(evidence) == []
    assert all(np.isfinite(s.score) and np.isfinite(s.similarity) for s in evidence.sentences)


@pytest.mark.parametrize("method", HIGHLIGHT_METHODS)
def test_passage_without_sentences_has_empty_evidence(scorer, method):
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
def test_any_passage_has_finite_scores(scorer, embedder, question, texts):
    evidence = score(scorer, embedder, question, *texts)
    assert len(evidence.sentences) == len(texts)
    assert all(0.0 <= s.score <= 1.0 and np.isfinite(s.score) for s in evidence.sentences)
    if not question.strip():
        assert list_highlighted(evidence) == []


def test_answer_among_five_hundred_sentences_is_highlighted(scorer, embedder):
    texts = [f"Box {n} holds {n % 7} pairs of grey socks." for n in range(500)]
    texts[321] = "The harbour master signs the permit for night work."
    evidence = score(scorer, embedder, "Who signs the permit for night work?", *texts)
    assert int(np.argmax([s.score for s in evidence.sentences])) == 321
    assert 321 in list_highlighted(evidence)
    assert len(list_highlighted(evidence)) <= 2


def test_identical_sentences_have_the_same_score(scorer, embedder):
    evidence = score(scorer, embedder, "When is the rent due?", *["The rent is due on the first day."] * 3)
    assert len({s.score for s in evidence.sentences}) == 1


def test_repeated_sentence_gets_its_best_score(scorer, embedder):
    """The sentence's last occurrence does not have its best score."""
    question, texts = "When is the rent due?", [LEASE[1], *LEASE, LEASE[1]]
    similar = embedder.encode(texts) @ embedder.encode_question(question)
    alone = scorer.calibration.probabilities(
        compute_features(question, texts, similar), partial(scorer.joint.score_passage, question, texts)
    )
    rows = [row for row, text in enumerate(texts) if text == LEASE[1]]
    assert alone[rows].max() > alone[rows[-1]]
    assert scorer.probabilities(question, texts, similar)[rows] == pytest.approx(alone[rows].max(), abs=1e-4)


def test_features_alone_are_used_when_the_joint_model_cannot_be_loaded(scorer, embedder, tmp_path, caplog):
    scorer_without_joint = EvidenceScorer(scorer.calibration, JointScorer(tmp_path / "nothing here"))
    for _ in range(2):
        evidence = score(scorer_without_joint, embedder, "When is the rent due?", *LEASE)
    assert evidence == score(scorer, embedder, "When is the rent due?", *LEASE, quick=True)
    assert sum("joint model cannot be loaded" in record.message for record in caplog.records) == 1
