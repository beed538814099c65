"""Extracting the sentences of an answer that claim something."""

import pytest

from highlighter.grounding.claim_context import find_other_person
from highlighter.grounding.claims import extract_claims
from highlighter.models import DOCUMENT_SUFFIXES
from tests.properties import given, st

ANSWER = """\
# Payment terms

Hello! Here is what the sources say:

- **Payment** is due within 14 days [NEC4 ACC, p.3].
- The Contractor pays £4,200 a day¹ for delay. [[Contract]]
1. What about tax?
The sources do not mention tax. Would you like more?
工程师应在七天内回复【合同, 第3頁】。文件中没有提到税款。

Sources:
[1] NEC4 ACC.pdf, page 3
[2] Contract.pdf

Let me know if you have questions."""


def extract_texts(answer, marker_spans=None):
    return [claim.text for claim in extract_claims(answer, marker_spans)]


def test_only_assertions_are_claims():
    assert extract_texts(ANSWER) == [
        "Payment is due within 14 days.",
        "The Contractor pays £4,200 a day for delay.",
        "工程师应在七天内回复。",
    ]


@pytest.mark.parametrize("suffix", DOCUMENT_SUFFIXES)
def test_file_of_every_kind_is_a_source_and_no_claim(suffix):
    assert extract_texts(f"Payment is due within 14 days [Terms of payment{suffix}].") == [
        "Payment is due within 14 days."
    ]
    assert extract_texts(f"Payment is due at once.\n\nSources:\nTerms of payment{suffix}") == [
        "Payment is due at once."
    ]


def test_claim_has_its_span_in_the_answer():
    first, second, _ = extract_claims(ANSWER)
    assert ANSWER[first.start : first.end] == "**Payment** is due within 14 days [NEC4 ACC, p.3]."
    assert ANSWER[second.start : second.end] == "The Contractor pays £4,200 a day¹ for delay."


@pytest.mark.parametrize(
    "text",
    [
        "What is due?", "Hi there!", "Thank you.", "I'm not sure.", "It depends on the contract.", "合同什么时候到期？",
        "I could not find an answer.", "No relevant sources found.", "The documents do not say when.", "无法回答这个问题。",
        "Please consult a lawyer.", "## Notice and payment", "**Notice and payment**", "The deadlines are:", "", " \n ",
        "Sources: Contract.pdf, page 3; Annex.pdf", "References\n- Contract of sale.pdf\n- Annex to the contract.pdf",
        "[^1]: Contract of sale, page 3", "```\nthe total equals the sum\n```",
    ],
)  # fmt: skip
def test_text_without_assertion_has_no_claims(text):
    assert extract_texts(text) == []


def test_text_after_a_source_list_is_read():
    answer = "The fee is £5.\n\nSources:\n- a.pdf\n\nThe term ends in March."
    assert extract_texts(answer) == ["The fee is £5.", "The term ends in March."]


def test_only_given_markers_are_cut_out():
    answer = "Payment is due (see A) in [14] days."
    assert extract_texts(answer, [(15, 22)]) == ["Payment is due in [14] days."]


def test_brackets_around_markers_are_cut_out():
    answer = "The ferry costs four pounds [Fares; Times] each way (a)."
    assert extract_texts(answer, [(29, 34), (36, 41)]) == ["The ferry costs four pounds each way (a)."]


def test_table_rows_are_claims_but_not_the_head():
    answer = "| Route | Fare |\n|:---|---:|\n| North pier | four pounds [1] |\n| South pier | five pounds |\n"
    assert extract_texts(answer) == ["North pier, Fare: four pounds", "South pier, Fare: five pounds"]


