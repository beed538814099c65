"""The words of a claim or a source's sentence, with keys by which different spellings of the same thing match."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

from cachetools import LRUCache, cached

from highlighter.text.characters import fold
from highlighter.text.terms import STOP_WORDS, find_words, is_cjk, stem_word

PLAIN, NUMBER, DATE, NAME = "plain", "number", "date", "name"

_CARDINALS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty"
).split()
_TENS = {name: 10 * index for index, name in enumerate("thirty forty fifty sixty seventy eighty ninety".split(), 3)}
_ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_NUMBER_WORD_VALUES = {name: index for index, name in enumerate(_CARDINALS)} | _TENS
_MONTHS = "january february march april may june july august september october november december".split()
_MONTH_NUMBERS = {name: index for index, name in enumerate(_MONTHS, 1)} | {
    name[:3]: index for index, name in enumerate(_MONTHS, 1)
}
_MONTH_NUMBERS["sept"] = 9
_WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())

_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_DECADE = re.compile(r"(\d{3}0)'?s")
_ISO_DATE = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)(?!\d)")
_NUMBER_WITH_UNIT = re.compile(r"(\d+(?:[.,]\d+)*)([a-zµ%]{1,4})")
_CJK_NUMBERS = {character: str(index) for index, character in enumerate("零一二三四五六七八九十")} | {
    "两": "2",
    "〇": "0",
}
_CJK_DIGITS = "[零〇一二三四五六七八九十百千万亿两]"
# A run is tried only from its beginning, since a text may consist of such characters alone.
_CJK_NUMBER = re.compile(rf"(?<!{_CJK_DIGITS}){_CJK_DIGITS}++(?=[年月日天周个名人元条页次倍成]|小时|分钟|星期)")
# Longer runs are not numbers.
MAX_CJK_NUMBER_CHARACTERS = 30
# A word with more full stops or apostrophes has keys for the whole and for its first parts.
MAX_WORD_PARTS = 8
# Size of the cache of wordings: a sentence is read several times in one request.
MAX_CACHED_CHARACTERS = 1_000_000


@dataclass(frozen=True, slots=True)
class KeyedWord:
    """A word at `[start, end)` of the text. Two words mean the same when they share a key."""

    start: int
    end: int
    text: str  # folded
    keys: frozenset[str]
    kind: str = PLAIN
    is_stop_word: bool = False
    implied_keys: frozenset[str] = frozenset()  # matched but not required: the decade of a year

    @property
    def main_key(self) -> str:
        """Return the key by which two wordings are aligned."""
        return min(self.keys) if self.keys else self.text


@dataclass(frozen=True)
class Wording:
    """A text and its words. Derived values are computed once, since they are needed for each word of a claim."""

    text: str
    words: tuple[KeyedWord, ...]

    @cached_property
    def content_words(self) -> tuple[KeyedWord, ...]:
        return tuple(word for word in self.words if not word.is_stop_word)

    @cached_property
    def keys(self) -> frozenset[str]:
        return frozenset().union(*(word.keys | word.implied_keys for word in self.words)) if self.words else frozenset()

    @cached_property
    def starts(self) -> list[int]:
        """Return the offsets at which the words begin, in order."""
        return [word.start for word in self.words]

    def words_between(self, start: int, end: int) -> tuple[KeyedWord, ...]:
        """Return the words that begin in `[start, end)` of the text."""
        return self.words[bisect_left(self.starts, start) : bisect_left(self.starts, end)]


@cached(LRUCache(MAX_CACHED_CHARACTERS, getsizeof=lambda wording: len(wording.text) + 1), lock=Lock())
def parse_wording(text: str) -> Wording:
    """Return the text with its keyed words; results are cached."""
    folded = fold(text)
    words: list[KeyedWord] = []
    iso_date_keys = {start: keys for match in _ISO_DATE.finditer(folded) for start, keys in _iso_keys(match)}
    for start, end in find_words(folded):
        if is_cjk(folded[start]):
            words += _parse_cjk_run(folded, start, end)
        else:
            words.append(_parse_word(text, folded, start, end, iso_date_keys.get(start, frozenset())))
    return Wording(text, tuple(words))


def _parse_word(text: str, folded: str, start: int, end: int, date_keys: frozenset[str]) -> KeyedWord:
    word = folded[start:end]
    number_keys, month_keys = _number_keys(word), _month_keys(text[start:end], word)
    if number_keys:
        is_year = any(key.startswith("y") for key in number_keys)
        decade_keys = frozenset({f"y{word[:3]}0s"}) if is_year and word.isdigit() else frozenset()
        return KeyedWord(
            start,
            end,
            word,
            number_keys | date_keys,
            kind=DATE if is_year or date_keys else NUMBER,
            implied_keys=decade_keys,
        )
    if month_keys:
        return KeyedWord(start, end, word, month_keys, kind=DATE)
    is_capitalised = text[start].isupper() and (start > 0 or (text[start:end].isupper() and end - start > 1))
    is_stop_word = word in STOP_WORDS or (len(word) == 1 and not is_capitalised)
    kind = DATE if word in _WEEKDAYS else NAME if is_capitalised and not is_stop_word else PLAIN
    parts = re.split(r"[.'’]", word, maxsplit=MAX_WORD_PARTS)[:MAX_WORD_PARTS]
    keys = {stem_word(word)} | {stem_word(part) for part in parts if len(part) > 2}
    return KeyedWord(start, end, word, frozenset(keys), kind=kind, is_stop_word=is_stop_word)


def _parse_cjk_run(folded: str, start: int, end: int) -> list[KeyedWord]:
    """Return every pair of adjacent characters as a word, and Chinese numbers before a unit as numbers."""
    run, words = folded[start:end], []
    for match in _CJK_NUMBER.finditer(run):
        value = parse_chinese_number(match.group())
        if value:
            key = frozenset({f"#{value}"})
            words.append(KeyedWord(start + match.start(), start + match.end(), match.group(), key, kind=NUMBER))
    for offset in range(start, max(end - 1, start + 1)):
        pair = folded[offset : min(offset + 2, end)]
        words.append(KeyedWord(offset, offset + len(pair), pair, frozenset({pair})))
    return sorted(words, key=lambda word: (word.start, word.end))


def parse_chinese_number(text: str) -> str:
    """Return a Chinese numeral in digits; "" if it is too long for a number."""
    if len(text) > MAX_CJK_NUMBER_CHARACTERS:
        return ""
    total, section, digit = 0, 0, 0
    for character in text:
        if character in "十百千":
            section += (digit or 1) * {"十": 10, "百": 100, "千": 1000}[character]
            digit = 0
        elif character in "万亿":
            total = (total + section + digit) * {"万": 10_000, "亿": 100_000_000}[character]
            section = digit = 0
        else:
            digit = int(_CJK_NUMBERS.get(character, "0")) + (10 * digit if digit else 0)
    return str(total + section + digit)


def _number_keys(word: str) -> frozenset[str]:
    if word in _NUMBER_WORD_VALUES:
        return frozenset({f"#{_NUMBER_WORD_VALUES[word]}"})
    if word in _ORDINALS:
        return frozenset({f"#{_ORDINALS.index(word)}o"})
    if match := _ORDINAL.fullmatch(word):
        return frozenset({f"#{match[1]}o", f"#{match[1]}"})
    if match := _DECADE.fullmatch(word):
        return frozenset({f"y{match[1]}s"})
    if match := _DIGITS.fullmatch(word):
        value = _normalise_number(word)
        is_year = word.isdigit() and len(word) == 4 and 1000 <= int(word) <= 2100
        return frozenset({f"#{value}", f"y{value}"} if is_year else {f"#{value}"})
    if match := _NUMBER_WITH_UNIT.fullmatch(word):  # 5km, 20kg
        return frozenset({f"#{_normalise_number(match[1])}"})
    return frozenset()


def _normalise_number(digits: str) -> str:
    """Return a number in one spelling: 1,000 and 1000 are equal, and 2.50 and 2.5."""
    whole = digits.replace(",", "") if not re.search(r",\d{1,2}$", digits) else digits.replace(",", ".")
    if whole.count(".") == 1:
        whole = whole.rstrip("0").rstrip(".")
    return whole.lstrip("0") or "0"


def _month_keys(written: str, word: str) -> frozenset[str]:
    if word not in _MONTH_NUMBERS or (
        word in ("may", "mar", "march", "sep", "dec", "jan", "jun") and not written[0].isupper()
    ):
        return frozenset()
    return frozenset({f"m{_MONTH_NUMBERS[word]}"})


def _iso_keys(match: re.Match[str]) -> list[tuple[int, frozenset[str]]]:
    month, day = int(match[2]), int(match[3])
    return [(match.start(2), frozenset({f"m{month}"})), (match.start(3), frozenset({f"#{day}", f"#{day}o"}))]
