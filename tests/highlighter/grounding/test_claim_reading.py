"""What the model is given to read of a claim."""

import pytest

from highlighter.grounding.claim_reading import _remove_asides

SENTENCES = ("The ferry leaves the island at seven in the morning.", "It carries sixty passengers (and no cars).")


@pytest.mark.parametrize(
    ("claim", "bare"),
    [
        ("Tickets cost four pounds (see below).", "Tickets cost four pounds."),
        ("It leaves at seven (The ferry leaves the island at seven in the morning).", "It leaves at seven."),
        ("它在七點開出（The ferry leaves the island at seven in the morning）。", "它在七點開出。"),
        # A part of the claim stays, whether a source says it or not.
        ("The ferry carries sixty passengers (and no cars).", "The ferry carries sixty passengers (and no cars)."),
        ("It leaves at seven (the ferry sank in 1912).", "It leaves at seven (the ferry sank in 1912)."),
        ("(The ferry leaves the island at seven)", "(The ferry leaves the island at seven)"),
    ],
)
def test_parentheses_that_state_nothing_are_not_read(claim, bare):
    assert _remove_asides(claim, SENTENCES) == bare
