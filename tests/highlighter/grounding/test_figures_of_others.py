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
        ("86,400 are of type B.", "The recall is of 86,400 heaters, of which 51,200 are of type A, 35,200 of type B.", "The source says 51,200 where the claim says 86,400."),
        ("Attendance fell by 40 people.", "Attendance fell from 60 to 40 people.", "The source says 60 where the claim says 40 people."),
        ("Sales rose by EUR 80 million.", "Sales rose from EUR 70 million to EUR 80 million.", "The source says 70 million where the claim says 80 million."),
        ("Der Umsatz stieg um 80 Mio. Euro.", "Der Umsatz stieg von 70 auf 80 Mio. Euro.", "The source says 70 auf where the claim says 80 Mio."),
        ("Il a augmenté de 80 euros.", "Il a augmenté de 70 à 80 euros.", "The source says 70 where the claim says 80 euros."),
        ("Las ventas aumentaron en 80 euros.", "Las ventas aumentaron de 70 a 80 euros.", "The source says 70 where the claim says 80 euros."),
        ("È aumentato di 80 euro.", "È aumentato da 70 a 80 euro.", "The source says 70 where the claim says 80 euro."),
        ("销售额增加了80万元。", "销售额从70万元增加到80万元。", "The source says 70万元 where the claim says 80万元."),
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
        ("公司收到了23起投诉，没有人员受伤。", "公司共收到投诉23起，其中5起造成损坏，未收到人员受伤的报告。"),
        ("80 rooms have a bath.", "The hotel has 80 rooms, of which 12 have a balcony, and a bath in each."),
        ("Attendance fell by 20 people.", "Attendance fell from 60 to 40 people."),
        ("Attendance fell to 40 people.", "Attendance fell from 60 to 40 people."),
        ("Attendance fell by 40 people.", "Attendance fell from 80 to 40 people."),
        ("Le prix est de 80 euros.", "Le prix est passé de 70 à 80 euros."),
        ("The list was signed by 80 people.", "The number of those who signed rose from 70 to 80 people."),
        ("The fee is 26 cents.", "The fee is 24 cents (2023: 26 cents) for adults and 26 cents for groups."),
    ],
)
def test_figure_of_what_the_claim_speaks_of_is_no_other_number(claim, source):
    assert not list(find_figures_of_others(parse_wording(claim), parse_wording(source)))


def test_text_with_more_figures_than_a_sentence_is_looked_at_no_longer():
    source = parse_wording("It is 7 cents (2022: 5 cents). " * 20 + DIVIDEND)
    assert not list(find_figures_of_others(parse_wording("The dividend is 26 cents."), source))
