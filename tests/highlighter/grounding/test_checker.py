"""Checking answers against sources with the bundled models."""

import pytest

from bench.answers.lies import find_document
from highlighter.errors import BadRequest
from highlighter.evidence.calibration import load_calibration
from highlighter.evidence.joint_model import JointScorer
from highlighter.evidence.scorer import EvidenceScorer
from highlighter.grounding.checker import (
    MAX_ANSWER_CHARACTERS,
    Checker,
    can_be_cited,
    check_quotations,
    hold_to_quotations,
)
from highlighter.grounding.claims import extract_claims
from highlighter.grounding.judge import Opinion
from highlighter.grounding.verdicts import (
    CONTRADICTED,
    PARTLY,
    SUPPORTED,
    UNSUPPORTED,
    append_warnings,
    compute_confidence,
)
from highlighter.models import Claim, Source

CONTRACT = (
    "Payment is due within 28 days of receipt of the invoice. The Contractor shall not work at night. Delay damages of £4,200 "
    "are paid for each day until Completion. The Engineer, Ms Okoro, replies to each notice within one week. The ferry leaves "
    "the island at seven in the morning and carries sixty passengers."
)
DOSES = "Clearance\tDose\tInterval\nOver 60 mL/min\t500 mg\t12 hours\n30 to 60 mL/min\t250 mg\t12 hours\n"
LEAVE = "Employees who have worked for more than 5 years get 30 days of leave."
DEBT = "Net debt increased to €486 million at the end of the year (2023: €412 million)."
SOURCES = [
    Source("weather.txt", text="It rained on the quay all week. Nobody was hurt."),
    Source("contract.txt", text=CONTRACT),
]


@pytest.fixture(scope="module")
def checker(embedder, tmp_path_factory):
    return Checker(
        embedder, EvidenceScorer(load_calibration(embedder.name, tmp_path_factory.mktemp("none")), JointScorer())
    )


def check_claim(checker, claim, **options):
    (checked_claim,) = checker.check(claim, SOURCES, **options).claims
    return checked_claim


@pytest.mark.parametrize(
    "claim",
    [
        "Payment is due within 28 days of receipt of the invoice.",
        "The Contractor shall not work at night [contract.txt, p.1].",
        "The ferry leaves the island at seven.",
    ],
)
def test_claim_that_a_source_states_is_supported(checker, claim):
    checked_claim = check_claim(checker, claim)
    assert (checked_claim.verdict, checked_claim.why) == (SUPPORTED, "")
    best = checked_claim.evidence[0]
    assert (best.source, CONTRACT[best.start : best.end]) == (1, best.text)


WAGES = "Entgelttarifvertrag für das Druckgewerbe Nordmark\n1. Die Arbeitszeit beträgt 36 Stunden."
POWER = "Tarif Küstenstrom\n4. Laufzeit. Die Mindestlaufzeit beträgt zwölf Monate. Danach kann der Kunde kündigen."
OF_WAGES = "Im Druckgewerbe Nordmark beträgt die Mindestlaufzeit zwölf Monate."


@pytest.mark.parametrize(
    ("claim", "power", "is_supported"),
    [
        (OF_WAGES, {}, False),
        ("Im Druckgewerbe Nordmark beträgt die Arbeitszeit 36 Stunden.", {}, True),
        ("Die Mindestlaufzeit beträgt zwölf Monate.", {}, True),
        # The rest of the document may mention the subject.
        (OF_WAGES, {"chunk_index": 3}, True),
        (OF_WAGES, {"pages": (2,)}, True),
        (OF_WAGES, {"filename": ""}, True),
        (OF_WAGES, {"filename": "wages.txt"}, True),
    ],
)
def test_claim_is_judged_by_documents_that_mention_its_subject(checker, claim, power, is_supported):
    sources = [Source("wages.txt", text=WAGES), Source(**{"filename": "power.txt", "text": POWER, **power})]
    (checked_claim,) = checker.check(claim, sources).claims
    assert (checked_claim.verdict == SUPPORTED) == is_supported
    assert is_supported or all(item.source == 0 for item in checked_claim.evidence)


OIL = "Item\tCP-40\tCP-40X\nMotor power\t37 kW\t37 kW\nOil quantity\t14 litres\t16 litres\n"
CLAUSES = "Clause 7b limits liability. Clause 7a governs delivery."


