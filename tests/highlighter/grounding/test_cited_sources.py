"""A check of an answer from elsewhere holds each claim to the named sources that its markers cite."""

import pytest

from highlighter.evidence.calibration import load_calibration
from highlighter.evidence.joint_model import JointScorer
from highlighter.evidence.scorer import EvidenceScorer
from highlighter.grounding.checker import Checker
from highlighter.grounding.cited_sources import check_answer
from highlighter.grounding.verdicts import PARTLY, SUPPORTED, WRONG_SOURCE
from highlighter.models import Source

FERRY = "The ferry leaves the island at seven in the morning. It carries sixty passengers."
FARES = "Tickets cost four pounds. Children under five travel free of charge."
SOURCES = [Source("Ferry.txt", text=FERRY), Source("Fares.pdf", text=FARES, pages=(2,), page_count=4)]
GHOST = "It cites “Ghost.pdf”, which is not among the sources."
HERE = "Fares.pdf, page 2, says this."


@pytest.fixture(scope="module")
def checker(embedder, tmp_path_factory):
    calibration = load_calibration(embedder.name, tmp_path_factory.mktemp("none"))
    return Checker(embedder, EvidenceScorer(calibration, JointScorer()))


@pytest.mark.parametrize(
    ("answer", "verdict", "why"),
    [
        ("Tickets cost four pounds.", SUPPORTED, ""),
        ("Tickets cost four pounds [Fares.pdf, p. 2].", SUPPORTED, ""),
        ("Tickets cost four pounds【2】。", SUPPORTED, ""),
        ("Tickets cost four pounds (see below).", SUPPORTED, ""),
        ("Tickets cost four pounds [sic].", SUPPORTED, ""),
        ("Tickets cost four pounds [Ghost.pdf].", WRONG_SOURCE, f"{GHOST} {HERE}"),
        ("Tickets cost four pounds [^12].", WRONG_SOURCE, f"It cites source 12; there are 2 sources. {HERE}"),
        ("Tickets cost four pounds [Fares, p. 9].", WRONG_SOURCE,
         f"It cites page 9 of Fares.pdf, which has 4 pages. {HERE}"),
        ("Tickets cost four pounds [Fares, p. 3].", WRONG_SOURCE,
         f"It cites page 3 of Fares.pdf, which is not among the sources. {HERE}"),
        ("Tickets cost four pounds [1].", WRONG_SOURCE, "The cited source does not say this; Fares.pdf, page 2, does."),
        ("Tickets cost four pounds [2] [Ghost.pdf].", PARTLY, GHOST),
        ("Tickets cost four pounds [^1].\n\n[^1]: Ghost.pdf, p. 3", WRONG_SOURCE,
         f"It cites “Ghost.pdf, p. 3”, which is not among the sources. {HERE}"),
        ("Tickets cost four pounds [^1].\n\n[^1]: Fares.pdf, p. 9", WRONG_SOURCE,
         f"It cites page 9 of Fares.pdf, which has 4 pages. {HERE}"),
    ],
)  # fmt: skip
def test_claim_is_held_to_what_it_cites(checker, answer, verdict, why):
    report = check_answer(checker, answer, SOURCES)
    (claim,) = report.claims
    assert (claim.verdict, claim.why) == (verdict, why)
    assert report.grounded == (verdict == SUPPORTED)
    assert (report.grounding_score > 0.5) == (verdict == SUPPORTED)
    assert claim.evidence[0].source == 1
    if verdict == WRONG_SOURCE:
        assert report.with_warnings.endswith(f"⚠ Wrong source cited: “Tickets cost four pounds.” {why}")


@pytest.mark.parametrize("names", [("", ""), ("Ferry.txt", "")])
def test_markers_mean_nothing_where_sources_have_no_names(checker, names):
    sources = [Source(name, text=source.text) for name, source in zip(names, SOURCES, strict=True)]
    (claim,) = check_answer(checker, "Tickets cost four pounds [Ghost.pdf].", sources).claims
    assert (claim.verdict, claim.why) == (SUPPORTED, "")


def test_claim_that_needs_a_second_source_is_partly_supported(checker):
    claims = "Tickets cost four pounds and the ferry leaves the island at seven in the morning [{}]."
    (both,) = check_answer(checker, claims.format("1, 2"), SOURCES).claims
    (one,) = check_answer(checker, claims.format("1"), SOURCES).claims
    assert both.verdict == SUPPORTED
    assert one.verdict not in (SUPPORTED, WRONG_SOURCE)
    assert one.why
