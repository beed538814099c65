"""Words exchanged for each other, words that narrow what is denied, and quantities in other units get no tick."""

import pytest

from highlighter.evidence.calibration import load_calibration
from highlighter.evidence.joint_model import JointScorer
from highlighter.evidence.scorer import EvidenceScorer
from highlighter.grounding.checker import Checker
from highlighter.grounding.exchanges import find_exchange
from highlighter.grounding.judge import Opinion
from highlighter.grounding.narrowing_words import find_narrowing_words, find_unsaid_exception
from highlighter.grounding.units import list_quantities_in_other_units
from highlighter.grounding.verdicts import CONTRADICTED, PARTLY, SUPPORTED
from highlighter.models import Source


@pytest.fixture(scope="module")
def checker(embedder, tmp_path_factory):
    calibration = load_calibration(embedder.name, tmp_path_factory.mktemp("none"))
    return Checker(embedder, EvidenceScorer(calibration, JointScorer()))


@pytest.mark.parametrize(
    ("claim", "sentence", "words"),
    [
        ("Always add water to acid.", "Always add acid to water.", ["water", "acid"]),
        ("Mr Okafor asked what Ms Petrie thought.", "Ms Petrie asked what Mr Okafor thought.", ["Mr Okafor", "Ms Petrie"]),
        ("运费由乙方承担，风险由甲方承担。", "运费由甲方承担，风险由乙方承担。", ["乙方", "甲方"]),
        ("首班船由中環開出，尾班船由東灣開出。", "首班船由東灣開出，尾班船由中環開出。", ["中環", "東灣"]),
        ("总价含运费，不含税。", "总价含税，不含运费。", ["运费", "税"]),
        ("The Seller and the Buyer sign.", "The Buyer and the Seller sign.", None),
        ("The price is paid by the Buyer to the Seller.", "The Buyer pays the price to the Seller.", None),
        ("甲方和乙方签字。", "乙方和甲方签字。", None),
        ("Der Vermieter trägt die Kosten.", "Die Kosten trägt der Vermieter.", None),
        ("Der Käufer haftet dem Verkäufer.", "Der Verkäufer haftet dem Käufer.", ["Käufer", "Verkäufer"]),
        ("Always add acid to water.", "Always add acid to water.", None),
    ],
)  # fmt: skip
def test_exchanged_words_are_found(claim, sentence, words):
    found = find_exchange(claim, sentence)
    assert (found and [claim[start:end] for start, end in found[0]]) == words
    assert (found and [sentence[start:end] for start, end in found[1]]) == (words and words[::-1])


@pytest.mark.parametrize(
    ("claim", "sentence", "words"),
    [
        ("Diving is never subcontracted.", "4.1 Diving is never subcontracted a second time.", "a second time"),
        ("If he is silent for two weeks, it is accepted.", "If he is silent for two weeks after a reminder, it is accepted.",
         "after a reminder"),
        ("A seat may be fitted to the K2 only.", "A seat may be fitted to the K2 Cargo only.", "Cargo"),
        ("No dogs are allowed.", "No dogs or cats are allowed.", None),
        ("The fee is not due.", "The fee is not due, and the deposit is paid back.", None),
        ("The crane lifts stone.", "The crane lifts stone from the quay.", None),
        ("The crane never lifts people.", "The crane is never used to lift people at night.", None),
    ],
)  # fmt: skip
def test_left_out_words_that_narrow_are_found(claim, sentence, words):
    assert find_narrowing_words(claim, sentence) == words


@pytest.mark.parametrize(
    ("claim", "sentence", "quantities"),
    [
        ("It goes 90 miles.", "It goes 90 kilometres.", ["90 miles"]),
        ("It leans by 60 cm.", "It leans by 60 mm.", ["60 cm"]),
        ("Die Dosis beträgt 6 Mikrogramm.", "Die Dosis beträgt 6 mg.", ["6 Mikrogramm"]),
        ("La parcela mide 5 km².", "La parcela mide 5 hectáreas.", ["5 km²"]),
        ("It weighs 5 kg.", "It is 5 km long.", []),
        ("Rinse for fifteen seconds.", "Rinse for at least 15 minutes.", ["fifteen seconds"]),
        ("Samples are kept for 48 days.", "留样保存四十八小时。", ["48 days"]),
        ("工程費用約為三億美元。", "工程費用約為三億元。", ["三億美元"]),
        ("The dividend is €24.", "The dividend is 24 cents.", ["€24"]),
        ("It fell by 3.5 per cent.", "It fell by 3.5 percentage points.", ["3.5 per cent"]),
        ("Die Quote fiel um 3 Prozent.", "Die Quote fiel um 3 Prozentpunkte.", ["3 Prozent"]),
        ("It fell by 3.5 percentage points.", "It fell by 3.5 percentage points.", []),
        ("It is due within 14 working days.", "It is due within fourteen days.", []),
        ("The rate is 5 per cent.", "利率为百分之五。", []),
        ("工程費用約為三億港元。", "工程費用約為三億元。", []),
        ("It costs 5 pounds.", "It costs £5.", []),
        ("It costs £5 for two hours.", "It costs five pounds for two hours, and two days' notice is needed.", []),
        ("Rice keeps for one month.", "米饭可保存1天。", []),  # "a month" elsewhere has the number, unsaid
        ("It takes twenty minutes.", "A fifth, 20 per cent, is paid.", []),
    ],
)  # fmt: skip
def test_quantities_in_other_units_are_found(claim, sentence, quantities):
    assert list_quantities_in_other_units(claim, [sentence]) == quantities


