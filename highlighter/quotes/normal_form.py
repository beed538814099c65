"""The normal form in which texts are compared with quotes: no white space, hyphens or quotation marks, letters folded.

Each character of the normal form keeps its offset in the text, so that a span of the normal form is a span of the text.
Digits separated in the text stay separated ("10 12" is not "1012"). An exponent is the same however it is written ("10⁻³",
"10^-3", "10^{-3}"), and keeps its minus sign.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from highlighter.text.characters import fold

CODE_POINT_COUNT = 0x110000
# Marks that people and programs change, drop and add when they quote; no word depends on them.
_IGNORED_MARKS = frozenset("-'\"`´′″＂「」『』〈〉《》‹›•◦▪●○■□‣⁃^")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
# "10^6", "x^-3", "10^{-3}": how exponents are typed.
_EXPONENT_SIGN, _EXPONENT_MINUS = "^", "\u207b"
_TYPED_EXPONENT = re.compile(r"\^(?:\{[-\u2212–+]?\w{1,4}[-\u2212+]?\}|[-\u2212–](?=\w))")
_TYPED_MARKS = str.maketrans({"{": _EXPONENT_SIGN, "}": _EXPONENT_SIGN} | dict.fromkeys("-\u2212–", _EXPONENT_MINUS))
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])-\s+(?=[^\W\d_])")


@dataclass(frozen=True, slots=True)
class NormalForm:
    """A normalised text; `offsets[i]` is where its i-th character stands in the original text."""

    text: str
    offsets: np.ndarray

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original text that `[start, end)` of the normal form was made from."""
        return int(self.offsets[start]), int(self.offsets[end - 1]) + 1


class ComparableText:
    """A text with its normal form, which is computed on first use and kept."""

    def __init__(self, text: str):
        self.text = text

    @cached_property
    def normal_form(self) -> NormalForm:
        return normalise_text(self.text)


def normalise_text(text: str) -> NormalForm:
    """Return the normal form of a text.

    The text is processed as whole arrays, so that a thousand pages take a tenth of a second.
    """
    codes = np.frombuffer(_write_exponents_alike(text).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    table = _learn_code_points(codes)
    lengths = table.length[codes]
    offsets = np.repeat(np.arange(len(codes), dtype=np.int32), lengths)
    letter_indexes = table.start[codes[offsets]]
    if len(offsets) and lengths.max() > 1:  # the letters of a ligature follow one another in the table
        first_outputs = np.cumsum(lengths, dtype=np.int32) - lengths
        letter_indexes = letter_indexes + (np.arange(len(offsets), dtype=np.int32) - first_outputs[offsets])
    letters = table.letters[letter_indexes]
    gaps = _find_digit_gaps(letters, offsets, codes)
    if len(gaps):
        letters, offsets = np.insert(letters, gaps, ord(" ")), np.insert(offsets, gaps, offsets[gaps - 1])
    return NormalForm(letters.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass"), offsets)


def normalise_letters(text: str) -> str:
    """Return the text with folded letters and without hyphenation at line ends; spaces and punctuation stay.

    Exponents have no sign: "10^6" is "106" like "10⁶".
    """
    plain = _write_exponents_alike(text).replace(_EXPONENT_SIGN, "")
    folded = _INVISIBLE.sub("", fold(unicodedata.normalize("NFKC", plain)))
    return _BROKEN_WORD.sub("", folded)


def _write_exponents_alike(text: str) -> str:
    """Return the text with the minus signs of typed exponents raised, and "^" for their braces; its length stays."""
    if _EXPONENT_SIGN not in text:
        return text
    return _TYPED_EXPONENT.sub(lambda match: match.group().translate(_TYPED_MARKS), text)


def _find_digit_gaps(letters: np.ndarray, offsets: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return the indexes of digits that follow another digit here but not in the text, unless they are its exponent."""
    is_digit = (letters >= 48) & (letters <= 57)
    gaps = np.flatnonzero(is_digit[1:] & is_digit[:-1] & (np.diff(offsets) > 1)) + 1
    is_exponent = codes[offsets[gaps - 1] + 1] == ord(_EXPONENT_SIGN)
    separate_gaps: np.ndarray = gaps[~is_exponent]
    return separate_gaps


@dataclass(slots=True)
class _CodePointTable:
    """The normal letters of each code point, filled in when a code point is first met; a length of -1 means not yet."""

    length: np.ndarray
    start: np.ndarray
    letters: np.ndarray


_code_point_table = _CodePointTable(
    np.full(CODE_POINT_COUNT, -1, np.int8), np.zeros(CODE_POINT_COUNT, np.int32), np.zeros(0, np.uint32)
)  # fmt: skip
_table_lock = threading.Lock()


def _learn_code_points(codes: np.ndarray) -> _CodePointTable:
    if len(codes) and (_code_point_table.length[codes] < 0).any():
        with _table_lock:
            for code in np.unique(codes[_code_point_table.length[codes] < 0]).tolist():
                letters = np.array([ord(letter) for letter in _normal_letters(chr(code))], dtype=np.uint32)
                _code_point_table.start[code] = len(_code_point_table.letters)
                _code_point_table.letters = np.concatenate([_code_point_table.letters, letters])
                _code_point_table.length[code] = len(letters)  # set last: readers without the lock rely on it
    return _code_point_table


def _normal_letters(character: str) -> str:
    """Return a character decomposed and folded; empty for an ignored mark."""
    if character == _EXPONENT_MINUS:
        return character  # 10⁻³ is not 10³
    plain = unicodedata.normalize("NFD", fold(unicodedata.normalize("NFKC", fold(character))))
    return "".join(letter for letter in plain if not _is_ignored(letter))


def _is_ignored(letter: str) -> bool:
    return (
        letter in _IGNORED_MARKS
        or letter.isspace()
        or unicodedata.category(letter) in ("Cc", "Cf", "Zs", "Zl", "Zp", "Pd")
    )
