"""Pairs of English words with opposite meanings."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from highlighter.text.terms import stem_word

_OPPOSITE_PAIRS = (
    "increase/decrease rise/fall rose/fell grow/shrink more/less more/fewer most/least above/below over/under before/after"
    " minimum/maximum include/exclude accept/reject allow/prohibit allow/forbid permit/prohibit permit/forbid win/lose"
    " won/lost open/close begin/end start/end commence/end start/finish first/last early/late early/later high/low higher/lower large/small"
    " larger/smaller long/short longer/shorter north/south east/west northern/southern eastern/western left/right"
    " male/female man/woman father/mother son/daughter brother/sister husband/wife birth/death born/died succeed/fail"
    " support/oppose approve/refuse approve/reject buy/sell bought/sold credit/debit mr/mrs mr/ms public/private internal/external true/false"
    " same/different best/worst better/worse cheap/expensive hot/cold old/new older/younger oldest/youngest inside/outside"
    " rural/urban former/current past/future mandatory/optional require/exempt enter/leave gain/loss profit/loss"
    " possible/impossible able/unable legal/illegal likely/unlikely always/never weak/strong weaker/stronger"
)


def find_opposites(stem: str) -> frozenset[str]:
    """Return the stems of the words that mean the opposite of a word."""
    return _index_opposites().get(stem, frozenset())


@lru_cache(maxsize=1)
def _index_opposites() -> dict[str, frozenset[str]]:
    """Return the opposites of each word by stems; computed on first use, since importing the stemmer takes a second."""
    opposites: dict[str, set[str]] = defaultdict(set)
    for pair in _OPPOSITE_PAIRS.split():
        word, other = map(stem_word, pair.split("/"))
        opposites[word].add(other)
        opposites[other].add(word)
    return {word: frozenset(others) for word, others in opposites.items()}
