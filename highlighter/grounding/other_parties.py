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
from highlighter.grounding.wording import DATE, NUMBER, join_keys, parse_wording
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.terms import stem_word


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


# "approved by the Mayor", "approuvée par le supérieur hiérarchique": what was done, and who did it.
_AGENT = compile_later(
    r"(?P<done>[^\W\d_]{4,}) (?:by|par|por) (?:the |an? |les? |la |l'|une? |el |los |las )?(?P<agent>[^\W\d_][^,;:.()!?]{1,60})"
)
_END_OF_AGENT = compile_later(
    r"\s(?:and|or|but|if|when|before|after|within|on|in|at|for|to|under|unless|which|who|that|et|ou|mais|si|avant|après|dans|pour|sur|en|qui"
    r"|y|o|pero|antes|después|dentro|para|sobre|con|with|avec|que)\s"
)
MAX_AGENT_SENTENCES = 50


def explain_other_agent(reading: ClaimReading) -> str:
    """Return who does in the deciding sentence what another one does in the claim, for users, where the sources tell them apart.

    Both stand in the sources, and no sentence has both: "the Mayor (Ms Hale)" may be the same.
    """
    deciding = reading.deciding_sentence
    if deciding is None:
        return ""
    claimed, stated = _find_agents(reading.claim.text), _find_agents(deciding.text)
    for done, agent in claimed.items():
        other = stated.get(done, "")
        keys, other_keys = _read_keys(agent), _read_keys(other)
        is_other = keys and other_keys and not keys & other_keys and not keys & deciding.wording.keys
        if is_other and _are_apart(reading, keys, other_keys):
            return explain_other_words(f"“{agent}”", f"“{other}”")
    return ""


def _find_agents(text: str) -> dict[str, str]:
    """Return who does what in a text, by the stems of what is done."""
    found = {}
    for match in _AGENT.finditer(fold(text)):
        end = _END_OF_AGENT.search(match["agent"])
        agent = match["agent"][: end.start() if end else None]
        found[stem_word(match["done"])] = text[match.start("agent") : match.start("agent") + len(agent)].strip()
    return found


def _read_keys(agent: str) -> frozenset[str]:
    """Return the keys of the words for who acts; none of a number, a day, or a pronoun."""
    words = parse_wording(agent).content_words
    is_countable = any(word.kind in (DATE, NUMBER) for word in words) or is_indefinite(agent)
    return frozenset() if is_countable else join_keys(words)


def _are_apart(reading: ClaimReading, keys: frozenset[str], other_keys: frozenset[str]) -> bool:
    sentences = reading.source_index.sentences
    found = [sentences[index].wording.keys for index in reading.source_index.find_sentences(keys)[:MAX_AGENT_SENTENCES]]
    naming = [words for words in found if keys <= words]
    return bool(naming) and not any(other_keys <= words for words in naming)


def _find_sentence_before(reading: ClaimReading, sentence: SourceSentence) -> str:
    """Return the text of the sentence before another one that was read, in the same source; "" if none was."""
    read = reading.read_sentences
    before = read[read.index(sentence) - 1] if read.index(sentence) else None
    return before.text if before and before.source == sentence.source else ""