@pytest.mark.parametrize(
    ("claim", "verdict", "why"),
    [
        ("Always add acid to water, never water to acid.", SUPPORTED, ""),
        ("Always add water to acid, never acid to water.", CONTRADICTED,
         "The source says “acid … water” where the claim says “water … acid”."),
        ("Diving is never subcontracted.", PARTLY, "It leaves out “a second time”."),
        ("In general, diving is never subcontracted.", PARTLY, "It leaves out “a second time”."),
        ("The press crushes cubes with up to 3,000 newtons.", PARTLY, "The sources do not say “3,000 newtons”."),
        ("The press crushes cubes with up to 3,000 kilonewtons.", SUPPORTED, ""),
    ],
)  # fmt: skip
def test_no_judge_lifts_what_hard_evidence_denies(checker, claim, verdict, why):
    text = (
        "Always add acid to water, never water to acid. The press crushes cubes with up to 3,000 kilonewtons."
        " Diving is never subcontracted a second time."
    )
    (judged,) = checker.check(claim, [Source("", text=text)], judge=lambda *_: Opinion(SUPPORTED)).claims
    assert (judged.verdict, judged.why) == (verdict, why)


@pytest.mark.parametrize(
    ("claim", "is_supported"),
    [
        ("Each plate holds 10⁶ cells on 25 m².", True),
        ("Each plate holds 10^6 cells on 25 m².", True),
        ("Each plate holds 1,000,000 cells on 25 m².", True),
        ("Each plate holds one million cells on 25 m².", True),
        ("Each plate holds 1 × 10⁶ cells on 25 m².", True),
        ("Each plate holds 106 cells on 25 m².", False),
        ("Each plate holds 10⁵ cells on 25 m².", False),
        ("Each plate holds 10⁻⁶ cells on 25 m².", False),
    ],
)
def test_power_of_ten_is_compared_by_its_value_whatever_a_judge_says(checker, claim, is_supported):
    source = Source("", text="Each plate holds 10⁶ cells on 25 m².")
    (judged,) = checker.check(claim, [source], judge=lambda *_: Opinion(SUPPORTED)).claims
    assert (judged.verdict == SUPPORTED) == is_supported, judged.why


@pytest.mark.parametrize(
    ("claim", "sentence", "words"),
    [
        ("All results are within the limits.", "All other results are within the limits.", "All other"),
        ("All other results are within the limits.", "All other results are within the limits.", None),
        ("All results but lead are within the limits.", "All other results are within the limits.", None),
        ("The nitrate results are within the limits.", "All other results are within the limits.", None),
        ("Alle Gebühren entfallen.", "Alle übrigen Gebühren entfallen.", "Alle übrigen"),
        ("Tous les frais sont remboursés.", "Tous les autres frais sont remboursés.", "Tous les autres"),
        ("Todos los gastos se reembolsan.", "Todos los demás gastos se reembolsan.", "Todos los demás"),
        ("所有费用均免除。", "其他所有费用均免除。", "其他所有"),
        ("Cllr Lisle was present at the meeting.", "Apologies: Cllrs Lisle and Moss.", "Apologies"),
        ("Cllr Lisle sent apologies.", "Apologies: Cllrs Lisle and Moss.", None),
        ("Cllr Lisle was not present.", "Apologies: Cllrs Lisle and Moss.", None),
        ("Cllr Bates was present at the meeting.", "Present: Cllrs Bates and Dunn.", None),
        ("Frau Moos war anwesend.", "Entschuldigt: Frau Moos.", "Entschuldigt"),
        ("M. Roux a assisté à la réunion.", "Excusés : M. Roux.", "Excusés"),
        ("El Sr. Ruiz asistió a la reunión.", "Ausentes: Sr. Ruiz.", "Ausentes"),
    ],
)
def test_claim_leaves_out_whom_or_what_a_sentence_excepts(claim, sentence, words):
    assert find_unsaid_exception(claim, sentence) == words
