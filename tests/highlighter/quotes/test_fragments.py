"""Quotes that leave words out: where their fragments are found, what they leave out, and when that alters the meaning."""

from __future__ import annotations

import pytest

from highlighter.quotes.matcher import find_closest_match, list_changes, match_quote
from tests.properties import given, settings, st

TEXT = """\
5.4 In no event shall Client be liable to any third party for losses, damages or costs of whatever kind that arise from
compliance with this Section 5.4. The Contractor shall not work at night near the harbour. The Client, who is not a bank,
pays the Contractor 5,000 pounds for each day of delay. It does so within 14 days. The tenant may sublet the flat only if
the owner agrees in writing. A copy of the register of tenants is available in the office of the harbour master at any time.

The licensor grants the licensee a right to use the marks. The desk is open on Sundays and on every day of rest.

員工食堂每日開放，時間為上午七時至九時，逾時不候。租客須於每月首日繳付租金，並須保持單位清潔，不得飼養狗隻。
"""


def locate(quote):
    """Return the tier and the fragments that a quote is located at."""
    match = match_quote(TEXT, quote)
    return (
        (match.tier, [TEXT[start:end] for start, end in match.spans or [(match.start, match.end)]]) if match else None
    )


IN_NO_EVENT = ["In no event shall Client", "compliance with this Section 5.4"]


@pytest.mark.parametrize(
    ("quote", "fragments"),
    [
        *((f"In no event shall Client{dots}compliance with this Section 5.4.", IN_NO_EVENT)
          for dots in (" ... ", "... ", "…", " [...] ", " […] ", " (...) ", " . . . ", " …… ", " [ … ] ", " ⋯ ")),
        ("… In no event shall Client … compliance with this Section 5.4 …", IN_NO_EVENT),
        ("[The clause says:] In no event shall Client ... compliance with this Section 5.4.", IN_NO_EVENT),
        ("In no event shall [the Buyer] be liable to any third party", ["In no event shall", "be liable to any third party"]),
        ("In no event shall Client ... losses … costs of whatever kind", ["In no event shall Client", "losses", "costs of whatever kind"]),
        ("In no event shall Clent be liabel to any third party ... compliance with this Section 5.4", ["In no event shall Client be liable to any third party", "compliance with this Section 5.4"]),
        ("The Contractor shall not work ... pays the Contractor 5,000 pounds", ["The Contractor shall not work", "pays the Contractor 5,000 pounds"]),
        ("The Client … pays the Contractor 5,000 pounds", ["The Client", "pays the Contractor 5,000 pounds"]),
        ("員工食堂每日開放……逾時不候", ["員工食堂每日開放", "逾時不候"]),
        ("員工食堂每日開放（……）逾時不候", ["員工食堂每日開放", "逾時不候"]),
        ("The Contractor shall not work at night near the harbour. It does so within 14 days.",
         ["The Contractor shall not work at night near the harbour.", "It does so within 14 days."]),
    ],
)  # fmt: skip
def test_quote_that_leaves_words_out_is_a_fuzzy_match_with_its_fragments(quote, fragments):
    tier, found = locate(quote)
    assert (tier, [fragment.rstrip(".") for fragment in found]) == ("fuzzy", [words.rstrip(".") for words in fragments])


@pytest.mark.parametrize(
    "quote",
    [
        "[T]he Contractor shall not work at night near the harbour",
        "[t]he contractor shall not work at night [sic] near the harbour",
        "The Contractor shall not work at night (emphasis added) near the harbour",
        "... The Contractor shall not work at night ... near the harbour ...".replace(" ... n", " n"),
    ],
)
def test_marked_changes_of_case_and_remarks_are_no_difference(quote):
    tier, found = locate(quote)
    assert tier in ("exact", "normalised")
    assert found == ["The Contractor shall not work at night near the harbour"]


def test_what_the_quote_leaves_out_and_inserts_is_shown():
    match = match_quote(TEXT, "pays [him] 5,000 pounds ... within 14 days")
    assert [(segment.kind, segment.ours, segment.theirs) for segment in list_changes(match.differs)] == [
        ("changed", "[him]", "the Contractor"),
        ("added", "", "for each day of delay. It does so"),
    ]


@pytest.mark.parametrize(
    ("quote", "reason", "why"),
    [
        ("In no event shall Client ... compliance with this Section 5.7.", "number", "5.4"),
        (
            "In any event shall Client be liable to any third party ... arise from\ncompliance with this Section 5.4.",
            "negation",
            "no",
        ),
        ("The Contractor shall ... work at night near the harbour", "omission", "“not”"),
        ("The tenant may sublet the flat … if the owner agrees in writing", "omission", "“only”"),
        ("The tenant may sublet … agrees in writing", "omission", "only if"),
        ("pays the Contractor 5,100 pounds … within 14 days", "number", "5,000"),
        ("租客須於每月首日繳付租金……得飼養狗隻", "omission", "不"),
    ],
)
def test_ellipsis_hides_no_change_of_meaning(quote, reason, why):
    match = find_closest_match(TEXT, quote)
    assert (match.tier, match.reason) == ("none", reason)
    assert why in match.why


