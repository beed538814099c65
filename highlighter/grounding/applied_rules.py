"""A claim that applies a rule to a case: "with 45 mL/min" where the source says "30 to 60 mL/min".

The model takes 45 for another number than those of the rule, so it reads the claim with the words of the rule in its place.
Only a condition admits other numbers: "amounts above £25 need a receipt" is a rule, "the fee is above £25" is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from highlighter.grounding.number_bounds import find_admitting_span
from highlighter.grounding.quantities import (
    CURRENCY_BEFORE,
    DURATION,
    MONEY,
    OTHER,
    PERCENT,
    can_be_compared,
    classify_number,
    read_beside,
)
from highlighter.grounding.wording import NUMBER, KeyedWord, Wording, join_keys
from highlighter.quotes.restrictions import CHINESE_PROVISO, ENGLISH_PROVISO
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.terms import stem_word

_KINDS = (DURATION, MONEY, OTHER, PERCENT)
# What makes a condition of the words behind it, up to the end of the clause; with "for", "with" and "at", of those of a noun.
_CONDITION = compile_later(
    r"\b(?:if|when|whenever|where|in case|wenn|falls|sofern|si|lorsqu|lorsque|quand|en cas|cuando|en caso)\b[^,;:.。，；：]*$"
    r"|\b(?:for|with|at|bei|für|mit|pour|avec|à|para|con)\s[^\W\d_][^,;:.。，；：]*\s$"
    r"|\b(?:each|any|every|jede[rsmn]?|chaque|tout|toute|cada|todo|toda)\s[^\W\d_]+\s(?:of\s|von\s|de\s)?$"
    r"|(?:如果?|若|当|凡|每|对于?)[^,;:.。，；：]*$"
)
# "Patients over 75", "Tenders that score fewer than 18": the first words of a sentence say whom or what it speaks of.
_SUBJECT = compile_later(
    r"[\s\"“(]*(?:an?\s|any\s|all\s|alle\s|les\s|los\s|las\s)?[^\W\d_]+\s?"
    r"(?:(?:aged|weighing|earning|of|from|between|von|ab|im alter|zwischen|entre|de|d'|mayores)\s?){0,2}(?:[£$€]\s?)?$"
    r"|[\s\"“(]*(?!(?:the|this|that|der|die|das|le|la|el)\s)(?:[^\W\d_]+\s){1,4}(?:who|that|which|qui|que)\s[^,;:.。，；：]*$"
)
# In a sentence that reports what happened: "For delays of more than 3 hours, the airline refunded 400 passengers".
_PAST = compile_later(
    r"\b(?:was|were|had|did|rose|fell|grew|gave|took|saw|went|came|won|lost|began|ran|found|sold"
    r"|wurden?|waren?|hatten?|stieg(?:en)?|sank(?:en)?|fiel(?:en)?|gab(?:en)?|kam(?:en)?|ging(?:en)?|blieb(?:en)?|betrug(?:en)?|lag(?:en)?"
    r"|erhielt(?:en)?|(?:zeig|erreich|erziel|verzeichne|erstatte|zahl|mach|brauch)ten?"
    r"|été|(?:a|ont) [^\W\d_]+(?:é|i|u|it|is|rt)e?s?|fue|fueron|[^\W\d_]+(?:ó|aron|ieron))\b"
    r"|(?<!\bis )(?<!\bare )(?<!\bbe )(?<!\bbeen )(?<!\bnot )(?<!\bhave )(?<!\bhas )\b(?!aged\b|hundred\b|indeed\b|un)[a-z]+(?<!e)ed\b"
)
# A condition of its own that a claim leaves out.
_PROVISO = compile_later(
    rf"\b(?:{ENGLISH_PROVISO}|es sei denn|außer|ausgenommen|sauf|excepté|à moins|salvo|excepto|a menos que|tranne|tenzij|behalve)\b"
    rf"|{CHINESE_PROVISO}"
)
# The first cell of a row, as a row is read with its headers.
_FIRST_CELL, _NEXT_CELL = compile_later(r"^[^,:\t]{1,60}: [^,\t]{0,24}$"), compile_later(r", [^,:\t]{1,60}: ")
_END_OF_CONDITION = compile_later(r"[^,;:.。，；：\t]{0,24}(?:[:：]|的[，,])")
_CASE = compile_later(
    r"\b(?:if|when|where|with|at|of|for|aged|weighing|who|that|which|scoring|earning|after"
    r"|wenn|falls|bei|mit|von|nach|für|die|der|ab"
    r"|si|lorsque|quand|pour|avec|de|d|à|après|ayant|qui"
    r"|cuando|para|con|tras|que)\b[^,;:.。，；：]{0,60}$|(?:如果?|若|当|凡|每|对于?)[^,;:.。，；：]*$"
)
_UNIT = compile_later(r"(?: (?:of|von|sur|de) \d+)?[\s-]?(?P<unit>%|[^\W\d_]+(?:/[^\W\d_]+)?)")
# A longer text is no rule, and comparing each of its numbers with all of its bounds would take long.
MAX_RULE_CHARACTERS, MAX_RULE_NUMBERS = 1_000, 20
MAX_CHARACTERS_BEFORE = 200


class AppliedNumber(NamedTuple):
    """A number of a claim at `[start, end)`, and the words of the rule that admits it."""

    word: KeyedWord
    start: int  # with its currency
    end: int
    words_of_rule: str
    rule: int  # position of its source


class AppliedClaim(NamedTuple):
    """A claim in the words of the rules that it applies, the offsets of the numbers which these admit, and their sources."""

    text: str
    offsets: frozenset[int]
    rules: tuple[int, ...]  # positions of the sources with the rules


def apply_rules(claim: Wording, sources: Sequence[Wording]) -> AppliedClaim:
    """Return a claim with the words of the rules that admit its numbers in the place of these."""
    applied = list(_find_applied_numbers(claim, sources))
    text = claim.text
    for number in reversed(applied):
        text = text[: number.start] + number.words_of_rule + text[number.end :]
    rules = tuple(sorted({number.rule for number in applied}))
    return AppliedClaim(text, frozenset(number.word.start for number in applied), rules)


def _find_applied_numbers(claim: Wording, sources: Sequence[Wording]) -> Iterator[AppliedNumber]:
    known = join_keys(sources)
    rules = {rule: source for rule, source in enumerate(sources) if _may_be_rule(source, claim)}
    for word in claim.words:
        if word.kind != NUMBER or word.keys & known or classify_number(claim, word) not in _KINDS:
            continue
        before = fold(claim.text[max(word.start - MAX_CHARACTERS_BEFORE, 0) : word.start])
        is_case = _CASE.search(before) or _END_OF_CONDITION.match(claim.text, word.end)
        if not is_case:
            continue
        found = {(rule, *span) for rule, source in rules.items() for span in _find_rules(claim, word, source)}
        if len(found) == 1:
            ((rule, start, end),) = found
            sign = CURRENCY_BEFORE.search(before)
            begin = word.start - len(sign[0]) if sign else word.start
            yield AppliedNumber(word, begin, word.end, sources[rule].text[start:end], rule)


def _may_be_rule(source: Wording, claim: Wording) -> bool:
    """Return whether a source is no longer than a rule, reports nothing of the past, and has no proviso that the claim leaves out."""
    if len(source.text) > MAX_RULE_CHARACTERS or sum(word.kind == NUMBER for word in source.words) > MAX_RULE_NUMBERS:
        return False
    folded = fold(source.text)
    return not _PAST.search(folded) and (not _PROVISO.search(folded) or _PROVISO.search(fold(claim.text)) is not None)


def _find_rules(claim: Wording, word: KeyedWord, source: Wording) -> Iterator[tuple[int, int]]:
    """Yield where a source says which numbers a rule is for, if the number of the claim is one of them."""
    for number in source.words:
        if number.kind != NUMBER or not can_be_compared(claim, word, source, number):
            continue
        span = find_admitting_span(claim, word, source, number)
        if span and _has_same_unit(claim, word, source, span) and _is_condition(source, *span):
            yield span


def _has_same_unit(claim: Wording, word: KeyedWord, source: Wording, span: tuple[int, int]) -> bool:
    """Return whether the number of a claim and that of a rule count the same: years, mL/min, points (of 30), or a currency."""
    last = [number for number in source.words_between(*span) if number.kind == NUMBER][-1]
    return _read_unit(claim, word) == _read_unit(source, last)


def _read_unit(wording: Wording, word: KeyedWord) -> str:
    before, after = read_beside(wording, word)
    sign, unit = CURRENCY_BEFORE.search(before), _UNIT.match(after)
    return sign[0].strip() if sign else stem_word(unit["unit"]) if unit else ""


def _is_condition(source: Wording, start: int, end: int) -> bool:
    before = fold(source.text[:start])
    is_first_cell = _FIRST_CELL.match(before) and _NEXT_CELL.search(source.text, end)
    return bool(
        is_first_cell
        or _SUBJECT.match(before)
        or _CONDITION.search(before)
        or _END_OF_CONDITION.match(source.text, end)
    )