@pytest.mark.parametrize(
    ("claim", "source", "is_supported"),
    [
        ("The CP-40 needs 16 litres of oil.", OIL, False),
        ("The CP-40 needs 14 litres of oil.", OIL, True),
        ("The CP-40X needs 16 litres of oil.", OIL, True),
        ("Clause 7a limits liability.", CLAUSES, False),
        ("Clause 7b limits liability.", CLAUSES, True),
        ("Clause 7a limits the liability.", "Under clause 7(a), the liability is limited.", True),
        ("Clause 7a limits the liability of the seller to £500.", "7a. The seller's liability is limited to £500.\n7b. Delivery takes five days.", True),
        ("Applicants must file Form 12A.", "Applicants must file Form 12B.", False),
        ("Applicants file Form 12A with the office.", "The applicant must file Form 12A with the office.", True),
        ("§ 7b regelt die Haftung.", "§ 7a regelt die Haftung. § 7b regelt die Lieferung.", False),
        ("The run is 5km long.", "The run is 5 km long.", True),
    ],
)  # fmt: skip
def test_letter_of_a_label_counts(checker, claim, source, is_supported):
    (checked_claim,) = checker.check(claim, [Source("a.txt", text=source)]).claims
    assert (checked_claim.verdict == SUPPORTED) == is_supported


TRAVEL = (
    "La classe affaires doit être approuvée par un membre du comité de direction.\n"
    "Le supérieur hiérarchique valide la demande dans les dix jours."
)


@pytest.mark.parametrize(
    ("claim", "is_supported"),
    [
        ("La classe affaires est approuvée par le supérieur hiérarchique.", False),
        ("La classe affaires est approuvée par un membre du comité de direction.", True),
        ("La classe affaires est approuvée par le comité de direction.", True),
    ],
)
def test_who_does_it_is_who_does_it_in_the_source(checker, claim, is_supported):
    (checked_claim,) = checker.check(claim, [Source("a.txt", text=TRAVEL)]).claims
    assert (checked_claim.verdict == SUPPORTED) == is_supported


def test_claim_with_an_altered_quotation_has_no_tick():
    answer = "It says “the ferry leaves at seven” and “it carries sixty cars”. It says “it carries sixty passengers”."
    claims = [Claim(item.text, item.start, item.end, SUPPORTED, 0.9) for item in extract_claims(answer)]
    quotations = check_quotations(
        answer, [Source("a.txt", text="The ferry leaves at seven. It carries sixty passengers.")]
    )
    assert [checked.check.state for checked in quotations] == ["verified", "altered", "verified"]
    first, second = hold_to_quotations(claims, quotations)
    assert (first.verdict, first.score, first.why) == (PARTLY, 0.49, quotations[1].check.why)
    assert second == claims[1]


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ("Payment is due within 14 days of receipt of the invoice.", "The source says 28 days where the claim says 14 days."),
        ("The Contractor shall work at night.", "The source says “not”, the claim does not."),
        ("Delay damages of £5,200 are paid for each day until Completion.", "£4,200"),
    ],
)  # fmt: skip
def test_claim_that_a_source_denies_is_contradicted_with_the_reason(checker, claim, why):
    checked_claim = check_claim(checker, claim)
    assert checked_claim.verdict == CONTRADICTED
    assert why in checked_claim.why
    assert checked_claim.score < 0.5
    assert checked_claim.evidence[0].source == 1


@pytest.mark.parametrize(
    ("document", "claim"),
    [
        ("Kestrel E-Bike Owner's Manual.txt", "Faults of material are covered for five years on the frame and two years on motor and battery."),
        ("Lease of 14 Calder Row.txt", "Between October and March a broken boiler is repaired by the Landlord within two working days, otherwise within five."),
        ("压缩机采购合同.txt", "违约金按迟交设备价款的千分之一逐日计算，总额不超过合同总价的百分之五。"),
    ],
)  # fmt: skip
def test_true_claim_in_other_words_beside_many_sentences_is_not_contradicted(checker, document, claim):
    (checked_claim,) = checker.check(claim, [Source(document, text=find_document(document).read_text("utf-8"))]).claims
    assert checked_claim.verdict != CONTRADICTED


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Company B paid 5 million.", CONTRADICTED),
        ("Company B paid 3 million.", SUPPORTED),
        ("Company A paid 5 million and Company B paid 3 million.", SUPPORTED),
        ("In 2023 sales were 70 million.", CONTRADICTED),
        ("Group 2 received 17 mg.", CONTRADICTED),
        ("Group 1 received 17 mg.", SUPPORTED),
        ("Mortality was 12 % with drug B.", CONTRADICTED),
        ("In 2023 sales were 40 million.", SUPPORTED),
        ("Notice is at least 6 months.", SUPPORTED),
        ("Rooms are let for two weeks.", SUPPORTED),
        ("The pumps leave on 29 September.", SUPPORTED),
        ("“The pumps leave on 29 September, not on 22 September.”", SUPPORTED),
        ("The document says that Company A paid 5 million.", SUPPORTED),
    ],
)
def test_number_belongs_to_what_its_own_sentence_names(checker, claim, verdict):
    text = (
        "Company A paid 5 million. Company B paid 3 million. In 2022 sales were 70 million. In 2023 sales were 40 million."
        " Notice is not less than 6 months. Rooms are let for 14 days. Group 1 received 17 mg. Group 2 received 22 mg."
        " Mortality was 12 % with drug A. With drug B it was 9 %. The pumps leave on 29 September, not on 22 September."
    )
    (checked_claim,) = checker.check(claim, [Source("report.txt", text=text)]).claims
    assert checked_claim.verdict == verdict


