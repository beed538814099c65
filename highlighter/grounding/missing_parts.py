"""The parts of a claim that no source has: statements, numbers."""

from __future__ import annotations

import re

from highlighter.grounding.claim_reading import ClaimReading
from highlighter.grounding.equal_quantities import EQUAL
from highlighter.grounding.quantities import is_numbered
from highlighter.grounding.units import list_quantities_in_other_units
from highlighter.grounding.wording import DATE, NUMBER, KeyedWord

# A statement of a claim, read alone, has lost its context: a claim loses its verdict "supported" only if one of its
# statements has less than this score.
MIN_STATEMENT_SCORE = 0.2
# From this probability on, a small number in words that no sentence contains speaks no more against a claim: "the first offence", 一个半月.
SURE_SCORE = 0.9
LARGEST_SMALL_NUMBER = 10
PRONOUN = "one"  # rather than a number


def list_missing_statements(reading: ClaimReading) -> str:
    """Return the statements of a claim that no source makes, while one makes the others; empty where it makes none."""
    missing = [s.claim.text for s in reading.statements if s.entailment.entailed < MIN_STATEMENT_SCORE]
    return " … ".join(missing) if len(missing) < len(reading.statements) else ""


def list_missing_numbers(reading: ClaimReading) -> str:
    """Return the numbers and dates of a claim that no sentence which was read contains, or only in another unit."""
    keys = reading.read_keys
    missing = [
        reading.claim.text[word.start : word.end]
        for word in reading.claim.content_words
        if word.kind in (NUMBER, DATE)
        and word.text != PRONOUN
        and not word.keys & keys
        and word.start not in reading.calculated_numbers
        and not any(is_numbered(reading.claim, word, sentence.wording) for sentence in reading.read_sentences)
        and not (reading.entailment.entailed >= SURE_SCORE and _is_small_number_in_words(word))
    ]
    sentences = (sentence.text for sentence in reading.read_sentences)
    return " … ".join([*missing, *list_quantities_in_other_units(reading.claim.text, sentences)])


def _is_small_number_in_words(word: KeyedWord) -> bool:
    """Return whether a word is a number up to ten, written out and without a unit that could be compared."""
    if any(key.startswith(EQUAL) for key in word.keys):
        return False
    values = [match[1] for key in word.keys if (match := _NUMBER_KEY.fullmatch(key))]
    return not any(map(str.isdigit, word.text)) and any(int(value) <= LARGEST_SMALL_NUMBER for value in values)


_NUMBER_KEY = re.compile(r"#(\d{1,3})o?")
