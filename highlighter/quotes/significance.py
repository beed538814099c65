"""Significant words of a quote: those that must not differ, and whether a quote has enough content to be located."""

from __future__ import annotations

import re
from collections import Counter

from highlighter.quotes.normal_form import normalise_letters
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.negations import (
    CHINESE_NEGATIONS,
    CHINESE_RESTRICTIONS,
    COMBINING_MARKS,
    NEGATION,
    classify_word,
    find_endings,
    is_restriction,
)
from highlighter.text.number_words import list_number_words
from highlighter.text.terms import CJK_RANGES, COMMON_CJK_RANGES, STOP_WORDS

# A quote is located by at least this many content words, or twice as many ideographs. Fewer occur on every page.
MIN_EXACT_STRENGTH, MIN_FUZZY_STRENGTH = 2, 3

# Stop words besides those of the search: words of every text, which by themselves identify no position in it.
_STOP_WORDS = STOP_WORDS | frozenset(
    "about after again all also am because before being below between both but down during each few further he her here"
    " him his just me more most no nor not now off once only other out over own same shall she so some than there these through"
    " too under until up very while yes".split()
)
_STOP_CHARACTERS = frozenset("的了是在和与及或之于也而其这那此有为以及等就都不我你他们并")

_CJK_CHARACTER = compile_later(rf"[{CJK_RANGES}]")
_LETTER = rf"(?:(?![{COMMON_CJK_RANGES}])[^\W\d_])"
_DIGITS = r"(?:(?<![\w)\]])-)?\d+(?:[.,:/]\d+)*"
# A number with its sign and decimals, the letters of a name (NEC4), the letter of a clause (5a) and a per cent sign; also
# a number that OCR misread (l4, 2O24).
_NUMBER = compile_later(
    rf"(?<!\w)(?=[oli]*\d)[oli\d]+(?!\w)(?:[.,]\d+)*"
    rf"|(?:(?<!{_LETTER}){_LETTER}{{1,4}})?{_DIGITS}(?:{_LETTER}(?!\w))?(?:\s?%)?"
)
_BARE_NUMBER = compile_later(_DIGITS)
_WORD_LETTERS = rf"{_LETTER}(?:{_LETTER}|[{COMBINING_MARKS}])*"
_WORD = compile_later(rf"{_WORD_LETTERS}(?:'{_WORD_LETTERS})*")
_WORD_OR_NUMBER = compile_later(rf"(?:{_LETTER}|\d)+")

# Characters on either side of a span that are read with the span, so that no number or word is cut.
MARGIN_CHARACTERS = 40

NEGATION_SIGN = NEGATION  # counted for each negation
_ENGLISH_NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half third"
    " quarter twice double triple first second fourth fifth sixth seventh eighth ninth tenth"
)
_NUMBER_WORDS = frozenset(_ENGLISH_NUMBER_WORDS.split()) | list_number_words()
_NEGATING_CHARACTERS = frozenset(CHINESE_NEGATIONS)
_SIGNIFICANT_CHARACTERS = frozenset("$£€¥零〇一二三四五六七八九十百千万亿两半上下前后内外增増减" + CHINESE_RESTRICTIONS)

# Characters that OCR confuses; no two digits among them, so that no number becomes another.
_OCR_DIGIT_MAP = str.maketrans("01i5", "olls")
_OCR_LETTER_MAP = str.maketrans("chfa", "ebto")
_OCR_LETTER_PAIRS = (("rn", "m"), ("rl", "n"), ("cl", "d"), ("ll", "u"), ("vv", "w"))

_OCR_LETTERS_TO_DIGITS = str.maketrans("oli", "011")  # read by OCR in place of 0 and 1


def count_significant_words(text: str, start: int = 0, end: int | None = None) -> Counter[str]:
    """Count the numbers, negations and modifiers that `[start, end)` touches; "5 days" within "15 days" counts 15."""
    text_with_margin, start, end = _normalise_with_margin(text, start, end)
    counts = Counter(_normalise_number(number) for number in _find_overlapping(_NUMBER, text_with_margin, start, end))
    for word in _find_overlapping(_WORD, text_with_margin, start, end):
        if word_class := classify_word(word):
            counts[word_class] += 1
        elif word in _NUMBER_WORDS:
            counts[word] += 1
    for ending_start, ending_end, ending in find_endings(text_with_margin):
        if ending_start < end and ending_end > start:
            counts[ending] += 1
    for character in text_with_margin[start:end]:
        if character in _NEGATING_CHARACTERS:
            counts[NEGATION_SIGN] += 1
        elif character in _SIGNIFICANT_CHARACTERS:
            counts[character] += 1
    return counts


