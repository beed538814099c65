"""How well a sentence's words answer a question's words, within one passage: BM25 over stems and CJK bigrams."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

# BM25's usual constants: how soon a repeated word stops counting, and how much a long sentence is held against it.
SATURATION, LENGTH_PENALTY = 1.2, 0.75

# Escapes, not characters: letters of these blocks look alike in an editor.
_CJK = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af\U00020000-\U0003134f"
_TOKEN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+(?:[.,'’][^\W_{_CJK}]+)*")
_IS_CJK = re.compile(rf"[{_CJK}]")

# Words that any question may hold and that point at no sentence.
_EMPTY_WORDS = frozenset(
    "a an and any are as at be been by can could did do does for from had has have how i if in into is it its may might"
    " much must my of on or our shall should such that the their them then there these they this those to under was we"
    " were what when where which who whom whose why will with would you your".split()
)


def terms(text: str) -> list[str]:
    """What is counted: stems of spaced words, and every two neighbouring characters of Chinese, Japanese and Korean."""
    found: list[str] = []
    for token in _TOKEN.findall(unicodedata.normalize("NFKC", text).lower()):
        if _IS_CJK.match(token):
            found.extend(token[at : at + 2] for at in range(max(len(token) - 1, 1)))
        elif token not in _EMPTY_WORDS:
            found.append(_stem(token))
    return found


def bm25(question: str, sentences: Sequence[str]) -> np.ndarray:
    """One number a sentence; a word found in few of the sentences counts more."""
    wanted = set(terms(question))
    bags = [Counter(terms(sentence)) for sentence in sentences]
    lengths = [sum(bag.values()) for bag in bags]
    usual = (sum(lengths) / len(lengths) if lengths else 0) or 1.0
    weights = {}
    for term in wanted:
        holders = sum(term in bag for bag in bags)
        weights[term] = math.log(1 + (len(bags) - holders + 0.5) / (holders + 0.5))
    scores = np.zeros(len(bags), dtype=np.float32)
    for at, bag in enumerate(bags):
        room = SATURATION * (1 - LENGTH_PENALTY + LENGTH_PENALTY * lengths[at] / usual)
        scores[at] = sum(weights[t] * bag[t] * (SATURATION + 1) / (bag[t] + room) for t in wanted if t in bag)
    return scores


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    return _stemmer().stem(word)


@lru_cache(maxsize=1)
def _stemmer():
    from nltk.stem.snowball import EnglishStemmer  # costs a second to import

    return EnglishStemmer()
