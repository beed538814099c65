"""Checking quotations of an answer against their source."""

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
def test_verbatim_quote_is_verified(quote):
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
def test_altered_quote_is_reported_with_the_difference(quote, why):
    check = check_quote(quote, SOURCE)
    assert check.state in (ALTERED, NOT_FOUND)
    assert why in check.why


def test_quote_that_stops_beside_a_restriction_is_altered_unless_the_answer_says_it():
    source = "Dogs are allowed in the bar unless a guest objects. In summer, dogs are allowed in the garden."
    check = check_quote("Dogs are allowed in the bar", source)
    assert (check.state, check.why) == (ALTERED, "The quote leaves out “unless a guest objects”.")
    assert check_quote("Dogs are allowed in the bar", source, "except if somebody objects").state == VERIFIED
    assert check_quote("dogs are allowed", source).state == VERIFIED  # as it stands in the second sentence


def test_check_contains_the_changed_segments():
    differs = check_quote("the Contractor pays delay damages of £4,300", SOURCE).differs
    assert [(segment.ours, segment.theirs) for segment in differs if segment.kind != "same"] == [("£4,300", "£4,200")]


def test_invented_quote_is_not_found():
    assert check_quote("The moon is made of green cheese and of nothing else", SOURCE).state == NOT_FOUND


def test_quotations_have_their_spans():
    answer = 'It says “pays delay damages” and "replies within a week", of a "so-called" 「合同期限届满」.'
    quotations = find_quotations(answer)
    assert [quotation.text for quotation in quotations] == [
        "pays delay damages",
        "replies within a week",
        "合同期限届满",
    ]
    assert all(answer[quotation.start : quotation.end] == quotation.text for quotation in quotations)


@pytest.mark.parametrize(
    ("answer", "quotations"),
    [
        ("Er sagt „zahlt jeden Tag Verzugszinsen“ und „antwortet binnen einer Woche“.",
         ["zahlt jeden Tag Verzugszinsen", "antwortet binnen einer Woche"]),
        ("Er sagt »zahlt jeden Tag Verzugszinsen« und »antwortet binnen einer Woche«.",
         ["zahlt jeden Tag Verzugszinsen", "antwortet binnen einer Woche"]),
        ("Er sagt ‚zahlt jeden Tag Verzugszinsen‘ und ›antwortet binnen einer Woche‹.",
         ["zahlt jeden Tag Verzugszinsen", "antwortet binnen einer Woche"]),
        ("Il dit « paie chaque jour de retard » et «\u202frépond dans une semaine\u202f» ‹dans un délai de sept jours›.",
         ["paie chaque jour de retard", "répond dans une semaine", "dans un délai de sept jours"]),
        ("Umowa mówi „płaci za każdy dzień” i „odpowiada w ciągu tygodnia”.",
         ["płaci za każdy dzień", "odpowiada w ciągu tygodnia"]),
        ("Avtalet säger ”betalar för varje dag” och ”svarar inom en vecka”.",
         ["betalar för varje dag", "svarar inom en vecka"]),
        ("契約は『遅延損害金を毎日支払う』、〝一週間以内に回答する〟と﹁期限の前には何も払わない﹂。",
         ["遅延損害金を毎日支払う", "一週間以内に回答する", "期限の前には何も払わない"]),
        ("It pays” for each day and “replies within a week” to “every single letter of it”.",
         ["replies within a week", "every single letter of it"]),
    ],
)  # fmt: skip
def test_quotations_are_found_in_the_marks_of_each_language(answer, quotations):
    assert [quotation.text for quotation in find_quotations(answer)] == quotations
    assert all(answer[found.start : found.end] == found.text for found in find_quotations(answer))
