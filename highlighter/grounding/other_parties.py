"""Claims that say of one party what the sentence that decides about them says of another one."""

from __future__ import annotations

from dataclasses import replace

from highlighter.grounding.claim_context import find_other_person, resolve_party
from highlighter.grounding.claim_reading import ClaimReading
from highlighter.grounding.contrasts import explain_other_words
from highlighter.grounding.entailment import MIN_DECIDING_PROBABILITY
from highlighter.grounding.parties import (
    are_defined_as_same,
    find_absent_party,
    find_exchanged_parties,
    is_indefinite,
    names_party,
)
from highlighter.grounding.source_index import SourceSentence


def explain_other_party(reading: ClaimReading) -> str:
    """Return who acts in the deciding sentence in the place of who acts in the claim, for users; "" where nobody else does."""
    statements = [replace(statement, antecedent=reading.antecedent) for statement in reading.statements]
    return next(filter(None, map(_explain_other_party_of_statement, statements or (reading,))), "")


def _explain_other_party_of_statement(reading: ClaimReading) -> str:
    deciding = reading.deciding_sentence
    if deciding is None:
        return ""
    before = _find_sentence_before(reading, deciding)
    if persons := find_other_person(reading.claim.text, reading.antecedent, deciding.text, before):
        return explain_other_words(*(f"“{name}”" for name in persons))
    if exchanged := find_exchanged_parties(reading.claim.text, deciding.text):
        return explain_other_words(*(f"“{party.word}”" for party in exchanged))
    absent = find_absent_party(resolve_party(reading.claim.text, reading.antecedent), deciding.text)
    if absent is None:
        return ""
    # A sentence that decides, too, or the one that a pronoun refers to, may name who acts.
    is_indefinite_there = is_indefinite(deciding.text)
    for sentence, probability in zip(reading.read_sentences, reading.entailment.deciding, strict=False):
        if (is_indefinite_there or probability >= MIN_DECIDING_PROBABILITY) and names_party(sentence.text, absent[0]):
            return ""
    if any(are_defined_as_same(sentence.text, *absent) for sentence in reading.source_index.sentences):
        return ""
    return explain_other_words(*(f"“{party.word}”" for party in absent))


def _find_sentence_before(reading: ClaimReading, sentence: SourceSentence) -> str:
    """Return the text of the sentence before another one that was read, in the same source; "" if none was."""
    read = reading.read_sentences
    before = read[read.index(sentence) - 1] if read.index(sentence) else None
    return before.text if before and before.source == sentence.source else ""
