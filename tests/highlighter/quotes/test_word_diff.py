"""Tests of the differences between two wordings, as they are shown."""

from __future__ import annotations

import pytest

from highlighter.quotes.word_diff import ADDED, CHANGED, SAME, diff_words, merge_numbers


@pytest.mark.parametrize(
    ("quote", "text", "differences"),
    [
        ("早餐每份15元。", "早餐每份十五元。", [(CHANGED, "15", "十五")]),
        ("早餐每份十五元。", "早餐每份15元。", [(CHANGED, "十五", "15")]),
        ("早餐每份15元。", "早餐每份十六元。", [(CHANGED, "15", "十六")]),
        ("午餐20元，早餐15元。", "午餐二十元，早餐十五元。", [(CHANGED, "20", "二十"), (CHANGED, "15", "十五")]),
        ("It pays 50,000 pounds.", "It pays fifty thousand pounds.", [(CHANGED, "50,000", "fifty thousand")]),
        ("It pays 50 pounds.", "It always pays 50 pounds.", [(ADDED, "", "always")]),
    ],
)
def test_number_in_another_form_is_one_difference(quote, text, differences):
    segments = merge_numbers(diff_words(quote, text))
    assert [(one.kind, one.ours, one.theirs) for one in segments if one.kind != SAME] == differences
