"""Folding of characters."""

import pytest

from highlighter.text.characters import fold
from highlighter.text.terms import extract_terms
from tests.properties import given, st


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("Delay", "delay"),
        ("開發合約", "开发合约"),
        ("１４ｄａｙｓ", "14days"),
        ("“It’s” – so", '"it\'s" - so'),
        ("ÉCOLE", "école"),
        ("ﬁne print", "ﬁne print"),
        ("İstanbul", "İstanbul"),
        ("a\ud800b", "a\ufffdb"),
        ("٣٠ ३० ๓๐ ۳۰ ３０", "30 30 30 30 30"),
        ("٠٫٥٪ ١٬٠٠٠", "0.5% 1,000"),
    ],
)
def test_different_spellings_have_the_same_folded_text(written, folded):
    assert fold(written) == folded


@given(st.text(st.characters()))
def test_folding_keeps_the_length(text):
    assert len(fold(text)) == len(text)


@given(st.text(alphabet=st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF)))
def test_folding_chinese_twice_equals_folding_once(text):
    assert fold(fold(text)) == fold(text)


def test_traditional_and_simplified_words_have_the_same_terms():
    assert extract_terms("終止條款") == extract_terms("终止条款")