def test_fragments_in_another_order_or_far_apart_are_no_match():
    assert match_quote(TEXT, "compliance with this Section 5.4 … In no event shall Client") is None
    text = (
        f"In no event shall Client be liable. {'Much else is said in between. ' * 150}So says Section 5.4 of the rules."
    )
    assert match_quote(text, "In no event shall Client ... So says Section 5.4 of the rules") is None


def test_nearest_fragments_are_chosen():
    text = "The fee is paid at the desk. Then a form. The fee is paid to the porter, who gives a receipt at the desk."
    match = match_quote(text, "The fee is paid ... gives a receipt")
    assert text[match.start : match.end] == "The fee is paid to the porter, who gives a receipt"


@pytest.mark.parametrize(
    "quote",
    [
        "A copy of the register is available in the office of the master at any time.",
        "A copy of the register of tenants is obtainable in the bureau of the harbour master at any time.",
    ],
)
def test_quote_with_few_words_dropped_or_exchanged_is_a_fuzzy_match(quote):
    match = match_quote(TEXT, quote)
    assert match.tier == "fuzzy"
    assert TEXT[match.start : match.end].startswith("A copy of the register of tenants is available")
    assert list_changes(match.differs)


@pytest.mark.parametrize(
    ("quote", "reason"),
    [
        ("The Tenant, who is not a bank, pays the Contractor 5,000 pounds for each day of delay.", "words"),
        (
            "A copy of the register of tenants is unavailable in the office of the harbour master at any time.",
            "negation",
        ),
        ("The tenant may sublet the flat if the owner agrees in writing.", "words"),
        ("The licensee grants the licensee a right to use the marks.", "words"),
        ("The desk is closed on Sundays and on every day of rest.", "words"),
    ],
)
def test_other_name_opposite_or_restriction_is_no_match(quote, reason):
    match = find_closest_match(TEXT, quote)
    assert (match.tier, match.reason) == ("none", reason)


@given(
    st.lists(
        st.sampled_from(["quay", "tide", "14 days", "not", "…", "...", "[x]", "[the]", "of", "食堂", "。"]), max_size=12
    )
)
@settings(max_examples=150)
def test_spans_of_fragments_are_in_order_and_within_the_match(words):
    text = " ".join(word for word in words if "." not in word) + " tide quay 食堂 14 days of quay"
    match = find_closest_match(text, " ".join(words))
    if match and match.spans:
        edges = [edge for span in match.spans for edge in span]
        assert edges == sorted(edges)
        assert (edges[0], edges[-1]) == (match.start, match.end)


LISTED = """\
FORM OF THE AGREEMENT

Signature page of the parties

This agreement is made between the harbour trust and the dredging company named above.
11.2.1 keep all confidential information secret;
11.2.2 only use copies of it in connection with this agreement;
11.2.3 take all reasonable action to protect it from others;

The desk is open on weekdays and
the berth master answers all letters within a week.
"""


@pytest.mark.parametrize(
    ("quote", "fragments"),
    [
        ("FORM OF THE AGREEMENT This agreement is made between the harbour trust and the dredging company named above.",
         ["FORM OF THE AGREEMENT", "This agreement is made between the harbour trust and the dredging company named above."]),
        ("Signature page of the parties 11.2.1 keep all confidential information secret; 11.2.3 take all reasonable action to protect it",
         ["Signature page of the parties", "11.2.1 keep all confidential information secret;", "11.2.3 take all reasonable action to protect it"]),
    ],
)  # fmt: skip
def test_quote_that_joins_headings_and_list_items_is_a_fuzzy_match_with_its_fragments(quote, fragments):
    match = match_quote(LISTED, quote)
    assert (match.tier, [LISTED[start:end] for start, end in match.spans]) == ("fuzzy", fragments)


@pytest.mark.parametrize(
    "quote",
    [
        "This agreement is made between the harbour trust answers all letters within a week.",
        "11.2.1 keep all confidential information secret; FORM OF THE AGREEMENT",
        "11.2.1 keep all confidential information secret; 11.2.4 take all reasonable action to protect it from others;",
    ],
)
def test_quote_that_joins_parts_of_sentences_or_another_order_is_no_match(quote):
    assert match_quote(LISTED, quote) is None
