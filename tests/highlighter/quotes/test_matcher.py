"""Matching a quote in a text: which rung it is found on, what is never found, and where exactly."""

from __future__ import annotations

import pytest

from highlighter.quotes.fuzzy_search import is_word_boundary
from highlighter.quotes.matcher import find_closest_match, list_changes, match_quote, trim_quote
from highlighter.quotes.normal_form import normalise_text
from highlighter.quotes.significance import count_numbers
from tests.properties import example, given, settings, st

TEXT = """\
1.1 The Contractor shall give an early warning by notifying the Project Manager within 14 days. The Con-
tractor may not assign the contract with-
out consent. “Defects” are cor\u00adrected within two weeks of the ﬁrst notice by the Supervisor.

The Client pays the Contractor 5,000 pounds for each day of delay. The temperature in the store is kept at -5 degrees.

The harbour master opens the lock at dawn. On Sundays the harbour master opens the lock at noon.

員工食堂每日開放，時間為上午七時至九時，逾時不候。
"""
WARNING = "The Contractor shall give an early warning by notifying the Project Manager within 14 days."


def found(quote, **hints):
    match = match_quote(TEXT, quote, **hints)
    return (match.tier, TEXT[match.start : match.end]) if match else None


def test_words_as_they_stand_are_exact():
    assert found(WARNING) == ("exact", WARNING)
    assert found(f"  “{WARNING}” …") == ("exact", WARNING)


@pytest.mark.parametrize(
    ("quote", "says"),
    [
        ("the contractor may not assign the contract without consent", "The Con-\ntractor may not assign the contract with-\nout consent"),
        ("'Defects' are corrected within two weeks of the first notice", "Defects” are cor\u00adrected within two weeks of the ﬁrst notice"),
        ("员工食堂每日开放,时间为上午七时至九时", "員工食堂每日開放，時間為上午七時至九時"),
        ("THE CLIENT PAYS THE CONTRACTOR 5,000 POUNDS", "The Client pays the Contractor 5,000 pounds"),
        ("Ｃlient pays  the\nCon tractor 5,000", "Client pays the Contractor 5,000"),
        ("TheClientpaysthe Contractor 5,000pounds", "The Client pays the Contractor 5,000 pounds"),
    ],
)  # fmt: skip
def test_another_way_of_writing_is_normalised(quote, says):
    assert found(quote) == ("normalised", says)


@pytest.mark.parametrize(
    ("quote", "says", "differs"),
    [
        (WARNING.replace("notifying", "notifing"), WARNING, [("changed", "notifing", "notifying")]),
        (WARNING.replace(" early", ""), WARNING, [("added", "", "early")]),
        (WARNING.replace("notifying the", "notifying to the"), WARNING, [("dropped", "to", "")]),
        (WARNING.replace("ly warn", "1y wam").replace("14", "l4"), WARNING, [("changed", "ear1y waming", "early warning"), ("changed", "l4", "14")]),
        ("員工食堂每天開放，時間為上午七時至九時，逾時不候", "員工食堂每日開放，時間為上午七時至九時，逾時不候", [("changed", "天", "日")]),
        ("he Contractor shall give an early warning by notifying the Pro", "The Contractor shall give an early warning by notifying the Project", None),
    ],
)  # fmt: skip
def test_nearly_the_words_are_fuzzy_and_what_differs_is_told(quote, says, differs):
    assert found(quote) == ("fuzzy", says)
    if differs is not None:
        told = [(piece.kind, piece.ours, piece.theirs) for piece in list_changes(match_quote(TEXT, quote).differs)]
        assert told == differs


@pytest.mark.parametrize(
    ("quote", "why"),
    [
        (WARNING.replace("14", "28"), "“14"),
        (WARNING.replace("shall", "shall not"), "“not”"),
        (WARNING.replace("shall", "may"), "“may”"),
        ("The contractor may assign the contract without consent.", "“not”"),
        ("pays the Contractor 5 pounds for each day of delay", "5,000"),
        ("000 pounds for each day of delay", "5,000"),
        ("The temperature in the store is kept at 5 degrees.", "-5"),
        ("The Client pays the Contractor 5,000 euros for every day of delay", ""),
        ("員工食堂每日開放，時間為上午八時至九時，逾時不候", "八"),
        ("員工食堂每日開放，時間為上午七時至九時，逾時候", "不"),
        ("The incomplete Contractor gave nobody notice of a lock in the harbour at dusk", ""),
    ],
)
def test_a_number_a_negation_or_a_turn_that_differs_is_no_match(quote, why):
    assert match_quote(TEXT, quote) is None
    miss = find_closest_match(TEXT, quote)
    assert miss is None or (miss.tier == "none" and why in miss.why)


@pytest.mark.parametrize("quote", ["", " ", "…", "and of the", "The", "Contractor", "not", "?!", "的了是在", "七時"])
def test_too_little_to_know_a_place_by_is_no_match(quote):
    assert match_quote(TEXT, quote) is None


