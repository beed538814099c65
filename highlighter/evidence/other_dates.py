"""Sentences about another year or month than the question asks about: "in June", where the sentence has the figure of May.

The models read "Inflation was 6.1 % in May" as an answer to "What was inflation in June?".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from highlighter.evidence.near_identical_rows import is_comparison
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.numerals import MONTH_NUMBERS

# What is left of the score: such a sentence may still be the closest that there is.
OTHER_DATE_SHARE = 0.45
_YEAR = r"(?:1[5-9]|20)\d\d"
# Words in lower case that are seldom months.
_OTHER_WORDS = frozenset("may mar march mars mai jan jun sep set dec ago out mag abr juin".split())
_MONTH_NAMES = "|".join(sorted((name for name in MONTH_NUMBERS if len(name) > 2), key=len, reverse=True))
_MONTH = compile_later(rf"\b(?P<name>{_MONTH_NAMES})\b|(?<!\d)(?P<number>1[0-2]|[1-9])月")
_YEARS = compile_later(rf"(?<!\d)(?<!\d[.,]){_YEAR}(?![.,]?\d)")
# Years in names ("the Act of 2010", "ISO 2015") are no time of which a question asks.
_TIME = compile_later(
    rf"\b(?:in|during|for|im|en|nel|em)\s(?:(?:the|year|early|late|mid|fiscal|financial|jahr)\s)*"
    rf"(?P<time>(?:(?:{_MONTH_NAMES})\b\.?,?(?:\s{_YEAR})?|{_YEAR}))(?!\d)|(?P<cjk>(?:{_YEAR}年)?(?:(?:1[0-2]|[1-9])月)?)(?<=[年月])"
)

# What a sentence compares its own figure with: "up from £4m in 2020", "(2020: 7 %)".
_COMPARED = re.compile(
    r"\((?:in )?(?:\w+ )?\d{4}[:：,][^()]*\)|\b(?:(?:up|down|rose|fell|increased?|decreased?)\s(?:\w+\s)?from|from|than|compared (?:with|to)|versus|vs\.?|since|until"
    r"|before|after|as (?:in|of|at))\b[^,;.:()]{0,40}?\b(?:\d{4}|[A-Z][a-z]{2,8})\b(?: \d{4})?"
)


def find_sentences_about_other_dates(question: str, texts: Sequence[str]) -> np.ndarray:
    """Return which texts name years or months, but not those in which the question asks what was."""
    folded = fold(question)
    times = [match[match.lastgroup or 0] for match in _TIME.finditer(folded)]
    if not times or is_comparison(folded) or folded.rstrip().endswith((".", "。")):  # a statement is no question
        return np.zeros(len(texts), bool)
    spans = [question[match.start() : match.end()] for match in _TIME.finditer(folded)]
    years, months = _list_years(" ".join(times)), _list_months(" ".join(f"In {span}" for span in spans))
    return np.array([_is_other(years, text, _list_years) or _is_other(months, text, _list_months) for text in texts])


def _is_other(wanted: set[int], text: str, list_dates: Callable[[str], set[int]]) -> bool:
    """Return whether a text has none of the years or months that are asked for, but another one that is not only compared."""
    named = list_dates(text)
    if not wanted or not named or any(min(named) <= value <= max(named) for value in wanted):
        return False
    return bool(list_dates(_COMPARED.sub("", text)))


def _list_years(text: str) -> set[int]:
    return {int(year) for year in _YEARS.findall(fold(text))}


def _list_months(text: str) -> set[int]:
    """Return the months that a text names; words like "may" must have a capital, and not begin the text."""
    return {
        int(match["number"] or MONTH_NUMBERS[match["name"]])
        for match in _MONTH.finditer(fold(text))
        if match["number"]
        or match["name"] not in _OTHER_WORDS
        or (match.start() and text[match.start() : match.start() + 1].isupper())
    }
