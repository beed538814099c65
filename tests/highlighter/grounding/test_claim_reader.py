"""What the model is given to read of a claim."""

from pathlib import Path

import pytest

from highlighter.evidence.calibration import load_calibration
from highlighter.evidence.joint_model import JointScorer
from highlighter.evidence.scorer import EvidenceScorer
from highlighter.grounding.checker import Checker
from highlighter.grounding.claim_asides import blank_asides, close_gaps
from highlighter.grounding.source_index import SourceIndex
from highlighter.grounding.verdicts import CONTRADICTED, PARTLY, SUPPORTED
from highlighter.models import Source

SENTENCES = (
    "The ferry leaves the island at seven in the morning.",
    "It carries sixty passengers (and no cars).",
    "These rules apply from May; the notice says that it leaves later.",
    "Dogs pay half the fare (see page 2).",
)


@pytest.fixture(scope="module")
def checker(embedder, tmp_path_factory):
    calibration = load_calibration(embedder.name, tmp_path_factory.mktemp("none"))
    return Checker(embedder, EvidenceScorer(calibration, JointScorer()))


@pytest.mark.parametrize(
    ("claim", "bare"),
    [
        ("Tickets cost four pounds (see below).", "Tickets cost four pounds."),
        ("It leaves at seven (The ferry leaves the island at seven in the morning).", "It leaves at seven."),
        ("它在七點開出（The ferry leaves the island at seven in the morning）。", "它在七點開出。"),
        # Who says it, where the source is that, and does not say it of another one.
        ("The rules say that it leaves at seven.", "it leaves at seven."),
        ("According to the document, it leaves at seven.", "it leaves at seven."),
        ("The old rules say that it leaves at seven.", "The old rules say that it leaves at seven."),
        ("The contract says that it leaves at seven.", "The contract says that it leaves at seven."),
        ("The notice says that it leaves at seven.", "The notice says that it leaves at seven."),
        ("Dogs pay half the fare (see page 2).", "Dogs pay half the fare (see page 2)."),  # as the source says it
        ("Cats pay half the fare (see page 2).", "Cats pay half the fare."),
        # A part of the claim stays, whether a source says it or not.
        ("The ferry carries sixty passengers (and no cars).", "The ferry carries sixty passengers (and no cars)."),
        ("It leaves at seven (the ferry sank in 1912).", "It leaves at seven (the ferry sank in 1912)."),
        ("(The ferry leaves the island at seven)", "(The ferry leaves the island at seven)"),
    ],
)
def test_parentheses_that_state_nothing_are_not_read(claim, bare):
    (blanked,) = blank_asides([claim], SourceIndex(SENTENCES))
    assert len(blanked) == len(claim)
    assert close_gaps(blanked) == bare


def test_quote_of_the_source_does_not_hide_what_the_claim_says_otherwise(checker):
    text = "The Tenants pay a deposit of £1,800, which the Landlord holds."
    claim = f"The Tenants pay a deposit of £1,340 ({text.rstrip('.')})."
    (judged,) = checker.check(claim, [Source("", text=text)]).claims
    assert (judged.verdict, judged.why) == (
        CONTRADICTED,
        "The source says £1,800 where the claim says £1,340.",
    )


GOUT = """\
1.1 An NSAID, colchicine or a short course of oral prednisolone may each be used as first-line treatment; the choice \
depends on comorbidities and on the patient's preference.
1.2 Do not give NSAIDs to patients with an eGFR below 30 mL/min/1.73 m², with heart failure or with a history of peptic \
ulcer bleeding. In all patients who receive an NSAID, a proton pump inhibitor should be co-prescribed.
1.3 Colchicine is given as 500 micrograms two to three times daily. The total dose per course must not exceed 6 mg, \
and the course must not be repeated within three days."""
DERAILMENT = """\
# Causes
The immediate cause of the derailment was the movement of point 214B beneath the train. This was the result of a broken \
lock stretcher bar. The bar broke through fatigue, which started at a corrosion pit that had not been detected.
Two factors contributed: the interval of inspections had been extended from 8 to 16 weeks in 2022, and the inspector \
who examined the point on 30 September 2024 had no torch of the prescribed type. The Bureau considered whether the \
weight of the train contributed and concluded that it did not."""
WAGES = "Entgelttarifvertrag für das Druckgewerbe Nordmark\n1. Die Arbeitszeit beträgt 36 Stunden.\n2. Er gilt ab Mai."


@pytest.mark.parametrize(
    ("claim", "text", "verdict"),
    [
        ("Patients with a history of peptic ulcer bleeding should not receive NSAIDs.", GOUT, SUPPORTED),
        ("Under clause 7a, the liability of the seller is limited.", "7a. The seller's liability is limited to £500.\n7b. Delivery takes five days.", SUPPORTED),
        ("The derailment was caused by the excessive weight of the train.", DERAILMENT, PARTLY),
        ("The derailment was caused by the movement of point 214B.", DERAILMENT, SUPPORTED),
        # The sentence that decides lacks what its heading says.
        ("Im Druckgewerbe Nordmark beträgt die Arbeitszeit 36 Stunden.", WAGES, SUPPORTED),
    ],
)  # fmt: skip
def test_sentences_beside_the_one_that_decides_do_not_put_the_model_off(checker, claim, text, verdict):
    (judged,) = checker.check(claim, [Source("", text=text)]).claims
    assert judged.verdict == verdict


def test_verdict_rests_on_a_sentence_rather_than_its_heading(checker):
    """The heading alone decides what the next meeting is, and hides the condition."""
    path = (
        Path(__file__).parents[3] / "bench/lies/documents/Brackenfell Library Trustees - Minutes 9 September 2025.txt"
    )
    sources = [Source("", text=path.read_text(encoding="utf-8"))]
    (judged,) = checker.check("Mr Okafor takes the chair at the next meeting.", sources).claims
    assert judged.evidence[0].text == "If Ms Petrie is away, Mr Okafor takes the chair."
    assert (judged.verdict, judged.why) == (PARTLY, "It leaves out “If Ms Petrie is away”.")


@pytest.mark.parametrize(
    ("text", "is_heading"),
    [
        ("10. Scooters.", True),
        ("7. Next meeting", True),
        ("3. Members vote.", False),
        ("Granted.", False),
        ("4. 罚款一百元。", False),
    ],
)
def test_numbered_word_is_a_heading_that_states_nothing(text, is_heading):
    (sentence,) = SourceIndex([text]).sentences
    assert sentence.is_heading == is_heading