def count_numbers(text: str, start: int = 0, end: int | None = None) -> Counter[str]:
    """Count the numbers that `[start, end)` touches, without letters attached to them."""
    return Counter(_find_overlapping(_BARE_NUMBER, *_normalise_with_margin(text, start, end)))


def list_numbers(text: str) -> list[str]:
    """Return the numbers of a text in their order, without letters attached to them."""
    return _BARE_NUMBER.findall(normalise_letters(text))


class NumberCounter:
    """A counter of the numbers in spans of one text; spans with the same surroundings are read once."""

    def __init__(self, text: str):
        self.text = text
        self._cached_counts: dict[tuple[str, int], Counter[str]] = {}

    def count(self, start: int, end: int) -> Counter[str]:
        """Return the numbers that `[start, end)` touches."""
        margin_start = max(start - MARGIN_CHARACTERS, 0)
        key = self.text[margin_start : end + MARGIN_CHARACTERS], start - margin_start
        if key not in self._cached_counts:
            self._cached_counts[key] = count_numbers(self.text, start, end)
        return self._cached_counts[key]


def _normalise_with_margin(text: str, start: int, end: int | None) -> tuple[str, int, int]:
    """Return the normalised span with its margins, and the span's start and end in that string."""
    end = len(text) if end is None else end
    before, inside = (
        normalise_letters(text[max(start - MARGIN_CHARACTERS, 0) : start]),
        normalise_letters(text[start:end]),
    )
    return (
        before + inside + normalise_letters(text[end : end + MARGIN_CHARACTERS]),
        len(before),
        len(before) + len(inside),
    )


def _find_overlapping(pattern: re.Pattern[str], text: str, start: int, end: int) -> list[str]:
    return [match.group() for match in pattern.finditer(text) if match.start() < end and match.end() > start]


def is_ocr_confusion(left: str, right: str) -> bool:
    """Return whether OCR may have read one word as the other."""
    left, right = (normalise_letters(text).translate(_OCR_DIGIT_MAP) for text in (left, right))
    if left.translate(_OCR_LETTER_MAP) == right.translate(_OCR_LETTER_MAP):
        return True
    return _fold_ocr_letters(left) == _fold_ocr_letters(right)


def _fold_ocr_letters(text: str) -> str:
    for pair, letter in _OCR_LETTER_PAIRS:
        text = text.replace(pair, letter)
    return text.translate(_OCR_LETTER_MAP)


def is_number(word: str) -> bool:
    """Return whether a significant word is a number, a currency sign or a number word."""
    return word != NEGATION_SIGN and not is_restriction(word)


def count_facts(text: str) -> Counter[str]:
    """Count numbers and negations, without the modifiers that a paraphrase may exchange."""
    return Counter({word: count for word, count in count_significant_words(text).items() if not is_restriction(word)})


def count_negations(text: str) -> int:
    return count_facts(text)[NEGATION_SIGN]


def has_negation(text: str) -> bool:
    return count_negations(text) > 0


def measure_strength(quote: str) -> float:
    """Return how many different content words a quote has; an ideograph counts half."""
    folded = normalise_letters(quote)
    words = {word for word in _WORD_OR_NUMBER.findall(folded) if word not in _STOP_WORDS}
    ideographs = {character for character in _CJK_CHARACTER.findall(folded) if character not in _STOP_CHARACTERS}
    return len(words) + len(ideographs) / 2


def list_content_words(quote: str) -> list[str]:
    """Return the content words as they are written, longest first."""
    words = [match.group() for match in _WORD.finditer(quote) if match.group().lower() not in _STOP_WORDS]
    ideograph_runs = re.findall(rf"[{COMMON_CJK_RANGES}]{{2,4}}", quote)
    return list(dict.fromkeys(sorted(words, key=len, reverse=True) or ideograph_runs))


def _normalise_number(number: str) -> str:
    compact = "".join(number.split())
    digits = compact.translate(_OCR_LETTERS_TO_DIGITS)
    return digits if not any(character.isalpha() for character in digits) else compact
