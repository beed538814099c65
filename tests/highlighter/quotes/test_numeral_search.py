"""Quotes whose numbers the text writes in another form."""

from __future__ import annotations

import pytest

from highlighter.quotes.matcher import find_closest_match, match_quote
from highlighter.quotes.normal_form import ComparableText
from highlighter.quotes.numeral_search import find_numeral_spans

TEXT = """\
The Client pays the Contractor fifty thousand euros within thirty (30) days of the notice of 5 March 2024.
The interest on late payments is 5 per cent a year, and at most €1.2 million. Clause 5.10 applies from 31 December.

租客須於三十天內繳付一萬元，並須於二零二四年三月五日前，即十二月三十一日之後，通知業主。利率為百分之五。合同自2024年6月1日起生效，為期15天。
"""


@pytest.mark.parametrize(
    ("quote", "matched"),
    [
        ("The Client pays the Contractor 50,000 euros within 30 days", "The Client pays the Contractor fifty thousand euros within thirty (30) days"),
        ("pays the Contractor €50,000 within thirty days", "pays the Contractor fifty thousand euros within thirty (30) days"),
        ("the notice of March 5, 2024", "the notice of 5 March 2024"),
        ("interest on late payments is 5% a year", "interest on late payments is 5 per cent a year"),
        ("interest on late payments is five percent a year, and at most 1,200,000 euros", "interest on late payments is 5 per cent a year, and at most €1.2 million"),
        ("租客須於30天內繳付10,000元", "租客須於三十天內繳付一萬元"),
        ("租客须于３０天内缴付１００００元", "租客須於三十天內繳付一萬元"),
        ("並須於2024年3月5日前，即12月31日之後", "並須於二零二四年三月五日前，即十二月三十一日之後"),
        ("利率為5%", "利率為百分之五"),
        ("合同自二〇二四年六月一日起生效，為期十五天", "合同自2024年6月1日起生效，為期15天"),
    ],
)  # fmt: skip
def test_other_form_of_a_number_is_a_normalised_match(quote, matched):
    match = match_quote(TEXT, quote)
    assert match
    assert (match.tier, TEXT[match.start : match.end]) == ("normalised", matched)


@pytest.mark.parametrize(
    "quote",
    [
        "The Client pays the Contractor 15,000 euros within 30 days",
        "The Client pays the Contractor 50,000 pounds within 30 days",
        "interest on late payments is 15% a year, and at most 1,200,000 euros",
        "Clause 5.1 applies from December 31",
        "租客須於十三天內繳付一萬元",
        "並須於2024年3月6日前，即12月31日之後，通知業主",
        "合同自二〇二四年六月一日起生效，為期五天",
    ],
)
def test_other_number_is_no_match_in_any_form(quote):
    match = find_closest_match(TEXT, quote)
    assert match is None or (match.tier, match.reason) == ("none", "number")


def test_typing_errors_beside_another_form_of_a_number_are_a_fuzzy_match():
    match = match_quote(TEXT, "The Client pays teh Contractor 50,000 euros within thirty (30) days of the notise")
    assert match.tier == "fuzzy"


def test_every_occurrence_in_another_form_is_found_in_order():
    text = "Within thirty days. Within 30 days. Within 130 days. Within 30.5 days. WITHIN THIRTY (30) DAYS."
    spans = find_numeral_spans(ComparableText(text), "within 30 days")
    assert [text[start:end] for start, end in spans] == [
        "Within thirty days",
        "Within 30 days",
        "WITHIN THIRTY (30) DAYS",
    ]
