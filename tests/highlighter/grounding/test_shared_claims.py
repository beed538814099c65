import pytest

from highlighter.evidence.calibration import load_calibration
from highlighter.evidence.joint_model import JointScorer
from highlighter.evidence.scorer import EvidenceScorer
from highlighter.grounding.checker import Checker
from highlighter.grounding.cited_sources import check_answer
from highlighter.grounding.shared_claims import remove_quantifier, speaks_of_two
from highlighter.grounding.verdicts import CONTRADICTED, PARTLY, SUPPORTED
from highlighter.models import Source

NORTH = Source("North lease.txt", text="Pets are allowed in the flat. Rent is due on the first day of each month.")
SOUTH = Source("South lease.txt", text="Rent is due on the first day of each month. Pets are not allowed in the flat.")
RULE = Source("Rule.txt", text="All reports must be filed by the end of May. The office opens at nine.")
EAST = Source("East lease.txt", text="The garden belongs to all tenants. Rent is due on the first day of each month.")


@pytest.mark.parametrize(
    ("claim", "said_of_each", "is_of_two"),
    [
        ("Both leases allow pets.", "The leases allow pets.", True),
        ("All three of the policies state that floods are excluded.", "Floods are excluded.", False),
        ("Each of these annual reports names the auditor.", "The annual reports names the auditor.", False),
        ("兩份合約都規定租金每月一日到期。", "租金每月一日到期。", True),
        ("所有报告均提到延误。", "延误。", False),
        ("Both parties sign the lease.", "", False),
        ("All documents", "The documents ", False),
        ("The leases allow pets.", "", False),
    ],
)
def test_what_a_claim_says_of_each_source(claim, said_of_each, is_of_two):
    assert (remove_quantifier(claim), speaks_of_two(claim)) == (said_of_each, is_of_two)


@pytest.mark.parametrize(
    ("claim", "sources", "verdict", "why"),
    [
        ("Both leases say that rent is due on the first day of each month.", [NORTH, SOUTH], SUPPORTED, ""),
        ("Both leases say that pets are allowed in the flat.", [NORTH, SOUTH], CONTRADICTED, "South lease.txt says otherwise."),
        ("Both leases say that pets are allowed in the flat.", [NORTH, EAST], PARTLY, "North lease.txt does."),
        ("Both leases say that rent is due on the first day of each month.", [NORTH], PARTLY, "several sources"),
        ("All leases say that rent is due on the first day of each month.", [NORTH, SOUTH, EAST], SUPPORTED, ""),
        ("Both leases say that pets are allowed in the flat [North lease][East lease].", [NORTH, SOUTH, EAST], PARTLY, "North"),
        ("All reports must be filed by the end of May.", [RULE, NORTH], SUPPORTED, ""),
        ("Both leases say that rent is due on the first day of each month.", [NORTH, SOUTH, RULE], SUPPORTED, ""),
    ],
)  # fmt: skip
def test_claim_about_several_sources_needs_each_of_them(embedder, tmp_path, claim, sources, verdict, why):
    checker = Checker(embedder, EvidenceScorer(load_calibration(embedder.name, tmp_path), JointScorer()))
    (checked,) = check_answer(checker, claim, sources).claims
    assert checked.verdict == verdict
    assert why in checked.why
    said_by = {number for number, source in enumerate(sources) if "due on the first" in source.text}
    assert verdict != SUPPORTED or "Rent" not in claim or {item.source for item in checked.evidence} == said_by
