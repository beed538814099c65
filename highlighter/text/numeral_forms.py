"""Write a number as texts may write it: in digits with separators, in Chinese numerals and in words."""

from __future__ import annotations

import unicodedata

from highlighter.text.number_words import list_spellings
from highlighter.text.numerals import NUMBER_WORD_VALUES

_CHINESE_DIGITS = "零一二三四五六七八九"
_WORDS = {value: word for word, value in NUMBER_WORD_VALUES.items()}
_LARGE_NUMBERS = ((10**9, "billion"), (10**6, "million"), (10**3, "thousand"))
_MAX_WRITTEN_NUMBER = 10**12


def list_number_forms(value: str) -> list[str]:
    """Return the spellings of a number in digits, in the normal form of texts: without spaces and hyphens."""
    forms = [value]
    whole, _, decimals = value.partition(".")
    if not whole.isdigit() or (decimals and not decimals.isdigit()) or int(whole) >= _MAX_WRITTEN_NUMBER:
        return forms
    if decimals:
        return [*forms, f"{whole},{decimals}", f"{write_chinese_numeral(int(whole))}点{_write_digits(decimals)}"]
    number = int(whole)
    if number >= 1000:
        forms += [f"10{len(whole) - 1}"]  # of "10⁶" and "5 × 10⁶"
        forms += [f"{number:,}".replace(",", separator) for separator in (",", ".", " ")]
    forms += [write_chinese_numeral(number), _write_digits(whole), _write_digits(whole).replace("零", "〇")]
    forms += [write_number_words(number), write_number_words(number).replace("and", "")]
    forms += [
        f"{_shorten(number, size)}{name}"
        for size, name in (*_LARGE_NUMBERS, (10**4, "万"), (10**8, "亿"))
        if number >= size
    ]
    if number > 1:  # words for one are articles
        forms += [unicodedata.normalize("NFD", word.replace("-", "")) for word in list_spellings(number)]
    return list(dict.fromkeys(forms))


def write_chinese_numeral(number: int) -> str:
    """Return a number in Chinese numerals: 28 is 二十八."""
    if number < 10:
        return _CHINESE_DIGITS[number]
    for size, unit in ((10**8, "亿"), (10**4, "万"), (1000, "千"), (100, "百"), (10, "十")):
        if number >= size:
            count, rest = divmod(number, size)
            before = "" if size == 10 and count == 1 else write_chinese_numeral(count)
            gap = "零" if rest and rest < size // 10 else ""
            return before + unit + gap + (write_chinese_numeral(rest) if rest else "")
    return ""


def write_number_words(number: int) -> str:
    """Return a number in English words without spaces: 128 is "onehundredandtwentyeight"."""
    if number in _WORDS:
        return _WORDS[number]
    if number < 100:
        return _WORDS[number // 10 * 10] + _WORDS[number % 10]
    if number < 1000:
        rest = number % 100
        return f"{_WORDS[number // 100]}hundred" + (f"and{write_number_words(rest)}" if rest else "")
    size, name = next((size, name) for size, name in _LARGE_NUMBERS if number >= size)
    rest = number % size
    return write_number_words(number // size) + name + (write_number_words(rest) if rest else "")


def _write_digits(digits: str) -> str:
    return "".join(_CHINESE_DIGITS[int(digit)] for digit in digits)


def _shorten(number: int, size: int) -> str:
    return f"{number / size:.6f}".rstrip("0").rstrip(".")
