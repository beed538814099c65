"""The words of a sentence that an extractive answer quotes: without the number of its item, or only its cell of a row."""

from __future__ import annotations

import re

from highlighter.models import Sentence
from highlighter.text.sentences.list_markers import BULLETS

# A longer row of a table is quoted without the headers of its columns.
MAX_ROW_CHARACTERS = 300
_SENTENCE_CELL = re.compile(r"(?:\S+\s+){3,}\S*[.!?…][\"'”’»)\]]*(?:\[\d[\d,;–\s-]{0,30}\])?|[^\t]{8,}[。！？]")
_NUMBER_CELL = re.compile(r"\d{1,4}[.)]?")
_BULLET, _ITEM_NUMBER = re.compile(rf"[{BULLETS}]\s+(?=\S)"), re.compile(r"(\(?)(\d{1,3})([.)])\s+(?=\S)")


def select_quotation(sentence: Sentence, text: str) -> tuple[str, str]:
    """Return the words of a sentence that are quoted, and its row's other cells with their headers; `text` is around it."""
    row = sentence.row if len(sentence.row) <= MAX_ROW_CHARACTERS else ""
    cells = [cell.strip() for cell in sentence.text.split("\t")]
    sentences = [cell for cell in cells if _SENTENCE_CELL.fullmatch(cell)] if len(cells) > 1 or row else []
    context = " ".join(row.split())
    for cell in sentences:
        context = context.replace(f": {' '.join(cell.split())}", "", 1)
    if len(sentences) == 1 and row:
        return _join(sentences), context
    if sentences and _NUMBER_CELL.fullmatch(cells[0]):
        return _join(cells if row else cells[1:]), context
    return _join([sentence.text[_measure_item_marker(sentence.text, text) :]]), context


def _join(texts: list[str]) -> str:
    return " ".join(" ".join(texts).split())


def _measure_item_marker(sentence: str, text: str) -> int:
    """Return the length of a bullet, or of a number that another line goes on from: "1. September" begins no item."""
    if bullet := _BULLET.match(sentence):
        return bullet.end()
    marker = _ITEM_NUMBER.match(sentence)
    if not marker:
        return 0
    opener, number, closer = marker.groups()
    adjacent = "|".join(str(other) for other in (int(number) - 1, int(number) + 1))
    is_item = re.search(rf"^{re.escape(opener)}(?:{adjacent}){re.escape(closer)}\s", text, re.MULTILINE)
    return marker.end() if is_item else 0