@pytest.mark.parametrize(
    ("claim", "source", "is_supported"),
    [
        ("The lock is repaired by the landlord.", "The landlord repairs the lock.", True),
        ("The landlord repairs the lock.", "The lock is repaired by the landlord.", True),
        ("The Engineer is notified by the Contractor.", "The Contractor notifies the Engineer.", True),
        ("The lock is repaired by the tenant.", "The landlord repairs the lock.", False),
        ("The Contractor is notified by the Engineer.", "The Contractor notifies the Engineer.", False),
    ],
)
def test_passive_voice_changes_no_verdict(checker, claim, source, is_supported):
    (checked_claim,) = checker.check(claim, [Source("rules.txt", text=source)]).claims
    assert (checked_claim.verdict == SUPPORTED) == is_supported


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Anna did not report to Ben.", "All staff reported to Anna except Ben."),
        ("The agency does not notify banks.", "All clients notify the agency except banks."),
        ("Die Bank hat Orbis nicht geschrieben.", "Alle Lieferanten haben der Bank geschrieben außer Orbis."),
        ("The booking fee is not refunded.", "All fees are refunded except the booking fee."),
    ],
)
def test_denial_of_what_a_source_leaves_out_is_neither_supported_nor_contradicted(checker, claim, source):
    (checked_claim,) = checker.check(claim, [Source("rules.txt", text=source)]).claims
    assert checked_claim.verdict not in (SUPPORTED, CONTRADICTED)


@pytest.mark.parametrize(
    "claim", ["Gas, water and heating are part of the rent.", "Water and heating are part of the rent, and parking."]
)
def test_claim_with_an_item_that_no_source_names_is_partly_supported(checker, claim):
    (checked_claim,) = checker.check(
        claim, [Source("lease.txt", text="Water and heating are part of the rent.")]
    ).claims
    assert checked_claim.verdict == PARTLY


def test_claim_that_is_contradicted_as_a_whole_is_not_supported_by_its_statements(checker):
    source = Source("stage.txt", text="The climb to Monte Brenta, which was to be ridden twice, was ridden once.")
    (checked_claim,) = checker.check("The climb was ridden twice, though it was to be ridden once.", [source]).claims
    assert checked_claim.verdict != SUPPORTED


def test_claim_is_partly_supported_without_its_relative_clause(checker):
    source = Source(
        "timetable.txt", text="The ferry leaves the island at seven in the morning. Tickets cost four pounds."
    )
    claim = "The ferry, which serves hot coffee, leaves the island at seven in the morning."
    (checked_claim,) = checker.check(claim, [source]).claims
    assert checked_claim.verdict == PARTLY
    assert "The ferry serves hot coffee" in checked_claim.why


@pytest.mark.parametrize(
    ("claim", "source", "is_supported"),
    [
        ("With a clearance of 45 mL/min, the dose is 250 mg.", DOSES, True),
        ("With a clearance of 45 mL/min, the dose is 500 mg.", DOSES, False),
        ("An employee who has worked for 7 years gets 30 days of leave.", LEAVE, True),
        ("An employee who has worked for 4 years gets 30 days of leave.", LEAVE, False),
        ("Anna has worked for 7 years.", LEAVE, False),
        ("Net debt rose by €74 million.", DEBT, True),
        ("Net debt fell by €74 million.", DEBT, False),
        ("Net debt rose by €84 million.", DEBT, False),
    ],
)
def test_rule_is_applied_and_a_change_computed(checker, claim, source, is_supported):
    (checked_claim,) = checker.check(claim, [Source("leaflet.txt", text=source)]).claims
    assert (checked_claim.verdict == SUPPORTED) == is_supported


def test_claim_without_a_source_is_unsupported(checker):
    checked_claim = check_claim(checker, "The museum displays Roman coins from Carthage.")
    assert (checked_claim.verdict, checked_claim.evidence) == (UNSUPPORTED, ())
    assert checked_claim.why


