"""The terms of a text: numbers are found in each of their forms."""

import pytest

from highlighter.text.terms import extract_indexed_terms, extract_search_terms


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("30 days", "租客須於三十天內付款"),
        ("三十天", "within thirty days"),
        ("10000", "The fee is 10,000 pounds"),
        ("fifty thousand", "50,000 euros"),
        ("二零二四年三月五日", "on 5 March 2024"),
        ("第32條", "第三十二條"),
        ("30 يوما", "خلال ٣٠ يوما"),
        ("३० दिन", "30 days"),
        ("30 Tage", "innerhalb von dreißig Tagen"),
    ],
)
def test_number_of_query_is_among_the_indexed_terms_of_its_other_form(query, text):
    numbers = {term for term in extract_search_terms(query) if term.isdigit()}
    assert numbers
    assert numbers <= set(extract_indexed_terms(text))


@pytest.mark.parametrize("text", ["一般情況下", "十分重要", "one of them", "統一安排", "zwei von ihnen", "三四天"])
def test_words_that_hold_a_numeral_are_no_numbers(text):
    assert not [term for term in extract_search_terms(text) if term.isdigit()]
