"""Restore the ligatures, quotation marks and dashes of TeX's bitmap fonts, which name their glyphs by numbers alone.

PDFium returns these numbers as they are: control characters, which no text has.
"""

from __future__ import annotations

import re

_LIGATURES = "ﬀﬁﬂﬃﬄ"
_T1 = str.maketrans("\x10\x11\x15\x16\x1b\x1c\x1d\x1e\x1f", "“”–—" + _LIGATURES)
_OT1 = str.maketrans("\x0b\x0c\x0d\x0e\x0f\x10\x19\x1a\x1b\x1c\x1d\x1e\x1f", _LIGATURES + "ıßæœøÆŒØ")
# PDFium breaks lines by "\r\n". Quotation marks and dashes count beside words: fonts of formulas have brackets there.
_CONTROL = re.compile(
    r"[\x0b\x0c\x0e\x0f\x19-\x1f]|\r(?!\n)|\x10(?=[^\W\d_]{2})|(?:(?<=[^\W\d_])|(?<=[.,!?]))\x11"
    r"|(?<=[\w ])[\x15\x16](?=[\w ])"
)
_ANY_CONTROL = re.compile("[\x0b\x0c\x0e-\x11\x15\x16\x19-\x1f]")  # a set alone is searched for fast
_T1_LIGATURE = re.compile("[\x1b-\x1f]")
_OT1_LIGATURE = re.compile("[\x0b\x0c\x0e\x0f]")
_MIN_LIGATURES, _MIN_IN_WORDS_SHARE = 2, 0.9  # on a page; of them, beside a small letter


def restore_ligatures(text: str) -> str:
    """Return the characters of a page with the ligatures of TeX's encodings, where most control characters are these."""
    has_lone_return = text.count("\r") > text.count("\r\n")
    if not (has_lone_return or _ANY_CONTROL.search(text)) or not _CONTROL.search(text):
        return text  # nearly all pages
    for pattern, table in ((_OT1_LIGATURE, _OT1), (_T1_LIGATURE, _T1)):
        places = [match.start() for match in pattern.finditer(text)]
        in_words = sum(_is_in_word(text, place) for place in places)
        if len(places) >= _MIN_LIGATURES and in_words >= _MIN_IN_WORDS_SHARE * len(places):
            return _translate(text, table)
    return text


def _translate(text: str, table: dict[int, int]) -> str:
    return _CONTROL.sub(lambda match: match.group().translate(table), text)


def _is_in_word(text: str, place: int) -> bool:
    neighbours = text[max(place - 1, 0) : place] + text[place + 1 : place + 2]
    return any("a" <= letter <= "z" for letter in neighbours)
