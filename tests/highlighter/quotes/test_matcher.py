"""Matching a quote in a text: the tier of a match, near misses, and exact spans."""

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
EARLY_WARNING = "The Contractor shall give an early warning by notifying the Project Manager within 14 days."


def match_tier_and_text(quote, **hints):
    match = match_quote(TEXT, quote, **hints)
    return (match.tier, TEXT[match.start : match.end]) if match else None


def test_verbatim_quote_is_an_exact_match():
    assert match_tier_and_text(EARLY_WARNING) == ("exact", EARLY_WARNING)
    assert match_tier_and_text(f"  “{EARLY_WARNING}” …") == ("exact", EARLY_WARNING)


@pytest.mark.parametrize(
    ("quote", "matched_text"),
    [
        ("the contractor may not assign the contract without consent", "The Con-\ntractor may not assign the contract with-\nout consent"),
        ("'Defects' are corrected within two weeks of the first notice", "Defects” are cor\u00adrected within two weeks of the ﬁrst notice"),
        ("员工食堂每日开放,时间为上午七时至九时", "員工食堂每日開放，時間為上午七時至九時"),
        ("THE CLIENT PAYS THE CONTRACTOR 5,000 POUNDS", "The Client pays the Contractor 5,000 pounds"),
        ("Ｃlient pays  the\nCon tractor 5,000", "Client pays the Contractor 5,000"),
        ("TheClientpaysthe Contractor 5,000pounds", "The Client pays the Contractor 5,000 pounds"),
    ],
)  # fmt: skip
def test_different_spelling_is_a_normalised_match(quote, matched_text):
    assert match_tier_and_text(quote) == ("normalised", matched_text)


@pytest.mark.parametrize(
    ("quote", "matched_text", "differs"),
    [
        (EARLY_WARNING.replace("notifying", "notifing"), EARLY_WARNING, [("changed", "notifing", "notifying")]),
        (EARLY_WARNING.replace(" early", ""), EARLY_WARNING, [("added", "", "early")]),
        (EARLY_WARNING.replace("notifying the", "notifying to the"), EARLY_WARNING, [("dropped", "to", "")]),
        (EARLY_WARNING.replace("ly warn", "1y wam").replace("14", "l4"), EARLY_WARNING, [("changed", "ear1y waming", "early warning"), ("changed", "l4", "14")]),
        ("員工食堂每天開放，時間為上午七時至九時，逾時不候", "員工食堂每日開放，時間為上午七時至九時，逾時不候", [("changed", "天", "日")]),
        ("he Contractor shall give an early warning by notifying the Pro", "The Contractor shall give an early warning by notifying the Project", None),
    ],
)  # fmt: skip
def test_quote_with_small_errors_is_a_fuzzy_match_with_differences(quote, matched_text, differs):
    assert match_tier_and_text(quote) == ("fuzzy", matched_text)
    if differs is not None:
        changes = [
            (segment.kind, segment.ours, segment.theirs) for segment in list_changes(match_quote(TEXT, quote).differs)
        ]
        assert changes == differs