def test_a_word_is_found_where_its_context_agrees():
    at = TEXT.index("Sundays")
    match = match_quote(TEXT, "Sundays", prefix="opens the lock at dawn. On ", suffix=" the harbour master")
    assert (match.tier, match.start) == ("exact", at)
    assert match_quote(TEXT, "Sundays", prefix="in the middle of winter, ", suffix=" are quiet days") is None


def test_the_context_chooses_among_equal_places_and_then_the_hint():
    quote = "the harbour master opens the lock"
    first, second = TEXT.lower().index(quote), TEXT.lower().rindex(quote)
    assert match_quote(TEXT, quote.upper()).start == first
    assert match_quote(TEXT, quote.upper(), suffix=" at noon").start == second
    assert match_quote(TEXT, quote.upper(), near=(second - 5, second + 60)).start == second
    assert match_quote(TEXT, quote.upper(), suffix=" at dawn.", near=(second - 5, second + 60)).start == first
    assert match_quote(TEXT, quote.upper()).other_spans == ((second, second + len(quote)),)


def test_a_hint_never_makes_a_place():
    assert found(WARNING, near=(len(TEXT) - 20, len(TEXT))) == ("exact", WARNING)


def test_an_unlawful_thing_is_not_a_lawful_one():
    text = "Any lawful use of the quay by members of the public is permitted during daylight hours."
    assert match_quote(text, text.replace("lawful", "unlawful")) is None
    assert match_quote(text.replace("lawful", "unlawful"), text) is None


def test_each_damage_is_found_less_surely_than_the_one_before():
    quotes = [WARNING, WARNING.replace("Pro", "Por"), WARNING.replace("Project", "Projt").replace("early ", "")]
    scores = [match_quote(TEXT, quote).score for quote in quotes]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 3


_TEXTS = st.lists(
    st.sampled_from(
        "quay tide ﬁsh Con-\ntract 14 not 5,000 the of “berth” 員工食堂 cafe\u0301 naïve opens daily".split(" ")
    ),
    min_size=6,
    max_size=40,
).map(" ".join)


@st.composite
def damaged(draw):
    """A text, and a run of it with a few characters lost or exchanged."""
    text = draw(_TEXTS)
    start = draw(st.integers(0, len(text) // 2))
    quote = list(text[start : draw(st.integers(start, len(text)))])
    for _ in range(draw(st.integers(0, 2))):
        if quote:
            quote[draw(st.integers(0, len(quote) - 1))] = draw(st.sampled_from(["", "x", " ", "7", "ﬁ", "員"]))
    return text, "".join(quote)


@given(damaged())
@example(("a\u0301 ﬁﬁﬁ ﬁﬁﬁ abc", "fi fi fi abc iffi"))
@settings(max_examples=300)
def test_whatever_is_found_is_a_run_between_the_borders_of_words(both):
    text, quote = both
    match = find_closest_match(text, quote)
    if match is None:
        return
    assert 0 <= match.start < match.end <= len(text)
    assert is_word_boundary(text, match.start)
    assert is_word_boundary(text, match.end)
    if match.tier in ("exact", "normalised"):
        assert (
            normalise_text(text[match.start : match.end]).text.strip() == normalise_text(trim_quote(quote)).text.strip()
        )
        assert count_numbers(text, match.start, match.end) == count_numbers(quote)


@given(st.text(), st.text())
@settings(max_examples=200)
def test_no_text_and_no_quote_is_too_strange(text, quote):
    match = match_quote(text, quote, prefix=quote, suffix=text)
    assert match is None or 0 <= match.start < match.end <= len(text)


@given(st.text("abcdefgh \n-“”", max_size=40))
@settings(max_examples=100)
def test_what_stands_before_it_moves_a_match_and_changes_nothing_else(before):
    quote = WARNING.replace("notifying", "notifing")
    match, moved = match_quote(TEXT, quote), match_quote(f"{before} {TEXT}", quote)
    assert (moved.start - match.start, moved.tier, moved.score) == (len(before) + 1, match.tier, match.score)


def test_a_place_that_was_changed_is_not_made_up_for_by_one_elsewhere():
    lease = (
        "The tenant pays the rent within 14 days of the first day of every quarter. Much else is said in between here. "
        "The tenant pays the bent within days of the fist day of every quart."
    )
    quote = "The tenant pays the rent within 28 days of the first day of every quarter."
    assert match_quote(lease, quote) is None


def test_a_word_lost_near_the_end_does_not_cost_the_end():
    text = "In this agreement the word Term has the meaning that is set out in clause 3.1; other words have none."
    match = match_quote(text, "the word Term has the meaning that is set out in 3.1;")
    assert text[match.start : match.end] == "the word Term has the meaning that is set out in clause 3.1;"
