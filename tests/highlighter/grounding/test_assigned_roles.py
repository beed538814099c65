"""A role that a document gives to one is not that of another one."""

import pytest

from highlighter.grounding.assigned_roles import explain_exchanged_role, find_claimed_role

LOAN = 'Dated 12 June, between Calder Vale Bank plc ("the Lender") and Hosk Marine Services Ltd ("the Borrower").'
GUARANTEE = 'Hosk Holdings Ltd ("the Guarantor") guarantees the Borrower\'s obligations up to £750,000.'
PATENT = "Proprietor: Algavita AS, Bergen."


@pytest.mark.parametrize(
    ("claim", "sentence", "source_words"),
    [
        ("Hosk Holdings is the Lender.", GUARANTEE, "Guarantor"),
        ("Hosk Holdings is the Guarantor.", GUARANTEE, ""),
        ("Hosk Holdings is the parent.", 'Hosk Holdings Ltd ("the Guarantor") is the parent of the Borrower.', ""),
        ("Mr Sandys was present.", "Clerk: Mr Sandys. Present: Ms Hale.", ""),
        ("Hosk Holdings is liable.", GUARANTEE, ""),
        ("Hosk Holdings is not the Borrower.", GUARANTEE, ""),
        ("Hosk Holdings is the Borrower.", LOAN + " " + GUARANTEE, "Guarantor"),
        ("Calder Vale Bank is the Borrower.", LOAN, "Lender"),
        ("Calder Vale Bank is the creditor.", LOAN, ""),
        ("Hosk Marine Services is the Lender.", LOAN, "Borrower"),
        ("Hosk Marine Services is the Borrower.", LOAN, ""),
        ("Aurel GmbH ist die Vermieterin.", "Aurel GmbH (nachfolgend „Mieter“) mietet von Lund AG (nachfolgend „Vermieter“).", "Mieter"),
        ("Lund AG ist die Vermieterin.", "Aurel GmbH (nachfolgend „Mieter“) mietet von Lund AG (nachfolgend „Vermieter“).", ""),
        ("Aurel est le bailleur.", "Aurel SA (ci-après « le Locataire ») loue un bureau.", "Locataire"),
        ("Aurel es el arrendador.", "Aurel SA (en adelante, «el Arrendatario») alquila una oficina.", "Arrendatario"),
        ("Nordtang is the proprietor of the patent.", PATENT, "Algavita AS"),
        ("Algavita is the proprietor of the patent.", PATENT, ""),
        ("Algavita is the owner of the patent.", PATENT, ""),
        ("The proprietor is Algavita.", PATENT, ""),
    ],
)  # fmt: skip
def test_role_of_another_one(claim, sentence, source_words):
    claimed = find_claimed_role(claim)
    why = explain_exchanged_role(claimed, sentence) if claimed else ""
    assert why.partition("“")[2].partition("”")[0] == source_words


def test_unknown_role_is_another_one_where_somebody_else_has_it():
    claimed = find_claimed_role("Algavita is the inventor.")
    assert not explain_exchanged_role(claimed, PATENT)
    assert explain_exchanged_role(claimed, PATENT, ["Inventor: Sigrid Moe."])
    assert explain_exchanged_role(find_claimed_role("Hosk Holdings is the Borrower."), GUARANTEE, [LOAN])
