"""Sentences of documents that instruct the language model which reads them, instead of telling its reader something.

Such sentences are no evidence: they say what a machine is to answer, not what is true. They are recognised by their
phrases (`model_instruction_phrases.py`), whatever invisible, full-width or look-alike letters they are written in.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache

from highlighter.cpu_budget import check_cpu
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.model_instruction_phrases import CONTINUATION, MENTION, PATTERNS
from highlighter.text.quotation_marks import QUOTATION_MARKS
from highlighter.text.sentences import SplitSentence, split_sentences

_MENTION, _CONTINUATION = re.compile(MENTION), re.compile(CONTINUATION)
# The most copied phrase is also found in letters that are written apart: "i g n o r e   a l l".
_JOINED_OVERRIDE = compile_later(
    r"(?:ignore|disregard|forget)(?:all|any|the|of|your)*(?:previous|prior|above|earlier)(?:instructions|prompts|rules)"
)
_SPACED_LETTERS, _SPACING = re.compile(r"(?<!\w)\w(?:[ .*_-]\w){5,}(?!\w)"), re.compile("[ .*_-]")
# Control characters, soft hyphens, accents, joiners, marks of direction, variation selectors and tags
_INVISIBLE_OR_ACCENT = compile_later(
    "[\x00-\x08\x0e-\x1f\x7f\u00ad\u0300-\u036f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f]"
)
_QUOTATION = compile_later(r'"[^"]*"')
_PLAIN_MARKS = dict.fromkeys(map(ord, QUOTATION_MARKS), '"') | dict.fromkeys(map(ord, "‘’‚`´"), "'")
# Cyrillic and Greek letters that look like Latin ones.
_LOOK_ALIKES = str.maketrans("аеіјорсухԁѕһοαιν", "aeijopcyxdshoaiv")
_LATIN = compile_later("[a-z]")


def find_model_instructions(sentences: Sequence[str]) -> frozenset[int]:
    """Return the indexes of the sentences, given in the order of their text, that instruct a language model."""
    found: set[int] = set()
    for index, sentence in enumerate(sentences):
        check_cpu()
        if _is_model_instruction(sentence) or (index - 1 in found and _is_continuation(sentence)):
            found.add(index)
    return frozenset(found)


def split_model_instructions(text: str) -> list[SplitSentence]:
    """Return the sentences of a text that instruct a language model, with their offsets."""
    sentences = split_sentences(text)
    found = find_model_instructions([sentence.text for sentence in sentences])
    return [sentences[index] for index in sorted(found)]


@lru_cache(maxsize=50_000)  # the same sentences are shown, searched, checked and sent
def _is_model_instruction(sentence: str) -> bool:
    text = _normalise(sentence)
    unquoted = _QUOTATION.sub('"…"', text)
    if _matches(text) and (_matches(unquoted) or not _MENTION.search(unquoted)):
        return True
    return bool(_SPACED_LETTERS.search(text) and _JOINED_OVERRIDE.search(_SPACING.sub("", text)))


@cache  # compiled on first use: it takes a part of a second
def _compile_patterns() -> dict[str, list[re.Pattern[str]]]:
    """Return the patterns by the words of which a text that matches has at least one."""
    patterns_by_word: dict[str, list[re.Pattern[str]]] = {}
    for words, pattern in PATTERNS:
        for word in words:
            patterns_by_word.setdefault(word, []).append(re.compile(pattern))
    return patterns_by_word


def _matches(text: str) -> bool:
    for word, patterns in _compile_patterns().items():  # most texts hold none of the words
        if word in text and any(pattern.search(text) for pattern in patterns):
            return True
    return False


def _is_continuation(sentence: str) -> bool:
    return bool(_CONTINUATION.search(_normalise(sentence)))


def _normalise(sentence: str) -> str:
    """Return a sentence as the patterns expect it; its offsets change."""
    if not sentence.isascii():
        sentence = unicodedata.normalize("NFKD", sentence.translate(_PLAIN_MARKS))
    text = fold(_INVISIBLE_OR_ACCENT.sub("", sentence))
    if not text.isascii() and _LATIN.search(text):
        text = text.translate(_LOOK_ALIKES)
    return " ".join(text.split())
