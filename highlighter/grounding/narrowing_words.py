"""Words whose absence widens a claim: "Diving is never subcontracted", where the source has "... a second time".

What is denied, or a condition, holds of less the more words it has: a claim that leaves some out says more than its source.
"""

from __future__ import annotations

from rapidfuzz.distance import Levenshtein

from highlighter.grounding.exchanges import find_tokens
from highlighter.grounding.quantities import find_item_number
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
