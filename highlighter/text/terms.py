"""What is counted as a word, in one passage or in a whole library: stems of spaced words, and CJK bigrams."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from highlighter.text.characters import fold

# Raised when `terms` or `indexed_terms` change: what was kept by the old ones is then made again.
TERMS_VERSION = 2

# Escapes, not characters: letters of these blocks look alike in an editor.
COMMON_CJK_RANGES = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
CJK_RANGES = COMMON_CJK_RANGES + r"\U00020000-\U0003134f"
_TOKEN = re.compile(rf"[{CJK_RANGES}]+|[^\W_{CJK_RANGES}]+(?:[.,'’][^\W_{CJK_RANGES}]+)*")
_CJK_CHARACTER = re.compile(rf"[{CJK_RANGES}]")

# Words that any question may hold and that point at no sentence.
STOP_WORDS = frozenset(
    "a an and any are as at be been by can could did do does for from had has have how i if in into is it its may might"
    " much must my of on or our shall should such that the their them then there these they this those to under was we"
    " were what when where which who whom whose why will with would you your".split()
)


def extract_terms(text: str) -> list[str]:
    """What is counted: stems of spaced words, and every two neighbouring characters of Chinese, Japanese and Korean."""
    found: list[str] = []
    for token in _tokenize(text):
        if is_cjk(token):
            found.extend(token[at : at + 2] for at in range(max(len(token) - 1, 1)))
        elif token not in STOP_WORDS:
            found.append(stem_word(token))
    return found


def extract_indexed_terms(text: str) -> list[str]:
    """The same, and the last character of each CJK run: so every character begins a term, and can be found by itself."""
    ends = [token[-1] for token in _tokenize(text) if len(token) > 1 and is_cjk(token)]
    return extract_terms(text) + ends


def is_cjk_character(term: str) -> bool:
    """Whether it is one character that stands for the bigrams it begins."""
    return len(term) == 1 and is_cjk(term)


def is_cjk(word: str) -> bool:
    """Whether a word is a run of Chinese, Japanese or Korean characters, where no spaces part the words."""
    return _CJK_CHARACTER.match(word) is not None


def find_words(folded: str) -> list[tuple[int, int]]:
    """Where the words of a folded text stand; a CJK run is one."""
    return [match.span() for match in _TOKEN.finditer(folded)]


def _tokenize(text: str) -> list[str]:
    return _TOKEN.findall(fold(unicodedata.normalize("NFKC", text)))


@lru_cache(maxsize=100_000)
def stem_word(word: str) -> str:
    return _load_stemmer().stem(word)


@lru_cache(maxsize=1)
def _load_stemmer():
    from nltk.stem.snowball import EnglishStemmer  # costs a second to import

    return EnglishStemmer()
