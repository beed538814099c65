"""Quantities in other units: equal ones have a key in common, others have none."""

import re

import pytest

from highlighter.grounding.equal_quantities import EQUAL
from highlighter.grounding.wording import parse_wording


def list_keys(text):
    return {key for key in parse_wording(text).keys if key.startswith(EQUAL) or re.fullmatch(r"m\d+", key)}


@pytest.mark.parametrize(
    "texts",
    [
        ("two weeks", "fourteen days", "14天", "两周", "336 hours"),
        ("two years", "24 months", "二十四个月", "zwei Jahre"),
        ("60 per cent", "three fifths", "六成", "百分之六十", "600‰"),
        ("in May and September", "五月及九月", "5月至9月"),
        ("90 minutes", "1.5 hours", "一点五小时"),
    ],
)
def test_equal_quantities_have_the_same_keys(texts):
    first, *others = map(list_keys, texts)
    assert first
    assert all(keys == first for keys in others)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("one month", "30 days"),
        ("ten working days", "ten days"),
        ("10个工作日", "10天"),
        ("five months", "in May"),
        ("60 pounds", "60 per cent"),
        ("五个月", "五月"),
    ],
)
def test_other_quantities_have_no_key_in_common(text, other):
    assert not list_keys(text) & list_keys(other)
