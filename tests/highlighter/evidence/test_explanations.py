import pytest

from highlighter.evidence.explanations import explain_evidence
from highlighter.models import Evidence, ScoredSentence, Sentence


def evidence(question, *texts, similarities=()):
    similarities = similarities or [0.5] * len(texts)
    scored = (
        ScoredSentence(Sentence(n, 0, len(t), t), s, s, True)
        for n, (t, s) in enumerate(zip(texts, similarities, strict=True))
    )
    return Evidence(question, tuple(scored), 0.5, "evidence")


def test_shared_words_are_told_as_the_sentence_writes_them():
    (because,) = explain_evidence(
        evidence("Who terminates a contract?", "Terminating the Contract is up to the buyer.")
    )
    assert because.shared == ("Terminating", "Contract")


def test_shared_chinese_is_told_in_stretches():
    (because,) = explain_evidence(evidence("提前終止合同要多少天通知？", "甲方可以提前终止合同。"))
    assert because.shared == ("提前终止合同",)


def test_what_speaks_against_is_told():
    found = explain_evidence(evidence("Is it 30 days?", "It is 60 days.", "It is 30 days.", similarities=[0.4, 0.8]))
    assert "contains other numbers than the question" in found[0].speaks_against
    assert "another sentence is more similar (0.80)" in found[0].speaks_against
    assert "similarity 0.80, the highest in the passage" in found[1].speaks_for


def test_no_sentences_have_no_reasons():
    assert explain_evidence(evidence("Who?")) == []


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
def test_numbers_in_words_are_numbers(question, text):
    (because,) = explain_evidence(evidence(question, text))
    assert "contains a number, as the question asks" in because.speaks_for
    assert "contains no number, which the question asks for" not in because.speaks_against


@pytest.mark.parametrize(
    "text", ["The contents are often written down.", "The seven days are over.", "It is a weighty thing, per contract."]
)
def test_words_that_only_hold_a_number_s_letters_and_the_question_s_own_are_none(text):
    (because,) = explain_evidence(evidence("How many seats after seven days?", text))
    assert "contains no number, which the question asks for" in because.speaks_against
