"""The words in which a claim differs from a sentence."""

import pytest

from highlighter.grounding.differences import find_difference
from highlighter.grounding.wording import parse_wording


@pytest.mark.parametrize(
    ("claim", "source", "why"),
    [
        ("The Buyer pays the Seller within a week.", "The Seller pays the Buyer within a week.", "“Seller … Buyer” where the claim says “Buyer … Seller”"),
        ("The request was approved by the board.", "The request was rejected by the board.", "“rejected” where the claim says “approved”"),
        ("The tenant pays the water bill.", "The landlord pays the water bill.", "“landlord” where the claim says “tenant”"),
        ("甲方應支付運費。", "乙方應支付運費。", "“乙方” where the claim says “甲方”"),
    ],
)  # fmt: skip
def test_exchanged_words_are_named(claim, source, why):
    difference = find_difference(parse_wording(claim), parse_wording(source))
    assert difference.why == f"The source says {why}."
    assert len(difference.claim_spans) == len(difference.source_spans)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Pets are welcome.", "The lease ends on 31 May after five years."),
        ("The tenant pays the water bill.", "The tenant pays the water bill."),
        ("The tenant pays.", "The tenant pays the water bill."),
        ("", "The tenant pays."),
    ],
)
def test_nothing_is_named_where_the_wordings_cannot_be_compared(claim, source):
    assert find_difference(parse_wording(claim), parse_wording(source)) is None
