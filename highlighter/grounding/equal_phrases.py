"""Phrases that say the same in other words, written alike before the model reads a claim and its sentences.

A small model takes "not more than 40" for the opposite of "at most 40", "not on 22 September" for a denial of the 29th, and
14 days for another time than two weeks.
"""

from __future__ import annotations

from collections.abc import Sequence

from highlighter.grounding.denials import remove_irrelevant_corrections
from highlighter.grounding.equal_quantities import EQUAL
from highlighter.grounding.exclusions import grants, unify_exclusions
from highlighter.grounding.number_bounds import unify_bounds
from highlighter.grounding.quantities import find_number_span, has_own_unit, quote_number
from highlighter.grounding.rounded_numbers import find_largest_value, find_rounded_numbers
from highlighter.grounding.scales import unify_periods
from highlighter.grounding.wording import NUMBER, KeyedWord, Wording, is_roman_numeral, parse_wording
from highlighter.text.numerals import find_multiplier
from highlighter.text.terms import is_cjk


def unify_phrases(claim: str, sentences: Sequence[str]) -> tuple[str, list[str]]:
    """Return a claim and sentences in which equal quantities, bounds, periods and exclusions have the same words.

    What a sentence corrects is left out of it where the claim does not speak of that: "on 29 September, not on 22 September".
    A sentence that forbids all but what the claim allows says the claim.
    """
    wording = parse_wording(claim)
    sources = [parse_wording(remove_irrelevant_corrections(wording, parse_wording(sentence))) for sentence in sentences]
    same_quantities = [parse_wording(_write_quantities_of_claim(wording, source)) for source in sources]
    unified_claim, unified = unify_bounds(wording, same_quantities)
    unified = [
        unified_claim if grants(wording, source) else sentence
        for source, sentence in zip(sources, unify_periods(unified_claim, unified), strict=True)
    ]
    return unify_exclusions(unified_claim, unified)


def _write_quantities_of_claim(claim: Wording, source: Wording) -> str:
    """Return a source's text with the claim's words for equal quantities: "two weeks" for "14 days", 117 for 一百一十七."""
    numbers = {key: word for word in claim.words if word.kind == NUMBER for key in word.keys}
    rounded = {stated.start: claimed for claimed, stated in find_rounded_numbers(claim, source)}
    text = source.text
    for word in reversed(source.words):
        shared = (
            sorted(word.keys & numbers.keys(), key=lambda key: key.startswith(EQUAL)) if word.kind == NUMBER else []
        )
        if not shared and word.start not in rounded:
            continue
        stated = numbers[shared[0]] if shared else rounded[word.start]
        has_unit = any(has_own_unit(wording, number) for wording, number in ((source, word), (claim, stated)))
        if shared and not shared[-1 if has_unit else 0].startswith(EQUAL):  # the same number
            is_roman = is_roman_numeral(word) or is_roman_numeral(stated)
            if is_roman or (is_cjk(word.text[0]) and _has_digits(stated)) or _has_other_multiplier(word, stated):
                text = text[: word.start] + claim.text[stated.start : stated.end] + text[word.end :]
            continue
        start, end = find_number_span(source, word)
        words = quote_number(claim, stated)
        if any(map(is_cjk, words)) == any(map(is_cjk, source.text[start:end])):  # both in one language
            text = text[:start] + words + text[end:]
    return text


def _has_other_multiplier(word: KeyedWord, other: KeyedWord) -> bool:
    """Return whether two equal numbers in digits have another word such as "million" behind them, or only one has."""
    multipliers = {find_multiplier(number.text) for number in (word, other)}
    # "1.48 million" has the key of 1.48, too.
    is_equal = find_largest_value(word) == find_largest_value(other)
    return is_equal and _has_digits(word) and _has_digits(other) and len(multipliers) > 1


def _has_digits(word: KeyedWord) -> bool:
    return any(character.isdigit() for character in word.text)
