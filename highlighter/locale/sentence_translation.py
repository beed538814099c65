"""Translate English sentences made deeper in the code by matching them with the messages of a catalogue.

A sentence comes from a constant or an f-string, and a catalogue has it as a message with numbered placeholders:
"Page {0}:". A sentence is matched with all messages, and the values of its placeholders are put into the translation.
A sentence that matches no message, such as the words of a library or a model, stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from highlighter.locale import ENGLISH, read_catalogue

PLACEHOLDER = re.compile(r"\{(\d+)\}")
TRANSLATION, VALUE, UNTRANSLATED = "translation", "value", "untranslated"
# A text can hold several sentences with a space between them; one with more stops is matched as a whole.
MAX_STOPS = 16
_STOPS = ".:?!"
_STOP = re.compile(r"(?<=[.:?!”]) ")
_FULL_WIDTH_STOPS = tuple("。：？！”」》）")
MAX_CACHED_SENTENCES, MAX_CACHED_SENTENCE_CHARACTERS = 4096, 1000


@dataclass(frozen=True, slots=True)
class TranslatedRun:
    """A run of text: a part of the translation, an inserted value, or an untranslated sentence."""

    words: str
    kind: str


@dataclass(frozen=True, slots=True)
class MessageTemplate:
    literals: tuple[str, ...]  # one more than placeholders
    placeholders: tuple[str, ...]
    translation: str

    @classmethod
    def from_message(cls, english: str, translation: str) -> MessageTemplate:
        parts = PLACEHOLDER.split(english)
        return cls(tuple(parts[::2]), tuple(parts[1::2]), translation)

    def match(self, text: str) -> dict[str, str] | None:
        """Return the values of the placeholders in a text, or None if the text does not match.

        The match runs from the end, because names come first and numbers last: each literal is taken at its last
        occurrence before the next one. If any split fits, this one does, so no other is tried, however long or hostile
        a value is.
        """
        first, last = self.literals[0], self.literals[-1]
        if not self.placeholders:
            return {} if text == first else None
        start, end = len(first), len(text) - len(last)
        if start > end or not text.startswith(first) or not text.endswith(last):
            return None
        values = []
        for literal in self.literals[-2:0:-1]:
            index = text.rfind(literal, start, end)
            if index < 0:
                return None
            values.append(text[index + len(literal) : end])
            end = index
        return dict(zip(self.placeholders, (text[start:end], *reversed(values)), strict=True))

    def fill(self, values: dict[str, str]) -> Iterator[TranslatedRun]:
        for number, part in enumerate(PLACEHOLDER.split(self.translation)):
            words = values[part] if number % 2 else part
            if words:
                yield TranslatedRun(words, VALUE if number % 2 else TRANSLATION)


def translate_sentences(text: str, language: str) -> tuple[TranslatedRun, ...]:
    """Translate the sentences of a text as far as the catalogue of the language has them."""
    if language == ENGLISH or not text.strip():
        return (TranslatedRun(text, VALUE),) if text else ()
    return (
        _translate_cached(text, language) if len(text) <= MAX_CACHED_SENTENCE_CHARACTERS else _translate(text, language)
    )


def _translate(text: str, language: str) -> tuple[TranslatedRun, ...]:
    borders = [0, *(match.end() for match in _STOP.finditer(text)), len(text) + 1]
    if len(borders) > MAX_STOPS + 2:
        borders = [0, len(text) + 1]
    return tuple(_join_sentences(list(_choose_split(text, borders, load_templates(language)))))


_translate_cached = lru_cache(MAX_CACHED_SENTENCES)(_translate)


# (untranslated characters, minus the number of matched sentences, linked list of sentences)
_Split = tuple[int, int, tuple[Any, ...]]


def _choose_split(
    text: str, borders: list[int], known: tuple[MessageTemplate, ...]
) -> Iterator[tuple[TranslatedRun, ...]]:
    """Yield the sentences, split so that the fewest characters stay untranslated, then into the most sentences."""
    splits: dict[int, _Split] = {len(borders) - 1: (0, 0, ())}
    for begin in range(len(borders) - 2, -1, -1):
        ends = range(begin + 1, len(borders))
        splits[begin] = min(
            (_extend_split(text[borders[begin] : borders[end] - 1], known, splits[end]) for end in ends),
            key=lambda split: split[:2],
        )
    rest = splits[0][2]
    while rest:
        sentence, rest = rest
        yield sentence


def _extend_split(text: str, known: tuple[MessageTemplate, ...], following: _Split) -> _Split:
    runs = _match_templates(text, known)
    untranslated, number, rest = following
    if runs is None:
        return untranslated + len(text) + 1, number, ((TranslatedRun(text, UNTRANSLATED),), rest)
    return untranslated, number - 1, (runs, rest)


def _match_templates(text: str, known: tuple[MessageTemplate, ...]) -> tuple[TranslatedRun, ...] | None:
    for template in known:
        if (values := template.match(text)) is not None:
            return tuple(template.fill(values))
    return None


def _join_sentences(sentences: list[tuple[TranslatedRun, ...]]) -> Iterator[TranslatedRun]:
    """Join sentences: no space after a full-width stop, else one space."""
    for before, now in pairwise([(), *sentences]):
        if before and not before[-1].words.endswith(_FULL_WIDTH_STOPS):
            yield TranslatedRun(" ", TRANSLATION)
        yield from now


@lru_cache
def load_templates(language: str) -> tuple[MessageTemplate, ...]:
    """Return the templates of Python's messages in a language, those with the longest literals first."""
    translations: dict[str, str] = {}
    for message in read_catalogue(language):
        english, translation = message.id, message.string
        if not (isinstance(english, str) and isinstance(translation, str) and english):
            continue  # a plural, or the header
        if any(path.endswith(".py") for path, _ in message.locations):
            translations[english] = translation
            if english[-1] not in _STOPS:  # a title or a clause that a stop turns into a sentence
                translations.setdefault(f"{english}.", f"{translation}。")
                translations.setdefault(f"{english}:", f"{translation}：")
    templates = [MessageTemplate.from_message(english, translation) for english, translation in translations.items()]
    return tuple(sorted(templates, key=lambda template: -sum(map(len, template.literals))))
