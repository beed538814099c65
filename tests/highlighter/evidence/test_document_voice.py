import pytest

from highlighter.evidence.document_voice import ask_in_words_of_document

TERMS = ["You may cancel within 14 days.", "We may cancel by giving you 21 days' notice."]


@pytest.mark.parametrize(
    ("question", "rewritten"),
    [
        ("When can the insurer cancel my policy?", "When can we cancel the policy?"),
        ("When does the insurer pay for water damage?", "When do we pay for water damage?"),
        ("What must the policyholder report?", "What must you report?"),
        ("Is the customer allowed to cancel?", "Are you allowed to cancel?"),
        # Who acts is not asked.
        ("What is the address of the insurer?", "What is the address of the insurer?"),
        ("When must the landlord pay?", "When must the landlord pay?"),
    ],
)
def test_parties_that_act_are_we_and_you_in_terms(question, rewritten):
    assert ask_in_words_of_document(question, TERMS) == rewritten


def test_party_stays_where_a_document_does_not_say_we_and_you():
    question = "When can the insurer cancel my policy?"
    assert ask_in_words_of_document(question, ["You may cancel.", "The insurer may cancel."]) == question
