"""What is said of a number or a day in a claim and in a source: "at least 80" is not "at most 80", "by 5 May" is not "from 5 May"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz.distance import Hamming

from highlighter.grounding.equal_quantities import have_nearly_equal_keys
from highlighter.grounding.quantities import can_be_compared, read_beside
from highlighter.grounding.rounded_numbers import is_rounded
from highlighter.grounding.wording import DATE, NUMBER, KeyedWord, Wording, parse_wording
from highlighter.text import bound_phrases
from highlighter.text.bound_phrases import (
    AFTER,
    AT_LEAST,
    AT_MOST,
    BEFORE,
    BY,
    FALL,
    FROM,
    HAS_KANA,
    OF_DAYS,
    PHRASES,
    PLAIN_AFTER,
    RISE,
    BoundPhrase,
)
from highlighter.text.characters import fold
from highlighter.text.chinese_numerals import CHINESE_NUMERALS, parse_chinese_numeral
from highlighter.text.lazy_pattern import compile_later

# "More than" and "less than" have none: "no dogs over 10 kg" and "only dogs of less than 10 kg" say nearly the same.
_OPPOSITES = {
    AT_LEAST: {AT_MOST}, AT_MOST: {AT_LEAST}, RISE: {FALL}, FALL: {RISE}, BY: {FROM}, FROM: {BY}, BEFORE: {AFTER},
    AFTER: {BEFORE},
}  # fmt: skip
# "New fares from 1 May" and "old fares before 1 May" say the same, so that these are opposites only of the same things.
_OPPOSITES_OF_SAME = {BEFORE: {FROM}, FROM: {BEFORE}}
MIN_FORM_LENGTH = 4
# What a sentence says of the other side of a day that it names before: "no fee applies after that date".
_SAID_OF_DAY = {
    AFTER: compile_later(
        r"\b(?:(?:after|from) (?:that|this) (?:date|day|time)|thereafter|afterwards|(?:nach|ab) (?:diesem|dem) (?:tag|datum|zeitpunkt)|danach|après cette date|par la suite|ensuite"
        r"|después de es[ae] (?:fecha|día)|dopo tale data|depois dessa data|daarna|после этой даты)\b|此后|之后不再|その后|以降は"
    ),
    BEFORE: compile_later(
        r"\b(?:(?:before|until) (?:that|this|then)(?: (?:date|day|time))?|(?:vor|bis zu) diesem (?:tag|datum|zeitpunkt)|davor|zuvor|avant cette date|auparavant"
        r"|antes de es[ae] (?:fecha|día)|prima di tale data|antes dessa data|daarvoor|до этой даты)\b|此前|それまで"
    ),
}
MAX_CHARACTERS_BESIDE = 48
MAX_CACHED_TEXTS = 256
_CHINESE_NUMERAL = compile_later(f"[{CHINESE_NUMERALS}]+")
_IDEOGRAPH = compile_later(r"[\u3400-\u9fff]")
_ARABIC_WORD = compile_later(r"\s[\u0620-\u064a]+")
# Between the two ends of a range, and before it where its ends are joined by "and".
_RANGE = compile_later(r"\s?(?:-|to|bis|à|至|到|~)\s?|\sa\s|\s(?P<and>and|und|et|y)\s")
_BETWEEN = compile_later(r"(?:between|zwischen|entre)\s(?:[£$€]\s?)?$")
_OF_ALL = compile_later(r"\s(?:of|von|sur|de)\s(?:the\s)?")
# Before the second of two values: what changes to a value had no other one.
_CHANGES_TO = compile_later(r"(?:\bto|\bauf|[至到])\s?[£$€]?$")
# After the hour of a clock, and a Korean day: "before 9 am" is said like "before 9 May".
_CLOCK_AFTER = compile_later(
    r"(?:[:.]\d{2})?\s?(?:[ap]\.?m\b|o'clock|uhr\b)|:\d{2}\b|\s?[일시](?=\s?(?:까지|부터|이?전|이?후))"
)
# After the hour of a clock, or a number of hours: "vóór 9 uur", "at least 8 h".
_HOURS_AFTER = compile_later(r"\s?(?:uur|h)\b")
_VALUE = re.compile(r"#(\d+(?:\.\d+)?)")


class BoundedNumber(NamedTuple):
    """A number, or the day of a date, with what is said of it, at `[start, end)` of a text."""

    word: KeyedWord
    bound: str
    start: int
    end: int
    words_start: int  # of "at least"
    words_end: int
    phrase: BoundPhrase
    plain: str  # what says the same before the number
    month_keys: frozenset[str]  # of a day; empty for numbers

    def is_equal(self, other: BoundedNumber) -> bool:
        same_month = self.month_keys == other.month_keys or bool(self.month_keys & other.month_keys)
        return same_month and bool(self.word.keys & other.word.keys)

    def read_words(self, wording: Wording) -> tuple[str, bool]:
        """Return the phrase, and whether it stands after the number."""
        return fold(wording.text[self.words_start : self.words_end]), self.phrase.is_after


def find_opposite_bounds(claim: Wording, source: Wording) -> Iterator[tuple[BoundedNumber, BoundedNumber]]:
    """Yield the numbers of a claim of which the source says the opposite, unless it says the same elsewhere."""
    in_source = _find_bounded_numbers(source)
    for claimed in _find_bounded_numbers(claim):
        stated = [number for number in in_source if number.is_equal(claimed)]
        opposites = _OPPOSITES.get(claimed.bound, set())
        if _has_all_words(claim, source, claimed):
            opposites = opposites | _OPPOSITES_OF_SAME.get(claimed.bound, set())
        is_said = claimed.bound in _SAID_OF_DAY and _SAID_OF_DAY[claimed.bound].search(fold(source.text))
        if stated and not is_said and all(number.bound in opposites for number in stated):
            yield claimed, stated[0]


def _has_all_words(claim: Wording, source: Wording, bounded: BoundedNumber) -> bool:
    """Return whether a source has all words of a claim beside a bound, or forms of them: "began" and "begin"."""
    beside = [word for word in claim.content_words if word.end <= bounded.start or word.start >= bounded.end]
    missing = [word.text for word in beside if not word.keys & source.keys]
    texts = [word.text for word in source.content_words]
    return all(
        any(len(text) >= MIN_FORM_LENGTH and Hamming.distance(text, other, score_cutoff=1) <= 1 for other in texts)
        for text in missing
    )


def remove_equal_bounds(claim: Wording, source: Wording) -> tuple[str, str]:
    """Return both texts with blanks for what they say alike of a number: "no more than 10" and "up to 10" are no negation."""
    equal = _find_equal_bounds(claim, source)
    return _blank(claim.text, [claimed for claimed, _ in equal]), _blank(source.text, [stated for _, stated in equal])


def unify_bounds(claim: Wording, sources: Sequence[Wording]) -> tuple[str, list[str]]:
    """Return the texts with the same words for what they say alike of a number: "not less than 6" becomes "at least 6"."""
    of_claim, texts = {}, []
    for source in sources:
        equal = [
            (claimed, stated)
            for claimed, stated in _find_equal_bounds(claim, source)
            if claimed.read_words(claim) != stated.read_words(source)
        ]
        of_claim.update({claimed.start: claimed for claimed, _ in equal})
        texts.append(_write_plainly(source.text, [stated for _, stated in equal]))
    return _write_plainly(claim.text, list(of_claim.values())), texts


def is_admitted(claim: Wording, claim_word: KeyedWord, source: Wording, source_word: KeyedWord) -> bool:
    """Return whether a number of a claim is one that a bound or a range of the source admits: 99.2 under "below 99.5".

    So are three months for 90 days, and "about 60" for 58. A number with a bound of its own is compared with the other bound.
    """
    return (
        have_nearly_equal_keys(claim_word.keys, source_word.keys)
        or is_rounded(claim, claim_word, source, source_word)
        or find_admitting_span(claim, claim_word, source, source_word) is not None
    )


def find_admitting_span(
    claim: Wording, claim_word: KeyedWord, source: Wording, source_word: KeyedWord
) -> tuple[int, int] | None:
    """Return where the bound or range of the source stands that admits a number of a claim; None without one."""
    value = parse_value(claim_word)
    is_plain = not any(number.word == claim_word for number in _find_bounded_numbers(claim))
    if value is None or not is_plain or _CHANGES_TO.search(read_beside(claim, claim_word)[0]):
        return None
    if any(claim_word in ends for ends in _find_ranges(claim)):
        return None
    for first, last in _find_ranges(source):
        low, high = parse_value(first), parse_value(last)
        if source_word in (first, last) and low is not None and high is not None and low <= value <= high:
            return first.start, last.end
    for number in _find_bounded_numbers(source):
        is_meant = number.word == source_word or _is_all_of(source, number.word, source_word)
        if is_meant and _admits(number, value):
            return number.start, number.end
    return None


def has_admitted_number(claim: Wording, source: Wording) -> bool:
    """Return whether a number of a claim that the source does not have is one that a bound of the source admits."""
    numbers = [word for word in source.words if word.kind == NUMBER]
    return any(
        can_be_compared(claim, word, source, number) and is_admitted(claim, word, source, number)
        for word in claim.words
        if word.kind == NUMBER and not word.keys & source.keys
        for number in numbers
    )


def _admits(number: BoundedNumber, value: Fraction) -> bool:
    limit = parse_value(number.word)
    if limit is None:
        return False
    match number.bound:
        case bound_phrases.AT_LEAST:
            return value >= limit
        case bound_phrases.AT_MOST:
            return value <= limit
        case bound_phrases.MORE_THAN:
            return value > limit
        case bound_phrases.LESS_THAN:
            return value < limit
    return False


def _is_all_of(wording: Wording, part: KeyedWord, whole: KeyedWord) -> bool:
    """Return whether a number is the whole of which another is a part: "18 of 30"."""
    return part.end < whole.start and _OF_ALL.fullmatch(fold(wording.text[part.end : whole.start])) is not None


def _find_ranges(wording: Wording) -> tuple[tuple[KeyedWord, KeyedWord], ...]:
    return _list_ranges(wording.text)


@lru_cache(maxsize=MAX_CACHED_TEXTS)
def _list_ranges(text: str) -> tuple[tuple[KeyedWord, KeyedWord], ...]:
    return tuple(_search_ranges(parse_wording(text)))


def _search_ranges(wording: Wording) -> Iterator[tuple[KeyedWord, KeyedWord]]:
    """Yield the two ends of each range: "8 to 15", "between 8 and 15"."""
    for first, last in pairwise(word for word in wording.words if word.kind == NUMBER):
        joint = _RANGE.fullmatch(fold(wording.text[first.end : last.start])) if first.end < last.start else None
        if joint and (not joint["and"] or _BETWEEN.search(read_beside(wording, first)[0])):
            yield first, last


def parse_value(word: KeyedWord) -> Fraction | None:
    values = [match[1] for key in word.keys if (match := _VALUE.fullmatch(key))]
    return Fraction(values[0]) if len(values) == 1 and word.kind == NUMBER else None


def _write_plainly(text: str, numbers: Sequence[BoundedNumber]) -> str:
    """Return a text whose bounds have plain words before the number; in Arabic, after it."""
    by_start = {number.start: number for number in numbers}
    for _, number in sorted(by_start.items(), reverse=True):
        words = text[number.words_start : number.words_end]
        plain_after = PLAIN_AFTER.get((number.phrase.language, number.bound), "")
        if plain_after and not number.phrase.is_after:
            unit = _ARABIC_WORD.match(text, number.word.end)
            end = unit.end() if unit else number.word.end
            start = number.words_start
            before, rest = text[:start].rstrip(), text[number.words_end : end].strip()
            text = " ".join(filter(None, (before, number.plain.strip(), rest, plain_after))) + text[end:]
        elif number.plain and number.phrase.is_after:
            start = number.word.start - len(_SIGN_BEFORE.search(text, 0, number.word.start)[0])  # type: ignore[index]
            space = "" if _IDEOGRAPH.match(number.plain) or HAS_KANA.match(number.plain) else " "
            rest = text[start : number.words_start].rstrip()
            text = text[:start] + number.plain + space + rest + text[number.words_end :]
        elif number.plain and words:
            text = text[: number.words_start] + number.plain + text[number.words_end :]
    return text


_SIGN_BEFORE = re.compile(r"(?:[£$€¥]\s?)?$")


def _find_equal_bounds(claim: Wording, source: Wording) -> list[tuple[BoundedNumber, BoundedNumber]]:
    in_source = _find_bounded_numbers(source)
    return [
        (claimed, stated)
        for claimed in _find_bounded_numbers(claim)
        for stated in in_source
        if claimed.bound == stated.bound and claimed.is_equal(stated)
    ]


def _blank(text: str, numbers: list[BoundedNumber]) -> str:
    for number in numbers:
        start, end = number.words_start, number.words_end
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _find_bounded_numbers(wording: Wording) -> tuple[BoundedNumber, ...]:
    return _list_bounded_numbers(wording.text)


@lru_cache(maxsize=MAX_CACHED_TEXTS)
def _list_bounded_numbers(text: str) -> tuple[BoundedNumber, ...]:
    """Return the bounded numbers of a text; each is compared with several others."""
    return tuple(_search_bounded_numbers(parse_wording(text)))


def _search_bounded_numbers(wording: Wording) -> Iterator[BoundedNumber]:
    """Yield each number and day with the longest phrase before it, or else the one after it."""
    words = [*wording.words, *_find_uncounted_numerals(wording)]
    is_japanese = HAS_KANA.search(wording.text) is not None
    for before_word, word, next_word in zip([None, *words[:-1]], words, [*words[1:], None], strict=False):
        if word.kind not in (NUMBER, DATE):
            continue
        months = [w.keys for w in (next_word, before_word) if w is not None and w.kind == word.kind == DATE]
        found = _find_phrase(wording, word, is_japanese)
        if found:
            phrase, start, end, plain = found
            yield BoundedNumber(
                word, phrase.bound, min(start, word.start), max(end, word.end), start, end, phrase, plain,
                months[0] if months else frozenset(),
            )  # fmt: skip


def _find_uncounted_numerals(wording: Wording) -> Iterator[KeyedWord]:
    """Yield the Chinese numerals that are no numbers to a wording, as they count what may also be part of a word: 三家."""
    starts = {word.start for word in wording.words if word.kind in (NUMBER, DATE)}
    for match in _CHINESE_NUMERAL.finditer(fold(wording.text)):
        value = parse_chinese_numeral(match[0])
        if value is not None and match.start() not in starts:
            yield KeyedWord(*match.span(), match[0], frozenset({f"#{value}"}), NUMBER)


def _find_phrase(wording: Wording, word: KeyedWord, is_japanese: bool) -> tuple[BoundPhrase, int, int, str] | None:
    first = max(word.start - MAX_CHARACTERS_BESIDE, 0)
    before = fold(wording.text[first : word.start])
    after = fold(wording.text[word.end : word.end + MAX_CHARACTERS_BESIDE])
    is_of_time = word.kind == DATE or _CLOCK_AFTER.match(after) is not None
    may_be_of_time = is_of_time or _HOURS_AFTER.match(after) is not None
    longest: tuple[BoundPhrase, int, int, str] | None = None
    for phrase in PHRASES:
        if is_of_time if phrase.bound not in OF_DAYS else not may_be_of_time:
            continue
        if phrase.language == "zh" and is_japanese:
            continue
        if phrase.language == "ja" and not is_japanese:
            continue
        if phrase.is_after:
            match = phrase.pattern.match(after)
            if longest or match is None or _belongs_to_next_number(wording, word, word.end + match.end()):
                continue
            start, end = match.span("words")
            longest = phrase, word.end + start, word.end + end, phrase.plain
        elif match := phrase.pattern.search(before):
            start, end = (first + offset for offset in match.span("words"))
            if longest is None or start < longest[1]:
                longest = phrase, start, end, match.expand(phrase.plain) if phrase.plain else ""
    return longest


def _belongs_to_next_number(wording: Wording, word: KeyedWord, end: int) -> bool:
    """Return whether a phrase after a number says something of a number behind it: "5 euros, at least 3 of them"."""
    following = [other for other in wording.words_between(word.start + 1, end + 16) if other.kind in (NUMBER, DATE)]
    return any(not wording.text[end : other.start].strip() for other in following if other.start >= end)
