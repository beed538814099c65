"""The judge's rules: what overrules the model, and what an external judge may change."""

import pytest

from highlighter.grounding.claim_reading import ClaimReading
from highlighter.grounding.claims import ClaimSentence
from highlighter.grounding.entailment import Entailment
from highlighter.grounding.judge import Judge, Opinion
from highlighter.grounding.source_index import SourceIndex
from highlighter.grounding.verdicts import CONTRADICTED, PARTLY, SUPPORTED, UNSUPPORTED
from highlighter.grounding.wording import parse_wording

SOURCE = "The tenant pays 900 euros a month. Pets are not allowed."


def read(claim, entailed, contradicted=0.0, statements=()):
    index = SourceIndex([SOURCE])
    entailment = Entailment(entailed, contradicted, (0.9, 0.1))
    return ClaimReading(parse_wording(claim), index, (0, 1), (0, 1), entailment, statements)


def judge(reading, opinion=None):
    external = (lambda claim, sentences: opinion) if opinion else None
    return Judge(external).judge_claim(ClaimSentence(reading.claim.text, 0, len(reading.claim.text)), reading)


@pytest.mark.parametrize(
    ("claim", "entailed", "contradicted", "verdict"),
    [
        ("Rent comes to 900 euros a month.", 0.9, 0.0, SUPPORTED),
        ("The tenant pays 900 euros a month in cash.", 0.4, 0.1, PARTLY),
        ("The garden belongs to the neighbour.", 0.1, 0.1, UNSUPPORTED),
        ("The landlord pays 900 euros a month.", 0.05, 0.92, CONTRADICTED),
        ("900 euros a month the tenant pays.", 0.05, 0.92, PARTLY),  # the same words, whatever the model says
        # Hard evidence against what the model says:
        ("The tenant pays 950 euros a month.", 0.9, 0.0, CONTRADICTED),
        ("Pets are allowed.", 0.9, 0.0, CONTRADICTED),
        ("The tenant pays 900 euros a month for 2 rooms.", 0.9, 0.0, PARTLY),
        ("The landlord pays a rent of 900 euros a month.", 0.9, 0.0, UNSUPPORTED),
        ("The lessee pays 900 euros a month.", 0.9, 0.0, SUPPORTED),
    ],
)
def test_hard_evidence_overrules_the_model(claim, entailed, contradicted, verdict):
    assert judge(read(claim, entailed, contradicted)).verdict == verdict


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        ("The maximum dose is 5 mg.", "The minimum dose is 5 mg.", CONTRADICTED),
        ("The level was below 5 %.", "The level was above 5 %.", CONTRADICTED),
        (
            "The shop sells goods to customers.",
            "Customers buy goods from the shop.",
            SUPPORTED,
        ),  # the same, seen from the other side
        # About something else, the opposite is one of many differences.
        ("The maximum speed of the ferry in the harbour is 5 knots.", "The minimum age of a tenant is 5.", UNSUPPORTED),
        ("All damage is insured.", "All damage is insured, other than flood damage.", PARTLY),
        ("The mean age was 63 years.", "The median age was 63 years.", CONTRADICTED),
        ("食前に服用すること。", "食後に服用すること。", CONTRADICTED),
        ("應在飯前服用此藥。", "此藥應在飯後服用。每日兩次。", CONTRADICTED),
        ("甲在乙之前抵達。", "乙在甲之後抵達。", SUPPORTED),
        ("Child benefit is paid by the state.", "The state pays all benefits except child care.", SUPPORTED),
        ("Men or women must sign the form.", "Men and women must sign the form.", CONTRADICTED),
        ("The hospital closes its maternity ward.", "The board is considering the following: the hospital closes its maternity ward.", PARTLY),
        ("The rate is 5 per cent.", "Rate until 30 June: 5 per cent; rate now: 4 per cent.", CONTRADICTED),
        ("The bank charges nothing for cash withdrawals abroad.", "Cash withdrawals abroad are free, except in the United States.", PARTLY),
        ("The road was repaired in May.", "The road will be closed while it is repaired in May.", PARTLY),
        ("Revenue in 2025 was 5 million.", "We expect revenue of 5 million in 2025.", PARTLY),
        ("Interest is 4 per cent a year.", "Interest is 4 per cent a year above the base rate.", PARTLY),
        ("The discount is 10 per cent.", "In 2024 the discount was 10 per cent.", PARTLY),
        ("All results are within the limits.", "All other results are within the limits.", PARTLY),
        ("The mayor opened the park in May.", "The opening of the park by the mayor is planned for May.", PARTLY),
        ("The buyer will negotiate with the bidders.", "The buyer may negotiate with the bidders.", PARTLY),
        ("The grantee may show the logo.", "The grantee shall show the logo.", PARTLY),
        ("The buyer owes 4,000 euros.", "The seller alleges that the buyer owes 4,000 euros.", PARTLY),
        ("Diving is never subcontracted.", "Diving is never subcontracted a second time.", PARTLY),
        ("The Seller has 28 days to pay.", "Unless the Buyer is in default, the Seller pays within 28 days.", PARTLY),
        ("Flood damage is insured.", "All damage is insured (other than flood damage).", CONTRADICTED),
    ],
)  # fmt: skip
def test_opposite_or_exclusion_in_the_same_words_overrules_the_model(claim, source, verdict):
    index = SourceIndex([source])
    reading = ClaimReading(
        parse_wording(claim), index, (0,), (0,), Entailment(0.4 if verdict == UNSUPPORTED else 0.9, 0.0, (0.9,))
    )
    assert judge(reading).verdict == verdict


