"""Locate words whose numbers the text writes in another form: 30 days and thirty days, 三十天 and 30天, 5 % and 百分之五."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from rapidfuzz.distance import Indel

from highlighter.cpu_budget import check_cpu
from highlighter.quotes.fuzzy_search import find_occurrences, is_word_boundary
from highlighter.quotes.normal_form import ComparableText, normalise_text
from highlighter.text.chinese_numerals import CHINESE_NUMERALS
from highlighter.text.numeral_forms import list_number_forms
from highlighter.text.numerals import find_quantities

# Occurrences of one number, in each of its forms, whose surroundings are compared.
MAX_NUMBER_OCCURRENCES = 200
# Text is compared as far around a number as the words are long, times this factor, and this far at least.
REACH_FACTOR, MIN_REACH_CHARACTERS = 3, 60
_NUMBER_FORM = re.compile("\x02[^\x03]*\x03")
# Longer words are compared in full by their similarity alone.
MAX_WORDS_CHARACTERS = 2_000


def write_numbers_alike(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the normal form of a text with each number in one form, and the span of the text behind each character."""
    letters: list[str] = []
    spans: list[tuple[int, int]] = []
    position = 0
    for quantity in [*find_quantities(text), None]:
        literal = normalise_text(text[position : quantity.start if quantity else len(text)])
        letters.append(literal.text)
        spans += [(position + int(offset), position + int(offset) + 1) for offset in literal.offsets]
        if quantity:
            form = f"\x02{quantity.form}\x03"  # so that "5d" is not found within "15d"
            letters.append(form)
            spans += [(quantity.start, quantity.end)] * len(form)
            position = quantity.end
    return "".join(letters), spans


def has_same_numbers(words: str, other: str) -> bool:
    """Return whether two wordings are the same but for the forms of their numbers."""
    return write_numbers_alike(words)[0] == write_numbers_alike(other)[0]


def measure_similarity_with_numbers_alike(words: str, other: str) -> float:
    """Return the similarity of two wordings in which the forms of numbers make no difference; 0 without numbers."""
    forms = [write_numbers_alike(text)[0] for text in (words, other)]
    return Indel.normalized_similarity(*forms) if "\x02" in forms[0] else 0.0


def find_numeral_spans(text: ComparableText, words: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of a text that are the same as some words but for the forms of their numbers, in order."""
    quantities = list(find_quantities(words)) if len(words) <= MAX_WORDS_CHARACTERS else []
    if not quantities:
        return
    wanted, _ = write_numbers_alike(words)
    # The words between the numbers are the same in the text: a cheap test before any text is read for numbers.
    literal = max(_NUMBER_FORM.split(wanted), key=len)
    if literal not in text.normal_form.text:
        return
    rarest = max((quantity.value for quantity in quantities), key=len)
    reach = max(REACH_FACTOR * len(words), MIN_REACH_CHARACTERS)
    end_of_last = 0
    for offset in _find_number(text, rarest):
        check_cpu()
        start = max(offset - reach, end_of_last)
        window = text.text[start : offset + reach]
        if literal not in normalise_text(window).text:
            continue
        letters, spans = write_numbers_alike(window)
        for first in find_occurrences(letters, wanted):
            span = start + spans[first][0], start + spans[first + len(wanted) - 1][1]
            if span[0] >= end_of_last and all(is_word_boundary(text.text, edge) for edge in span):
                yield span
                end_of_last = span[1]


def _find_number(text: ComparableText, value: str) -> list[int]:
    """Return the offsets of a number in any form, in order."""
    normal_form, offsets = text.normal_form, set()
    for form in list_number_forms(value):
        for first in islice(find_occurrences(normal_form.text, form), MAX_NUMBER_OCCURRENCES):
            before, after = (
                normal_form.text[first - 1 : first],
                normal_form.text[first + len(form) : first + len(form) + 1],
            )
            if not (_continues_number(before, form[0]) or _continues_number(form[-1], after)):
                offsets.add(int(normal_form.offsets[first]))
    return sorted(offsets)[:MAX_NUMBER_OCCURRENCES]


def _continues_number(left: str, right: str) -> bool:
    both_digits = left.isdecimal() and right.isdecimal()
    return both_digits or bool(left and right and left in CHINESE_NUMERALS and right in CHINESE_NUMERALS)
