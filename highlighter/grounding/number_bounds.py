"""What is said of a number or a day in a claim and in a source: "at least 80" is not "at most 80", "by 5 May" is not "from 5 May"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from highlighter.grounding.wording import DATE, NUMBER, KeyedWord, Wording
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later

AT_LEAST, AT_MOST, RISE, FALL, BY, FROM = "at least", "at most", "rise", "fall", "by", "from"
_OPPOSITES = {AT_LEAST: AT_MOST, AT_MOST: AT_LEAST, RISE: FALL, FALL: RISE, BY: FROM, FROM: BY}
_MUST = "(?:must|shall|may|should|can|will|do|does)"
# "More than" and "less than" are left out: "no dogs over 10 kg" and "only dogs of less than 10 kg" say nearly the same.
_BEFORE = {
    AT_LEAST: rf"at least|(?:{_MUST} not be|no|not) (?:less|fewer|lower|shorter) than|not below|a minimum of|"
    r"(?:至少|最少|最低|不少于|不低于|不小于)[\u3400-\u9fff]{0,2}",
    AT_MOST: rf"at (?:the )?most|(?:{_MUST} not be|no|not) (?:more|greater|higher|longer) than|not exceeding|(?:{_MUST} )?(?:not|never) exceed"
    r"|not above|up to|a maximum of|(?:至多|最多|不超过|不高于|不多于|不大于)[\u3400-\u9fff]{0,2}",
    RISE: r"(?:rose|risen|rises?|grew|grown|grows?|increased?s?|climbed|gained)(?: by)?|(?:增加|增长|上升|上涨|提高)了?",
    BY: r"by|(?:no|not) later than|on or before",
    FROM: r"from|(?:no|not) (?:earlier|sooner) than|on or after|(?:not|cannot)(?: \w+){0,4} before",
    FALL: r"(?:fell|fallen|falls?|shrank|shrunk|decreased?s?|declined?s?|dropped|lost)(?: by)?|(?:减少|下降|下跌|降低|减低)了?",
}  # fmt: skip
_SIGN = r"(?:about|around|roughly|some|nearly|almost|approximately|约|近|大约|[£$€¥])?"
_BOUND_BEFORE = {
    name: compile_later(rf"(?:\b|(?<=[\u3400-\u9fff]))(?P<words>{words})\s?{_SIGN}\s?$")
    for name, words in _BEFORE.items()
}
MAX_CHARACTERS_BEFORE = 48
_EXCEED = compile_later(rf"(?:({_MUST}) )?(?:not|never) exceed")
_NOT_BEFORE = compile_later(r"(?:not|(can)not)((?: \w+)*) before")


class BoundedNumber(NamedTuple):
    """A number, or the day of a date, with what is said of it, at `[start, end)` of a text."""

    word: KeyedWord
    bound: str
    start: int
    end: int
    end_of_words: int  # of "at least"
    month_keys: frozenset[str]  # of a day; empty for numbers

    def is_equal(self, other: BoundedNumber) -> bool:
        same_month = self.month_keys == other.month_keys or bool(self.month_keys & other.month_keys)
        return same_month and bool(self.word.keys & other.word.keys)


def find_opposite_bounds(claim: Wording, source: Wording) -> Iterator[tuple[BoundedNumber, BoundedNumber]]:
    """Yield the numbers of a claim of which the source says the opposite, unless it says the same elsewhere."""
    in_source = list(_find_bounded_numbers(source))
    for claimed in _find_bounded_numbers(claim):
        stated = [number for number in in_source if number.is_equal(claimed)]
        if stated and all(number.bound == _OPPOSITES[claimed.bound] for number in stated):
            yield claimed, stated[0]


def remove_equal_bounds(claim: Wording, source: Wording) -> tuple[str, str]:
    """Return both texts with blanks for what they say alike of a number: "no more than 10" and "up to 10" are no negation."""
    equal = _find_equal_bounds(claim, source)
    return _blank(claim.text, [claimed for claimed, _ in equal]), _blank(source.text, [stated for _, stated in equal])


def unify_bounds(claim: Wording, sources: Sequence[Wording]) -> tuple[str, list[str]]:
    """Return the texts with the same words for what they say alike of a number: "not less than 6" becomes "at least 6"."""
    of_claim, texts = {}, []
    for source in sources:
        equal = _find_equal_bounds(claim, source)
        of_claim.update({claimed.start: claimed for claimed, _ in equal})
        texts.append(_write_plainly(source.text, [stated for _, stated in equal]))
    return _write_plainly(claim.text, list(of_claim.values())), texts


def _write_plainly(text: str, numbers: Sequence[BoundedNumber]) -> str:
    """Return a text whose bounds are "at least", "at most", "by" and "from"."""
    for start, number in sorted({number.start: number for number in numbers}.items(), reverse=True):
        words = fold(text[start : number.end_of_words])
        if words.isascii() and number.bound in (AT_LEAST, AT_MOST, BY, FROM):
            text = text[:start] + _find_plain_words(words, number.bound) + text[number.end_of_words :]
    return text


def _find_plain_words(words: str, bound: str) -> str:
    """Return a bound in plain words: "must not exceed" as "must be at most", "cannot be filed before" as "can be filed from"."""
    if match := _EXCEED.fullmatch(words):
        return f"{match[1]} be {bound}" if match[1] else f"be {bound}"
    if match := _NOT_BEFORE.fullmatch(words):
        return f"{match[1] or ''}{match[2]} {bound}".strip()
    return bound


def _find_equal_bounds(claim: Wording, source: Wording) -> list[tuple[BoundedNumber, BoundedNumber]]:
    in_source = list(_find_bounded_numbers(source))
    return [
        (claimed, stated)
        for claimed in _find_bounded_numbers(claim)
        for stated in in_source
        if claimed.bound == stated.bound and claimed.is_equal(stated)
    ]


def _blank(text: str, numbers: list[BoundedNumber]) -> str:
    for number in numbers:
        text = text[: number.start] + " " * (number.word.start - number.start) + text[number.word.start :]
    return text


def _find_bounded_numbers(wording: Wording) -> Iterator[BoundedNumber]:
    for word, next_word in zip(wording.words, [*wording.words[1:], None], strict=False):
        if word.kind not in (NUMBER, DATE):
            continue
        is_date = word.kind == DATE and next_word is not None and next_word.kind == DATE
        month_keys = next_word.keys if is_date and next_word else frozenset[str]()
        first = max(word.start - MAX_CHARACTERS_BEFORE, 0)
        before = fold(wording.text[first : word.start])
        for bound, pattern in _BOUND_BEFORE.items():
            if (bound in (BY, FROM)) == (word.kind == DATE) and (match := pattern.search(before)):
                yield BoundedNumber(
                    word, bound, first + match.start(), word.end, first + match.end("words"), month_keys
                )
