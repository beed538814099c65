"""Markers of list items: the bullets and numbers before an item, as text files and PDFs write them.

`highlighter/text/sentences/list_markers.py` finds markers where sentences end; here they begin blocks of a file.
"""

from __future__ import annotations

import re
from functools import lru_cache

BULLETS = "•◦▪▫■□●○➢✓·"
# PDFs also have the letters of symbol fonts.
_PDF_BULLETS = BULLETS + "‣⁃∙\uf0b7\uf0a7\uf0d8"
_CHINESE_DIGITS = "一二三四五六七八九十"
_PDF_ORDINAL = r"\(?(?:\d{1,3}|[a-zA-Z]|[ivxlcIVXLC]{1,6})"

# The marker of a line of a text: a bullet, or a number or letter with a full stop or brackets, and white space.
LIST_MARKER = re.compile(
    rf"(?:[{BULLETS}–—\-*+]|\(?(?:\d{{1,3}}|[a-zA-Z]|[ivxIVX]{{1,5}})[.)]|\d{{1,3}}(?:\.\d{{1,3}})+\.?|"
    rf"[（(]?[{_CHINESE_DIGITS}]{{1,3}}[、）)．.])(?=\s)"
)
# In text files, Chinese markers also stand without white space, and articles count.
TXT_LIST_MARKER = re.compile(
    rf"{LIST_MARKER.pattern}|[（(]?[{_CHINESE_DIGITS}]{{1,3}}[、）．]|第[{_CHINESE_DIGITS}百零〇\d]{{1,6}}[条條](?=\s)"
)
# A cell of a PDF that holds nothing but a marker.
LONE_MARKER = re.compile(
    rf"^(?:[{_PDF_BULLETS}*–—§oØ]|{_PDF_ORDINAL}[.)\]:]|\(\w{{1,4}}\)|\d+(?:\.\d+)+\.?|第?[{_CHINESE_DIGITS}]+[、.．])$"
)
# A bullet whose font does not identify it stands alone; without white space, it is a letter that is not identified.
PDF_BULLET_START = re.compile(rf"^[{_PDF_BULLETS}]\s*|^[–—*\ufffd-]\s+(?=\S)|^o\s+(?=[A-Z])")
_PDF_NUMBER_START = re.compile(
    rf"^(?:\[[A-Z][\w+]{{0,9}}\d{{2}}[a-z]?\]\s|{_PDF_ORDINAL}[.)\]]\s|\((?:\d{{1,3}}|[a-zA-Z]{{1,2}}|[ivxlcIVXLC]{{1,6}})\)"
    r"|\d{1,3}(?:\.\d{1,3})+\.?\s|(?:ARTICLE|Article|SECTION|Section|Clause|CLAUSE|Chapter|CHAPTER|Schedule|SCHEDULE)\s"
    rf"[\dIVXLC]+|§+\s?\d|第[{_CHINESE_DIGITS}百\d]+[条條章节節款]|[{_CHINESE_DIGITS}]{{1,3}}[、．]|[（(][{_CHINESE_DIGITS}]{{1,3}}[)）])"
)


# "(ii)", "b)", "(3)" in front of an item, and what comes before and after each of these.
_BRACKETED_MARKER = re.compile(r"(\(?)(\d{1,3}|[ivx]{1,5}|([a-z])\3?)\)\s")
_ROMAN_NUMERALS = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv".split()


def list_adjacent_markers(text: str) -> tuple[list[str], list[str]]:
    """Return the markers that may come before and after the one at the start of a line: "(i)" and "(iii)" for "(ii)"."""
    match = _BRACKETED_MARKER.match(text)
    if not match:
        return [], []
    opener, value, letter = match.groups()
    before, after = [], []
    if value.isdigit():
        before, after = [str(int(value) - 1)] * (value != "1"), [str(int(value) + 1)]
    if letter:
        before += [chr(ord(letter) - 1) * len(value)] * (letter != "a")
        after += [chr(ord(letter) + 1) * len(value)] * (letter != "z")
    if value in _ROMAN_NUMERALS:
        number = _ROMAN_NUMERALS.index(value)
        before += _ROMAN_NUMERALS[max(number - 1, 0) : number]
        after += _ROMAN_NUMERALS[number + 1 : number + 2]
    return [f"{opener}{one})" for one in before], [f"{opener}{one})" for one in after]


@lru_cache(maxsize=10_000)  # asked many times of each line
def is_pdf_item_start(text: str) -> bool:
    """Return whether a line of a PDF begins with a bullet or with the number of an item, an article or a reference."""
    return bool(PDF_BULLET_START.match(text) or _PDF_NUMBER_START.match(text))
