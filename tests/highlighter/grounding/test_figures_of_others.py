"""Figures that a source has of another year, of a state that has ended, or of a part."""

import pytest

from highlighter.grounding.contrasts import find_contrasts
from highlighter.grounding.figures_of_others import find_figures_of_others
from highlighter.grounding.wording import parse_wording

DIVIDEND = "The dividend is 24 cents per share (2023: 26 cents)."
SALES = "Der Umsatz betrug 40 Millionen Euro (Vorjahr: 35 Millionen Euro)."
LIMIT = "Until 2023 the limit was 50 mg; it is now 40 mg."
ROOMS = "The hotel has 80 rooms, of which 12 have a balcony."


@pytest.mark.parametrize(
    ("claim", "source", "why"),
    [
        ("The dividend is 26 cents per share.", DIVIDEND, "The source says 24 cents where the claim says 26 cents."),
        ("In 2023 the dividend was 24 cents.", DIVIDEND, "The source says 26 cents where the claim says 24 cents."),
        ("Der Umsatz betrug 35 Millionen Euro.", SALES, "The source says 40 Millionen Euro where the claim says 35 Millionen Euro."),
        ("The limit is 50 mg.", LIMIT, "The source says 40 mg where the claim says 50 mg."),
        ("80 rooms have a balcony.", ROOMS, "The source says 12 where the claim says 80 rooms."),
        ("80 rooms have a balcony.", "It has 80 rooms, 12 of which have a balcony.", "The source says 12 where the claim says 80 rooms."),
    ],
)  # fmt: skip
def test_figure_of_something_else_is_another_number(claim, source, why):
    assert why in [contrast.why for contrast in find_contrasts(parse_wording(claim), parse_wording(source))]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The dividend is 24 cents per share.", DIVIDEND),
        ("In 2023 the dividend was 26 cents.", DIVIDEND),
        ("The dividend fell from 26 to 24 cents.", DIVIDEND),
        ("A year earlier the dividend was 26 cents.", DIVIDEND),
        ("Im Vorjahr betrug der Umsatz 35 Millionen Euro.", SALES),
        ("The limit is 40 mg.", LIMIT),
        ("The limit was 50 mg.", LIMIT),
        ("The hotel has 80 rooms.", ROOMS),
        ("12 rooms have a balcony.", ROOMS),
        ("Of the 80 rooms 12 have a balcony.", ROOMS),
        ("All 80 rooms have a bath.", "All 80 rooms have a bath, 12 of which also have a shower."),
        ("The fee is 26 cents.", "The fee is 24 cents (2023: 26 cents) for adults and 26 cents for groups."),
    ],
)
def test_figure_of_what_the_claim_speaks_of_is_no_other_number(claim, source):
    assert not list(find_figures_of_others(parse_wording(claim), parse_wording(source)))


def test_text_with_more_figures_than_a_sentence_is_looked_at_no_longer():
    source = parse_wording("It is 7 cents (2022: 5 cents). " * 20 + DIVIDEND)
    assert not list(find_figures_of_others(parse_wording("The dividend is 26 cents."), source))