def test_same_words_of_another_party_are_contradicted():
    index = SourceIndex(["The customer shall refund the fee to the supplier."])
    reading = ClaimReading(
        parse_wording("The supplier shall refund the fee."), index, (0,), (0,), Entailment(0.02, 0.95, (0.9,))
    )
    assert judge(reading).verdict == CONTRADICTED


REGISTERED = "at the old slipway, and the register is signed by two witnesses who were there that morning."


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        (f"The warden trains 669 apprentices {REGISTERED}", f"The quay inspector trains 204 apprentices {REGISTERED}", PARTLY),
        (f"The warden arrived on 5 May {REGISTERED}", f"The quay inspector arrived on 7 May {REGISTERED}", PARTLY),
        (f"The night warden trains 669 apprentices {REGISTERED}", f"The warden trains 204 apprentices {REGISTERED}", CONTRADICTED),
        (f"The warden trains 669 apprentices {REGISTERED}", f"She trains 204 apprentices {REGISTERED}", CONTRADICTED),
        (f"Staff trained 669 apprentices {REGISTERED}", f"Employees trained 204 apprentices {REGISTERED}", CONTRADICTED),
        (f"Usually the warden trains 669 apprentices {REGISTERED}", f"Normally the warden trains 204 apprentices {REGISTERED}", CONTRADICTED),
        (f"The yearly fee for apprentices is 669 euros {REGISTERED}", f"The annual fee for apprentices is 204 euros {REGISTERED}", CONTRADICTED),
        (f"夜间看守培训669名学徒{REGISTERED}", f"码头检查员培训204名学徒{REGISTERED}", PARTLY),
    ],
)  # fmt: skip
@pytest.mark.parametrize("contradicted", [0.1, 0.95])
def test_number_of_another_subject_contradicts_nothing(claim, source, verdict, contradicted):
    reading = ClaimReading(
        parse_wording(claim), SourceIndex([source]), (0,), (0,), Entailment(0.04, contradicted, (0.9,))
    )
    assert judge(reading).verdict == verdict


def test_number_that_the_source_says_of_another_subject_supports_no_other_one():
    index = SourceIndex(["The quay inspector trains 204 apprentices. The warden trains 669 apprentices."])
    claim = parse_wording("The quay inspector trains 669 apprentices.")
    reading = ClaimReading(claim, index, (1, 0), (0, 1), Entailment(0.9, 0.0, (0.9, 0.2)))
    assert judge(reading).verdict == CONTRADICTED


def test_party_that_the_source_defines_by_another_name_is_supported():
    source = ["The Supplier is the Processor.", "The Processor keeps records."]
    reading = ClaimReading(
        parse_wording("The Supplier keeps records."), SourceIndex(source), (1,), (1,), Entailment(0.9, 0.0, (0.9,))
    )
    assert judge(reading).verdict == SUPPORTED


