"""Headers of tables: that of a row that answers is shown as its context, and that of a row in the question chooses the row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from highlighter.evidence.near_identical_rows import is_comparison
from highlighter.text.characters import fold
from highlighter.text.function_words import FUNCTION_WORDS

MIN_ROWS = 2  # of a table, without its header
MIN_ROW_HEADER_CHARACTERS = 2
# Many questions name a row whose first cell is "No".
_FUNCTION_WORDS = frozenset[str]().union(*FUNCTION_WORDS.values())


def adjust_table_scores(question: str, texts: Sequence[str], scores: np.ndarray) -> np.ndarray:
    """Return the scores, 0 for rows of which the question names another one, and for the header of rows that have a higher one."""
    adjusted = scores.copy()
    folded_question = fold(question)
    chooses_rows = not is_comparison(folded_question)
    for header, rows in find_tables(texts):
        if header is not None and scores[rows].max() > scores[header]:
            adjusted[header] = 0.0
        is_named = [chooses_rows and _names(folded_question, fold(text.partition("\t")[0])) for text in texts[rows]]
        if any(is_named):
            adjusted[rows] = np.where(is_named, adjusted[rows], 0.0)
    return adjusted


def find_tables(texts: Sequence[str]) -> Iterator[tuple[int | None, slice]]:
    """Yield the header and the other rows of each table: rows with as many cells. A header has no digit, and may be missing."""
    start = 0
    for tab_count, group in groupby(texts, lambda text: text.count("\t")):
        stop = start + len(list(group))
        header = None if any(map(str.isdigit, texts[start])) else start
        first = start if header is None else start + 1
        if tab_count and stop - first >= MIN_ROWS:
            yield header, slice(first, stop)
        start = stop


def _names(folded_question: str, row_header: str) -> bool:
    words = row_header.strip("| ")
    if len(words) < MIN_ROW_HEADER_CHARACTERS or not any(map(str.isalpha, words)) or words in _FUNCTION_WORDS:
        return False
    begin, end = (r"\b" if side.isascii() else "" for side in (words[0], words[-1]))
    return re.search(begin + re.escape(words) + end, folded_question) is not None
