"""Numbers that a claim rounds, and says so: "about EUR 1.48 billion" for EUR 1,476.8 million."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from highlighter.grounding.equal_quantities import parse_equal_key
from highlighter.grounding.quantities import MAX_CHARACTERS_BESIDE, can_be_compared
from highlighter.grounding.wording import NUMBER, KeyedWord, Wording
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.numerals import find_quantities, normalise_digits

_ABOUT = compile_later(
    r"(?:\b(?:about|around|roughly|approximately|approx\.?|circa|ca\.?|some|rund|etwa|ungefähr|zirka|environ|à peu près|autour de|unos|unas|aproximadamente|alrededor de"
    r"|cerca d[ei]|circa|all'incirca|ongeveer|около|примерно|приблизительно)\s(?:(?:the|les?|de|d'|i|gli|le)\s)?|[约約]|大约|大約|将近)"
    r"(?:[£$€¥]\s?|(?:eur|usd|gbp|chf|rmb|cny|hkd)\s)?$"
)
# Of large round numbers ("about 300"), so much may be missing.
MAX_ROUNDING = Fraction(1, 20)
_DIGITS = re.compile(r"\d[\d.,'’\u00a0\u202f]*(?<=\d)")
_VALUE = re.compile(r"#(\d+(?:\.\d+)?)")


def find_rounded_numbers(claim: Wording, source: Wording) -> Iterator[tuple[KeyedWord, KeyedWord]]:
    """Yield each number that a claim says to be rounded, with the number of the source that it rounds."""
    rounded = [word for word in claim.words if word.kind == NUMBER and _is_about(claim, word)]
    for word in rounded:
        for other in source.words if not word.keys & source.keys else ():
            if other.kind == NUMBER and is_rounded(claim, word, source, other):
                yield word, other


def is_rounded(claim: Wording, claim_word: KeyedWord, source: Wording, source_word: KeyedWord) -> bool:
    """Return whether a claim says to round a number, and a number of the source gives it when it is rounded."""
    if not _is_about(claim, claim_word) or not can_be_compared(claim, claim_word, source, source_word):
        return False
    value, unit = _read_value(claim, claim_word)
    other, other_unit = _read_value(source, source_word)
    return value > 0 and unit == other_unit and abs(value - other) <= value * _read_rounding(claim_word)


def find_largest_value(word: KeyedWord) -> Fraction:
    """Return the value of a number with all that multiplies it; zero for another word."""
    return max((Fraction(match[1]) for key in word.keys if (match := _VALUE.fullmatch(key))), default=Fraction(0))


def _is_about(claim: Wording, word: KeyedWord) -> bool:
    before = fold(claim.text[max(word.start - MAX_CHARACTERS_BESIDE, 0) : word.start])
    return _ABOUT.search(before) is not None


def _read_value(wording: Wording, word: KeyedWord) -> tuple[Fraction, str]:
    """Return the value of a number and its unit, or the key of what it counts; zero for what is read in two ways."""
    for key in word.keys:
        if measured := parse_equal_key(key):
            return measured
    first = max(word.start - MAX_CHARACTERS_BESIDE, 0)
    beside = find_quantities(wording.text[first : word.end + MAX_CHARACTERS_BESIDE])
    quantity = next((q for q in beside if q.parts[0].start == word.start - first), None)
    following = next((other for other in wording.words if other.start >= word.end and other.kind != NUMBER), None)
    unit = quantity.unit if quantity and quantity.unit else following.main_key if following else ""
    return find_largest_value(word), unit


def _read_rounding(word: KeyedWord) -> Fraction:
    """Return by which share of itself a number can be rounded: half of its last place."""
    digits = _DIGITS.match(word.text)
    if digits is None:
        return MAX_ROUNDING
    written = normalise_digits(digits[0])
    decimals = len(written.partition(".")[2])
    zeros = len(written) - len(written.rstrip("0")) if not decimals else 0
    if not Fraction(written):
        return Fraction(0)
    return min(Fraction(10) ** (zeros - decimals) / 2 / Fraction(written), MAX_ROUNDING)