@pytest.mark.parametrize(
    ("answer", "texts"),
    [
        (
            "| Item | 2024 [1] | 2023 |\n|---|---|---|\n| Sales | 4,870 | 5,120 |\n| Cost of sales | | 7 |\n\n| Pier | open |\n",
            ["Sales, 2024: 4,870, 2023: 5,120", "Cost of sales, 2023: 7", "Pier, open"],
        ),
        (
            "| Topic | The contract says |\n|---|---|\n| Cap | the lesser of the charges of a year and a million pounds |\n",
            ["Cap, the lesser of the charges of a year and a million pounds"],
        ),
        ("| Item | Fee |\n|---|---|\n| Mooring a boat | 7 | a day |\n", ["Mooring a boat, 7, a day"]),
        ("| North pier | four pounds |\n| South pier | five pounds |\n", ["North pier, four pounds", "South pier, five pounds"]),
    ],
)  # fmt: skip
def test_rows_of_a_table_are_read_with_its_header(answer, texts):
    assert extract_texts(answer) == texts


def test_superscript_begins_a_claim_or_a_footnote():
    assert extract_texts("¹ The ferry costs four pounds.") == ["The ferry costs four pounds."]
    assert extract_texts("The ferry costs four pounds.¹\n\n¹ Fares and times, page 2") == [
        "The ferry costs four pounds."
    ]


@pytest.mark.parametrize(
    ("note", "is_claim"),
    [
        ("[1] Fares and times, p. 2", False),
        ("[1] Fares and times.pdf", False),
        ("[1] Fares and times, clause 6.4", False),
        ("<sup>1</sup> Fares and times, page 2", True),
        ("[2] Fares and times, p. 2", True),
        ("[1] The ferry carries no cars, p. 2", True),
        ("[1] The ferry carries no cars.", True),
    ],
)
def test_note_that_names_the_source_of_a_marker_is_no_claim(note, is_claim):
    assert len(extract_texts(f"The ferry costs four pounds [1].\n\n{note}")) == 1 + is_claim


@given(st.text(max_size=400), st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400)), max_size=5))
def test_claims_of_any_text_have_valid_offsets(answer, marker_spans):
    for claim in extract_claims(answer, [(a, b) for a, b in marker_spans if a <= b <= len(answer)]):
        assert 0 <= claim.start < claim.end <= len(answer)


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("The sources do not answer this, but the tenant must leave by Friday.", ["the tenant must leave by Friday."]),
        ("The sources do not answer this question; the rent is 900 euros.", ["the rent is 900 euros."]),
        ("The sources do not state the rent, which is 900 euros.", ["which is 900 euros."]),
        ("資料來源沒有回答這個問題，租金為900歐元。", ["租金為900歐元。"]),
        ("The sources do not say who pays, or when it is due.", []),
        ("The sources do not mention rent, deposit or term.", []),
    ],
)
def test_statement_after_refusal_in_same_sentence_is_a_claim(sentence, claims):
    found = extract_claims(sentence)
    assert [claim.text for claim in found] == claims
    assert all((claim.start, claim.end) == (0, len(sentence)) for claim in found)


def test_sentence_that_needs_no_source_is_a_claim():
    """It is no refusal, although it ends with "no source"."""
    (claim,) = extract_claims("Every sentence of the memo has been verified and needs no source.")
    assert claim.text.endswith("needs no source.")
    assert not extract_claims("There is no source. I found no evidence for this. No answer.")


def test_claim_that_rests_on_a_quoted_question_is_no_question():
    (claim,) = extract_claims("Mrs Lee asked about work at night (漁民陳先生問：「夜晚會唔會開工？).")
    assert claim.text.startswith("Mrs Lee")
    assert not extract_claims("Does the ferry carry cars? (Does it?) Is there a bar (on deck)?")


