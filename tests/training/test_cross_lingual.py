"""Training of the maps across languages: our own questions, and the fitting."""

from collections import Counter

import numpy as np
import pytest

from highlighter.embedding.cross_lingual import CrossLingualMap
from training.cross_lingual import fitting
from training.cross_lingual.fitting import Statement, fit_token_map, fit_vector_map
from training.cross_lingual.question_lessons import WEIGHED_PARTS, read_question_lessons
from training.lesson_purposes import LEARNED, MEASURED, WEIGHED, choose_purpose

pytestmark = pytest.mark.integrations


@pytest.fixture(scope="module")
def lessons():
    return {purpose: list(read_question_lessons(purpose)) for purpose in (LEARNED, WEIGHED, MEASURED)}


def test_lessons_are_whole_and_each_text_serves_one_purpose(lessons):
    texts = Counter()
    for purpose, of_purpose in lessons.items():
        for lesson in of_purpose:
            assert lesson.question.strip()
            assert lesson.answered_by <= set(range(len(lesson.sentences)))
            assert choose_purpose(lesson.text_id, WEIGHED_PARTS) == purpose
        texts[purpose] = len({lesson.text_id for lesson in of_purpose})
    assert texts[LEARNED] > 5 * texts[WEIGHED] > 200
    assert texts[MEASURED] > 40


def test_most_questions_are_in_another_language_and_some_have_no_answer(lessons):
    learned = lessons[LEARNED]
    assert 0.7 < sum(lesson.is_crossed for lesson in learned) / len(learned) < 0.9
    assert 0.15 < sum(not lesson.answered_by for lesson in learned) / len(learned) < 0.25
    pairs = Counter((lesson.language[:2], lesson.question_language[:2]) for lesson in learned if lesson.is_crossed)
    assert all(pairs[pair] >= 20 for pair in (("en", "zh"), ("zh", "en"), ("ar", "zh"), ("hi", "de"), ("es", "ru")))


@pytest.fixture
def small(monkeypatch):
    """Use vectors of eight numbers and few steps."""
    sizes = {"VECTOR_SIZE": 8, "VECTOR_STEPS": 60, "TOKEN_STEPS": 250, "LEARNING_RATE": 0.05, "VECTOR_BATCH": 16}
    for name, value in {**sizes, "TOKEN_BATCH": 4, "OTHER_SENTENCES": 0}.items():
        monkeypatch.setattr(fitting, name, value)


def make_turned_rows(count):
    """Return rows, and the same rows in a space that is turned against theirs."""
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(count, 8)).astype(np.float32)
    turn, _ = np.linalg.qr(rng.normal(size=(8, 8)))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows, (rows @ turn).astype(np.float32)


def test_map_of_vectors_turns_questions_towards_their_sentences(small):
    questions, sentences = make_turned_rows(40)
    statements = [Statement(row, "en", (row,)) for row in range(40)]
    matrix = fit_vector_map(questions, statements, statements, sentences, np.array(["de"] * 40))

    def count_right(rows):
        return ((rows @ sentences.T).argmax(axis=1) == np.arange(40)).sum()

    assert count_right(questions @ matrix) > 2 * count_right(questions)


def test_sentences_in_the_language_of_the_question_do_not_compete(small):
    questions, sentences = make_turned_rows(10)
    languages = np.array(["de"] * 10 + ["en"] * 10)
    statements = [Statement(row, "en", (row,)) for row in range(10)]
    crowded = fit_vector_map(questions, statements, statements, np.concatenate([sentences, questions]), languages)
    alone = fit_vector_map(questions, statements, statements, sentences, languages[:10])
    assert crowded == pytest.approx(alone, abs=1e-4)


def test_map_of_tokens_learns_which_tokens_tell_sentences_apart(small):
    """The first token of each question is said by the right sentence, in the turned space; the second by all."""
    questions, sentences = make_turned_rows(9)
    common = questions[8]
    examples = [
        (np.stack([questions[row], common]), [np.stack([sentences[other], sentences[8]]) for other in range(8)], [row])
        for row in range(8)
    ]
    matrix, weights = fit_token_map(examples)

    def count_right(maps):
        return sum(
            int(maps.compare_tokens(tokens, offered).argmax()) in answered_by
            for tokens, offered, answered_by in examples
        )

    learned = CrossLingualMap(matrix, matrix, weights)
    assert count_right(learned) >= 4 > count_right(CrossLingualMap(matrix, np.eye(8), np.zeros(8)))
    assert (questions[:8] @ weights).mean() > common @ weights
