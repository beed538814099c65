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

PLACE = re.compile(r"\{(\d+)\}")
OURS, VALUE, UNKNOWN = "ours", "value", "unknown"
# Several sentences come as one, with a space between them; what has more stops than this is one, or not ours.
MOST_STOPS = 16
_STOPS = ".:?!"
_STOP = re.compile(r"(?<=[.:?!”]) ")
_WIDE = tuple("。：？！”」》）")
KEPT, KEPT_UP_TO = 4096, 1000  # sentences, of so many characters


@dataclass(frozen=True, slots=True)
class Run:
    """Some words: of the translation, of what was filled in, or such as nobody translated."""

    words: str
    kind: str


@dataclass(frozen=True, slots=True)
class Template:
    literals: tuple[str, ...]  # one more than places
    places: tuple[str, ...]
    translation: str

    @classmethod
    def of(cls, english: str, translation: str) -> Template:
        parts = PLACE.split(english)
        return cls(tuple(parts[::2]), tuple(parts[1::2]), translation)

    def values(self, said: str) -> dict[str, str] | None:
        """What stands in its places; None where this is not the sentence.

        From the end, as names come first and numbers last: each literal is taken where it comes last before the one
        after. Where any way of filling the places fits, that one does, so none other need be tried, however long and
        however hostile a value is.
        """
        first, last = self.literals[0], self.literals[-1]
        if not self.places:
            return {} if said == first else None
        at, end = len(first), len(said) - len(last)
        if at > end or not said.startswith(first) or not said.endswith(last):
            return None
        found = []
        for literal in self.literals[-2:0:-1]:
            there = said.rfind(literal, at, end)
            if there < 0:
                return None
            found.append(said[there + len(literal) : end])
            end = there
        return dict(zip(self.places, (said[at:end], *reversed(found)), strict=True))

    def filled(self, values: dict[str, str]) -> Iterator[Run]:
        for number, part in enumerate(PLACE.split(self.translation)):
            words = values[part] if number % 2 else part
            if words:
                yield Run(words, VALUE if number % 2 else OURS)


def runs(said: str, language: str) -> tuple[Run, ...]:
    """The same in another language, as far as it is known there."""
    if language == ENGLISH or not said.strip():
        return (Run(said, VALUE),) if said else ()
    return _kept(said, language) if len(said) <= KEPT_UP_TO else _runs(said, language)


def _runs(said: str, language: str) -> tuple[Run, ...]:
    borders = [0, *(match.end() for match in _STOP.finditer(said)), len(said) + 1]
    if len(borders) > MOST_STOPS + 2:
        borders = [0, len(said) + 1]
    return tuple(_joined(list(_best(said, borders, templates(language)))))


_kept = lru_cache(KEPT)(_runs)


def _best(said: str, borders: list[int], known: tuple[Template, ...]) -> Iterator[tuple[Run, ...]]:
    """The sentences, so parted that the fewest letters stay untranslated; then in the most, as each may hold a stop."""
    ways: dict[int, tuple[int, int, tuple]] = {len(borders) - 1: (0, 0, ())}
    for begin in range(len(borders) - 2, -1, -1):
        ends = range(begin + 1, len(borders))
        ways[begin] = min(
            (_way(said[borders[begin] : borders[end] - 1], known, ways[end]) for end in ends), key=lambda way: way[:2]
        )
    rest = ways[0][2]
    while rest:
        found, rest = rest
        yield found


def _way(said: str, known: tuple[Template, ...], after: tuple[int, int, tuple]) -> tuple[int, int, tuple]:
    found = _translated(said, known)
    lost, number, rest = after
    if found is None:
        return lost + len(said) + 1, number, ((Run(said, UNKNOWN),), rest)
    return lost, number - 1, (found, rest)


def _translated(said: str, known: tuple[Template, ...]) -> tuple[Run, ...] | None:
    for template in known:
        if (values := template.values(said)) is not None:
            return tuple(template.filled(values))
    return None


def _joined(sentences: list[tuple[Run, ...]]) -> Iterator[Run]:
    """Chinese puts no space after a stop of its own; what is not Chinese needs one."""
    for before, now in pairwise([(), *sentences]):
        if before and not before[-1].words.endswith(_WIDE):
            yield Run(" ", OURS)
        yield from now


@lru_cache
def templates(language: str) -> tuple[Template, ...]:
    """What Python says, in this language: those first of which the most is certain."""
    found = {}
    for one in read_catalogue(language):
        if one.id and not one.pluralizable and any(path.endswith(".py") for path, _ in one.locations):
            found[one.id] = one.string
            if one.id[-1] not in _STOPS:  # a title, or a clause, that a stop makes a sentence
                found.setdefault(f"{one.id}.", f"{one.string}。")
                found.setdefault(f"{one.id}:", f"{one.string}：")
    made = [Template.of(english, translation) for english, translation in found.items()]
    return tuple(sorted(made, key=lambda template: -sum(map(len, template.literals))))
