"""Read the words that Tesseract recognised from its hOCR output."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from operator import itemgetter
from xml.etree import ElementTree

Box = tuple[float, float, float, float]  # left, top, right, bottom

_LINE_CLASSES = {"ocr_line", "ocr_header", "ocr_caption", "ocr_textfloat"}
_NUMBER = r"-?[\d.]+"
_BOX = re.compile(rf"\bbbox ({_NUMBER}) ({_NUMBER}) ({_NUMBER}) ({_NUMBER})")
_BASELINE = re.compile(rf"\bbaseline ({_NUMBER}) ({_NUMBER})")
_SIZE = re.compile(rf"\bx_size ({_NUMBER})")
_CONFIDENCE = re.compile(rf"\bx_wconf ({_NUMBER})")

# Characters of scripts that put no spaces between words.
UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]")
_RTL_LETTER = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_VERTICAL_DESCENT = 0.2  # of a column's width: where the baseline is in a column that lies on its side
_WIDE_MARKS = {",": "，", ";": "；", ":": "：", "!": "！", "?": "？"}


@dataclass(frozen=True, slots=True)
class RecognisedWord:
    """A word with its box, in pixels from the top left of the upright page, and its confidence from 0 to 1."""

    text: str
    x0: float
    x1: float
    baseline: float  # at x0
    confidence: float


@dataclass(frozen=True, slots=True)
class RecognisedLine:
    """A line of words in reading order, and the size of its letters in pixels."""

    size: float
    words: tuple[RecognisedWord, ...]


def read_lines(hocr: bytes, column_width: float | None = None) -> list[RecognisedLine]:
    """Return the lines that have words, in Tesseract's reading order.

    With `column_width`, which is the width of the page, lines are columns from top to bottom: their boxes are returned as
    those of the page turned to its left, where each column runs from left to right.
    """
    root = ElementTree.fromstring(hocr)
    elements = [element for element in root.iter() if element.get("class") in _LINE_CLASSES]
    read = _read_line if column_width is None else partial(_read_column, page_width=column_width)
    return [line for element in elements if (line := read(element)).words]


def _read_line(element: ElementTree.Element) -> RecognisedLine:
    title = element.get("title", "")
    left, top, _, bottom = _read_box(title) or (0.0, 0.0, 0.0, 0.0)
    slope, offset = map(float, match.groups()) if (match := _BASELINE.search(title)) else (0.0, 0.0)
    size = float(match[1]) if (match := _SIZE.search(title)) else bottom - top
    return _make_line(size, list(_read_words(element, lambda box: bottom + offset + slope * (box[0] - left))))


def _read_column(element: ElementTree.Element, page_width: float) -> RecognisedLine:
    def turn(box: Box) -> Box:
        return box[1], page_width - box[2], box[3], page_width - box[0]

    _, top, _, bottom = turn(_read_box(element.get("title", "")) or (0.0, 0.0, 0.0, 0.0))
    size = bottom - top
    return _make_line(size, list(_read_words(element, lambda _: bottom - _VERTICAL_DESCENT * size, turn)))


def _make_line(size: float, words: list[RecognisedWord]) -> RecognisedLine:
    """Return a line of words. Tesseract's order is that of reading; where that is from left to right, boxes are surer."""
    order = sorted(range(len(words)), key=lambda index: words[index].x0)
    separated = list(_widen_punctuation(list(_separate([words[index] for index in order]))))
    if any(_RTL_LETTER.search(word.text) for word in words):
        separated = [word for _, word in sorted(zip(order, separated, strict=True), key=itemgetter(0))]
    return RecognisedLine(size, tuple(separated))


def _read_words(
    element: ElementTree.Element, find_baseline: Callable[[Box], float], turn: Callable[[Box], Box] = lambda box: box
) -> Iterator[RecognisedWord]:
    for word in element.iter():
        if word.get("class") != "ocrx_word":
            continue
        title = word.get("title", "")
        text, read_box = "".join(word.itertext()).strip(), _read_box(title)
        if text and read_box and (box := turn(read_box))[2] > box[0]:
            confidence = float(match[1]) / 100 if (match := _CONFIDENCE.search(title)) else 0.0
            yield RecognisedWord(text, box[0], box[2], find_baseline(box), min(max(confidence, 0.0), 1.0))


def _read_box(title: str) -> Box | None:
    match = _BOX.search(title)
    return (float(match[1]), float(match[2]), float(match[3]), float(match[4])) if match else None


def _widen_punctuation(words: list[RecognisedWord]) -> Iterator[RecognisedWord]:
    """Yield the words with the marks after Chinese words in their Chinese form, which Tesseract often reads as ASCII."""
    for before, word in zip([None, *words], words, strict=False):
        wide = _WIDE_MARKS.get(word.text) if before and UNSPACED.match(before.text[-1]) else None
        yield replace(word, text=wide) if wide else word


def _separate(words: list[RecognisedWord]) -> Iterator[RecognisedWord]:
    """Yield the words with boxes that do not overlap: of Chinese words, Tesseract's boxes often do."""
    for word, following in pairwise(words):
        x1 = min(word.x1, following.x0) if following.x0 > word.x0 else word.x1
        yield RecognisedWord(word.text, word.x0, x1, word.baseline, word.confidence)
    yield from words[-1:]
