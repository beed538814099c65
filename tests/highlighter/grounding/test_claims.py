"""Which sentences of an answer claim something."""

import pytest

from highlighter.grounding.claims import extract_claims
from tests.properties import given, st

ANSWER = """\
# Payment terms

Hello! Here is what the sources say:

- **Payment** is due within 14 days [NEC4 ACC, p.3].
- The Contractor pays £4,200 a day¹ for delay. [[Contract]]
1. What about tax?
The sources do not mention tax. Would you like more?
工程师应在七天内回复【合同, 第3頁】。文件中没有提到税款。

Sources:
[1] NEC4 ACC.pdf, page 3
[2] Contract.pdf

Let me know if you have questions."""


def texts(answer, marks=None):
    return [claim.text for claim in extract_claims(answer, marks)]


def test_only_sentences_that_claim_something_are_claims():
    assert texts(ANSWER) == [
        "Payment is due within 14 days.",
        "The Contractor pays £4,200 a day for delay.",
        "工程师应在七天内回复。",
    ]


def test_a_claim_stands_where_its_offsets_say():
    first, second, _ = extract_claims(ANSWER)
    assert ANSWER[first.start : first.end] == "**Payment** is due within 14 days [NEC4 ACC, p.3]."
    assert ANSWER[second.start : second.end] == "The Contractor pays £4,200 a day¹ for delay."


@pytest.mark.parametrize(
    "nothing",
    [
        "What is due?", "Hi there!", "Thank you.", "I'm not sure.", "It depends on the contract.", "合同什么时候到期？",
        "I could not find an answer.", "No relevant sources found.", "The documents do not say when.", "无法回答这个问题。",
        "Please consult a lawyer.", "## Notice and payment", "**Notice and payment**", "The deadlines are:", "", " \n ",
        "Sources: Contract.pdf, page 3; Annex.pdf", "References\n- Contract of sale.pdf\n- Annex to the contract.pdf",
        "[^1]: Contract of sale, page 3", "```\nthe total equals the sum\n```",
    ],
)  # fmt: skip
def test_what_claims_nothing_is_no_claim(nothing):
    assert texts(nothing) == []


def test_what_comes_after_a_list_of_sources_is_read_again():
    answer = "The fee is £5.\n\nSources:\n- a.pdf\n\nThe term ends in March."
    assert texts(answer) == ["The fee is £5.", "The term ends in March."]


def test_marks_given_are_cut_out_and_others_are_left():
    answer = "Payment is due (see A) in [14] days."
    assert texts(answer, [(15, 22)]) == ["Payment is due in [14] days."]


def test_brackets_that_held_nothing_but_marks_are_cut_out_with_them():
    answer = "The ferry costs four pounds [Fares; Times] each way (a)."
    assert texts(answer, [(29, 34), (36, 41)]) == ["The ferry costs four pounds each way (a)."]


def test_rows_of_a_table_are_claims_and_its_head_is_none():
    answer = "| Route | Fare |\n|:---|---:|\n| North pier | four pounds [1] |\n| South pier | five pounds |\n"
    assert texts(answer) == ["North pier, four pounds", "South pier, five pounds"]


def test_a_raised_number_begins_a_claim_or_a_note_of_one():
    assert texts("¹ The ferry costs four pounds.") == ["The ferry costs four pounds."]
    assert texts("The ferry costs four pounds.¹\n\n¹ Fares and times, page 2") == ["The ferry costs four pounds."]


@given(st.text(max_size=400), st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400)), max_size=5))
def test_any_text_is_read_and_offsets_lie_in_it(answer, marks):
    for claim in extract_claims(answer, [(a, b) for a, b in marks if a <= b <= len(answer)]):
        assert 0 <= claim.start < claim.end <= len(answer)
