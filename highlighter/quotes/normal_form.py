"""A text as quotes are compared with it: no white space, hyphens or quotation marks, one form for each letter.

Every character of the normal form knows where it stood, so that a place found in it is a place in the text. Two digits
that something parted stay parted ("10 12" is not "1012").
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
# What people and programs change, drop and add when they quote: it carries no word.
_IGNORED_MARKS = frozenset("-'\"`´′″＂「」『』〈〉《》‹›•◦▪●○■□‣⁃")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])-\s+(?=[^\W\d_])")


@dataclass(frozen=True, slots=True)
class NormalForm:
    """`at[i]` is where the i-th character of `text` stood in what it was made from."""

    text: str
    offsets: np.ndarray

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        return int(self.offsets[start]), int(self.offsets[end - 1]) + 1


class ComparableText:
    """A text and its normal form, made on first use: a text that is asked often is normalised once."""

    def __init__(self, text: str):
        self.text = text

    @cached_property
    def normal_form(self) -> NormalForm:
        return normalise_text(self.text)


def normalise_text(text: str) -> NormalForm:
    """In whole-array steps: a thousand pages take a tenth of a second."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    written = _learn_code_points(codes)
    lengths = written.length[codes]
    at = np.repeat(np.arange(len(codes), dtype=np.int32), lengths)
    place = written.start[codes[at]]
    if len(at) and lengths.max() > 1:  # a ligature: its second letter stands beside its first
        first = np.cumsum(lengths, dtype=np.int32) - lengths
        place = place + (np.arange(len(at), dtype=np.int32) - first[at])
    out = written.letters[place]
    parted = _find_digit_gaps(out, at)
    if len(parted):
        out, at = np.insert(out, parted, ord(" ")), np.insert(at, parted, at[parted - 1])
    return NormalForm(out.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass"), at)


def normalise_letters(text: str) -> str:
    """One form for each letter, and words that a line's end broke put together; spaces and signs stay."""
    folded = _INVISIBLE.sub("", fold(unicodedata.normalize("NFKC", text)))
    return _BROKEN_WORD.sub("", folded)


def _find_digit_gaps(out: np.ndarray, at: np.ndarray) -> np.ndarray:
    digit = (out >= 48) & (out <= 57)
    return np.flatnonzero(digit[1:] & digit[:-1] & (np.diff(at) > 1)) + 1


@dataclass(slots=True)
class _CodePointTable:
    """How each code point is written in the normal form; learnt as they are met. -1: not met yet."""

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
                _code_point_table.length[code] = len(letters)  # last: who sees it finds the rest
    return _code_point_table


def _normal_letters(character: str) -> str:
    """Ligatures and combined forms taken apart, folded; nothing for what says nothing."""
    plain = unicodedata.normalize("NFD", fold(unicodedata.normalize("NFKC", fold(character))))
    return "".join(letter for letter in plain if not _is_ignored(letter))


def _is_ignored(letter: str) -> bool:
    return (
        letter in _IGNORED_MARKS
        or letter.isspace()
        or unicodedata.category(letter) in ("Cc", "Cf", "Zs", "Zl", "Zp", "Pd")
    )
