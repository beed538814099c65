"""Measure how much of a printed page is read right: its text beside that of the HTML it was printed from."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from difflib import SequenceMatcher
from html.parser import HTMLParser

# Scripts without spaces between words: each character with its marks counts as a word.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_INLINE = frozenset(("ruby", "a", "b", "i", "em", "span", "strong"))
_NOT_SHOWN = frozenset(("style", "script", "title", "rt", "rp"))


@dataclass(frozen=True, slots=True)
class Agreement:
    """How many of the words of a source were read in order, and how many words were read in all."""

    source_words: int
    read_words: int
    matched_words: int

    @property
    def recall(self) -> float:
        return self.matched_words / max(self.source_words, 1)

    @property
    def precision(self) -> float:
        return self.matched_words / max(self.read_words, 1)


def compare_words(source: str, text: str) -> Agreement:
    """Return how the words of a text agree with those of its source, in order."""
    expected, words = split_words(source), split_words(text)
    blocks = SequenceMatcher(None, expected, words, autojunk=False).get_matching_blocks()
    return Agreement(len(expected), len(words), sum(block.size for block in blocks))


def split_words(text: str) -> list[str]:
    """Return the words of a text; characters with their marks in scripts without spaces."""
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFC", text))
    return [unit for word in plain.split() for unit in _split_word(word)]


def _split_word(word: str) -> list[str]:
    units: list[str] = []
    for character in word:
        is_mark = unicodedata.category(character).startswith("M")
        is_unspaced = bool(_UNSPACED.match(character))
        if units and (is_mark or not (is_unspaced or _UNSPACED.match(units[-1]))):
            units[-1] += character
        else:
            units.append(character)
    return units


def remove_heading(markup: str) -> str:
    """Return the markup without its heading, as it is given to an office program."""
    return re.sub("<h1>.*?</h1>", "", markup)


def read_html(markup: str) -> str:
    """Return the text that a browser shows of a page, without readings beside characters (ruby)."""
    reader = _VisibleText()
    reader.feed(markup)
    return " ".join("".join(reader.parts).split())


class _VisibleText(HTMLParser):
    """A reader of the visible text of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._skipped = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _NOT_SHOWN:
            self._skipped = tag
        elif tag not in _INLINE:
            self.parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag == self._skipped:
            self._skipped = ""
        elif tag not in _INLINE:
            self.parts.append(" ")

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            self.parts.append(data)
