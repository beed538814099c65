"""Numbers as labels write them: 3, 三, 十二, iv, three. What comes in is folded (highlighter/folding.py)."""

from __future__ import annotations

import re

CHINESE = "〇零一二三四五六七八九十百千两"
_DIGITS = {"〇": 0, "零": 0, "两": 2} | {digit: value for value, digit in enumerate("一二三四五六七八九", 1)}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_ROMAN = re.compile(r"m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_WORDS = {
    word: value
    for value, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
        " eighteen nineteen twenty".split(),
        1,
    )
}
NUMBER_WORDS = "|".join(sorted(_WORDS, key=len, reverse=True))


def number(text: str) -> int | None:
    """What digits, Chinese numerals or a number's name say; None for anything else."""
    if text.isascii() and text.isdigit():
        return int(text)
    if text in _WORDS:
        return _WORDS[text]
    return _chinese(text) if text and all(character in CHINESE for character in text) else None


def is_roman(text: str) -> bool:
    return bool(text) and _ROMAN.fullmatch(text) is not None


def _chinese(text: str) -> int:
    if not any(character in _UNITS for character in text):  # 二〇三: digit by digit
        return int("".join(str(_DIGITS[character]) for character in text))
    total, digit = 0, 0
    for character in text:
        if character in _UNITS:
            total += (digit or 1) * _UNITS[character]
            digit = 0
        else:
            digit = _DIGITS[character]
    return total + digit