@pytest.mark.parametrize(
    ("answer", "claim"),
    [
        ("A plate holds 10⁶ cells on 25 m².¹", "A plate holds 10⁶ cells on 25 m²."),
        ("The pier opened in 1906² and costs four pounds³.", "The pier opened in 1906 and costs four pounds."),
        (
            "A plate of 25 m<sup>2</sup> costs four pounds<sup>1</sup>.",
            "A plate of 25 m<sup>2</sup> costs four pounds.",
        ),
        ("A plate of ¹⁴C costs four pounds <sup>1, 2</sup>.", "A plate of ¹⁴C costs four pounds."),
    ],
)
def test_exponent_is_no_marker(answer, claim):
    assert extract_texts(answer) == [claim]


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("“The ferry costs four pounds (each way).” [1]", "The ferry costs four pounds (each way)."),
        ("„Die Fähre kostet vier Pfund“.", "Die Fähre kostet vier Pfund."),
        ("﹁渡輪收費四元﹂。", "渡輪收費四元。"),
        ("(The ferry costs four pounds.) [[Fares]]", "The ferry costs four pounds."),
        ("“Ferry” and “four pounds”", "“Ferry” and “four pounds”"),
        ("(Ferries) cost four pounds (each).", "(Ferries) cost four pounds (each)."),
    ],
)
def test_sentence_within_quotation_marks_or_brackets_is_judged_by_its_words(sentence, claim):
    assert extract_texts(sentence) == [claim]


@pytest.mark.parametrize(
    ("answer", "claims"),
    [
        # An item completes the line above its list:
        ("The following may subcontract without consent:\n- Vask Logistics Ltd", ["Vask Logistics Ltd may subcontract without consent"]),
        ("It may be assigned to the following companies:\n- Vask Ltd", ["It may be assigned to Vask Ltd"]),
        ("Corvadine is contraindicated in:\n- dizziness", ["Corvadine is contraindicated in dizziness"]),
        ("**The Tenant must:**\n\n1. pay the rent, and\n2. insure the flat.", ["The Tenant must pay the rent", "The Tenant must insure the flat."]),
        ("The Landlord:\n- insures the building against fire", ["The Landlord insures the building against fire"]),
        ("You may leave if:\n- The roof is not repaired.", ["You may leave if The roof is not repaired."]),
        ("The report lists two risks:\n- floods\n- fires", ["The report lists two risks: floods", "The report lists two risks: fires"]),
        ("The ferry is small. It carries:\n- sixty passengers", ["The ferry is small.", "It carries sixty passengers"]),
        ("Das Personal darf:\n- Urlaub nehmen\n- Der Mieter zahlt die Miete.", ["Das Personal darf Urlaub nehmen", "Der Mieter zahlt die Miete."]),
        # It says something alone, or the line says nothing of it:
        ("The contract says:\n- The rent is 900 euros.", ["The rent is 900 euros."]),
        ("Here are the rules of the house:\n- dogs on a lead", ["dogs on a lead"]),
        ("The key points are:\n- rent due in May", ["rent due in May"]),
        ("Deadlines:\n- Site visit: 19 February 2025", ["Site visit: 19 February 2025"]),
        ("The lease allows dogs:\n- small ones\n\nThe rent is 900 euros.", ["The lease allows dogs: small ones", "The rent is 900 euros."]),
    ],
)  # fmt: skip
def test_item_of_a_list_has_its_lead_in(answer, claims):
    assert extract_texts(answer) == claims


def test_pronoun_has_the_sentence_before_as_antecedent():
    answer = (
        "Ms Okafor joined in 2024. She left in May. She lives in Rome.\n\nShe paid 5 euros in May.\n- It ends in May."
    )
    first = "Ms Okafor joined in 2024."
    assert [claim.antecedent for claim in extract_claims(answer)] == ["", first, first, "", ""]


@pytest.mark.parametrize(
    ("antecedent", "other"),
    [
        ("Ms Hale chaired the meeting.", ("Hale", "Ito")),
        ("Ms Ito chaired the meeting.", None),
        ("Mr Dunne met Ms Hale.", None),  # either may be meant
    ],
)
def test_pronoun_means_the_only_person_of_the_sentence_before(antecedent, other):
    assert find_other_person("She retired.", antecedent, "Ms Ito retired.", "") == other
