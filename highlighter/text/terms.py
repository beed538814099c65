"""The terms of a text, for one passage and for the index of a library: stems of spaced words, and CJK bigrams."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Protocol

from highlighter.text.characters import fold
from highlighter.text.numerals import NUMBER, NumberPart, find_counting_numbers

# Raised when `extract_search_terms` or `extract_indexed_terms` change: stored terms are then computed again.
TERMS_VERSION = 7

# Escapes, not characters: letters of these blocks look alike in an editor.
COMMON_CJK_RANGES = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
CJK_RANGES = COMMON_CJK_RANGES + r"\U00020000-\U0003134f"
_TOKEN = re.compile(rf"[{CJK_RANGES}]+|[^\W_{CJK_RANGES}]+(?:[.,'’][^\W_{CJK_RANGES}]+)*")
_CJK_CHARACTER = re.compile(rf"[{CJK_RANGES}]")


class Stemmer(Protocol):
    """What is used of NLTK's stemmers, which have no types."""

    def stem(self, word: str) -> str: ...


# Words that may occur in any question and so say nothing about a sentence.
STOP_WORDS = frozenset(
    "a an and any are as at be been by can could did do does for from had has have how i if in into is it its may might"
    " much must my of on or our shall should such that the their them then there these they this those to under was we"
    " were what when where which who whom whose why will with would you your".split()
)


def extract_terms(text: str) -> list[str]:
    """Return the terms of a text: stems of spaced words, and every two adjacent characters of Chinese, Japanese and
    Korean.
    """
    terms: list[str] = []
    for token in _tokenize(text):
        if is_cjk(token):
            terms.extend(token[index : index + 2] for index in range(max(len(token) - 1, 1)))
        elif token not in STOP_WORDS:
            terms.append(stem_word(token))
    return terms


def extract_indexed_terms(text: str) -> list[str]:
    """Return the terms of a text and the last character of each CJK run.

    So every CJK character begins a term, and can be found by itself.
    """
    last_characters = [token[-1] for token in _tokenize(text) if len(token) > 1 and is_cjk(token)]
    return extract_search_terms(text) + last_characters


def extract_search_terms(text: str) -> list[str]:
    """Return the terms of a text, and its numbers in digits where they are written otherwise (三十, thirty, 10,000)."""
    terms = extract_terms(text)
    values = dict.fromkeys(part.value for part in find_counting_numbers(text) if not _is_small_number_word(text, part))
    return terms + [value for value in values if value.isdigit() and value not in terms]


def _is_small_number_word(text: str, part: NumberPart) -> bool:
    """Return whether a number is a word like "two", which is seldom meant as a number ("one of them")."""
    return part.kind == NUMBER and len(part.value) == 1 and text[part.start].isalpha() and not is_cjk(text[part.start])


def is_cjk_character(term: str) -> bool:
    """Return whether a term is one CJK character, which stands for the bigrams that it begins."""
    return len(term) == 1 and is_cjk(term)


def is_cjk(word: str) -> bool:
    """Return whether a word is a run of Chinese, Japanese or Korean characters, where no spaces separate words."""
    return _CJK_CHARACTER.match(word) is not None


def find_words(folded: str) -> list[tuple[int, int]]:
    """Return the spans of the words of a folded text; a CJK run is one word."""
    return [match.span() for match in _TOKEN.finditer(folded)]


def _tokenize(text: str) -> list[str]:
    return _TOKEN.findall(fold(unicodedata.normalize("NFKC", text)))


@lru_cache(maxsize=100_000)
def stem_word(word: str) -> str:
    """Return the stem of a folded word."""
    return _load_stemmer().stem(word)


@lru_cache(maxsize=1)
def _load_stemmer() -> Stemmer:
    from nltk.stem.snowball import EnglishStemmer  # costs a second to import

    stemmer: Stemmer = EnglishStemmer()
    return stemmer
