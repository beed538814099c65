"""Tests of whether a question quotes a document, or only speaks of the same thing."""

import pytest

from highlighter.store.answer_records import repeats_any_text

TEXT = "6.4 For each day from the Completion Date until\nCompletion the Contractor pays delay damages of £4,200."
CHINESE = "承建商須在工程竣工日期前三十天內以書面通知主任工程師。"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What does “completion the contractor pays delay damages” mean?", TEXT),
        ("FOR EACH DAY, FROM THE COMPLETION?", TEXT),
        ("「竣工日期前三十天內以書面通知」是什麼意思？", CHINESE),
        ("竣工日期前三十天内以书面通知", CHINESE),
    ],
)
def test_long_run_of_same_words_is_quotation(question, text):
    assert repeats_any_text(question, [text])


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How much does the Contractor pay for each day of delay?", TEXT),
        ("Who pays delay damages?", TEXT),
        ("", TEXT),
        ("", ""),
        ("何時要書面通知主任工程師？", CHINESE),
    ],
)
def test_question_in_own_words_is_no_quotation(question, text):
    assert not repeats_any_text(question, [text])
