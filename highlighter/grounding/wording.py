"""The words of a claim or a source's sentence, with keys by which different spellings of the same thing match."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Protocol

from cachetools import LRUCache, cached

from highlighter.grounding.equal_quantities import EQUAL, build_equal_key
from highlighter.text import numerals
from highlighter.text.characters import fold
from highlighter.text.numerals import (
    ENGLISH_WEEKDAYS,
    MONTH_NUMBERS,
    NUMBER_WORD_VALUES,
    NumberPart,
    Quantity,
    find_counting_quantities,
    find_quantities,
    has_superscript,
    normalise_digits,
)
from highlighter.text.terms import STOP_WORDS, find_words, is_cjk, stem_word

PLAIN, NUMBER, DATE, NAME = "plain", "number", "date", "name"

_ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_WEEKDAYS = frozenset(ENGLISH_WEEKDAYS.split("|"))

_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_DECADE = re.compile(r"(\d{3}0)'?s")
_TYPED_EXPONENT_OF_LETTER = re.compile(r"[^\W\d_]\^\d")
_MONTHS = frozenset(map(str, range(1, 13)))
_NUMBER_WITH_UNIT = re.compile(r"(\d+(?:[.,]\d+)*)([a-zµ%]{1,4})")
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

    def keys_between(self, start: int, end: int) -> frozenset[str]:
        """Return the keys of the words that begin in `[start, end)` of the text."""
        return join_keys(self.words_between(start, end))

    def is_about_clause(self, source: Wording, start: int, end: int) -> bool:
        """Return whether a text has content words of a clause of a source, and none that only the rest of the source has."""
        within = source.keys_between(start, end)
        outside = source.keys - within
        shared = any(word.keys & within for word in self.content_words)
        return shared and not any(word.keys & outside and not word.keys & within for word in self.content_words)


class _Keyed(Protocol):
    @property
    def keys(self) -> frozenset[str]: ...


def join_keys(items: Iterable[_Keyed]) -> frozenset[str]:
    """Return the keys of all of some words, texts or clauses."""
    return frozenset().union(*(item.keys for item in items))


@cached(LRUCache(MAX_CACHED_CHARACTERS, getsizeof=lambda wording: len(wording.text) + 1), lock=Lock())
def parse_wording(text: str) -> Wording:
    """Return the text with its keyed words; results are cached."""
    folded = fold(text)
    words: list[KeyedWord] = []
    counted = [(quantity, part) for quantity in find_counting_quantities(text) for part in quantity.parts]
    parts = {part.start: part for _, part in counted}
    keys_by_start = {part.start: _other_keys(text, folded, quantity, part) for quantity, part in counted}
    end_of_last = 0
    for start, end in find_words(folded):
        if is_cjk(folded[start]):
            words += _parse_cjk_run(folded, max(start, end_of_last), end, parts, keys_by_start)
        elif start >= end_of_last:
            part = parts.get(start)
            is_number = part is not None and part.kind == numerals.NUMBER
            has_exponent = part is not None and has_superscript(text[start : part.end])
            if part and is_number and has_superscript(text[part.end : end]):  # the mark of a note
                end = part.end
            # "fifty thousand", "1.2 million", 5万, 10⁶, and words of other languages: "dreißig".
            keys = _number_keys(folded[start:end]) if is_number else frozenset[str]()
            is_read_alike = part is not None and f"#{_trim_decimals(part.value)}" in keys
            # "4.440 €" is 4440 in German, and 4.44 in English: who reads both may mean either.
            either_keys = keys if not has_exponent and "." in folded[start:end] else frozenset[str]()
            if part and is_number and (part.end > end or has_exponent or not is_read_alike):
                words.append(_make_number_word(folded, part, keys_by_start[start] | either_keys))
                end_of_last = part.end
            elif words and words[-1].end == start - 1 and _TYPED_EXPONENT_OF_LETTER.fullmatch(folded, start - 2, end):
                words[-1] = _add_exponent(words[-1], folded[start:end], end)  # "m^2" is "m²"
            else:
                words.append(_parse_word(text, folded, start, end, keys_by_start.get(start, frozenset())))
    return Wording(text, tuple(words))


def _add_exponent(word: KeyedWord, exponent: str, end: int) -> KeyedWord:
    """Return a symbol or a unit with its exponent, whose key is that of the superscript."""
    written = word.text + exponent
    # A number with its unit: "5km^2".
    keys = word.keys - {word.text} if word.kind == NUMBER else frozenset({stem_word(written)})
    return KeyedWord(word.start, end, written, keys, kind=word.kind)


def _make_number_word(folded: str, part: NumberPart, other_keys: frozenset[str]) -> KeyedWord:
    keys = frozenset({f"#{_trim_decimals(part.value)}"}) | other_keys
    return KeyedWord(part.start, part.end, folded[part.start : part.end], keys, kind=NUMBER)


def _other_keys(text: str, folded: str, quantity: Quantity, part: NumberPart) -> frozenset[str]:
    """Return the keys by which a number is found in another unit, and a part of a date in dates of another form."""
    match part.kind:
        case numerals.NUMBER:
            is_month = part.value in _MONTHS and folded[part.end : part.end + 1] == "月"  # five months are 五个月
            return frozenset({build_equal_key(quantity, text, folded), f"m{part.value}" if is_month else ""} - {""})
        case numerals.YEAR:
            return frozenset({f"y{part.value}"})
        case numerals.MONTH:
            return frozenset({f"m{part.value}"})
        case numerals.DAY:
            return frozenset({f"#{part.value}", f"#{part.value}o"})
    return frozenset()


def _parse_word(text: str, folded: str, start: int, end: int, other_keys: frozenset[str]) -> KeyedWord:
    word = folded[start:end]
    number_keys, month_keys = _number_keys(word), _month_keys(text[start:end], word)
    if letter := _LETTER_OF_LABEL.match(folded, end):  # "7(a)" is 7a
        number_keys |= {word + letter["letter"]} if word.isdigit() else set()
    if _NUMBER_WITH_UNIT.fullmatch(word) and _BEFORE_LABEL.search(text, max(start - MAX_NOUN_CHARACTERS, 0), start):
        return KeyedWord(start, end, word, frozenset({word}), kind=NUMBER)
    if value := _parse_roman_numeral(text, start, end):
        return KeyedWord(start, end, word, frozenset({f"#{value}"}), kind=NUMBER)
    if arabic_keys := _arabic_number_keys(word, folded, end):
        return KeyedWord(start, end, word, arabic_keys, kind=NUMBER)
    if number_keys:
        if any(key.startswith(EQUAL) for key in other_keys):  # "2000 kW" is no year
            number_keys = frozenset(key for key in number_keys if not key.startswith("y"))
        is_year = any(key.startswith("y") for key in number_keys)
        decade_keys = frozenset({f"y{word[:3]}0s"}) if is_year and word.isdigit() else frozenset()
        return KeyedWord(
            start,
            end,
            word,
            number_keys | other_keys,
            kind=DATE if is_year or any(key[0] != EQUAL for key in other_keys) else NUMBER,
            implied_keys=decade_keys,
        )
    if month_keys:
        return KeyedWord(start, end, word, month_keys, kind=DATE)
    is_capitalised = text[start].isupper() and (start > 0 or (text[start:end].isupper() and end - start > 1))
    is_letter = len(word) == 1 and is_capitalised and word != "i"  # of a name: "Company A"
    is_stop_word = not is_letter and (word in STOP_WORDS or len(word) == 1)
    kind = DATE if word in _WEEKDAYS else NAME if is_capitalised and not is_stop_word else PLAIN
    parts = re.split(r"[.'’]", word, maxsplit=MAX_WORD_PARTS)[:MAX_WORD_PARTS]
    keys = {stem_word(word)} | {stem_word(part) for part in parts if len(part) > 2}
    return KeyedWord(start, end, word, frozenset(keys), kind=kind, is_stop_word=is_stop_word)


def _parse_cjk_run(
    folded: str, start: int, end: int, parts: dict[int, NumberPart], keys_by_start: dict[int, frozenset[str]]
) -> list[KeyedWord]:
    """Return every pair of adjacent characters as a word, and Chinese numerals as numbers."""
    offsets = (offset for offset in range(start, end) if offset in parts)
    words = [_make_number_word(folded, parts[offset], keys_by_start[offset]) for offset in offsets]
    for offset in range(start, max(end - 1, start + 1)):
        pair = folded[offset : min(offset + 2, end)]
        words.append(KeyedWord(offset, offset + len(pair), pair, frozenset({pair})))
    return sorted(words, key=lambda word: (word.start, word.end))


def _number_keys(word: str) -> frozenset[str]:
    if word in NUMBER_WORD_VALUES:
        return frozenset({f"#{NUMBER_WORD_VALUES[word]}"})
    if word in _ORDINALS:
        return frozenset({f"#{_ORDINALS.index(word)}o"})
    if match := _ORDINAL.fullmatch(word):
        return frozenset({f"#{match[1]}o", f"#{match[1]}"})
    if match := _DECADE.fullmatch(word):
        return frozenset({f"y{match[1]}s"})
    if match := _DIGITS.fullmatch(word):
        value = _trim_decimals(normalise_digits(word))
        is_year = word.isdigit() and len(word) == 4 and 1000 <= int(word) <= 2100
        return frozenset({f"#{value}", f"y{value}"} if is_year else {f"#{value}"})
    if match := _NUMBER_WITH_UNIT.fullmatch(word):  # 5km, 20kg; it may be a label, too: 7a
        return frozenset({f"#{_trim_decimals(normalise_digits(match[1]))}", word})
    return frozenset()


def _parse_roman_numeral(text: str, start: int, end: int) -> int:
    """Return the value of a Roman numeral after the noun of a reference, "Article IV"; 0 for other words."""
    if not set(text[start:end]) <= _ROMAN_VALUES.keys() or not _NOUN_BEFORE_ROMAN.search(text, 0, start):
        return 0
    if _ROMAN.fullmatch(text, start, end) is None:
        return 0
    values = [_ROMAN_VALUES[letter] for letter in text[start:end]]
    return sum(
        -value if value < following else value for value, following in zip(values, [*values[1:], 0], strict=True)
    )


def is_roman_numeral(word: KeyedWord) -> bool:
    """Return whether a number is written in Roman numerals."""
    return word.kind == NUMBER and set(word.text) <= set("ivxl")


_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50}
_ROMAN = re.compile(r"X{0,3}L?X{0,3}(?:IX|IV|V?I{0,3})(?<=[IVX])")
_NUMBERED = (
    r"Articles?|Chapters?|Sections?|Parts?|Titles?|Annex(?:es)?|Schedules?|Volumes?|Appendix|Appendices"
    r"|Artikel|Kapitel|Teil|Titel|Anhang|Anlage|Band|Chapitres?|Titres?|Annexes?|Parties?|Cap[ií]tulos?|Art[ií]culos?|T[ií]tulos?|Anexos?"
)
_NOUN_BEFORE_ROMAN = re.compile(rf"(?:\b(?:{_NUMBERED})\s$)")
# Before a label, which its letters tell from others: "Clause 7a", "§ 7b", "Form 12A", "the CP-40X".
_BEFORE_LABEL = re.compile(
    rf"(?:\b(?:{_NUMBERED}|(?:sub-?)?(?:clause|section)s?|articles?|paragraphs?|rules?|forms?|rooms?|flats?|apartments?|gates?|platforms?"
    r"|Paragraf|Ziffer|Formular|Formblatt|Raum|Zimmer|Wohnung|Gleis|Haus|clauses?|formulaires?|salles?|appartements?|quais?"
    r"|cláusulas?|formularios?|salas?|andén|piso)\s|§\s?|(?<![^\W\d_])[^\W\d_]{1,4}-)$",
    re.IGNORECASE,
)
_LETTER_OF_LABEL = re.compile(r"\s?\((?P<letter>[a-z])\)")
MAX_NOUN_CHARACTERS = 20


def _arabic_number_keys(word: str, folded: str, end: int) -> frozenset[str]:
    """Return the keys of an Arabic number from three to nine that stands alone, or of two units of time, "two years"."""
    if word in _ARABIC_DUALS:
        return _ARABIC_DUALS[word]
    value = _ARABIC_NUMBERS.get(word)
    if not value or _ARABIC_MULTIPLE.match(folded, end):
        return frozenset()
    written = f"{value}{folded[end : end + MAX_ARABIC_UNIT_CHARACTERS]}"
    return frozenset({f"#{value}", build_equal_key(next(find_quantities(written)), written, written)} - {""})


MAX_ARABIC_UNIT_CHARACTERS = 12
_ARABIC_NUMBERS = {
    word: value
    for value, words in enumerate(
        "ثلاث/ثلاثة أربع/أربعة خمس/خمسة ست/ستة سبع/سبعة ثمان/ثماني/ثمانية تسع/تسعة".split(), 3
    )
    for word in words.split("/")
}
_ARABIC_DUALS = {
    f"{stem}{ending}": frozenset({"#2", f"{EQUAL}{key}"})
    for stem, key in {
        "سنت": "24mo",
        "عام": "24mo",
        "شهر": "2mo",
        "أسبوع": "20160min",
        "يوم": "2880min",
        "ساعت": "120min",
    }.items()
    for ending in ("ان", "ين")
}
# What makes another number of the one before it: thirteen, twenty-three, three hundred.
_ARABIC_MULTIPLE = re.compile(r"\s(?:عشر|و\S+[وي]ن|مئ|مائ|آلاف|ألف|ملايين|مليون|في المئة|بالمئة)")


def _trim_decimals(digits: str) -> str:
    """Return a number without zeros at the end of its decimals: 2.50 and 2.5 are equal."""
    return digits.rstrip("0").rstrip(".") if digits.count(".") == 1 and "^" not in digits else digits


def _month_keys(written: str, word: str) -> frozenset[str]:
    if word not in MONTH_NUMBERS or (
        word in ("may", "mar", "march", "sep", "dec", "jan", "jun", "mars", "mai", "juin") and not written[0].isupper()
    ):
        return frozenset()
    return frozenset({f"m{MONTH_NUMBERS[word]}"})
