"""Quotes as they come: damaged on purpose, and quotes of what is not there."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from highlighter.quotes.significance import count_significant_words
from highlighter.text.characters import fold

_WORD = re.compile(r"[^\W\d_]{4,}")
_CJK = re.compile(r"[\u4e00-\u9fff]")
_DIGITS = re.compile(r"\d+")
_LOOK_ALIKES = {
    "rn": "m", "m": "rn", "l": "1", "I": "l", "o": "0", "O": "0", "e": "c", "c": "e", "h": "b", "u": "ii", "i": "l",
    "a": "o", "t": "f", "s": "5", "n": "ri", "d": "cl", "未": "末", "日": "曰", "入": "人", "已": "己", "土": "士",
    "大": "太", "千": "干", "由": "甲",
}  # fmt: skip
OCR_SHARE = 0.03
_NEGATABLE = re.compile(r"\b(shall|may|must|will|is|are|was|were|can|should|would|has|have|had|does|do|did)\b")
_NEGATION = re.compile(r"\b(not|never|no|without) ")
_CJK_NEGATABLE = re.compile("(可以|應當|应当|应|會|会|須|须|能)")

Damage = Callable[[random.Random, str], str | None]


def typo(drawn: random.Random, quote: str) -> str | None:
    """Two neighbouring letters of a word exchanged, or one lost; in Chinese one character lost."""
    if match := _one(drawn, _WORD, quote, _light):
        at = drawn.randrange(match.start() + 1, match.end() - 2) if len(match.group()) > 4 else match.start() + 1
        if drawn.random() < 0.5 and quote[at] != quote[at + 1]:
            return quote[:at] + quote[at + 1] + quote[at] + quote[at + 2 :]
        return quote[:at] + quote[at + 1 :]
    if match := _one(drawn, _CJK, quote, _light):
        return quote[: match.start()] + quote[match.end() :]
    return None


def dropped_word(drawn: random.Random, quote: str) -> str | None:
    """A word that is neither number nor negation nor "shall": without those it is another sentence."""
    words = quote.split(" ")
    inner = [n for n in range(1, len(words) - 1) if words[n].isalpha() and _light(words[n])]
    if len(words) < 7 or not inner:
        return None
    lost = drawn.choice(inner)
    return " ".join(words[:lost] + words[lost + 1 :])


def joined_lines(drawn: random.Random, quote: str) -> str | None:
    """As it is copied out of a narrow column: broken lines, broken words, spaces lost."""
    words, lines = quote.split(" "), []
    if len(words) < 6:
        return None
    for word in words:
        dice = drawn.random()
        if dice < 0.1 and len(word) > 6 and word.isalpha():
            word = f"{word[:3]}-\n{word[3:]}"
        lines.append(word + ("\n" if dice > 0.85 else "" if dice > 0.8 else " "))
    return "".join(lines).strip()


def changed_quotes(_: random.Random, quote: str) -> str | None:
    """Other quotation marks, dashes and case, and quotation marks around it all."""
    table = str.maketrans({"’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "'": "’", '"': "“", "-": "‑"})
    return f"“{quote.translate(table).upper()}”"


def ocr_noise(drawn: random.Random, quote: str) -> str | None:
    """Three characters in a hundred (one at least) read as one that looks alike."""
    places = [n for n, letter in enumerate(quote) if letter in _LOOK_ALIKES]
    if not places:
        return None
    letters = list(quote)
    for at in drawn.sample(places, min(len(places), max(1, round(OCR_SHARE * len(quote))))):
        letters[at] = _LOOK_ALIKES[letters[at]]
    return "".join(letters)


def other_script(_: random.Random, quote: str) -> str | None:
    """Simplified for Traditional."""
    simplified = fold(quote)
    return simplified if simplified != quote.lower() and len(_CJK.findall(quote)) > 5 else None


def altered_number(drawn: random.Random, quote: str) -> str | None:
    match = _one(drawn, _DIGITS, quote)
    if match is None:
        return None
    number = match.group()
    other = str(int(number) + drawn.choice([1, 2, 7, 10])) if len(number) < 15 else number[::-1]
    return quote[: match.start()] + other.zfill(len(number)) + quote[match.end() :]


def altered_negation(drawn: random.Random, quote: str) -> str | None:
    """A "not" that is not there, or none where one is."""
    if match := _NEGATION.search(quote):
        return quote[: match.start()] + quote[match.end() :]
    if match := _one(drawn, _NEGATABLE, quote):
        return f"{quote[: match.end()]} not{quote[match.end() :]}"
    if match := _one(drawn, _CJK_NEGATABLE, quote):
        return f"{quote[: match.start()]}不{quote[match.start() :]}"
    return None


DAMAGES: dict[str, Damage] = {
    "as it stands": lambda _, quote: quote,
    "a typo": typo,
    "a dropped word": dropped_word,
    "joined lines": joined_lines,
    "changed quotes": changed_quotes,
    "OCR noise": ocr_noise,
    "Simplified for Traditional": other_script,
}
ABSENT: dict[str, Damage] = {"another number": altered_number, "a negation more or less": altered_negation}


def _light(word: object) -> bool:
    return not count_significant_words(word.group() if isinstance(word, re.Match) else word)


def _one(drawn: random.Random, pattern: re.Pattern[str], quote: str, good=lambda match: True) -> re.Match[str] | None:
    found = [match for match in pattern.finditer(quote) if good(match)]
    return drawn.choice(found) if found else None
