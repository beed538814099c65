"""Confidences of recognised words are stored compactly, and summed up for any span of the text."""

from __future__ import annotations

import pytest

from highlighter.store.word_confidences import RecognisedSpan, WordConfidences

WORDS = WordConfidences((RecognisedSpan(10, 14, 90), RecognisedSpan(15, 17, 40), RecognisedSpan(30, 40, 100)))


@pytest.mark.parametrize("words", [WORDS, WordConfidences()])
def test_stored_words_are_read_back(words):
    assert WordConfidences.from_text(words.to_text()) == words


def test_words_take_few_bytes():
    words = WordConfidences(tuple(RecognisedSpan(6 * n, 6 * n + 5, 90 + n % 7) for n in range(10_000)))
    assert len(words.to_text()) < 10_000


@pytest.mark.parametrize(
    ("start", "end", "mean"),
    [(0, 10, None), (10, 14, 0.9), (10, 17, (4 * 90 + 2 * 40) / 600), (12, 16, (2 * 90 + 40) / 300), (17, 30, None)],
)
def test_mean_counts_the_letters_of_a_span(start, end, mean):
    assert WORDS.mean(start, end) == (mean if mean is None else pytest.approx(mean))


def test_words_below_the_limit_are_doubtful():
    assert WORDS.doubtful_spans(0, 50) == [RecognisedSpan(15, 17, 40)]
    assert WORDS.doubtful_spans(17, 50) == []
