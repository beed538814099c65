"""The question reader as it is carried, and where it reads. How good it is, `make bench-evidence` says."""

import hashlib

import numpy as np
import pytest

from highlighter.evidence.calibration import load_calibration
from highlighter.evidence.joint_model import JointScorer
from highlighter.evidence.question_reader import (
    READER_FILE,
    UNREAD,
    QuestionReader,
    combine_with_prior,
    is_read_by_words_alone,
)
from highlighter.evidence.scorer import EvidenceScorer

GERMAN = (
    "Die Haltung von Hunden ist nicht erlaubt.",
    "Der Mieter überweist 900 Euro bis zum dritten Werktag.",
    "Das Haus hat einen Garten.",
)
QUESTION = "Wie viel kostet die Wohnung im Monat?"


@pytest.fixture(scope="module")
def reader():
    return QuestionReader()


def test_carried_file_is_the_one_that_the_card_names():
    sha256 = hashlib.sha256(READER_FILE.read_bytes()).hexdigest()
    assert sha256 in (READER_FILE.parent / "CARD.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("question", "texts", "best"),
    [
        (QUESTION, GERMAN, 1),
        ("¿Se puede tener un perro?", ("El jardín está detrás.", "Las mascotas están prohibidas en el piso."), 1),
        ("Когда открыт музей?", ("Музей работает с десяти до шести.", "Билет стоит пять рублей."), 0),
    ],
)
def test_answer_without_a_shared_word_is_found(reader, question, texts, best):
    assert reader.read(question, texts, np.zeros(len(texts))).argmax() == best


def test_passage_of_a_language_that_the_joint_model_has_not_learned_is_known():
    assert is_read_by_words_alone(GERMAN)
    assert not is_read_by_words_alone(["The rent is due on the third day."])
    assert not is_read_by_words_alone(["租金在每月三日前繳付。"])
    assert not is_read_by_words_alone(["2025", "12 %"])


def test_long_passage_is_read_in_part(reader):
    texts = [f"{number}. " + "Der Garten liegt hinter dem Haus. " * 4 for number in range(30)]
    margins = reader.read(QUESTION, texts, np.linspace(0, 1, 30))
    assert margins[0] == UNREAD
    assert margins[-1] > UNREAD


def test_missing_model_leaves_the_scores_to_the_others(tmp_path, embedder, caplog):
    calibration = load_calibration(embedder.name, tmp_path)
    similarities = embedder.encode(GERMAN) @ embedder.encode_question(QUESTION)
    without, missing = (
        EvidenceScorer(calibration, JointScorer(), reader=reader)
        for reader in (None, QuestionReader(tmp_path / "none.onnx"))
    )
    expected = without.rate_sentences(QUESTION, GERMAN, similarities)
    for _ in range(2):
        assert missing.rate_sentences(QUESTION, GERMAN, similarities).tolist() == expected.tolist()
    assert caplog.text.count("question reader cannot be loaded") == 1


def test_reader_decides_and_the_prior_tells_ties_apart():
    scores = combine_with_prior(np.array([4.0, -4.0, 0.0, 0.0]), np.array([0.1, 0.9, 0.2, 0.6]))
    assert scores[0] > 0.5 > scores[1]
    assert scores[3] > scores[2]
