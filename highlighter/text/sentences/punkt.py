"""Whether a word with a stop may end a sentence: Punkt with our own parameters, or a plain rule when NLTK cannot be
loaded.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from functools import cache, lru_cache

from highlighter.text.sentences import word_lists

log = logging.getLogger(__name__)

# Longer runs of characters are no words. Punkt sees two words at a time, so no input makes it slow.
MAX_WORD_CHARACTERS = 40
_ACRONYM = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")  # u.s, e.u: recognised by shape, since no list can hold them all


class _AbbreviationSet(frozenset[str]):
    """The known abbreviations, and every word that has an acronym's shape."""

    def __contains__(self, word: object) -> bool:
        return frozenset.__contains__(self, word) or bool(_ACRONYM.fullmatch(str(word)))


# Single letters are initials: Punkt has a rule of its own for them, which a list entry would switch off.
ABBREVIATIONS = _AbbreviationSet(
    word for word in word_lists.GENERAL_ABBREVIATIONS | word_lists.ABBREVIATIONS_NEVER_LAST if len(word) > 1
)


@lru_cache(maxsize=16_384)
def ends_sentence(word: str, following: str) -> bool:
    """Return whether `word` (with its stop) ends a sentence before the word `following`."""
    word, following = word[-MAX_WORD_CHARACTERS:], following[:MAX_WORD_CHARACTERS]
    decide = _load_punkt()
    if decide:
        try:
            return decide(f"{word} {following}")
        except Exception:  # an unexpected error in the library must not cost a document its sentences
            log.warning("Punkt failed on a word; the plain rule decides", exc_info=True)
    return _ends_by_plain_rule(word, following)


def _ends_by_plain_rule(word: str, following: str) -> bool:
    """Return whether a word ends a sentence when Punkt is not available.

    An abbreviation or an initial ends one only before a word that opens sentences; any other word does.
    """
    body, next_word = word.rstrip(".").lower(), following.lower()
    if len(body) == 1 and body.isalpha():
        return following[:1].isupper() and next_word in word_lists.SENTENCE_STARTERS
    if body in ABBREVIATIONS:
        return following[:1].isupper() and next_word in word_lists.SENTENCE_STARTERS | word_lists.NAME_LIKE_STARTERS
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
    for word in word_lists.SENTENCE_STARTERS:  # usually in lower case: a capital marks the start of a sentence
        parameters.add_ortho_context(word, _PUNKT_LOWER_CASE_SEEN)
    decide: Callable[[str], bool] = PunktSentenceTokenizer(parameters).text_contains_sentbreak
    return decide


_PUNKT_LOWER_CASE_SEEN = 1 << 4  # Punkt's flag for "seen in lower case in the middle of a sentence"