def test_answer_is_grounded_if_all_claims_are_supported(checker):
    grounded_report = checker.check("Payment is due within 28 days of receipt of the invoice. Is that all?", SOURCES)
    mixed_report = checker.check(
        "Payment is due within 28 days of receipt of the invoice. The museum displays Roman coins.", SOURCES
    )
    assert (grounded_report.grounded, mixed_report.grounded) == (True, False)
    assert grounded_report.grounding_score > mixed_report.grounding_score
    assert [claim.text for claim in mixed_report.ungrounded] == ["The museum displays Roman coins."]
    assert grounded_report.confidence_level == "high"


def test_warnings_are_appended_to_the_text(checker):
    text = "The museum displays Roman coins."
    text_with_warnings = checker.check(text, SOURCES).with_warnings
    assert text_with_warnings.startswith(
        text + "\n\n⚠ Not supported by the sources: “The museum displays Roman coins.”"
    )
    supported_text = "The Contractor shall not work at night."
    assert checker.check(supported_text, SOURCES).with_warnings == supported_text


def test_claim_that_shares_no_word_with_a_long_source_is_unsupported(checker):
    """Of more than a thousand sentences those with words of the claim are embedded: here there is none."""
    source = Source("rules.txt", text="合同应当在二十八天内支付发票金额。" * 1_200)
    (claim,) = checker.check("The ferry leaves at noon.", [source]).claims
    assert claim.verdict == UNSUPPORTED


def test_answer_without_claims_is_neither_grounded_nor_ungrounded(checker):
    report = checker.check("No relevant sources found.", SOURCES)
    assert (report.grounded, report.claims, report.grounding_score, report.confidence_level) == (
        None,
        (),
        None,
        "low",
    )


MINUTES = (
    "1. Ms Okafor joined the Board on 1 January 2024. The former secretary, Mr P. Dunne, retired on 31 December 2023. The "
    "Customer may terminate for convenience on six months' notice. The Tenant keeps the garden in good repair. Ms Lind lives "
    "in Bergen.\n\nArticle 5. Le Client ne peut pas céder le contrat sans l'accord écrit du Prestataire."
)


@pytest.mark.parametrize(
    ("answer", "ticks"),
    [
        ("Ms Okafor joined the Board on 1 January 2024. She retired on 31 December 2023.", [True, False]),
        ("Mr Dunne was the former secretary. He retired on 31 December 2023.", [True, True]),
        ("Ms Lind lives in Bergen. She lives in Bergen.", [True, True]),
        ("The Supplier is Ostrava. It may terminate for convenience on six months' notice.", [False, False]),
        ("The Customer may terminate. It may terminate for convenience on six months' notice.", [True, True]),
        ("The Tenant:\n- keeps the garden in good repair", [True]),
        ("The Landlord:\n- keeps the garden in good repair", [False]),
        ("Le Client ne peut pas céder le contrat sans l'accord écrit du Prestataire.", [True]),
    ],
)
def test_claim_is_judged_with_what_it_takes_from_the_answer(checker, answer, ticks):
    claims = checker.check(answer, [Source("minutes.txt", text=MINUTES)]).claims
    assert [claim.verdict == SUPPORTED for claim in claims] == ticks


SALES = "EUR thousand\t2024\t2023\nTicket sales\t5,120\t4,870\nFreight\t2,310\t2,475\nResult\t640\t515"
SALES_HEAD = "| Item | 2024 | 2023 |\n|---|---|---|\n"
FEES = "The accounts differ.\nAccount\tMonthly fee\tOverdraft rate\nStudent\t£0\t12 %\nPremium\t£15\t9 %\nBusiness\t£22\t14 %"


