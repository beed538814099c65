"""A "not" of one text, and what the other one says in its place."""

import time

import pytest

from highlighter.grounding.contrasts import NEGATION, find_contrasts
from highlighter.grounding.denial_words import denies_alike
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
        ("The Defendant paid £10,000 on delivery.", PAID),
        ("Both sprains occurred in the walking period.", SPRAINS),
        ("The Lender may assign its rights.", LENDER),
    ],
)
def test_same_denial_in_other_words_is_no_contradiction(claim, source):
    claim, source = parse_wording(claim), parse_wording(source)
    assert denies_alike(claim, source)
    assert NEGATION not in [contrast.kind for contrast in find_contrasts(claim, source)]


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
    ],
)
def test_other_denial_stays_a_contradiction(claim, source):
    assert not denies_alike(parse_wording(claim), parse_wording(source))


def test_text_with_more_negations_than_a_sentence_is_looked_at_no_longer():
    source = parse_wording("Dogs may come; no cats may come. " + "The hall is large and nobody eats there; " * 3000)
    started = time.process_time()
    assert not denies_alike(parse_wording("Dogs may come."), source)
    assert time.process_time() - started < 5
