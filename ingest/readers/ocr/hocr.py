"""Read the words that Tesseract recognised from its hOCR output."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from xml.etree import ElementTree

_LINE_CLASSES = {"ocr_line", "ocr_header", "ocr_caption", "ocr_textfloat"}
_NUMBER = r"-?[\d.]+"
_BOX = re.compile(rf"\bbbox ({_NUMBER}) ({_NUMBER}) ({_NUMBER}) ({_NUMBER})")
_BASELINE = re.compile(rf"\bbaseline ({_NUMBER}) ({_NUMBER})")
_SIZE = re.compile(rf"\bx_size ({_NUMBER})")
_CONFIDENCE = re.compile(rf"\bx_wconf ({_NUMBER})")

# Characters of scripts that put no spaces between words.
UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]")
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
    """A line of words, from left to right, and the size of its letters in pixels."""

    size: float
    words: tuple[RecognisedWord, ...]


def read_lines(hocr: bytes) -> list[RecognisedLine]:
    """Return the lines that have words, in Tesseract's reading order."""
    root = ElementTree.fromstring(hocr)
    lines = [_read_line(element) for element in root.iter() if element.get("class") in _LINE_CLASSES]
    return [line for line in lines if line.words]


def _read_line(element: ElementTree.Element) -> RecognisedLine:
    title = element.get("title", "")
    left, top, _, bottom = _read_box(title) or (0.0, 0.0, 0.0, 0.0)
    slope, offset = map(float, match.groups()) if (match := _BASELINE.search(title)) else (0.0, 0.0)
    size = float(match[1]) if (match := _SIZE.search(title)) else bottom - top
    words = sorted(_read_words(element, lambda x: bottom + offset + slope * (x - left)), key=lambda word: word.x0)
    return RecognisedLine(size, tuple(_widen_punctuation(list(_separate(words)))))


def _read_words(element: ElementTree.Element, baseline_at: Callable[[float], float]) -> Iterator[RecognisedWord]:
    for word in element.iter():
        if word.get("class") != "ocrx_word":
            continue
        title = word.get("title", "")
        text, box = "".join(word.itertext()).strip(), _read_box(title)
        if text and box and box[2] > box[0]:
            confidence = float(match[1]) / 100 if (match := _CONFIDENCE.search(title)) else 0.0
            yield RecognisedWord(text, box[0], box[2], baseline_at(box[0]), min(max(confidence, 0.0), 1.0))


def _read_box(title: str) -> tuple[float, float, float, float] | None:
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
