"""Sentences that differ only in their numbers, such as the rows of a list of fees: the number in a question chooses among them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from highlighter.text.characters import fold

# Fewer sentences that differ only in their numbers are not the rows of a list.
MIN_NEAR_IDENTICAL_ROWS = 5
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# A question that compares asks about rows with other numbers.
_COMPARISON = re.compile(
    r"\b(?:more|less|fewer|greater|higher|lower|larger|smaller|longer|shorter|over|under|above|below|between|least|most|up to|beyond"
    r"|exceed\w*|than|before|after|since|until|from|to|not|except)\b|[超过逾大小多少高低长短]于|超|以[上下前后内外]|至少|至多|最[多少]|之间|[除不]"
)


def is_comparison(folded_question: str) -> bool:
    """Return whether a question asks how things compare, and so about other rows than those that it names."""
    return _COMPARISON.search(folded_question) is not None


def list_rows_with_other_numbers(question: str, texts: Sequence[str]) -> list[int]:
    """Return the indexes of rows whose numbers the question does not name, where it names that of some rows like them.

    They need not be rows of a table: sentences of one form are, wherever they stand.
    """
    folded_question = fold(question)
    question_numbers = set(_NUMBER.findall(folded_question))
    if not question_numbers or is_comparison(folded_question):
        return []
    folded = [fold(text) for text in texts]
    rows_by_form: dict[str, list[int]] = defaultdict(list)
    for index, text in enumerate(folded):
        rows_by_form[_NUMBER.sub("0", text)].append(index)
    others = []
    for rows in rows_by_form.values():
        about = [index for index in rows if question_numbers & set(_NUMBER.findall(folded[index]))]
        if len(rows) >= MIN_NEAR_IDENTICAL_ROWS and 2 * len(about) < len(rows) and about:
            others += [index for index in rows if index not in about]
    return others
