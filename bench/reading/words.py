"""Compare the words of a text with those of a reference: how many are missing, extra and out of order."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

_BROKEN_WORD = re.compile(r"(?<=\w)[-\u00ad\u2010]\s*\n\s*(?=[^\W\d_])")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class WordDifference:
    """Counts of words: of the reference, of the text, in both, and in both in the same order."""

    reference: int
    text: int
    common: int
    in_order: int

    def __add__(self, other: WordDifference) -> WordDifference:
        return WordDifference(
            self.reference + other.reference,
            self.text + other.text,
            self.common + other.common,
            self.in_order + other.in_order,
        )

    @property
    def missing(self) -> float:
        return 1 - self.common / max(self.reference, 1)

    @property
    def extra(self) -> float:
        return 1 - self.common / max(self.text, 1)

    @property
    def out_of_order(self) -> float:
        return 1 - self.in_order / max(self.common, 1)


def list_words(text: str) -> list[str]:
    """Return the words of a text without punctuation. Hyphens at line ends join a word's halves."""
    joined = _BROKEN_WORD.sub("", unicodedata.normalize("NFKC", text))
    return _WORD.findall(joined.replace("-", "").casefold())


def compare_words(reference: str, text: str, split: Callable[[str], list[str]] = list_words) -> WordDifference:
    """Return how the words of a text, which `split` lists, differ from those of a reference."""
    expected, read = split(reference), split(text)
    common = (Counter(expected) & Counter(read)).total()
    in_order = min(LCSseq.similarity(expected, read), common)
    return WordDifference(len(expected), len(read), common, in_order)
