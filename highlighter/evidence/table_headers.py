"""Headers of tables and the cells that a question names: a header is shown as context, and named cells choose the rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from highlighter.evidence.near_identical_rows import is_comparison
from highlighter.text.characters import fold
from highlighter.text.function_words import ALL_FUNCTION_WORDS

MIN_ROWS = 2  # of a table, without its header
MIN_ROW_HEADER_CHARACTERS, MIN_NAME_CHARACTERS = 2, 3  # of a row's first cell, and of a name in another
_YEAR = re.compile(r"(?:FY ?)?(?:19|20)\d\d ?年?度?")
_NOTE_MARKS = " ¹²³⁴⁵⁶⁷⁸⁹⁰*†‡"
# Many questions name a row whose first cell is "No".


def adjust_table_scores(question: str, texts: Sequence[str], scores: np.ndarray) -> np.ndarray:
    """Return the scores, 0 for rows of which the question names another one, and for the header of rows that have a higher one."""
    adjusted = scores.copy()
    folded_question = fold(question)
    chooses_rows = not is_comparison(folded_question)
    for header, rows in find_tables(texts):
        if header is not None and scores[rows].max() > scores[header]:
            adjusted[header] = 0.0
        if chooses_rows and (is_named := _find_named_rows(question, folded_question, texts[rows])):
            adjusted[rows] = np.where(is_named, adjusted[rows], 0.0)
    return adjusted


def _find_named_rows(question: str, folded_question: str, rows: Sequence[str]) -> list[bool]:
    """Return which rows have a cell that the question names, in the column where the fewest have one; [] if no row has one.

    "How many did Leidos in El Segundo lay off?" names a company, which one row has, and a city, which several have. Other
    cells than the first must be names with capitals: "full" or "office" in a question need not mean a cell.
    """
    first, *others = zip(*([cell.rstrip(_NOTE_MARKS) for cell in row.split("\t")] for row in rows), strict=True)
    named_by_column = [
        [_names(folded_question, fold(cell), MIN_ROW_HEADER_CHARACTERS) for cell in first],
        *([cell[:1].isupper() and _names(question, cell, MIN_NAME_CHARACTERS) for cell in cells] for cells in others),
    ]
    return min(filter(any, named_by_column), key=sum, default=[])


def find_tables(texts: Sequence[str]) -> Iterator[tuple[int | None, slice]]:
    """Yield the header and the other rows of each table: rows with as many cells.

    A header has no digit, but for several cells that are years, and may be missing.
    """
    start = 0
    for tab_count, group in groupby(texts, lambda text: text.count("\t")):
        stop = start + len(list(group))
        header = start if _is_header(texts[start]) else None
        first = start if header is None else start + 1
        if tab_count and stop - first >= MIN_ROWS:
            yield header, slice(first, stop)
        start = stop


def _is_header(text: str) -> bool:
    """Return whether a row has no digits, or none but in years, of which several cells consist."""
    others = [cell for cell in text.split("\t") if not _YEAR.fullmatch(cell.strip("| "))]
    year_count = text.count("\t") + 1 - len(others)
    return year_count != 1 and not any(map(str.isdigit, "".join(others)))


def _names(question: str, cell: str, min_characters: int) -> bool:
    words = cell.strip("| ")
    if _YEAR.fullmatch(words):  # as a column is called
        return False
    if words not in question or len(words) < min_characters:
        return False
    if not any(map(str.isalpha, words)) or words.lower() in ALL_FUNCTION_WORDS:
        return False
    begin, end = (r"\b" if side.isascii() else "" for side in (words[0], words[-1]))
    return re.search(begin + re.escape(words) + end, question) is not None