@pytest.mark.parametrize(("deciding", "verdict"), [((0.9, 0.1), PARTLY), ((0.9, 0.4), SUPPORTED), ((0.2, 0.1), PARTLY)])
def test_question_alone_supports_nothing(deciding, verdict):
    index = SourceIndex(["Is there a monthly pass? Yes, for 19 euros."])
    claim = parse_wording("There is a monthly pass.")
    assert judge(ClaimReading(claim, index, (0, 1), (0, 1), Entailment(0.9, 0.0, deciding))).verdict == verdict


def test_claim_is_supported_only_with_all_its_statements():
    halves = (read("The tenant pays 900 euros a month", 0.9), read("the garden is shared.", 0.1))
    claim = judge(read("The tenant pays 900 euros a month, and the garden is shared.", 0.8, statements=halves))
    assert (claim.verdict, claim.why) == (PARTLY, "The sources do not say “the garden is shared.”.")
    assert claim.score < 0.5


@pytest.mark.parametrize(
    ("claim", "source", "left_out"),
    [
        ("The Buyer may return the goods.", "The Buyer may return the goods, unless they were opened.", "unless they were opened"),
        ("賣方須於28日內付款。", "賣方須於28日內付款，除非買方違約。", "除非買方違約"),
        ("租客可以飼養寵物。", "租客可以飼養寵物，但不得飼養狗隻。", "但不得飼養狗隻"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("entailment", [Entailment(0.9, 0.0, (0.9,)), Entailment(0.1, 0.95, (0.9,))])
def test_claim_that_stops_before_a_restriction_is_partly_supported_and_shows_it(claim, source, left_out, entailment):
    reading = ClaimReading(parse_wording(claim), SourceIndex([source]), (0,), (0,), entailment)
    judged = judge(reading)
    assert (judged.verdict, judged.why) == (PARTLY, f"It leaves out “{left_out}”.")
    assert [source[start:end] for start, end in judged.evidence[0].marks] == [left_out]


def test_claim_in_the_words_of_a_sentence_does_not_leave_its_restriction_out():
    source = "Cats may live in the flat only with the landlord's consent."
    index = SourceIndex([source])
    entailment = Entailment(0.9, 0.0, (0.9,))
    wording = parse_wording("Cats may live in the flat.")
    claim = judge(ClaimReading(wording, index, (0,), (0,), entailment))
    assert (claim.verdict, claim.why) == (PARTLY, "It leaves out “only with the landlord's consent”.")


def test_external_judge_cannot_lift_over_a_restriction_that_is_left_out():
    index = SourceIndex(["Cats may live in the flat only with the landlord's consent."])
    reading = ClaimReading(parse_wording("Cats may live in the flat."), index, (0,), (0,), Entailment(0.9, 0.0, (0.9,)))
    assert judge(reading, Opinion(SUPPORTED, "It says so.")).verdict == PARTLY


def test_claim_that_an_external_judge_lifts_shows_a_sentence():
    reading = read("The rent comes each month to a little under a thousand.", 0.1)
    assert judge(reading).evidence == ()
    lifted = judge(reading, Opinion(SUPPORTED, "900 is a little under 1,000."))
    assert (lifted.verdict, lifted.evidence[0].text) == (SUPPORTED, "The tenant pays 900 euros a month.")


def test_contradiction_names_the_words_that_were_exchanged():
    claim = judge(read("The landlord pays 900 euros a month.", 0.05, 0.92))
    assert claim.why == "The source says “tenant” where the claim says “landlord”."
    assert [claim.text[start:end] for start, end in claim.marks] == ["landlord"]
    assert [claim.evidence[0].text[start:end] for start, end in claim.evidence[0].marks] == ["tenant"]
    assert judge(read("Dogs live in every flat of this house.", 0.05, 0.92)).why == "The source says otherwise."


def test_words_that_no_source_says_are_marked():
    claim = judge(read("The tenant pays 900 euros a month in cash.", 0.4))
    assert [claim.text[start:end] for start, end in claim.marks] == ["cash"]
    assert judge(read("Rent comes to 900 euros a month.", 0.9)).marks == ()


@pytest.mark.parametrize(
    ("claim", "entailed", "contradicted", "opinion", "verdict"),
    [
        ("Rent comes to 900 euros a month.", 0.9, 0.0, UNSUPPORTED, UNSUPPORTED),
        ("Rent comes to 900 euros a month.", 0.9, 0.0, CONTRADICTED, CONTRADICTED),
        ("The tenant pays 900 euros a month in cash.", 0.4, 0.1, SUPPORTED, SUPPORTED),
        # Never lifted: contradicted, another number, a number that no source contains.
        ("The landlord pays 900 euros a month.", 0.05, 0.92, SUPPORTED, CONTRADICTED),
        ("The landlord pays 900 euros a month.", 0.05, 0.92, PARTLY, CONTRADICTED),
        ("The tenant pays 950 euros a month.", 0.9, 0.0, SUPPORTED, CONTRADICTED),
        ("The tenant pays 900 euros a month for 2 rooms.", 0.4, 0.0, SUPPORTED, PARTLY),
    ],
)
def test_external_judge_may_lower_a_verdict_and_never_lift_it_over_hard_evidence(
    claim, entailed, contradicted, opinion, verdict
):
    judged = judge(read(claim, entailed, contradicted), Opinion(opinion, "I read it."))
    assert judged.verdict == verdict
    assert (judged.score >= 0.5) == (verdict == SUPPORTED)


@pytest.mark.parametrize(
    ("claim", "probability", "verdict"),
    [
        ("The first offence costs the driver nothing.", 0.95, SUPPORTED),
        ("The first offence costs the driver nothing.", 0.7, PARTLY),
        ("The 12th offence costs the driver nothing.", 0.95, PARTLY),
        ("The eleventh offence costs the driver nothing.", 0.95, PARTLY),
        ("Offences of two weeks cost the driver nothing.", 0.95, PARTLY),
    ],
)
def test_small_number_in_words_that_no_sentence_has_needs_a_sure_model(claim, probability, verdict):
    index = SourceIndex(["A driver is warned before an offence costs the driver anything."])
    reading = ClaimReading(parse_wording(claim), index, (0,), (0,), Entailment(probability, 0.0, (0.9,)))
    assert judge(reading).verdict == verdict


@pytest.mark.parametrize(
    ("claim", "source", "is_contradicted"),
    [
        ("The price doubled.", "The price rose from EUR 4 to EUR 8.", False),
        ("The price doubled.", "The price rose from EUR 4 to EUR 6.", True),
        ("Paper made an operating loss of EUR 14.8 million.", "Paper made an operating profit of EUR -14.8 million.", False),
        ("Paper made an operating loss of EUR 14.8 million.", "Paper made an operating profit of EUR 14.8 million.", True),
        ("The course lasts three months.", "The course lasts 90 days.", False),
        ("The course lasts three months.", "The course lasts 30 days.", True),
        ("The total is about 300 people.", "The total is 312 people.", False),
        ("The total is about 400 people.", "The total is 312 people.", True),
    ],
)  # fmt: skip
def test_value_that_says_the_same_is_no_contradiction(claim, source, is_contradicted):
    index = SourceIndex([source])
    reading = ClaimReading(parse_wording(claim), index, (0,), (0,), Entailment(0.05, 0.95, (0.9,)))
    assert (judge(reading).verdict == CONTRADICTED) == is_contradicted


def test_number_of_a_named_row_is_not_contradicted_by_another_sentence():
    table = (
        "Segment\tResult 2024\nPaper\t-14.8\nTissue\t6.2\n\nThe paper segment had a result of 18.5 million in 2024.\n"
    )
    index = SourceIndex([table])
    rows = [number for number, sentence in enumerate(index.sentences) if sentence.row and "Paper" in sentence.text]
    other = next(number for number, sentence in enumerate(index.sentences) if "18.5" in sentence.text)
    claim = parse_wording("Paper had a loss of 14.8 million in 2024.")
    reading = ClaimReading(claim, index, (other, rows[0]), (rows[0], other), Entailment(0.05, 0.1, (0.9, 0.1)))
    assert judge(reading).verdict != CONTRADICTED
