"""Questions in one language about documents in another: the table is well formed, and a few of them are asked."""

from __future__ import annotations

from collections import Counter

from bench.evidence.language_questions import LANGUAGES_FOLDER, ingest_documents, measure_questions, read_questions
from highlighter.text.language import detect_language

QUESTIONS = read_questions()
# One question of each of these languages about each of these documents.
DOCUMENTS = ("ferry_notice.zh-Hant", "tea_garden.hi", "bicycle_rental.en")
LANGUAGE_PAIRS = {
    ("en", DOCUMENTS[0]),
    ("es", DOCUMENTS[0]),
    ("zh-Hans", DOCUMENTS[1]),
    ("ar", DOCUMENTS[1]),
    ("fr", DOCUMENTS[2]),
}


def test_each_language_asks_and_is_asked_about_five_times_and_is_detected():
    assert set(Counter(question.asked_in for question in QUESTIONS).values()) == {5}
    assert set(Counter(question.document for question in QUESTIONS).values()) == {5}
    for question in QUESTIONS:
        text = (LANGUAGES_FOLDER / f"{question.document}.txt").read_text(encoding="utf-8")
        assert text.count(question.answer_words) == 1, question
        assert detect_language(text) == question.document.rpartition(".")[2]
        assert detect_language(question.question) == question.asked_in != detect_language(text)


def test_question_finds_document_in_another_language_and_highlights_and_cites_its_sentence(services):
    ingest_documents(services, DOCUMENTS)
    questions = [question for question in QUESTIONS if (question.asked_in, question.document) in LANGUAGE_PAIRS]
    outcomes = list(measure_questions(services, questions))
    assert len(outcomes) == 5
    assert [outcome.question.question for outcome in outcomes if not (outcome.is_right and outcome.is_cited)] == []
    assert all(outcome.is_best for outcome in outcomes)
