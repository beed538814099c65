"""The judge's rules: hard evidence takes a tick away, and an external judge may not give it back."""

import pytest

from highlighter.grounding.checker import Checker
from highlighter.grounding.judge import Opinion
from highlighter.grounding.verdicts import CONTRADICTED, PARTLY, SUPPORTED, UNSUPPORTED
from highlighter.models import Source

SOURCE = Source("Lease.txt", text="The tenant pays 900 euros a month. Cats may live in the flat only with consent.")


@pytest.fixture(scope="module")
def check(embedder, scorer):
    """A function that checks a claim, with the opinion of an external judge if one is given."""
    checker = Checker(embedder, scorer)

    def check(claim: str, opinion: str = ""):
        judge = (lambda claim, sentences: Opinion(opinion, "I read it.")) if opinion else None
        return checker.check(claim, [SOURCE], judge=judge).claims[0]

    return check


@pytest.fixture(scope="module")
def scorer(embedder, tmp_path_factory):
    from highlighter.evidence.calibration import load_calibration
    from highlighter.evidence.scorer import EvidenceScorer

    return EvidenceScorer(load_calibration(embedder.name, tmp_path_factory.mktemp("calibration")), None)


@pytest.mark.parametrize(
    ("claim", "verdict", "why"),
    [
        ("The tenant pays 900 euros a month.", SUPPORTED, ""),
        ("Cats may live in the flat.", PARTLY, "It leaves out “only with consent”."),
        ("Cats may live in the flat only with consent.", SUPPORTED, ""),
    ],
)
def test_claim_in_the_words_of_a_sentence_does_not_leave_its_restriction_out(check, claim, verdict, why):
    checked = check(claim)
    assert (checked.verdict, checked.why) == (verdict, why)


@pytest.mark.parametrize(
    ("claim", "opinion", "verdict"),
    [
        ("The tenant pays 900 euros a month.", UNSUPPORTED, UNSUPPORTED),
        ("The tenant pays 900 euros a month.", CONTRADICTED, CONTRADICTED),
        # Another number, and a number that no sentence contains, are never lifted.
        ("The tenant pays 950 euros a month.", SUPPORTED, CONTRADICTED),
        ("The tenant pays 950 euros a month.", PARTLY, CONTRADICTED),
        ("The tenant pays 900 euros a month for 2 rooms.", SUPPORTED, PARTLY),
    ],
)
def test_external_judge_may_lower_a_verdict_and_never_lift_it_over_hard_evidence(check, claim, opinion, verdict):
    checked = check(claim, opinion)
    assert checked.verdict == verdict
    assert checked.score < 0.5


def test_claim_is_supported_only_with_all_its_statements(check):
    assert (
        check("The tenant pays 900 euros a month, and cats may live in the flat only with consent.").verdict
        == SUPPORTED
    )
    claim = check("The tenant pays 900 euros a month, and the harbour master has a bonus of his own.")
    assert (claim.verdict, claim.score < 0.5) == (PARTLY, True)
    assert "harbour master" in claim.why


def test_external_judge_may_find_more_than_the_rules(check):
    checked = check("The rent is owed by the one who lives in the flat.", SUPPORTED)
    assert (checked.verdict, checked.why) == (SUPPORTED, "I read it.")


def test_words_that_were_exchanged_are_marked(check):
    claim = check("The landlord pays 900 euros a month.", CONTRADICTED)
    assert [claim.text[start:end] for start, end in claim.marks] == ["landlord"]
    assert [claim.evidence[0].text[start:end] for start, end in claim.evidence[0].marks] == ["tenant"]