@pytest.mark.parametrize(
    ("claim", "verdict", "why"),
    [
        ("The overdraft rate of the Premium account is 9 %.", SUPPORTED, ""),
        ("The overdraft rate of the Premium account is 14 %.", UNSUPPORTED, "do not stand together in one row"),
        ("The overdraft rate of the Business account is 22 %.", UNSUPPORTED, "under another header"),
    ],
)
def test_claim_about_a_table_needs_one_row_that_says_it(checker, claim, verdict, why):
    """An external judge cannot lift it either."""
    (checked_claim,) = checker.check(
        claim, [Source("fees.md", text=FEES)], judge=lambda claim, sentences: Opinion(SUPPORTED)
    ).claims
    assert checked_claim.verdict == verdict
    assert why in checked_claim.why


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (SALES_HEAD + "| Ticket sales | 5,120 | 4,870 |", SUPPORTED),
        (SALES_HEAD + "| Freight | 2,310 | 2,475 |", SUPPORTED),
        (SALES_HEAD + "| Ticket sales | 4,870 | 5,120 |", UNSUPPORTED),
        ("Ticket sales in 2024 were EUR 5,120 thousand.", SUPPORTED),
        ("Ticket sales in 2024 were EUR 5.12 million.", SUPPORTED),
        ("Ticket sales in 2024 were EUR 5,120 million.", PARTLY),
        ("Ticket sales in 2024 were EUR 5,120.", UNSUPPORTED),
        ("Ticket sales in 2023 were EUR 5,120 thousand.", UNSUPPORTED),
    ],
)
def test_claim_about_a_table_is_read_with_headers_and_their_unit(checker, answer, verdict):
    (checked_claim,) = checker.check(answer, [Source("sales.txt", text=SALES)]).claims
    assert checked_claim.verdict == verdict


def test_quotation_is_checked_against_the_closest_source(checker):
    report = checker.check("It says “shall not work at night” and “Delay damages of £4,300 are paid”.", SOURCES)
    assert [(quotation.check.state, quotation.source) for quotation in report.quotations] == [
        ("verified", 1),
        ("altered", 1),
    ]


def test_claim_may_be_cited_from_the_sentence_that_states_it(checker):
    claim = check_claim(checker, "The Contractor shall not work at night.")
    assert can_be_cited(claim)
    assert (claim.evidence[0].source, claim.evidence[0].text) == (1, "The Contractor shall not work at night.")
    assert not can_be_cited(check_claim(checker, "The Contractor shall work at night."))
    assert not can_be_cited(check_claim(checker, "The museum displays Roman coins."))
    proposal = Source("minutes.txt", text="Ms Brandsma proposed to open on Sundays from 1 to 4.")
    (claim,) = checker.check("Mr Okafor proposed to open on Sundays from 1 to 4.", [proposal]).claims
    assert not can_be_cited(claim)


def test_external_judge_changes_the_verdict_and_may_fail(checker):
    def disagree(claim, evidence):
        assert evidence
        return Opinion(UNSUPPORTED, "It only seems so.")

    def fail(claim, evidence):
        raise OSError("gone")

    claim = "The Contractor shall not work at night."
    changed_claim = check_claim(checker, claim, judge=disagree)
    assert (changed_claim.verdict, changed_claim.why) == (UNSUPPORTED, "It only seems so.")
    assert changed_claim.score < 0.5
    assert "Not supported" in append_warnings(
        claim, [check_claim(checker, claim, judge=lambda *_: Opinion(UNSUPPORTED))]
    )
    confirmed_claim = check_claim(
        checker, claim, judge=lambda *_: Opinion(SUPPORTED, "It is said in the second source.")
    )
    assert append_warnings(claim, [confirmed_claim]) == claim
    assert check_claim(checker, claim, judge=fail) == check_claim(checker, claim)
    assert check_claim(checker, claim, judge=lambda *_: Opinion("perhaps")).verdict == SUPPORTED


@pytest.mark.parametrize(
    "claim", ["Payment is due within 14 days of receipt of the invoice.", "The Contractor shall work at night."]
)
def test_external_judge_cannot_lift_another_number_or_a_missing_not(checker, claim):
    checked_claim = check_claim(checker, claim, judge=lambda *_: Opinion(SUPPORTED, "It says so."))
    assert checked_claim.verdict == CONTRADICTED
    assert checked_claim.score < 0.5


@pytest.mark.parametrize(
    ("answer", "sources", "message"),
    [
        (" \n", SOURCES, "Give an answer"), ("Yes, it is so.", [], "at least one source"),
        ("It is so.", [SOURCES[0], Source("e.txt", text=" ")], "Source 2 has no text"),
        ("x" * (MAX_ANSWER_CHARACTERS + 1), SOURCES, "100,001 characters"),
        ("It is so.", [Source("e.txt", text="x" * 200_001)], "200,001 characters"), ("It is so.", SOURCES * 51, "102 sources"),
        ("The term of lease ends. " * 501, SOURCES, "501 claims"),
    ],
)  # fmt: skip
def test_uncheckable_input_is_refused_with_the_reason(checker, answer, sources, message):
    with pytest.raises(BadRequest, match=message):
        checker.check(answer, sources)


def test_confidence_has_three_levels():
    assert [compute_confidence(probabilities)[1] for probabilities in ([0.51, 0.1], [0.5], [0.21], [0.2], [])] == [
        "high",
        "medium",
        "medium",
        "low",
        "low",
    ]
