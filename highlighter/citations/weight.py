"""What a quote's words weigh: those that may not differ, and whether there is enough to know a place by."""

from __future__ import annotations

import re
from collections import Counter

from highlighter.citations.normal import plain
from highlighter.terms import CJK, COMMON_CJK, EMPTY_WORDS

# A place is known by at least this much: content words, or twice as many ideographs. Fewer stand on every page.
EXACT_NEEDS, FUZZY_NEEDS = 2, 3

# Beyond what a search skips: words that stand in every text and by themselves show no place in it.
_STOP = EMPTY_WORDS | frozenset(
    "about after again all also am because before being below between both but down during each few further he her here"
    " him his just me more most no nor not now off once only other out over own same shall she so some than there these through"
    " too under until up very while yes".split()
)
_STOP_CHARACTERS = frozenset("的了是在和与及或之于也而其这那此有为以及等就都不我你他们并")

_CJK_CHARACTER = re.compile(rf"[{CJK}]")
_LETTER = rf"(?:(?![{COMMON_CJK}])[^\W\d_])"
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
AROUND = 40

_NOT = "¬"
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
_TURNING_WORDS = (
    "may shall must should before after more less least most above below over under only except unless minimum maximum"
    " increase increases increased decrease decreases decreased include includes including exclude excludes excluding"
    " always all every"
)
_TURNING = frozenset(_TURNING_WORDS.split())
_WEIGHTY = frozenset(_NUMBER_WORDS.split()) | _TURNING
_NEGATING_CHARACTERS = frozenset("不没无非未勿莫否毋唔冇")
_WEIGHTY_CHARACTERS = frozenset("$£€¥零〇一二三四五六七八九十百千万亿两半上下前后内外増增减")

# What a scanner takes for each other; no two digits among it, so that no number becomes another.
_DIGITS_READ_ALIKE = str.maketrans("01i5", "olls")
_READ_ALIKE = str.maketrans("chfa", "ebto")
_READ_ALIKE_PAIRS = (("rn", "m"), ("rl", "n"), ("cl", "d"), ("ll", "u"), ("vv", "w"))

_LOOK_ALIKES = str.maketrans("oli", "011")  # what a scanner reads for 0 and 1


def weight(text: str, start: int = 0, end: int | None = None) -> Counter[str]:
    """The numbers, negations and turning words that `[start, end)` touches: the 15 of "15 days" for "5 days", too."""
    around, start, end = _around(text, start, end)
    found = Counter(_number(number) for number in _touched(_NUMBER, around, start, end))
    for word in _touched(_WORD, around, start, end):
        word = word.replace("'", "")
        if word in _NEGATIONS:
            found[_NOT] += 1
        elif word in _WEIGHTY:
            found[word] += 1
    for character in around[start:end]:
        if character in _NEGATING_CHARACTERS:
            found[_NOT] += 1
        elif character in _WEIGHTY_CHARACTERS:
            found[character] += 1
    return found


def numbers(text: str, start: int = 0, end: int | None = None) -> Counter[str]:
    """Its numbers alone, whatever is glued to them."""
    return Counter(_touched(_BARE_NUMBER, *_around(text, start, end)))


class Counted:
    """The numbers of many places of one text. A text that repeats itself says the same at many of them: each is read once."""

    def __init__(self, text: str):
        self.text = text
        self._known: dict[tuple[str, int], Counter[str]] = {}

    def numbers(self, start: int, end: int) -> Counter[str]:
        first = max(start - AROUND, 0)
        key = self.text[first : end + AROUND], start - first
        if key not in self._known:
            self._known[key] = numbers(self.text, start, end)
        return self._known[key]


def _around(text: str, start: int, end: int | None) -> tuple[str, int, int]:
    """The plain form of a span, with enough on either side that no number or word is cut, and where the span lies in it."""
    end = len(text) if end is None else end
    before, inside = plain(text[max(start - AROUND, 0) : start]), plain(text[start:end])
    return before + inside + plain(text[end : end + AROUND]), len(before), len(before) + len(inside)


def _touched(pattern: re.Pattern[str], text: str, start: int, end: int) -> list[str]:
    return [match.group() for match in pattern.finditer(text) if match.start() < end and match.end() > start]


def scanned_alike(one: str, other: str) -> bool:
    """Whether a scanner may take these words for each other."""
    one, other = (plain(text).translate(_DIGITS_READ_ALIKE) for text in (one, other))
    if one.translate(_READ_ALIKE) == other.translate(_READ_ALIKE):
        return True
    return _pairs_read_alike(one) == _pairs_read_alike(other)


def _pairs_read_alike(text: str) -> str:
    for pair, letter in _READ_ALIKE_PAIRS:
        text = text.replace(pair, letter)
    return text.translate(_READ_ALIKE)


def facts(text: str) -> Counter[str]:
    """Its numbers and negations, without the words that a paraphrase may exchange."""
    return Counter({word: count for word, count in weight(text).items() if word not in _TURNING})


def strength(quote: str) -> float:
    """How many different content words a quote has; an ideograph counts half."""
    folded = plain(quote)
    found = {word for word in _WORD_OR_NUMBER.findall(folded) if word not in _STOP}
    ideographs = {character for character in _CJK_CHARACTER.findall(folded) if character not in _STOP_CHARACTERS}
    return len(found) + len(ideographs) / 2


def telling(quote: str) -> list[str]:
    """Its content words as they are written, the longest first."""
    found = [match.group() for match in _WORD.finditer(quote) if match.group().lower() not in _STOP]
    runs = re.findall(rf"[{COMMON_CJK}]{{2,4}}", quote)
    return list(dict.fromkeys(sorted(found, key=len, reverse=True) or runs))


def _number(written: str) -> str:
    together = "".join(written.split())
    digits = together.translate(_LOOK_ALIKES)
    return digits if not any(character.isalpha() for character in digits) else together
