"""Tests of the claims of a response whose citations are many."""

from __future__ import annotations

from highlighter.native_citations.claim_check import MAX_CHECKED_SOURCES, UNCHECKED_NOTE, CheckedText, check_claims
from highlighter.native_formats.native_response import NativeCitation, NativeSource

FARE = "Tickets cost four pounds and are sold on board."
LEAVES = "The ferry leaves at seven in the morning."


def test_claim_of_a_text_beyond_the_limit_has_no_verdict(note_services):
    """Neither does the claim count as supported because another text says it."""
    answer = f"{LEAVES} [1] {FARE} [2]"
    labels = [(answer.index(marker), answer.index(marker) + 3) for marker in ("[1]", "[2]")]
    citations = [NativeCitation("marker", (NativeSource(),), label=label) for label in labels]
    others = [CheckedText(f"{number}.txt", f"Boat {number} is red.") for number in range(MAX_CHECKED_SOURCES - 1)]
    texts = [CheckedText("fares.txt", f"{LEAVES} {FARE}"), *others, CheckedText("blue.txt", "The boat is blue.")]
    for last, verdicts, note in ((0, ["supported"] * 2, ""), (len(texts) - 1, ["supported", None], UNCHECKED_NOTE)):
        check = check_claims(note_services.answer_checker, answer, citations, texts, [(0,), (last,)], ["", ""])
        found = [None if claim is None else check.claims[claim].verdict for claim in check.claim_of_citation]
        assert (found, check.note, check.grounding_score) == (verdicts, note, 1.0)
        assert len(check.claims) == sum(verdict is not None for verdict in verdicts)
