"""What a quote's words weigh: those that may not differ, and whether there is enough to know a place by."""

from __future__ import annotations

import re
from collections import Counter

from highlighter.quotes.normal_form import normalise_letters
from highlighter.text.terms import CJK_RANGES, COMMON_CJK_RANGES, STOP_WORDS

# A place is known by at least this much: content words, or twice as many ideographs. Fewer stand on every page.
MIN_EXACT_STRENGTH, MIN_FUZZY_STRENGTH = 2, 3

# Beyond what a search skips: words that stand in every text and by themselves show no place in it.
_STOP_WORDS = STOP_WORDS | frozenset(
    "about after again all also am because before being below between both but down during each few further he her here"
    " him his just me more most no nor not now off once only other out over own same shall she so some than there these through"
    " too under until up very while yes".split()
)
_STOP_CHARACTERS = frozenset("的了是在和与及或之于也而其这那此有为以及等就都不我你他们并")

_CJK_CHARACTER = re.compile(rf"[{CJK_RANGES}]")
_LETTER = rf"(?:(?![{COMMON_CJK_RANGES}])[^\W\d_])"
_DIGITS = r"(?:(?<![\w)\]])-)?\d+(?:[.,:/]\d+)*"
# A number with what belongs to it: its sign and decimals, the letters of a name (NEC4), the letter of a clause (5a), per
# cent; and what a scanner made of one (l4, 2O24).
_NUMBER = re.compile(
    rf"(?<!\w)(?=[oli]*\d)[oli\d]+(?!\w)(?:[.,]\d+)*"
    rf"|(?:(?<!{_LETTER}){_LETTER}{{1,4}})?{_DIGITS}(?:{_LETTER}(?!\w))?(?:\s?%)?"
)
_BARE_NUMBER = re.compile(_DIGITS)
_WORD = re.compile(rf"{_LETTER}+(?:'{_LETTER}+)*")
_WORD_OR_NUMBER = re.compile(rf"(?:{_LETTER}|\d)+")

# Characters on either side of a span that are read with it, so that no number or word is cut.
MARGIN_CHARACTERS = 40

_NEGATION_SIGN = "¬"
_NEGATIONS = frozenset(
    "no not never none nor neither nobody nothing nowhere without cannot cant wont dont doesnt didnt isnt arent wasnt werent"
    " hasnt havent hadnt shouldnt wouldnt couldnt mustnt shant nicht kein keine ne pas non sin sans".split()
)
_NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half third"
    " quarter twice double triple first second fourth fifth sixth seventh eighth ninth tenth"
)
# One of these for another, or none, and a sentence says something else.
_MODIFIER_WORD_LIST = (
    "may shall must should before after more less least most above below over under only except unless minimum maximum"
    " increase increases increased decrease decreases decreased include includes including exclude excludes excluding"
    " always all every"
)
_MODIFIER_WORDS = frozenset(_MODIFIER_WORD_LIST.split())
_SIGNIFICANT_WORDS = frozenset(_NUMBER_WORDS.split()) | _MODIFIER_WORDS
_NEGATING_CHARACTERS = frozenset("不没无非未勿莫否毋唔冇")
_SIGNIFICANT_CHARACTERS = frozenset("$£€¥零〇一二三四五六七八九十百千万亿两半上下前后内外増增减")

# What a scanner takes for each other; no two digits among it, so that no number becomes another.
_OCR_DIGIT_MAP = str.maketrans("01i5", "olls")
_OCR_LETTER_MAP = str.maketrans("chfa", "ebto")
_OCR_LETTER_PAIRS = (("rn", "m"), ("rl", "n"), ("cl", "d"), ("ll", "u"), ("vv", "w"))

_OCR_LETTERS_TO_DIGITS = str.maketrans("oli", "011")  # what a scanner reads for 0 and 1


def count_significant_words(text: str, start: int = 0, end: int | None = None) -> Counter[str]:
    """The numbers, negations and turning words that `[start, end)` touches: the 15 of "15 days" for "5 days", too."""
    around, start, end = _normalise_with_margin(text, start, end)
    found = Counter(_normalise_number(number) for number in _find_overlapping(_NUMBER, around, start, end))
    for word in _find_overlapping(_WORD, around, start, end):
        word = word.replace("'", "")
        if word in _NEGATIONS:
            found[_NEGATION_SIGN] += 1
        elif word in _SIGNIFICANT_WORDS:
            found[word] += 1
    for character in around[start:end]:
        if character in _NEGATING_CHARACTERS:
            found[_NEGATION_SIGN] += 1
        elif character in _SIGNIFICANT_CHARACTERS:
            found[character] += 1
    return found


def count_numbers(text: str, start: int = 0, end: int | None = None) -> Counter[str]:
    """Its numbers alone, whatever is glued to them."""
    return Counter(_find_overlapping(_BARE_NUMBER, *_normalise_with_margin(text, start, end)))


class NumberCounter:
    """The numbers of many places of one text. A text that repeats itself says the same at many of them: each is read once."""

    def __init__(self, text: str):
        self.text = text
        self._cached_counts: dict[tuple[str, int], Counter[str]] = {}

    def count(self, start: int, end: int) -> Counter[str]:
        first = max(start - MARGIN_CHARACTERS, 0)
        key = self.text[first : end + MARGIN_CHARACTERS], start - first
        if key not in self._cached_counts:
            self._cached_counts[key] = count_numbers(self.text, start, end)
        return self._cached_counts[key]


def _normalise_with_margin(text: str, start: int, end: int | None) -> tuple[str, int, int]:
    """The plain form of a span, with enough on either side that no number or word is cut, and where the span lies in it."""
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
    """Whether a scanner may take these words for each other."""
    left, right = (normalise_letters(text).translate(_OCR_DIGIT_MAP) for text in (left, right))
    if left.translate(_OCR_LETTER_MAP) == right.translate(_OCR_LETTER_MAP):
        return True
    return _fold_ocr_letters(left) == _fold_ocr_letters(right)


def _fold_ocr_letters(text: str) -> str:
    for pair, letter in _OCR_LETTER_PAIRS:
        text = text.replace(pair, letter)
    return text.translate(_OCR_LETTER_MAP)


def count_facts(text: str) -> Counter[str]:
    """Its numbers and negations, without the words that a paraphrase may exchange."""
    return Counter(
        {word: count for word, count in count_significant_words(text).items() if word not in _MODIFIER_WORDS}
    )


def measure_strength(quote: str) -> float:
    """How many different content words a quote has; an ideograph counts half."""
    folded = normalise_letters(quote)
    found = {word for word in _WORD_OR_NUMBER.findall(folded) if word not in _STOP_WORDS}
    ideographs = {character for character in _CJK_CHARACTER.findall(folded) if character not in _STOP_CHARACTERS}
    return len(found) + len(ideographs) / 2


def list_content_words(quote: str) -> list[str]:
    """Its content words as they are written, the longest first."""
    found = [match.group() for match in _WORD.finditer(quote) if match.group().lower() not in _STOP_WORDS]
    runs = re.findall(rf"[{COMMON_CJK_RANGES}]{{2,4}}", quote)
    return list(dict.fromkeys(sorted(found, key=len, reverse=True) or runs))


def _normalise_number(written: str) -> str:
    together = "".join(written.split())
    digits = together.translate(_OCR_LETTERS_TO_DIGITS)
    return digits if not any(character.isalpha() for character in digits) else together
