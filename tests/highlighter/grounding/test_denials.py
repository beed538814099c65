"""A "not" of one text, and what the other one says in its place."""

import time

import pytest

from highlighter.grounding.contrasts import NEGATION, find_contrasts
from highlighter.grounding.denials import denies_alike
from highlighter.grounding.wording import parse_wording

PAID = "The Defendant paid £10,000 on delivery and has paid nothing since."
SPRAINS = "Two people reported sprains, both in the walking period; no adverse event occurred."
LENDER = "The Lender may assign its rights; the Borrower may not assign its rights."


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Dividends are forbidden.", "The Borrower shall not pay dividends."),
        ("The order no longer applies.", "The order is discharged."),
        ("En secundaria no es obligatorio.", "En secundaria es voluntario."),
        ("Das Rauchen ist verboten.", "Man darf nicht rauchen."),
        ("The boat may be sold with consent.", "The boat shall not be sold without the consent of the bank."),
    ],
)
def test_same_denial_in_other_words_is_no_contradiction(claim, source):
    claim, source = parse_wording(claim), parse_wording(source)
    assert denies_alike(claim, source)
    assert not finds_negation(claim, source)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The Defendant paid £10,000 on delivery.", PAID),
        ("Both sprains occurred in the walking period.", SPRAINS),
        ("The Lender may assign its rights.", LENDER),
    ],
)
def test_denial_of_something_else_is_no_contradiction(claim, source):
    assert not finds_negation(parse_wording(claim), parse_wording(source))


def finds_negation(claim, source):
    return NEGATION in [contrast.kind for contrast in find_contrasts(claim, source)]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Dividends are allowed.", "Dividends are not allowed."),
        ("The uniform is not voluntary.", "The uniform is voluntary."),
        ("Smoking is forbidden.", "Smoking is not forbidden."),
        ("Drinking is forbidden.", "Selling is forbidden, but drinking is not forbidden."),
        ("The firm alone sets 39 hours.", "Firm and council set 39 hours without extra pay."),
        ("The Defendant has paid since.", PAID),
        ("The Borrower may assign its rights.", LENDER),
        ("An adverse event occurred.", SPRAINS),
        ("The plan was approved.", "The plan was approved and this was not confirmed."),
        ("The shop sells books.", "The shop sells bread and no books."),
        # A claim with all words of the clause that is negated, and one that differs in another word.
        ("The firm painted the hall.", "The firm was paid to paint the hall and did not paint the hall."),
        ("The shop opened in May.", "The plan was to open the shop in May and the shop did not open in May."),
        ("The hall was painted blue.", "The hall was painted red and no dogs were admitted to the court."),
        ("The firm made a profit in May.", "The firm lost money in May, since no ship arrived from Oslo."),
        # The denial itself is denied; and what ends, took place.
        ("The passport did not expire in May.", "The passport expired in May."),
        ("The council didn't reject the plan.", "The plan was rejected by the council."),
        ("The lease did not end on 5 May.", "The lease ended on 5 May."),
        ("Patients died in the trial.", "The trial ended in June and no patient died."),
        (
            "The Bank may sell the ship of the Owner.",
            "The Bank shall not sell the ship without the consent of the Owner.",
        ),
    ],
)
def test_other_denial_stays_a_contradiction(claim, source):
    assert not denies_alike(parse_wording(claim), parse_wording(source))


def test_text_with_more_negations_than_a_sentence_is_looked_at_no_longer():
    source = parse_wording("Dogs may come; no cats may come. " + "The hall is large and nobody eats there; " * 3000)
    started = time.process_time()
    assert not finds_negation(parse_wording("Dogs may come."), source)
    assert time.process_time() - started < 5
