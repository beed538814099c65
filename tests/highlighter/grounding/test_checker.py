"""An answer held against its sources, by the real models."""

import pytest

from highlighter.errors import BadRequest
from highlighter.evidence.calibration import load_calibration
from highlighter.evidence.joint_model import JointScorer
from highlighter.evidence.scorer import EvidenceScorer
from highlighter.grounding.checker import MAX_ANSWER_CHARACTERS, Checker
from highlighter.grounding.judge import Opinion
from highlighter.grounding.verdicts import CONTRADICTED, SUPPORTED, UNSUPPORTED, append_warnings, compute_confidence
from highlighter.models import Source

CONTRACT = (
    "Payment is due within 28 days of receipt of the invoice. The Contractor shall not work at night. Delay damages of £4,200 "
    "are paid for each day until Completion. The Engineer, Ms Okoro, replies to each notice within one week. The ferry leaves "
    "the island at seven in the morning and carries sixty passengers."
)
SOURCES = [
    Source("weather.txt", text="It rained on the quay all week. Nobody was hurt."),
    Source("contract.txt", text=CONTRACT),
]


@pytest.fixture(scope="module")
def checker(embedder, tmp_path_factory):
    return Checker(
        embedder, EvidenceScorer(load_calibration(embedder.name, tmp_path_factory.mktemp("none")), JointScorer())
    )


def verdict(checker, claim, **how):
    (found,) = checker.check(claim, SOURCES, **how).claims
    return found


@pytest.mark.parametrize(
    "claim",
    [
        "Payment is due within 28 days of receipt of the invoice.",
        "The Contractor shall not work at night [contract.txt, p.1].",
        "The ferry carries 60 passengers.",
    ],
)
def test_what_a_source_says_is_supported(checker, claim):
    found = verdict(checker, claim)
    assert (found.verdict, found.why) == (SUPPORTED, "")
    best = found.evidence[0]
    assert (best.source, CONTRACT[best.start : best.end]) == (1, best.text)


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ("Payment is due within 14 days of receipt of the invoice.", "The source says 28 days where the claim says 14 days."),
        ("The Contractor shall work at night.", "The source says “not”, the claim does not."),
        ("Delay damages of £5,200 are paid for each day until Completion.", "£4,200"),
    ],
)  # fmt: skip
def test_what_a_source_denies_is_contradicted_and_says_how(checker, claim, why):
    found = verdict(checker, claim)
    assert found.verdict == CONTRADICTED
    assert why in found.why
    assert found.score < 0.5
    assert found.evidence[0].source == 1


def test_what_no_source_speaks_of_is_unsupported(checker):
    found = verdict(checker, "The museum displays Roman coins from Carthage.")
    assert (found.verdict, found.evidence) == (UNSUPPORTED, ())
    assert found.why


def test_an_answer_is_grounded_when_all_its_claims_are(checker):
    good = checker.check("Payment is due within 28 days of receipt of the invoice. Is that all?", SOURCES)
    mixed = checker.check(
        "Payment is due within 28 days of receipt of the invoice. The museum displays Roman coins.", SOURCES
    )
    assert (good.grounded, mixed.grounded) == (True, False)
    assert good.grounding_score > mixed.grounding_score
    assert [claim.text for claim in mixed.ungrounded] == ["The museum displays Roman coins."]
    assert good.confidence_level == "high"


def test_warnings_stand_below_the_text(checker):
    text = "The museum displays Roman coins."
    told = checker.check(text, SOURCES).with_warnings
    assert told.startswith(text + "\n\n⚠ Not supported by the sources: “The museum displays Roman coins.”")
    good = "The Contractor shall not work at night."
    assert checker.check(good, SOURCES).with_warnings == good


def test_an_answer_without_claims_has_nothing_wrong(checker):
    checked = checker.check("No relevant sources found.", SOURCES)
    assert (checked.grounded, checked.claims, checked.grounding_score, checked.confidence_level) == (
        True,
        (),
        1.0,
        "low",
    )


def test_quotations_are_compared_with_the_source_that_says_them(checker):
    checked = checker.check("It says “shall not work at night” and “Delay damages of £4,300 are paid”.", SOURCES)
    assert [(one.check.state, one.source) for one in checked.quotations] == [("verified", 1), ("altered", 1)]


def test_a_claim_without_a_citation_gets_the_sentence_that_says_it(checker):
    found = checker.find_support("The Contractor shall not work at night.", SOURCES)
    assert (found.source, found.text) == (1, "The Contractor shall not work at night.")
    assert checker.find_support("The Contractor shall work at night.", SOURCES) is None
    assert checker.find_support("The museum displays Roman coins.", SOURCES) is None


def test_an_outer_judge_is_heard_and_may_fail(checker):
    def no(claim, evidence):
        assert evidence
        return Opinion(UNSUPPORTED, "It only seems so.")

    def broken(claim, evidence):
        raise OSError("gone")

    claim = "The Contractor shall not work at night."
    heard = verdict(checker, claim, judge=no)
    assert (heard.verdict, heard.why) == (UNSUPPORTED, "It only seems so.")
    assert heard.score < 0.5
    assert "Not supported" in append_warnings(claim, [verdict(checker, claim, judge=lambda *_: Opinion(UNSUPPORTED))])
    agreed = verdict(checker, claim, judge=lambda *_: Opinion(SUPPORTED, "It is said in the second source."))
    assert append_warnings(claim, [agreed]) == claim
    assert verdict(checker, claim, judge=broken) == verdict(checker, claim)
    assert verdict(checker, claim, judge=lambda *_: Opinion("perhaps")).verdict == SUPPORTED


@pytest.mark.parametrize(
    ("answer", "sources", "says"),
    [
        (" \n", SOURCES, "no answer"), ("Yes, it is so.", [], "no sources"),
        ("It is so.", [SOURCES[0], Source("e.txt", text=" ")], "Source 2 has no text"),
        ("x" * (MAX_ANSWER_CHARACTERS + 1), SOURCES, "100,001 characters"),
        ("It is so.", [Source("e.txt", text="x" * 200_001)], "200,001 characters"), ("It is so.", SOURCES * 51, "102 sources"),
        ("The term of lease ends. " * 501, SOURCES, "501 things"),
    ],
)  # fmt: skip
def test_what_cannot_be_checked_is_refused_with_its_reason(checker, answer, sources, says):
    with pytest.raises(BadRequest, match=says):
        checker.check(answer, sources)


def test_confidence_has_three_levels():
    assert [compute_confidence(some)[1] for some in ([0.51, 0.1], [0.5], [0.21], [0.2], [])] == [
        "high",
        "medium",
        "medium",
        "low",
        "low",
    ]
