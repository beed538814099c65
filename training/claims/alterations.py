"""True claims made false by another number, date or name or by negation, and source sentences restated."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from highlighter.text.sentences import split_sentences
from training.meaning_changes import change_negation, change_number

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
_UNRELATED_NAMES = (
    "Margaret Ellison", "Tobias Brandt", "Ravensworth", "Halden Industries", "Port Arlen", "Kestrel", "Lisbon",
    "Anneke Visser", "Northgate", "Samuel Okoro", "Verity Holdings", "Brisbane", "Clearwater", "Dunmore", "Kowloon",
)  # fmt: skip
# A sentence that an answer may repeat: long enough to state something, short enough to be one claim.
MIN_WORDS, MAX_WORDS = 8, 40
_LEADING = re.compile(r"^(?:[A-Z][^,.;:]{3,60}), (?=(?:the|a|an|he|she|it|they|his|her|its|their|[A-Z])\b)")
_PARENTHESIS = re.compile(r" \([^()]{3,80}\)|, (?:which|who|where|including|such as|as well as) [^,.;]{8,90}(?=[,.])")
_SWAPS = (
    ("however, ", ""), (" also ", " "), (" approximately ", " about "), (" in order to ", " to "), (" began ", " started "),
    (" received ", " got "), (" large ", " big "), (" purchased ", " bought "), (" prior to ", " before "), (" many ", " a lot of "),
    (" because ", " since "), (" numerous ", " many "), (" requires ", " needs "), (" located ", " situated "), (" main ", " chief "),
)  # fmt: skip


def restate_sentence(rng: random.Random, context: str) -> str | None:
    """Return a sentence of a text as an answer may state it: without a parenthesis, with synonyms, or unchanged."""
    sentences = [span.text for span in split_sentences(context)]
    usable = [
        s
        for s in sentences
        if MIN_WORDS <= len(s.split()) <= MAX_WORDS and s.endswith(".") and s[0].isupper() and "(meta data)" not in s
    ]
    if not usable:
        return None
    text = rng.choice(usable)
    if rng.random() < 0.6:
        text = _PARENTHESIS.sub("", text)
        match = _LEADING.match(text)
        if match and len(text) - match.end() > 40 and "," not in text[match.end() : match.end() + 30]:
            text = text[match.end()].upper() + text[match.end() + 1 :]
    if rng.random() < 0.7:
        for old, new in _SWAPS:
            text = text.replace(old, new)
    return text


def alter_number(rng: random.Random, claim: str, context: str) -> Altered | None:
    matches = [m for m in _NUMBER.finditer(claim) if not _YEAR.fullmatch(m.group())]
    words = list(_NUMBER_WORD.finditer(claim))
    if words and (not matches or rng.random() < 0.5):
        match = rng.choice(words)
        return _exchange_match(claim, match, rng.choice([w for w in _NUMBER_WORDS if w != match.group()]), context)
    if not matches:
        return None
    match = rng.choice(matches)
    return _exchange_match(claim, match, change_number(rng, match.group()), context)


def alter_date(rng: random.Random, claim: str, context: str) -> Altered | None:
    matches = [*_YEAR.finditer(claim), *_MONTH.finditer(claim)]
    if not matches:
        return None
    match = rng.choice(matches)
    if match.group() in _MONTHS:
        replacement = rng.choice([month for month in _MONTHS if month != match.group()])
    else:
        replacement = str(int(match.group()) + rng.choice([-11, -4, -2, -1, 1, 2, 3, 10]))
    return _exchange_match(claim, match, replacement, context)


def alter_name(rng: random.Random, claim: str, context: str) -> Altered | None:
    """Replace a name, half of the time by another name of the context."""
    matches = list(_NAME.finditer(claim))
    if not matches:
        return None
    match = rng.choice(matches)
    context_names = sorted({m.group() for m in _NAME.finditer(context)} - {m.group() for m in matches})
    context_names = [name for name in context_names if not set(name.split()) & set(claim.split())]
    replacement = rng.choice(context_names) if context_names and rng.random() < 0.5 else rng.choice(_UNRELATED_NAMES)
    return _exchange_match(claim, match, replacement, context)


def alter_negation(rng: random.Random, claim: str, context: str) -> Altered | None:
    """Add or remove a negation. The whole claim is wrong then, not single words."""
    text = change_negation(rng, claim)
    return (text, ()) if text and text != claim else None


def _exchange_match(claim: str, match: re.Match[str], replacement: str | None, context: str) -> Altered | None:
    if not replacement or replacement == match.group():
        return None
    text = claim[: match.start()] + replacement + claim[match.end() :]
    if text in context:
        return None
    return text, ((match.start(), match.start() + len(replacement)),)


ALTERATIONS: dict[str, Callable[[random.Random, str, str], Altered | None]] = {
    "number": alter_number, "date": alter_date, "name": alter_name, "negation": alter_negation,
}  # fmt: skip
