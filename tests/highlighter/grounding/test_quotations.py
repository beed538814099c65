"""An answer's quotations beside their source."""

import pytest

from highlighter.grounding.quotations import ALTERED, NOT_FOUND, VERIFIED, check_quote, find_quotations

SOURCE = (
    "6.4 For each day from the Completion Date until Completion the Contractor pays delay damages of £4,200. The Engineer "
    "replies within a week. Nothing is owed before the Completion Date, and the Contractor shall not work at night."
)


@pytest.mark.parametrize(
    "quote",
    [
        "the Contractor pays delay damages of £4,200",
        "THE CONTRACTOR PAYS DELAY DAMAGES OF £4,200.",
        "For each day … the Contractor pays delay damages",
        "Nothing is owed [...] and the Contractor shall not work at night",
        "pays delay damages of £4,200. The Engineer replies within a week.",
        "“[t]he Engineer replies within a week”",
        "The Engineer\nreplies within a week. Nothing is owed before the Comple-\ntion Date",
    ],
)
def test_a_true_quote_is_verified(quote):
    assert check_quote(quote, SOURCE).state == VERIFIED


@pytest.mark.parametrize(
    ("quote", "why"),
    [
        ("the Contractor pays delay damages of £4,300", "£4,300"),
        ("the Contractor shall work at night", "“not”"),
        ("the Contractor pays damages of £4,200", "delay"),
        ("For each day from the Completion Date until Completion the Contractor pays delay damages of £4,200. Nothing is"
         " owed before the Completion Date", "are not consecutive"),
        ("the Contractor shall not work at night … For each day from the Completion Date", ""),
    ],
)  # fmt: skip
def test_an_altered_quote_is_told_with_what_differs(quote, why):
    compared = check_quote(quote, SOURCE)
    assert compared.state in (ALTERED, NOT_FOUND)
    assert why in compared.why


def test_the_difference_is_kept_piece_by_piece():
    differs = check_quote("the Contractor pays delay damages of £4,300", SOURCE).differs
    assert [(p.ours, p.theirs) for p in differs if p.kind != "same"] == [("£4,300", "£4,200")]


def test_what_no_source_says_is_not_found():
    assert check_quote("The moon is made of green cheese and of nothing else", SOURCE).state == NOT_FOUND


def test_quotations_are_found_with_their_place():
    answer = 'It says “pays delay damages” and "replies within a week", of a "so-called" 「合同期限届满」.'
    found = find_quotations(answer)
    assert [one.text for one in found] == ["pays delay damages", "replies within a week", "合同期限届满"]
    assert all(answer[one.start : one.end] == one.text for one in found)
