"""May this stop end a sentence? Punkt decides with parameters of our own; a plain rule when NLTK cannot."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from functools import cache, lru_cache

from highlighter.text.sentences import word_lists

log = logging.getLogger(__name__)

# Longer runs of characters are no words. Punkt sees two words a time, so no input makes it slow.
MAX_WORD_CHARACTERS = 40
_ACRONYM = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")  # u.s, e.u, ph.d's elder brothers: by shape, no list can hold them


class _AbbreviationSet(frozenset):
    """Known abbreviations, and everything that has an acronym's shape."""

    def __contains__(self, word: object) -> bool:
        return frozenset.__contains__(self, word) or bool(_ACRONYM.fullmatch(str(word)))


# Single letters are initials: Punkt has a rule of its own for them, which a list entry would switch off.
ABBREVIATIONS = _AbbreviationSet(
    word for word in word_lists.GENERAL_ABBREVIATIONS | word_lists.ABBREVIATIONS_NEVER_LAST if len(word) > 1
)


@lru_cache(maxsize=16_384)
def ends_sentence(word: str, following: str) -> bool:
    """Whether `word` (with its stop) ends a sentence before the word `following`."""
    word, following = word[-MAX_WORD_CHARACTERS:], following[:MAX_WORD_CHARACTERS]
    decide = _load_punkt()
    if decide:
        try:
            return decide(f"{word} {following}")
        except Exception:  # a library's surprise must not cost a document its sentences
            log.warning("Punkt failed on a word; the plain rule decides", exc_info=True)
    return _ends_by_plain_rule(word, following)


def _ends_by_plain_rule(word: str, following: str) -> bool:
    """An abbreviation or an initial ends a sentence only before a word that opens sentences; any other word does."""
    body, opener = word.rstrip(".").lower(), following.lower()
    if len(body) == 1 and body.isalpha():
        return following[:1].isupper() and opener in word_lists.SENTENCE_STARTERS
    if body in ABBREVIATIONS:
        return following[:1].isupper() and opener in word_lists.SENTENCE_STARTERS | word_lists.NAME_LIKE_STARTERS
    return True


@cache
def _load_punkt() -> Callable[[str], bool] | None:
    try:
        from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer
    except Exception:  # not only ImportError: a half-installed NLTK raises whatever it likes
        log.warning("NLTK cannot be loaded; the plain rule splits sentences", exc_info=True)
        return None
    parameters = PunktParameters()
    parameters.abbrev_types = ABBREVIATIONS
    parameters.sent_starters = set(word_lists.SENTENCE_STARTERS | word_lists.NAME_LIKE_STARTERS)
    for word in word_lists.SENTENCE_STARTERS:  # known in lower case: a capital on them is a sentence's
        parameters.add_ortho_context(word, _PUNKT_LOWER_CASE_SEEN)
    return PunktSentenceTokenizer(parameters).text_contains_sentbreak


_PUNKT_LOWER_CASE_SEEN = 1 << 4  # Punkt's flag for "seen in lower case in the middle of a sentence"
