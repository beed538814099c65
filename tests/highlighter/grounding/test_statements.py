"""Claims split into what they state."""

import pytest

from highlighter.grounding.statements import MAX_STATEMENTS, split_relative_clauses, split_statements


@pytest.mark.parametrize(
    ("claim", "statements"),
    [
        ("Rent is 900 euros, and pets are forbidden.", ["Rent is 900 euros", "pets are forbidden."]),
        ("The Seller pays the freight; the Buyer pays the duties and the insurance.", ["The Seller pays the freight", "the Buyer pays the duties and the insurance."]),
        ("Notice must be given in writing, but the landlord may waive it.", ["Notice must be given in writing", "the landlord may waive it."]),
        ("The lease ends in May while the option remains open.", ["The lease ends in May", "the option remains open."]),
        ("租金每月九百元，而且不准養寵物。", ["租金每月九百元", "不准養寵物。"]),
        ("保固期為兩年；電池除外。", ["保固期為兩年", "電池除外。"]),
    ],
)  # fmt: skip
def test_each_statement_stands_alone(claim, statements):
    assert split_statements(claim) == statements


@pytest.mark.parametrize(
    "claim",
    [
        "",
        "Apples, pears, and plums are sold.",
        "The rent and the deposit are due on 1 May.",
        "Smith and Jones signed the lease.",
        "The ferry is fast but small.",
        "甲方及乙方均已簽署。",
        "; and ; but",
    ],
)
def test_lists_and_asides_are_no_statements(claim):
    assert split_statements(claim) == [claim.strip(" ,，")]


def test_very_long_claim_is_read_as_one():
    claim = " and ".join(f"house {number} is sold" for number in range(MAX_STATEMENTS + 1))
    assert split_statements(claim) == [claim]


@pytest.mark.parametrize(
    ("statement", "parts"),
    [
        ("The ferry, which carries no cars, leaves at seven.", ["The ferry leaves at seven.", "The ferry carries no cars."]),
        ("Ms Okoro, who is the Engineer, replies within a week.", ["Ms Okoro replies within a week.", "Ms Okoro is the Engineer."]),
        ("The lease ends in May, which is a month of rain.", ["The lease ends in May.", "It is a month of rain."]),
        ("It is signed by the tenants, who must live in the flat.", ["It is signed by the tenants.", "They must live in the flat."]),
        ("The tenant who lives there pays.", ["The tenant who lives there pays."]),
        ("The flat, which the tenant rents, has two rooms.", ["The flat, which the tenant rents, has two rooms."]),
    ],
)  # fmt: skip
def test_relative_clause_between_commas_is_a_statement(statement, parts):
    assert split_relative_clauses(statement) == parts
