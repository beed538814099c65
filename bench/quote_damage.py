"""Quotes damaged on purpose, and quotes altered so that their document does not contain them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from highlighter.quotes.significance import count_significant_words
from highlighter.text.characters import fold
from training.meaning_changes import change_negation, change_number, choose_match

_WORD = re.compile(r"[^\W\d_]{4,}")
_CJK = re.compile(r"[\u4e00-\u9fff]")
_LOOK_ALIKES = {
    "rn": "m", "m": "rn", "l": "1", "I": "l", "o": "0", "O": "0", "e": "c", "c": "e", "h": "b", "u": "ii", "i": "l",
    "a": "o", "t": "f", "s": "5", "n": "ri", "d": "cl", "未": "末", "日": "曰", "入": "人", "已": "己", "土": "士",
    "大": "太", "千": "干", "由": "甲",
}  # fmt: skip
OCR_SHARE = 0.03

Damage = Callable[[random.Random, str], str | None]


def make_typo(rng: random.Random, quote: str) -> str | None:
    """Exchange two neighbouring letters of a word or drop one; in Chinese, drop one character."""
    if match := choose_match(rng, _WORD, quote, _is_insignificant):
        offset = rng.randrange(match.start() + 1, match.end() - 2) if len(match.group()) > 4 else match.start() + 1
        if rng.random() < 0.5 and quote[offset] != quote[offset + 1]:
            return quote[:offset] + quote[offset + 1] + quote[offset] + quote[offset + 2 :]
        return quote[:offset] + quote[offset + 1 :]
    if match := choose_match(rng, _CJK, quote, _is_insignificant):
        return quote[: match.start()] + quote[match.end() :]
    return None


def drop_word(rng: random.Random, quote: str) -> str | None:
    """Drop a word that is no number, negation or "shall": without one of those it would be another sentence."""
    words = quote.split(" ")
    inner = [n for n in range(1, len(words) - 1) if words[n].isalpha() and _is_insignificant(words[n])]
    if len(words) < 7 or not inner:
        return None
    dropped = rng.choice(inner)
    return " ".join(words[:dropped] + words[dropped + 1 :])


def join_lines(rng: random.Random, quote: str) -> str | None:
    """Break lines and words and lose spaces, as when text is copied out of a narrow column."""
    words, lines = quote.split(" "), []
    if len(words) < 6:
        return None
    for word in words:
        chance = rng.random()
        if chance < 0.1 and len(word) > 6 and word.isalpha():
            word = f"{word[:3]}-\n{word[3:]}"
        lines.append(word + ("\n" if chance > 0.85 else "" if chance > 0.8 else " "))
    return "".join(lines).strip()


def change_quotation_marks(_: random.Random, quote: str) -> str | None:
    """Use other quotation marks, dashes and case, and put quotation marks around the quote."""
    table = str.maketrans({"’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "'": "’", '"': "“", "-": "‑"})
    return f"“{quote.translate(table).upper()}”"


def add_ocr_noise(rng: random.Random, quote: str) -> str | None:
    """Replace three characters in a hundred (one at least) by similar ones."""
    offsets = [n for n, letter in enumerate(quote) if letter in _LOOK_ALIKES]
    if not offsets:
        return None
    letters = list(quote)
    for offset in rng.sample(offsets, min(len(offsets), max(1, round(OCR_SHARE * len(quote))))):
        letters[offset] = _LOOK_ALIKES[letters[offset]]
    return "".join(letters)


def simplify_characters(_: random.Random, quote: str) -> str | None:
    """Replace Traditional by Simplified characters."""
    simplified = fold(quote)
    return simplified if simplified != quote.lower() and len(_CJK.findall(quote)) > 5 else None


DAMAGES: dict[str, Damage] = {
    "as it stands": lambda _, quote: quote,
    "a typo": make_typo,
    "a dropped word": drop_word,
    "joined lines": join_lines,
    "changed quotes": change_quotation_marks,
    "OCR noise": add_ocr_noise,
    "Simplified for Traditional": simplify_characters,
}
FALSIFICATIONS: dict[str, Damage] = {"another number": change_number, "a negation more or less": change_negation}


def _is_insignificant(word: str | re.Match[str]) -> bool:
    return not count_significant_words(word if isinstance(word, str) else word.group())
