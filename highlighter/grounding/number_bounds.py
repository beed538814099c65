"""What is said of a number in a claim and in a source: "at least 80" is not "at most 80", and a rise of 3 % is no fall of 3 %."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from highlighter.grounding.wording import NUMBER, KeyedWord, Wording
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later

AT_LEAST, AT_MOST, RISE, FALL = "at least", "at most", "rise", "fall"
_OPPOSITES = {AT_LEAST: AT_MOST, AT_MOST: AT_LEAST, RISE: FALL, FALL: RISE}
# "More than" and "less than" are left out: "no dogs over 10 kg" and "only dogs of less than 10 kg" say nearly the same.
_BEFORE = {
    AT_LEAST: r"at least|(?:no|not) (?:less|fewer) than|a minimum of|(?:至少|最少|最低|不少于|不低于|不小于)[\u3400-\u9fff]{0,2}",
    AT_MOST: r"at (?:the )?most|(?:no|not) more than|not exceeding|up to|a maximum of|(?:至多|最多|不超过|不高于|不多于|不大于)[\u3400-\u9fff]{0,2}",
    RISE: r"(?:rose|risen|rises?|grew|grown|grows?|increased?s?|climbed|gained)(?: by)?|(?:增加|增长|上升|上涨|提高)了?",
    FALL: r"(?:fell|fallen|falls?|shrank|shrunk|decreased?s?|declined?s?|dropped|lost)(?: by)?|(?:减少|下降|下跌|降低|减低)了?",
}  # fmt: skip
_SIGN = r"(?:about|around|roughly|some|nearly|almost|approximately|约|近|大约|[£$€¥])?"
_BOUND_BEFORE = {
    name: compile_later(rf"(?:\b|(?<=[\u3400-\u9fff]))(?:{words})\s?{_SIGN}\s?$") for name, words in _BEFORE.items()
}
MAX_CHARACTERS_BEFORE = 32


class BoundedNumber(NamedTuple):
    """A number with what is said of it, at `[start, end)` of a text."""

    word: KeyedWord
    bound: str
    start: int
    end: int


def find_opposite_bounds(claim: Wording, source: Wording) -> Iterator[tuple[BoundedNumber, BoundedNumber]]:
    """Yield the numbers of a claim of which the source says the opposite, unless it says the same elsewhere."""
    in_source = list(_find_bounded_numbers(source))
    for claimed in _find_bounded_numbers(claim):
        stated = [number for number in in_source if number.word.keys & claimed.word.keys]
        if stated and all(number.bound == _OPPOSITES[claimed.bound] for number in stated):
            yield claimed, stated[0]


def remove_equal_bounds(claim: Wording, source: Wording) -> tuple[str, str]:
    """Return both texts with blanks for what they say alike of a number: "no more than 10" and "up to 10" are no negation."""
    equal = [
        (claimed, stated)
        for claimed in _find_bounded_numbers(claim)
        for stated in _find_bounded_numbers(source)
        if claimed.bound == stated.bound and claimed.word.keys & stated.word.keys
    ]
    return _blank(claim.text, [claimed for claimed, _ in equal]), _blank(source.text, [stated for _, stated in equal])


def _blank(text: str, numbers: list[BoundedNumber]) -> str:
    for number in numbers:
        text = text[: number.start] + " " * (number.word.start - number.start) + text[number.word.start :]
    return text


def _find_bounded_numbers(wording: Wording) -> Iterator[BoundedNumber]:
    for word in wording.words:
        if word.kind != NUMBER:
            continue
        first = max(word.start - MAX_CHARACTERS_BEFORE, 0)
        before = fold(wording.text[first : word.start])
        for bound, pattern in _BOUND_BEFORE.items():
            if match := pattern.search(before):
                yield BoundedNumber(word, bound, first + match.start(), word.end)
