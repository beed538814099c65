"""Translate messages by their ids, and put their values into the translation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from string import Formatter

from highlighter.locale import ENGLISH, translate_id
from highlighter.locale.user_message import JoinedMessages, MessageValue, UserMessage

TRANSLATION, VALUE, UNTRANSLATED = "translation", "value", "untranslated"
_FULL_WIDTH_STOPS = tuple("。：？！”」》）")
_FORMATTER = Formatter()


@dataclass(frozen=True, slots=True)
class TranslatedRun:
    """A run of text: a part of the translation, an inserted value, or an untranslated sentence."""

    words: str
    kind: str


def translate_message(message: str, language: str) -> tuple[TranslatedRun, ...]:
    """Return a message in a language; what the catalogue lacks, such as the words of a library or a model, stays.

    A text without values is its own id.
    """
    if not message.strip() or language == ENGLISH:
        return (TranslatedRun(str(message), VALUE),) if message else ()
    return tuple(_translate(message, language))


def _translate(message: str, language: str) -> Iterator[TranslatedRun]:
    if isinstance(message, JoinedMessages):
        yield from _join([tuple(_translate(part, language)) for part in message.parts])
        return
    id, values = (message.id, message.values) if isinstance(message, UserMessage) else (str(message), {})
    translation = translate_id(id, language)
    if translation is None:
        yield TranslatedRun(str(message), UNTRANSLATED)
    elif not values:
        yield TranslatedRun(translation, TRANSLATION)
    else:
        yield from _fill(translation, values, language)


def _fill(translation: str, values: dict[str, MessageValue], language: str) -> Iterator[TranslatedRun]:
    for literal, name, specification, conversion in _FORMATTER.parse(translation):
        if literal:
            yield TranslatedRun(literal, TRANSLATION)
        if name is None:
            continue
        value = values[name]
        if isinstance(value, UserMessage | JoinedMessages):
            yield from _translate(value, language)
        elif words := format(_FORMATTER.convert_field(value, conversion), specification or ""):
            yield TranslatedRun(words, VALUE)


def _join(messages: list[tuple[TranslatedRun, ...]]) -> Iterator[TranslatedRun]:
    """Join messages: no space after a full-width stop, else one space."""
    for before, now in pairwise([(), *messages]):
        if before and not before[-1].words.endswith(_FULL_WIDTH_STOPS):
            yield TranslatedRun(" ", TRANSLATION)
        yield from now
