"""Sentences made in English deeper down, said in the language of a page: known by what they were made of.

Each was written as a constant or an f-string, and a catalogue has it as a message with numbered places: "Page {0}:".
A sentence is held against all of them, what stood in the places is taken out and put into the translation. What is
like none of them, a library's words or a model's, stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from highlighter.locale import ENGLISH, read_catalogue

PLACEHOLDER = re.compile(r"\{(\d+)\}")
TRANSLATION, VALUE, UNTRANSLATED = "ours", "value", "unknown"
# Several sentences come as one, with a space between them; what has more stops than this is one, or not ours.
MAX_STOPS = 16
_STOPS = ".:?!"
_STOP = re.compile(r"(?<=[.:?!”]) ")
_FULL_WIDTH_STOPS = tuple("。：？！”」》）")
MAX_CACHED_SENTENCES, MAX_CACHED_SENTENCE_CHARACTERS = 4096, 1000  # sentences, of so many characters


@dataclass(frozen=True, slots=True)
class TranslatedRun:
    """Some words: of the translation, of what was filled in, or such as nobody translated."""

    words: str
    kind: str


@dataclass(frozen=True, slots=True)
class MessageTemplate:
    literals: tuple[str, ...]  # one more than places
    places: tuple[str, ...]
    translation: str

    @classmethod
    def from_message(cls, english: str, translation: str) -> MessageTemplate:
        parts = PLACEHOLDER.split(english)
        return cls(tuple(parts[::2]), tuple(parts[1::2]), translation)

    def match(self, text: str) -> dict[str, str] | None:
        """What stands in its places; None where this is not the sentence.

        From the end, as names come first and numbers last: each literal is taken where it comes last before the one
        after. Where any way of filling the places fits, that one does, so none other need be tried, however long and
        however hostile a value is.
        """
        first, last = self.literals[0], self.literals[-1]
        if not self.places:
            return {} if text == first else None
        at, end = len(first), len(text) - len(last)
        if at > end or not text.startswith(first) or not text.endswith(last):
            return None
        found = []
        for literal in self.literals[-2:0:-1]:
            there = text.rfind(literal, at, end)
            if there < 0:
                return None
            found.append(text[there + len(literal) : end])
            end = there
        return dict(zip(self.places, (text[at:end], *reversed(found)), strict=True))

    def fill(self, values: dict[str, str]) -> Iterator[TranslatedRun]:
        for number, part in enumerate(PLACEHOLDER.split(self.translation)):
            words = values[part] if number % 2 else part
            if words:
                yield TranslatedRun(words, VALUE if number % 2 else TRANSLATION)


def translate_sentences(text: str, language: str) -> tuple[TranslatedRun, ...]:
    """The same in another language, as far as it is known there."""
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


def _choose_split(
    text: str, borders: list[int], known: tuple[MessageTemplate, ...]
) -> Iterator[tuple[TranslatedRun, ...]]:
    """The sentences, so parted that the fewest letters stay untranslated; then in the most, as each may hold a stop."""
    ways: dict[int, tuple[int, int, tuple]] = {len(borders) - 1: (0, 0, ())}
    for begin in range(len(borders) - 2, -1, -1):
        ends = range(begin + 1, len(borders))
        ways[begin] = min(
            (_extend_split(text[borders[begin] : borders[end] - 1], known, ways[end]) for end in ends),
            key=lambda way: way[:2],
        )
    rest = ways[0][2]
    while rest:
        found, rest = rest
        yield found


def _extend_split(
    text: str, known: tuple[MessageTemplate, ...], after: tuple[int, int, tuple]
) -> tuple[int, int, tuple]:
    found = _match_templates(text, known)
    lost, number, rest = after
    if found is None:
        return lost + len(text) + 1, number, ((TranslatedRun(text, UNTRANSLATED),), rest)
    return lost, number - 1, (found, rest)


def _match_templates(text: str, known: tuple[MessageTemplate, ...]) -> tuple[TranslatedRun, ...] | None:
    for template in known:
        if (values := template.match(text)) is not None:
            return tuple(template.fill(values))
    return None


def _join_sentences(sentences: list[tuple[TranslatedRun, ...]]) -> Iterator[TranslatedRun]:
    """Chinese puts no space after a stop of its own; what is not Chinese needs one."""
    for before, now in pairwise([(), *sentences]):
        if before and not before[-1].words.endswith(_FULL_WIDTH_STOPS):
            yield TranslatedRun(" ", TRANSLATION)
        yield from now


@lru_cache
def load_templates(language: str) -> tuple[MessageTemplate, ...]:
    """What Python says, in this language: those first of which the most is certain."""
    found = {}
    for one in read_catalogue(language):
        if one.id and not one.pluralizable and any(path.endswith(".py") for path, _ in one.locations):
            found[one.id] = one.string
            if one.id[-1] not in _STOPS:  # a title, or a clause, that a stop makes a sentence
                found.setdefault(f"{one.id}.", f"{one.string}。")
                found.setdefault(f"{one.id}:", f"{one.string}：")
    made = [MessageTemplate.from_message(english, translation) for english, translation in found.items()]
    return tuple(sorted(made, key=lambda template: -sum(map(len, template.literals))))
