"""Find the recognised words of a searchable copy in the canonical text that was read from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
import pypdfium2

from highlighter.pages import pdfium
from highlighter.store.source_map import SourceMap
from highlighter.store.word_confidences import RecognisedSpan, WordConfidences
from ingest.readers.ocr.page_recognition import RecognisedPage

_NO_WORD = -1


def find_word_confidences(copy: Path, pages: Sequence[RecognisedPage], source_map: SourceMap) -> WordConfidences:
    """Return the words of the canonical text that stand on recognised pages, with their confidences."""
    percents = {page.number: _read_percents(copy, page) for page in pages if page.lines}
    return WordConfidences(tuple(_iterate_spans(source_map, percents)))


def _read_percents(copy: Path, page: RecognisedPage) -> tuple[np.ndarray, list[int]]:
    """Return for each raw character of a page the index of its word, and the confidence of each word in percent."""
    with pypdfium2.PdfDocument(copy) as document:
        text_page = document[page.number - 1].get_textpage()
        text = pdfium.read_characters(pdfium.get_handle(text_page), max(text_page.count_chars(), 0))
        text_page.close()
    words = [word for line in page.lines for word in line.words]
    index_by_character = np.full(len(text), _NO_WORD, np.int32)
    position = 0
    for index, word in enumerate(words):
        # PDFium returns the words in the order in which the layer draws them, with spaces and breaks of its own.
        found = text.find(word.text, position)
        if found >= 0:
            position = found + len(word.text)
            index_by_character[found:position] = index
    return index_by_character, [round(100 * word.confidence) for word in words]


def _iterate_spans(
    source_map: SourceMap, percents: dict[int, tuple[np.ndarray, list[int]]]
) -> Iterator[RecognisedSpan]:
    for run in source_map.runs:
        if run.page not in percents:
            continue
        index_by_character, confidences = percents[run.page]
        words = index_by_character[run.raw_start : run.raw_end].tolist()
        if run.end - run.start != len(words):  # indivisible: a ligature, a folded form
            known = [word for word in words if word != _NO_WORD]
            words = [known[0] if known else _NO_WORD] * (run.end - run.start)
        start = run.start
        for word, letters in groupby(words):
            end = start + len(list(letters))
            if word != _NO_WORD:
                yield RecognisedSpan(start, end, confidences[word])
            start = end
