"""Claims that apply a rule of the source to a case, as the model reads them."""

import pytest

from highlighter.grounding.applied_rules import apply_rules
from highlighter.grounding.wording import parse_wording

ROW = "Clearance: 30 to 60 mL/min, Dose: 250 mg"


@pytest.mark.parametrize(
    ("claim", "source", "in_words_of_rule"),
    [
        ("At 45 mL/min, take 250 mg.", ROW, "At 30 to 60 mL/min, take 250 mg."),
        ("A loan of £30,000 needs it.", "Loans of more than £25,000 need it.", "A loan of more than £25,000 needs it."),
        ("A receipt for EUR 40.", "A receipt for each sum above EUR 25.", "A receipt for above EUR 25."),
        ("A bid with 17 points fails.", "Bids that score fewer than 18 of 30 points fail.", "A bid with fewer than 18 points fails."),
        ("If it lasts 50 days, we pay.", "If it lasts more than 45 days, we pay.", "If it lasts more than 45 days, we pay."),
        ("Bei 90 Minuten gibt es Geld.", "Bei einer Dauer ab 60 Minuten gibt es Geld.", "Bei ab 60 Minuten gibt es Geld."),
        ("Un enfant de 10 ans entre.", "Enfants de 8 à 15 ans : entrée.", "Un enfant de 8 à 15 ans entre."),
        ("Personas de 70 años pagan.", "Mayores de 65 años: pagan.", "Personas de Mayores de 65 años pagan."),
        ("逾期40天的，应付款。", "逾期超过30天的，应付款。", "逾期超过30天的，应付款。"),
        # Beside the rule, a number of another kind, a rule for two, and what is no condition.
        ("At 20 mL/min, take 250 mg.", ROW, None),
        ("With 45 kg, take 250 mg.", ROW, None),
        ("A loan of €30,000 needs it.", "Loans of more than £25,000 need it.", None),
        ("Bei 130 Minuten gibt es Geld.", "Bei einer Dauer ab 60 Minuten 5 Euro, bei einer ab 120 Minuten 9 Euro.", None),
        ("It lasted for 4 hours.", "They met for more than 3 hours.", None),
        ("The price is EUR 40.", "The price is above EUR 25.", None),
        ("For an order, it takes 4 days.", "For each order, it takes 3 to 5 days.", None),
        ("Staff who stay work for 35 hours.", "All staff work at most 40 hours.", None),
        ("A man who owned 40 cars left.", "A man who owned more than 30 cars was arrested.", None),
        ("The contract ends after 18 months.", "The contract ends after 12 months.", None),
        ("For 5 hours it refunded 400 passengers.", "For delays of more than 3 hours, it refunded 400 passengers.", None),
        ("Bei 80 Leuten stieg er um 4 Prozent.", "Bei Firmen mit mehr als 50 Leuten stieg er um 4 Prozent.", None),
        ("If it lasts 50 days, we pay.", "If it lasts more than 45 days, we pay, unless nobody is hurt.", None),
        ("Everybody waited 4 hours.", "Guests who wait more than 3 hours eat for nothing.", None),
    ],
)  # fmt: skip
def test_number_that_a_condition_admits_is_read_as_the_condition(claim, source, in_words_of_rule):
    applied = apply_rules(parse_wording(claim), [parse_wording(source)])
    assert applied.text == (in_words_of_rule or claim)
    assert bool(applied.offsets) == (in_words_of_rule is not None)


def test_text_without_an_end_is_no_rule():
    rule = "If it lasts more than 45 days, we pay"
    claim = parse_wording("If it lasts 50 days, we pay.")
    assert apply_rules(claim, [parse_wording(f"{rule}.")]).offsets
    assert not apply_rules(claim, [parse_wording(rule + ", and so on" * 100)]).offsets
