"""The explanations of why sentences are highlighted or not."""

import pytest

from highlighter.evidence.explanations import explain_evidence
from highlighter.models import Evidence, ScoredSentence, Sentence


def build_evidence(question, *texts, similarities=()):
    similarities = similarities or [0.5] * len(texts)
    scored = (
        ScoredSentence(Sentence(n, 0, len(t), t), s, s, True)
        for n, (t, s) in enumerate(zip(texts, similarities, strict=True))
    )
    return Evidence(question, tuple(scored), 0.5, "evidence")


def test_shared_words_are_listed_as_the_sentence_writes_them():
    (explanation,) = explain_evidence(
        build_evidence("Who terminates a contract?", "Terminating the Contract is up to the buyer.")
    )
    assert explanation.shared == ("Terminating", "Contract")


def test_shared_chinese_characters_are_listed_as_runs():
    (explanation,) = explain_evidence(build_evidence("提前終止合同要多少天通知？", "甲方可以提前终止合同。"))
    assert explanation.shared == ("提前终止合同",)


def test_explanation_lists_reasons_against_a_sentence():
    explanations = explain_evidence(
        build_evidence("Is it 30 days?", "It is 60 days.", "It is 30 days.", similarities=[0.4, 0.8])
    )
    assert "contains other numbers than the question" in explanations[0].speaks_against
    assert "another sentence is more similar (0.80)" in explanations[0].speaks_against
    assert "similarity 0.80, the highest in the passage" in explanations[1].speaks_for


def test_evidence_without_sentences_has_no_explanations():
    assert explain_evidence(build_evidence("Who?")) == []


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How much is due on a written notice?", "Delay damages stop at ten per cent of the prices."),
        ("How many days are there often?", "There are sixteen."),
        ("How many seats?", "There are Ninety seats."),
        ("多少人？", "委員共廿三人。"),
        ("How many days?", "It takes 3 days."),
    ],
)
def test_number_words_count_as_numbers(question, text):
    (explanation,) = explain_evidence(build_evidence(question, text))
    assert "contains a number, as the question asks" in explanation.speaks_for
    assert "contains no number, which the question asks for" not in explanation.speaks_against


@pytest.mark.parametrize(
    "text", ["The contents are often written down.", "The seven days are over.", "It is a weighty thing, per contract."]
)
def test_words_containing_a_number_word_and_the_questions_own_numbers_do_not_count(text):
    (explanation,) = explain_evidence(build_evidence("How many seats after seven days?", text))
    assert "contains no number, which the question asks for" in explanation.speaks_against


def test_sentence_in_another_language_is_explained_by_its_meaning_alone():
    texts = ("Der Mieter zahlt bis zum dritten Werktag die Miete.", "Die Haltung von Hunden ist nicht erlaubt.")
    first, second = explain_evidence(build_evidence("When is the rent due in 2025?", *texts, similarities=[0.6, 0.3]))
    meaning = "in another language than the question, so only the meaning counts"
    assert first.speaks_for == ("similarity 0.60, the highest in the passage", meaning)
    assert second.speaks_against == ("another sentence is more similar (0.60)",)
    assert first.shared == second.shared == first.speaks_against == ()
