"""What a sentence of a source says otherwise than a claim: a number, a date, a name, a "not", a word turned round."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from highlighter.citations.weight import facts
from highlighter.folding import fold
from highlighter.grounding.wording import DATE, NAME, NUMBER, PLAIN, Word, Wording
from highlighter.locale import N_
from highlighter.terms import is_cjk, stem

NEGATION, OPPOSITE, EXTENT, DUTY = "negation", "opposite", "extent", "duty"
KINDS = (NUMBER, DATE, NAME, NEGATION, OPPOSITE, EXTENT, DUTY)

# Words before and after the matched run of a sentence in which a "not" still concerns it.
BEFORE, AFTER = 3, 2
# How far from a number its unit may stand, in words.
UNIT_REACH = 2
_CLAUSE = re.compile(r"[,;:.，；：。]")
_SIGN_BEFORE, _SIGN_AFTER = re.compile(r"[£$€¥]\s?$"), re.compile(r"\s?(?:%|per ?cent|百分)")
_PER_CENT = re.compile(r"\s?%")
# Characters that a sign before a number takes, with its space.
SIGN_CHARACTERS = 2

_PAIRS = (
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
_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "mis")

_ALL = frozenset("all every each always entire whole any".split())
_SOME = frozenset("some several many most few sometimes often usually partly occasionally rarely".split())
_MUST = frozenset("must shall required obliged".split())
_MAY = frozenset("may might can could optional".split())
_EXCHANGED = ((EXTENT, _ALL, _SOME), (EXTENT, _SOME, _ALL), (DUTY, _MUST, _MAY), (DUTY, _MAY, _MUST))


@lru_cache(maxsize=1)
def _opposites() -> dict[str, set[str]]:
    """By stems, so made when first asked for: the stemmer costs a second to import."""
    opposites: dict[str, set[str]] = defaultdict(set)
    for pair in _PAIRS.split():
        one, other = map(stem, pair.split("/"))
        opposites[one].add(other)
        opposites[other].add(one)
    return opposites


@dataclass(frozen=True, slots=True)
class Contrast:
    kind: str
    ours: str  # as the claim writes it
    theirs: str  # as the source does; "" when it says nothing there
    start: int  # place in the claim
    end: int

    @property
    def why(self) -> str:
        if self.kind == NEGATION:
            return (
                N_("The claim says “not”, the source does not.")
                if self.ours
                else N_("The source says “not”, the claim does not.")
            )
        return N_(f"The source says {self.theirs} where the claim says {self.ours}.")


def contrasts(claim: Wording, line: Wording) -> list[Contrast]:
    """Most certain first. Only worth asking of a sentence that speaks of the same thing."""
    found: dict[tuple[int, int], Contrast] = {}
    for one in (*_in_place(claim, line), *_by_unit(claim, line), *_turned(claim, line), *_negated(claim, line)):
        found.setdefault((one.start, one.end), one)
    return list(found.values())


def _in_place(claim: Wording, line: Wording) -> Iterator[Contrast]:
    """A word or two exchanged, with the same words on either side."""
    ours, theirs = [_token(word) for word in claim.words], [_token(word) for word in line.words]
    steps = list(Levenshtein.opcodes(ours, theirs))
    for at, step in enumerate(steps):
        a, b = claim.words[step.src_start : step.src_end], line.words[step.dest_start : step.dest_end]
        if step.tag != "replace" or len(a) > 3 or len(b) > 3:
            continue
        held = (at > 0, at + 1 < len(steps))
        if not all(held) and not (any(held) and len(steps) > 2):
            continue
        mine, its = _weightiest(a), _weightiest(b)
        if mine and its and mine.kind == its.kind and not mine.keys & line.keys:
            yield _contrast(mine.kind, claim, mine, line, its)


def _by_unit(claim: Wording, line: Wording) -> Iterator[Contrast]:
    """Another number of the same unit, another day of the same month, another month of the same year."""
    first: dict[tuple[str, str, str], int] = {}  # of a kind, a sort and a slot: where the sentence first has a number
    for there, its in enumerate(line.words):
        if its.kind in (NUMBER, DATE) and not its.keys & claim.keys:
            for key in _slot(line, there):
                first.setdefault((its.kind, _sort(its), key), there)
    for at, mine in enumerate(claim.words):
        if not first or mine.kind not in (NUMBER, DATE) or mine.keys & line.keys:
            continue
        wanted = ((mine.kind, _sort(mine), key) for key in _slot(claim, at))
        there = min((first[one] for one in wanted if one in first), default=None)
        if there is not None:
            yield _contrast(mine.kind, claim, mine, line, line.words[there])


def _slot(text: Wording, at: int) -> frozenset[str]:
    """What a number counts: the words beside it and its signs."""
    here, keys = text.words[at], set()
    for step in (1, -1):
        for away in range(1, UNIT_REACH + 1):
            place = at + step * away
            if not 0 <= place < len(text.words):
                break
            word = text.words[place]
            if word.empty:
                continue
            keys |= {f"{'>' if step > 0 else '<'}{key}" if word.kind == PLAIN else key for key in word.keys}
            break
    following = fold(text.text[here.end : here.end + 1])
    if following and is_cjk(following):
        keys.add(following)
    if _sign_before(text.text, here.start):
        keys.add("money")
    if _SIGN_AFTER.match(text.text, here.end):
        keys.add("percent")
    return frozenset(keys)


def _sort(word: Word) -> str:
    return "".join(sorted({key[0] for key in word.keys}))


def _turned(claim: Wording, line: Wording) -> Iterator[Contrast]:
    theirs = {_token(word): word for word in line.words}
    place = {token: at for at, token in enumerate(theirs)}
    ours = {_token(word) for word in claim.words}
    exchanged = [
        (kind, one, its)
        for kind, one, two in _EXCHANGED
        if (its := next((word for word in line.words if word.text in two), None))
        and not any(word.text in one for word in line.words)
    ]
    for word in claim.words:
        token = _token(word)
        if token in theirs:
            continue
        for other in _opposites().get(token, ()):
            if other in theirs and other not in ours:
                yield _contrast(OPPOSITE, claim, word, line, theirs[other])
        turned = (other for other in _prefixed(token) if other in theirs and other not in ours)
        for other in sorted(turned, key=place.__getitem__):
            if len(min(token, other)) > 3:
                yield _contrast(OPPOSITE, claim, word, line, theirs[other])
        for kind, mine, its in exchanged:
            if word.text in mine:
                yield _contrast(kind, claim, word, line, its)
    yield from _turned_ideographs(claim, line)


def _turned_ideographs(claim: Wording, line: Wording) -> Iterator[Contrast]:
    mine, its = fold(claim.text), fold(line.text)
    for one, other in _CJK_OPPOSITES:
        for ours, theirs in ((one, other), (other, one)):
            if ours in mine and theirs not in mine and theirs in its and ours not in its:
                at = mine.index(ours)
                yield Contrast(OPPOSITE, f"“{ours}”", f"“{theirs}”", at, at + 1)


def _prefixed(word: str) -> set[str]:
    """The word with each prefix that turns it round, and without the one that it has."""
    return {prefix + word for prefix in _PREFIXES} | {
        word.removeprefix(prefix) for prefix in _PREFIXES if word.startswith(prefix)
    }


def _negated(claim: Wording, line: Wording) -> Iterator[Contrast]:
    """A "not" more or less in what both speak of: a long sentence may deny something else."""
    ours = facts(claim.text)["¬"]
    matched = [at for at, word in enumerate(line.words) if not word.empty and word.keys & claim.keys]
    if not matched:
        return
    first, last = line.words[matched[0]], line.words[matched[-1]]
    before = line.text[line.words[max(matched[0] - BEFORE, 0)].start : first.start]
    after = line.text[last.end : line.words[min(matched[-1] + AFTER, len(line.words) - 1)].end]
    inside = _CLAUSE.split(before)[-1] + line.text[first.start : last.end] + _CLAUSE.split(after)[0]
    theirs = facts(inside)["¬"]
    if ours % 2 != theirs % 2:
        yield Contrast(NEGATION, "“not”" if ours > theirs else "", "“not”" if theirs > ours else "", 0, len(claim.text))


def _token(word: Word) -> str:
    return min(word.keys) if word.keys else word.text


def _weightiest(run: tuple[Word, ...]) -> Word | None:
    return next((word for word in run if word.kind != PLAIN), None)


def _contrast(kind: str, claim: Wording, mine: Word, line: Wording, its: Word) -> Contrast:
    return Contrast(kind, _said(claim, mine), _said(line, its), mine.start, mine.end)


def _said(text: Wording, word: Word) -> str:
    """A number with its sign and unit, so that it can be read by itself; a word in quotation marks."""
    if word.kind not in (NUMBER, DATE):
        return f"“{text.text[word.start : word.end]}”"
    end = word.end
    start = word.start - len(_sign_before(text.text, word.start))
    if sign := _PER_CENT.match(text.text, end):
        end = sign.end()
    else:
        at = bisect_left(text.starts, end)
        after = text.words[at] if at < len(text.words) else None
        if after and not after.empty and text.text[end : after.start] in (" ", "-") and after.kind != NUMBER:
            end = after.end
    return text.text[start:end]


def _sign_before(text: str, at: int) -> str:
    """The sign of money that stands before this place, with its space."""
    sign = _SIGN_BEFORE.search(text, max(at - SIGN_CHARACTERS, 0), at)
    return sign[0] if sign else ""
