"""Words whose absence widens a claim: "Diving is never subcontracted", where the source has "... a second time".

What is denied, or a condition, holds of less the more words it has: a claim that leaves some out says more than its source.
"""

from __future__ import annotations

from rapidfuzz.distance import Levenshtein

from highlighter.grounding.exchanges import find_tokens
from highlighter.grounding.quantities import find_item_number
from highlighter.quotes.significance import has_negation
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.terms import STOP_WORDS

MAX_NARROWING_TOKENS = 8
_NEGATIONS = frozenset("not never no nobody none nothing cannot neither without 不 未 没 无 勿".split())
_CONDITIONS = frozenset("if when where whenever once after before".split())
_ONLY = frozenset(("only", "alone"))
_PUNCTUATION = frozenset(",;:，；：、。")
# "No dogs or cats": each of them alone is denied, too.
_CONJUNCTIONS = frozenset("or and nor but 和 或 及 与 、".split())


def find_narrowing_words(claim: str, sentence: str) -> str | None:
    """Return words of a sentence that narrow what it denies, or its condition, if a claim in its words leaves them out."""
    offset = find_item_number(sentence)
    claim_tokens, source_tokens = find_tokens(claim), find_tokens(sentence[offset:])
    claim_words, source_words = ([token[0] for token in tokens] for tokens in (claim_tokens, source_tokens))
    steps = list(Levenshtein.opcodes(claim_words, source_words))
    if any(step.tag in ("replace", "delete") for step in steps):
        return None
    for step in steps[1:]:
        start, end = step.dest_start, step.dest_end
        if step.tag == "insert" and _narrows(source_words, start, end):
            return sentence[offset + source_tokens[start].start() : offset + source_tokens[end - 1].end()]
    return None


# "All other results" leaves out what was spoken of before.
_OTHERS = compile_later(
    r"\b(?:all|any|every)(?: the| of the)? other\b|\balle (?:anderen|übrigen|sonstigen)\b|\b(?:tous|toutes) les autres\b"
    r"|\b(?:todos|todas) (?:los|las) (?:demás|otr[oa]s)\b|(?:其他|其它|其余)(?:的)?(?:所有|全部|一切)|(?:所有|全部|一切)(?:的)?(?:其他|其它|其余)"
)
_OTHER = compile_later(
    r"\b(?:other|others|else|rest|remaining|except|but|apart|ander\w+|übrig\w+|sonst\w*|außer|autres?|restant\w*|sauf"
    r"|demás|otr[oa]s?|rest[oa]\w*|salvo|excepto)\b|其他|其它|其余|除了|除外|以外|之外"
)
_ALL = compile_later(
    r"\b(?:all|any|every|each|alle[rsnm]?|jede[rsnm]?|tous|toutes|tout|todos|todas|todo)\b|所有|全部|一切|都|均"
)
# A list of who did not come. A claim that somebody came has all words of it.
_ABSENT = compile_later(
    r"^\W*(?:apologies|absent|absences?|excused|entschuldigt|abwesend|es fehlten?|excusé(?:e?s)?|absents?|absentes?|ausentes?|excusad[oa]s"
    r"|缺席|请假|欠席)[^:：]{0,24}[:：]"
)
_PRESENT = compile_later(
    r"\b(?:present|attend(?:s|ed|ing)?|took part|participat(?:es|ed)|anwesend|nahm(?:en)? .{0,60}teil|teilgenommen|présente?s?|assistai(?:t|ent)"
    r"|assisté|participé|presentes?|asisti(?:ó|eron)|particip(?:ó|aron))\b|出席|列席|参加"
)


def find_unsaid_exception(claim: str, sentence: str) -> str | None:
    """Return the "all other" of a sentence, if a claim says it of all; or the "Apologies:" before who is said to have come."""
    folded_claim, folded = fold(claim), fold(sentence)
    others, absent = _OTHERS.search(folded), _ABSENT.match(folded)
    if others and _ALL.search(folded_claim) and not _OTHER.search(folded_claim):
        return sentence[slice(*others.span())]
    is_present = _PRESENT.search(folded_claim) and not has_negation(folded_claim)
    return sentence[: absent.end()].rstrip(" :：") if absent and is_present else None


def _narrows(words: list[str], start: int, end: int) -> bool:
    """Return whether a run of words belongs to what is denied, to a condition, or to the only one."""
    run = words[start:end]
    if (
        len(run) > MAX_NARROWING_TOKENS
        or STOP_WORDS.issuperset(run)
        or not (_PUNCTUATION | _CONJUNCTIONS).isdisjoint(run)
    ):
        return False
    clause_start = max((i + 1 for i, word in enumerate(words[:start]) if word in _PUNCTUATION), default=0)
    clause = words[clause_start:start]
    is_denied_or_conditional = not _NEGATIONS.isdisjoint(clause) or (bool(clause) and clause[0] in _CONDITIONS)
    return is_denied_or_conditional or words[end : end + 1] in ([word] for word in _ONLY)
