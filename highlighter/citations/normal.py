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

from highlighter.folding import fold

CODE_POINTS = 0x110000
# What people and programs change, drop and add when they quote: it carries no word.
_UNSAID = frozenset("-'\"`´′″＂「」『』〈〉《》‹›•◦▪●○■□‣⁃")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])-\s+(?=[^\W\d_])")


@dataclass(frozen=True, slots=True)
class Normal:
    """`at[i]` is where the i-th character of `text` stood in what it was made from."""

    text: str
    at: np.ndarray

    def span(self, start: int, end: int) -> tuple[int, int]:
        return int(self.at[start]), int(self.at[end - 1]) + 1


class Words:
    """A text and its normal form, made on first use: a text that is asked often is normalised once."""

    def __init__(self, text: str):
        self.text = text

    @cached_property
    def normal(self) -> Normal:
        return normal(self.text)


def normal(text: str) -> Normal:
    """In whole-array steps: a thousand pages take a tenth of a second."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    written = _known(codes)
    lengths = written.length[codes]
    at = np.repeat(np.arange(len(codes), dtype=np.int32), lengths)
    place = written.start[codes[at]]
    if len(at) and lengths.max() > 1:  # a ligature: its second letter stands beside its first
        first = np.cumsum(lengths, dtype=np.int32) - lengths
        place = place + (np.arange(len(at), dtype=np.int32) - first[at])
    out = written.letters[place]
    parted = _parted_digits(out, at)
    if len(parted):
        out, at = np.insert(out, parted, ord(" ")), np.insert(at, parted, at[parted - 1])
    return Normal(out.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass"), at)


def plain(text: str) -> str:
    """One form for each letter, and words that a line's end broke put together; spaces and signs stay."""
    folded = _INVISIBLE.sub("", fold(unicodedata.normalize("NFKC", text)))
    return _BROKEN_WORD.sub("", folded)


def _parted_digits(out: np.ndarray, at: np.ndarray) -> np.ndarray:
    digit = (out >= 48) & (out <= 57)
    return np.flatnonzero(digit[1:] & digit[:-1] & (np.diff(at) > 1)) + 1


@dataclass(slots=True)
class _Written:
    """How each code point is written in the normal form; learnt as they are met. -1: not met yet."""

    length: np.ndarray
    start: np.ndarray
    letters: np.ndarray


_written = _Written(
    np.full(CODE_POINTS, -1, np.int8), np.zeros(CODE_POINTS, np.int32), np.zeros(0, np.uint32)
)  # fmt: skip
_learning = threading.Lock()


def _known(codes: np.ndarray) -> _Written:
    if len(codes) and (_written.length[codes] < 0).any():
        with _learning:
            for code in np.unique(codes[_written.length[codes] < 0]).tolist():
                letters = np.array([ord(letter) for letter in _letters(chr(code))], dtype=np.uint32)
                _written.start[code] = len(_written.letters)
                _written.letters = np.concatenate([_written.letters, letters])
                _written.length[code] = len(letters)  # last: who sees it finds the rest
    return _written


def _letters(character: str) -> str:
    """Ligatures and combined forms taken apart, folded; nothing for what says nothing."""
    plain = unicodedata.normalize("NFD", fold(unicodedata.normalize("NFKC", fold(character))))
    return "".join(letter for letter in plain if not _silent(letter))


def _silent(letter: str) -> bool:
    return letter in _UNSAID or letter.isspace() or unicodedata.category(letter) in ("Cc", "Cf", "Zs", "Zl", "Zp", "Pd")
