"""True claims made false: another number, date or name, a negation more or less. And source sentences said again."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from bench.damage import altered_negation, altered_number
from highlighter.text.sentences import split_sentences

Span = tuple[int, int]
Altered = tuple[str, tuple[Span, ...]]

_MONTHS = (
    "January February March April May June July August September October November December".split()
)  # fmt: skip
_YEAR = re.compile(r"\b(1[5-9]\d\d|20\d\d)\b")
_MONTH = re.compile(rf"\b({'|'.join(_MONTHS)})\b")
_NUMBER = re.compile(r"(?<![\w.,])\d[\d,.]*\b")
_NUMBER_WORDS = "two three four five six seven eight nine ten eleven twelve".split()
_NUMBER_WORD = re.compile(rf"\b({'|'.join(_NUMBER_WORDS)})\b")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z’'-]{2,}(?: [A-Z][a-z’'-]+)*")
_STRANGERS = (
    "Margaret Ellison", "Tobias Brandt", "Ravensworth", "Halden Industries", "Port Arlen", "Kestrel", "Lisbon",
    "Anneke Visser", "Northgate", "Samuel Okoro", "Verity Holdings", "Brisbane", "Clearwater", "Dunmore", "Kowloon",
)  # fmt: skip
# A sentence that an answer may repeat: long enough to say something, short enough to be one claim.
SHORTEST, LONGEST = 8, 40
_LEADING = re.compile(r"^(?:[A-Z][^,.;:]{3,60}), (?=(?:the|a|an|he|she|it|they|his|her|its|their|[A-Z])\b)")
_ASIDE = re.compile(r" \([^()]{3,80}\)|, (?:which|who|where|including|such as|as well as) [^,.;]{8,90}(?=[,.])")
_SWAPS = (
    ("however, ", ""), (" also ", " "), (" approximately ", " about "), (" in order to ", " to "), (" began ", " started "),
    (" received ", " got "), (" large ", " big "), (" purchased ", " bought "), (" prior to ", " before "), (" many ", " a lot of "),
    (" because ", " since "), (" numerous ", " many "), (" requires ", " needs "), (" located ", " situated "), (" main ", " chief "),
)  # fmt: skip


def restated(drawn: random.Random, context: str) -> str | None:
    """A sentence of a text as an answer may give it: an aside left out, a word exchanged for its like, or as it is."""
    sentences = [span.text for span in split_sentences(context)]
    usable = [
        s
        for s in sentences
        if SHORTEST <= len(s.split()) <= LONGEST and s.endswith(".") and s[0].isupper() and "(meta data)" not in s
    ]
    if not usable:
        return None
    text = drawn.choice(usable)
    if drawn.random() < 0.6:
        text = _ASIDE.sub("", text)
        match = _LEADING.match(text)
        if match and len(text) - match.end() > 40 and "," not in text[match.end() : match.end() + 30]:
            text = text[match.end()].upper() + text[match.end() + 1 :]
    if drawn.random() < 0.7:
        for old, new in _SWAPS:
            text = text.replace(old, new)
    return text


def other_number(drawn: random.Random, claim: str, context: str) -> Altered | None:
    found = [m for m in _NUMBER.finditer(claim) if not _YEAR.fullmatch(m.group())]
    words = list(_NUMBER_WORD.finditer(claim))
    if words and (not found or drawn.random() < 0.5):
        match = drawn.choice(words)
        return _exchanged(claim, match, drawn.choice([w for w in _NUMBER_WORDS if w != match.group()]), context)
    if not found:
        return None
    match = drawn.choice(found)
    return _exchanged(claim, match, altered_number(drawn, match.group()), context)


def other_date(drawn: random.Random, claim: str, context: str) -> Altered | None:
    found = [*_YEAR.finditer(claim), *_MONTH.finditer(claim)]
    if not found:
        return None
    match = drawn.choice(found)
    if match.group() in _MONTHS:
        other = drawn.choice([month for month in _MONTHS if month != match.group()])
    else:
        other = str(int(match.group()) + drawn.choice([-11, -4, -2, -1, 1, 2, 3, 10]))
    return _exchanged(claim, match, other, context)


def other_name(drawn: random.Random, claim: str, context: str) -> Altered | None:
    """Half of the time by one that the text speaks of, too."""
    found = list(_NAME.finditer(claim))
    if not found:
        return None
    match = drawn.choice(found)
    near = sorted({m.group() for m in _NAME.finditer(context)} - {m.group() for m in found})
    near = [name for name in near if not set(name.split()) & set(claim.split())]
    other = drawn.choice(near) if near and drawn.random() < 0.5 else drawn.choice(_STRANGERS)
    return _exchanged(claim, match, other, context)


def negated(drawn: random.Random, claim: str, context: str) -> Altered | None:
    """Which word is wrong cannot be said: the whole of it is."""
    text = altered_negation(drawn, claim)
    return (text, ()) if text and text != claim else None


def _exchanged(claim: str, match: re.Match[str], other: str | None, context: str) -> Altered | None:
    if not other or other == match.group():
        return None
    text = claim[: match.start()] + other + claim[match.end() :]
    if text in context:
        return None
    return text, ((match.start(), match.start() + len(other)),)


ALTERATIONS: dict[str, Callable[[random.Random, str, str], Altered | None]] = {
    "number": other_number, "date": other_date, "name": other_name, "negation": negated,
}  # fmt: skip
