"""Phrases that say the same in other words, written alike before the model reads a claim and its sentences.

A small model takes "not more than 40" for the opposite of "at most 40", "not on 22 September" for a denial of the 29th, and
14 days for another time than two weeks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from highlighter.grounding.equal_quantities import EQUAL
from highlighter.grounding.exclusions import unify_exclusions
from highlighter.grounding.local_negations import remove_idle_contrasts
from highlighter.grounding.number_bounds import unify_bounds
from highlighter.grounding.quantities import find_number_span, quote_number
from highlighter.grounding.wording import NUMBER, KeyedWord, Wording, parse_wording
from highlighter.text.terms import is_cjk


def unify_phrases(claim: str, sentences: Sequence[str]) -> tuple[str, list[str]]:
    """Return a claim and sentences in which equal quantities, bounds and exclusions have the same words.

    What a sentence corrects is left out of it where the claim does not speak of that: "on 29 September, not on 22 September".
    """
    wording = parse_wording(claim)
    sources = [parse_wording(remove_idle_contrasts(wording, parse_wording(sentence))) for sentence in sentences]
    digits = {key: text for source in sources for key, text in _list_digits(source).items()}
    written = [parse_wording(_write_quantities_of_claim(wording, source)) for source in sources]
    unified_claim, unified = unify_bounds(parse_wording(_write_digits(wording, digits)), written)
    return unify_exclusions(unified_claim, unified)


def _list_digits(wording: Wording) -> dict[str, str]:
    """Return the numbers of a text that are written in digits, by their keys."""
    words = (word for word in wording.words if word.kind == NUMBER and _has_digits(word))
    return {key: wording.text[word.start : word.end] for word in words for key in _list_value_keys(word)}


def _list_value_keys(word: KeyedWord) -> list[str]:
    return [key for key in word.keys if not key.startswith(EQUAL)]


def _write_digits(wording: Wording, digits: Mapping[str, str]) -> str:
    """Return a text with digits for the Chinese numerals that the other text has in digits: 117 for 一百一十七."""
    text = wording.text
    for word in reversed(wording.words):
        found = [digits[key] for key in _list_value_keys(word) if key in digits] if word.kind == NUMBER else []
        if found and is_cjk(word.text[0]):
            text = text[: word.start] + found[0] + text[word.end :]
    return text


def _write_quantities_of_claim(claim: Wording, source: Wording) -> str:
    """Return a source's text with the claim's digits, and its words for equal quantities: "two weeks" for "14 days"."""
    of_claim = {key: word for word in claim.words if word.kind == NUMBER for key in word.keys if key.startswith(EQUAL)}
    text = source.text
    for word in reversed(source.words):
        stated = next((of_claim[key] for key in word.keys if key in of_claim), None) if word.kind == NUMBER else None
        if stated is None or any(key in stated.keys for key in _list_value_keys(word)):
            continue
        start, end = find_number_span(source, word)
        words = quote_number(claim, stated)
        if any(map(is_cjk, words)) == any(map(is_cjk, source.text[start:end])):  # both in one language
            text = text[:start] + words + text[end:]
    return _write_digits(parse_wording(text), _list_digits(claim))


def _has_digits(word: KeyedWord) -> bool:
    return any(character.isdigit() for character in word.text)