@pytest.mark.parametrize(
    ("quote", "why"),
    [
        (EARLY_WARNING.replace("14", "28"), "“14"),
        (EARLY_WARNING.replace("shall", "shall not"), "“not”"),
        (EARLY_WARNING.replace("shall", "may"), "“may”"),
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
def test_different_number_negation_or_modifier_is_no_match(quote, why):
    assert match_quote(TEXT, quote) is None
    near_miss = find_closest_match(TEXT, quote)
    assert near_miss is None or (near_miss.tier == "none" and why in near_miss.why)


@pytest.mark.parametrize("quote", ["", " ", "…", "and of the", "The", "Contractor", "not", "?!", "的了是在", "七時"])
def test_quote_with_too_little_content_is_no_match(quote):
    assert match_quote(TEXT, quote) is None


def test_single_word_is_matched_only_if_its_context_agrees():
    offset = TEXT.index("Sundays")
    match = match_quote(TEXT, "Sundays", prefix="opens the lock at dawn. On ", suffix=" the harbour master")
    assert (match.tier, match.start) == ("exact", offset)
    assert match_quote(TEXT, "Sundays", prefix="in the middle of winter, ", suffix=" are quiet days") is None


def test_context_then_hint_choose_among_equal_matches():
    quote = "the harbour master opens the lock"
    first, second = TEXT.lower().index(quote), TEXT.lower().rindex(quote)
    assert match_quote(TEXT, quote.upper()).start == first
    assert match_quote(TEXT, quote.upper(), suffix=" at noon").start == second
    assert match_quote(TEXT, quote.upper(), near=(second - 5, second + 60)).start == second
    assert match_quote(TEXT, quote.upper(), suffix=" at dawn.", near=(second - 5, second + 60)).start == first
    assert match_quote(TEXT, quote.upper()).other_spans == ((second, second + len(quote)),)


def test_wrong_hint_does_not_change_a_unique_match():
    assert match_tier_and_text(EARLY_WARNING, near=(len(TEXT) - 20, len(TEXT))) == ("exact", EARLY_WARNING)


@pytest.mark.parametrize(
    ("words", "others"),
    [("always", "at all times"), ("before", "prior to"), ("if", "in the event that"), ("at least", "not less than")],
)
def test_phrase_with_the_same_meaning_is_a_fuzzy_match(words, others):
    text = f"The harbour office keeps {words} the western gate of the quay is open to all vessels and their crews."
    assert match_quote(text, text.replace(words, others)).tier == "fuzzy"
    assert match_quote(text.replace(words, others), text).tier == "fuzzy"


EXPONENTS = "The culture held 3 × 10⁻³ mol of salt and 10⁶ cells on each plate of 12 m², and fell with x⁻³ after a day."


@pytest.mark.parametrize(
    ("written", "typed"), [("10⁶", "10^6"), ("10⁻³", "10^-3"), ("10⁻³", "10^{−3}"), ("m²", "m^2"), ("x⁻³", "x^-3")]
)
def test_exponent_is_matched_however_it_is_typed(written, typed):
    for quote, text in ((EXPONENTS.replace(written, typed), EXPONENTS), (EXPONENTS, EXPONENTS.replace(written, typed))):
        assert match_quote(text, quote).tier == "normalised"


@pytest.mark.parametrize(
    ("written", "other"),
    [("10⁻³", "10³"), ("10⁻³", "10^3"), ("10⁶", "10⁻⁶"), ("10⁶", "10^5"), ("m²", "m³"), ("x⁻³", "x³"), ("x⁻³", "x^3")],
)
def test_other_exponent_is_no_match_and_its_number_is_named(written, other):
    near_miss = find_closest_match(EXPONENTS, EXPONENTS.replace(written, other))
    assert (near_miss.tier, near_miss.reason) == ("none", "number")
    assert written in near_miss.why
    assert other in near_miss.why


def test_negating_prefix_is_no_match():
    text = "Any lawful use of the quay by members of the public is permitted during daylight hours."
    assert match_quote(text, text.replace("lawful", "unlawful")) is None
    assert match_quote(text.replace("lawful", "unlawful"), text) is None


def test_score_falls_with_each_error():
    quotes = [
        EARLY_WARNING,
        EARLY_WARNING.replace("Pro", "Por"),
        EARLY_WARNING.replace("Project", "Projt").replace("early ", ""),
    ]
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
def damaged_quotes(draw):
    """Draw a text, and a run of it with a few characters lost or exchanged."""
    text = draw(_TEXTS)
    start = draw(st.integers(0, len(text) // 2))
    quote = list(text[start : draw(st.integers(start, len(text)))])
    for _ in range(draw(st.integers(0, 2))):
        if quote:
            quote[draw(st.integers(0, len(quote) - 1))] = draw(st.sampled_from(["", "x", " ", "7", "ﬁ", "員"]))
    return text, "".join(quote)


@given(damaged_quotes())
@example(("a\u0301 ﬁﬁﬁ ﬁﬁﬁ abc", "fi fi fi abc iffi"))
@settings(max_examples=300)
def test_match_begins_and_ends_at_word_boundaries(text_and_quote):
    text, quote = text_and_quote
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
def test_any_text_and_quote_can_be_matched(text, quote):
    match = match_quote(text, quote, prefix=quote, suffix=text)
    assert match is None or 0 <= match.start < match.end <= len(text)


@given(st.text("abcdefgh \n-“”", max_size=40))
@settings(max_examples=100)
def test_preceding_text_only_moves_a_match(before):
    quote = EARLY_WARNING.replace("notifying", "notifing")
    match, moved = match_quote(TEXT, quote), match_quote(f"{before} {TEXT}", quote)
    assert (moved.start - match.start, moved.tier, moved.score) == (len(before) + 1, match.tier, match.score)


def test_altered_passage_rules_out_a_weaker_match_elsewhere():
    lease = (
        "The tenant pays the rent within 14 days of the first day of every quarter. Much else is said in between here. "
        "The tenant pays the bent within days of the fist day of every quart."
    )
    quote = "The tenant pays the rent within 28 days of the first day of every quarter."
    assert match_quote(lease, quote) is None


def test_match_includes_the_end_after_a_lost_word():
    text = "In this agreement the word Term has the meaning that is set out in clause 3.1; other words have none."
    match = match_quote(text, "the word Term has the meaning that is set out in 3.1;")
    assert text[match.start : match.end] == "the word Term has the meaning that is set out in clause 3.1;"
