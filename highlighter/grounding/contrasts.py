"""What a sentence of a source says otherwise than a claim: a number, a date, a name, a "not", a word turned round."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from highlighter.grounding.wording import DATE, NAME, NUMBER, PLAIN, KeyedWord, Wording
from highlighter.locale import N_
from highlighter.quotes.significance import count_facts
from highlighter.text.characters import fold
from highlighter.text.terms import is_cjk, stem_word

NEGATION, OPPOSITE, EXTENT, DUTY = "negation", "opposite", "extent", "duty"
KINDS = (NUMBER, DATE, NAME, NEGATION, OPPOSITE, EXTENT, DUTY)

# Words before and after the matched run of a sentence in which a "not" still concerns it.
NEGATION_WORDS_BEFORE, NEGATION_WORDS_AFTER = 3, 2
# How far from a number its unit may stand, in words.
MAX_UNIT_DISTANCE_WORDS = 2
_CLAUSE = re.compile(r"[,;:.，；：。]")
_CURRENCY_BEFORE, _PERCENT_AFTER = re.compile(r"[£$€¥]\s?$"), re.compile(r"\s?(?:%|per ?cent|百分)")
_PERCENT_SIGN = re.compile(r"\s?%")
# Characters that a sign before a number takes, with its space.
MAX_CURRENCY_CHARACTERS = 2

_OPPOSITE_PAIRS = (
    "increase/decrease rise/fall rose/fell grow/shrink more/less more/fewer most/least above/below over/under before/after"
    " minimum/maximum include/exclude accept/reject allow/prohibit allow/forbid permit/prohibit permit/forbid win/lose"
    " won/lost open/close begin/end start/finish first/last early/late early/later high/low higher/lower large/small"
    " larger/smaller long/short longer/shorter north/south east/west northern/southern eastern/western left/right"
    " male/female man/woman father/mother son/daughter brother/sister husband/wife birth/death born/died succeed/fail"
    " support/oppose approve/refuse approve/reject buy/sell bought/sold public/private internal/external true/false"
    " same/different best/worst better/worse cheap/expensive hot/cold old/new older/younger oldest/youngest inside/outside"
    " rural/urban former/current past/future mandatory/optional require/exempt enter/leave gain/loss profit/loss"
    " possible/impossible able/unable legal/illegal likely/unlikely always/never"
)
_CJK_OPPOSITES = ("增减", "前后", "上下", "高低", "多少", "内外", "南北")
_NEGATING_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "mis")

_ALL_WORDS = frozenset("all every each always entire whole any".split())
_SOME_WORDS = frozenset("some several many most few sometimes often usually partly occasionally rarely".split())
_MUST_WORDS = frozenset("must shall required obliged".split())
_MAY_WORDS = frozenset("may might can could optional".split())
_EXCHANGEABLE_WORDS = (
    (EXTENT, _ALL_WORDS, _SOME_WORDS),
    (EXTENT, _SOME_WORDS, _ALL_WORDS),
    (DUTY, _MUST_WORDS, _MAY_WORDS),
    (DUTY, _MAY_WORDS, _MUST_WORDS),
)


@lru_cache(maxsize=1)
def _opposites_by_stem() -> dict[str, set[str]]:
    """By stems, so made when first asked for: the stemmer costs a second to import."""
    opposites: dict[str, set[str]] = defaultdict(set)
    for pair in _OPPOSITE_PAIRS.split():
        one, other = map(stem_word, pair.split("/"))
        opposites[one].add(other)
        opposites[other].add(one)
    return opposites


@dataclass(frozen=True, slots=True)
class Contrast:
    kind: str
    claim_words: str  # as the claim writes it
    source_words: str  # as the source does; "" when it says nothing there
    start: int  # place in the claim
    end: int

    @property
    def why(self) -> str:
        if self.kind == NEGATION:
            return (
                N_("The claim says “not”, the source does not.")
                if self.claim_words
                else N_("The source says “not”, the claim does not.")
            )
        return N_(f"The source says {self.source_words} where the claim says {self.claim_words}.")


def find_contrasts(claim: Wording, source: Wording) -> list[Contrast]:
    """Most certain first. Only worth asking of a sentence that speaks of the same thing."""
    found: dict[tuple[int, int], Contrast] = {}
    for one in (
        *_find_exchanged_words(claim, source),
        *_find_other_quantities(claim, source),
        *_find_opposites(claim, source),
        *_find_negation(claim, source),
    ):
        found.setdefault((one.start, one.end), one)
    return list(found.values())


def _find_exchanged_words(claim: Wording, source: Wording) -> Iterator[Contrast]:
    """A word or two exchanged, with the same words on either side."""
    ours, theirs = [_main_key(word) for word in claim.words], [_main_key(word) for word in source.words]
    steps = list(Levenshtein.opcodes(ours, theirs))
    for at, step in enumerate(steps):
        a, b = claim.words[step.src_start : step.src_end], source.words[step.dest_start : step.dest_end]
        if step.tag != "replace" or len(a) > 3 or len(b) > 3:
            continue
        held = (at > 0, at + 1 < len(steps))
        if not all(held) and not (any(held) and len(steps) > 2):
            continue
        mine, its = _first_typed_word(a), _first_typed_word(b)
        if mine and its and mine.kind == its.kind and not mine.keys & source.keys:
            yield _make_contrast(mine.kind, claim, mine, source, its)


def _find_other_quantities(claim: Wording, source: Wording) -> Iterator[Contrast]:
    """Another number of the same unit, another day of the same month, another month of the same year."""
    first: dict[tuple[str, str, str], int] = {}  # of a kind, a sort and a slot: where the sentence first has a number
    for there, its in enumerate(source.words):
        if its.kind in (NUMBER, DATE) and not its.keys & claim.keys:
            for key in _unit_keys(source, there):
                first.setdefault((its.kind, _key_types(its), key), there)
    for at, mine in enumerate(claim.words):
        if not first or mine.kind not in (NUMBER, DATE) or mine.keys & source.keys:
            continue
        wanted = ((mine.kind, _key_types(mine), key) for key in _unit_keys(claim, at))
        there = min((first[one] for one in wanted if one in first), default=None)
        if there is not None:
            yield _make_contrast(mine.kind, claim, mine, source, source.words[there])


def _unit_keys(wording: Wording, index: int) -> frozenset[str]:
    """What a number counts: the words beside it and its signs."""
    here, keys = wording.words[index], set()
    for step in (1, -1):
        for away in range(1, MAX_UNIT_DISTANCE_WORDS + 1):
            place = index + step * away
            if not 0 <= place < len(wording.words):
                break
            word = wording.words[place]
            if word.is_stop_word:
                continue
            keys |= {f"{'>' if step > 0 else '<'}{key}" if word.kind == PLAIN else key for key in word.keys}
            break
    following = fold(wording.text[here.end : here.end + 1])
    if following and is_cjk(following):
        keys.add(following)
    if _currency_before(wording.text, here.start):
        keys.add("money")
    if _PERCENT_AFTER.match(wording.text, here.end):
        keys.add("percent")
    return frozenset(keys)


def _key_types(word: KeyedWord) -> str:
    return "".join(sorted({key[0] for key in word.keys}))


def _find_opposites(claim: Wording, source: Wording) -> Iterator[Contrast]:
    theirs = {_main_key(word): word for word in source.words}
    place = {token: at for at, token in enumerate(theirs)}
    ours = {_main_key(word) for word in claim.words}
    exchanged = [
        (kind, one, its)
        for kind, one, two in _EXCHANGEABLE_WORDS
        if (its := next((word for word in source.words if word.text in two), None))
        and not any(word.text in one for word in source.words)
    ]
    for word in claim.words:
        token = _main_key(word)
        if token in theirs:
            continue
        for other in _opposites_by_stem().get(token, ()):
            if other in theirs and other not in ours:
                yield _make_contrast(OPPOSITE, claim, word, source, theirs[other])
        turned = (other for other in _toggle_prefixes(token) if other in theirs and other not in ours)
        for other in sorted(turned, key=place.__getitem__):
            if len(min(token, other)) > 3:
                yield _make_contrast(OPPOSITE, claim, word, source, theirs[other])
        for kind, mine, its in exchanged:
            if word.text in mine:
                yield _make_contrast(kind, claim, word, source, its)
    yield from _find_cjk_opposites(claim, source)


def _find_cjk_opposites(claim: Wording, source: Wording) -> Iterator[Contrast]:
    mine, its = fold(claim.text), fold(source.text)
    for one, other in _CJK_OPPOSITES:
        for ours, theirs in ((one, other), (other, one)):
            if ours in mine and theirs not in mine and theirs in its and ours not in its:
                at = mine.index(ours)
                yield Contrast(OPPOSITE, f"“{ours}”", f"“{theirs}”", at, at + 1)


def _toggle_prefixes(word: str) -> set[str]:
    """The word with each prefix that turns it round, and without the one that it has."""
    return {prefix + word for prefix in _NEGATING_PREFIXES} | {
        word.removeprefix(prefix) for prefix in _NEGATING_PREFIXES if word.startswith(prefix)
    }


def _find_negation(claim: Wording, source: Wording) -> Iterator[Contrast]:
    """A "not" more or less in what both speak of: a long sentence may deny something else."""
    ours = count_facts(claim.text)["¬"]
    matched = [at for at, word in enumerate(source.words) if not word.is_stop_word and word.keys & claim.keys]
    if not matched:
        return
    first, last = source.words[matched[0]], source.words[matched[-1]]
    before = source.text[source.words[max(matched[0] - NEGATION_WORDS_BEFORE, 0)].start : first.start]
    after = source.text[last.end : source.words[min(matched[-1] + NEGATION_WORDS_AFTER, len(source.words) - 1)].end]
    inside = _CLAUSE.split(before)[-1] + source.text[first.start : last.end] + _CLAUSE.split(after)[0]
    theirs = count_facts(inside)["¬"]
    if ours % 2 != theirs % 2:
        yield Contrast(NEGATION, "“not”" if ours > theirs else "", "“not”" if theirs > ours else "", 0, len(claim.text))


def _main_key(word: KeyedWord) -> str:
    return min(word.keys) if word.keys else word.text


def _first_typed_word(run: tuple[KeyedWord, ...]) -> KeyedWord | None:
    return next((word for word in run if word.kind != PLAIN), None)


def _make_contrast(
    kind: str, claim: Wording, claim_word: KeyedWord, source: Wording, source_word: KeyedWord
) -> Contrast:
    return Contrast(
        kind, _quote_word(claim, claim_word), _quote_word(source, source_word), claim_word.start, claim_word.end
    )


def _quote_word(wording: Wording, word: KeyedWord) -> str:
    """A number with its sign and unit, so that it can be read by itself; a word in quotation marks."""
    if word.kind not in (NUMBER, DATE):
        return f"“{wording.text[word.start : word.end]}”"
    end = word.end
    start = word.start - len(_currency_before(wording.text, word.start))
    if sign := _PERCENT_SIGN.match(wording.text, end):
        end = sign.end()
    else:
        at = bisect_left(wording.starts, end)
        after = wording.words[at] if at < len(wording.words) else None
        if after and not after.is_stop_word and wording.text[end : after.start] in (" ", "-") and after.kind != NUMBER:
            end = after.end
    return wording.text[start:end]


def _currency_before(text: str, offset: int) -> str:
    """The sign of money that stands before this place, with its space."""
    sign = _CURRENCY_BEFORE.search(text, max(offset - MAX_CURRENCY_CHARACTERS, 0), offset)
    return sign[0] if sign else ""
