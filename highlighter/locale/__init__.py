"""Translations of the messages that users read. English is the source; a catalogue holds the other languages."""

from __future__ import annotations

import gettext as by_gettext
import io
from collections.abc import Sequence
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from highlighter.locale.user_message import JoinedMessages, UserMessage, join_messages

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

__all__ = [
    "ENGLISH", "LANGUAGES", "N_", "UserMessage", "catalogue_path", "current_language", "end_sentence", "gettext",
    "is_message_id", "join_messages", "ngettext", "read_catalogue", "script_translations", "set_language", "translate_id",
]  # fmt: skip
LOCALE_FOLDER = Path(__file__).parent
ENGLISH = "en"
# By language tag: the name of the language in that language.
LANGUAGES = {ENGLISH: "English", "zh-Hant": "繁體中文", "zh-Hans": "简体中文"}

_current: ContextVar[str] = ContextVar("language", default=ENGLISH)


def set_language(language: str) -> None:
    """Set the language of the current context; one request is one context."""
    _current.set(language)


def current_language() -> str:
    return _current.get()


def gettext(message: str) -> str:
    return _compile_catalogue(current_language()).gettext(message)


def ngettext(singular: str, plural: str, number: int) -> str:
    return _compile_catalogue(current_language()).ngettext(singular, plural, number)


def N_(id: str, /, **values: object) -> str:
    """Return a message that is in the catalogues, with the values for its placeholders. It is translated where it is shown."""
    return UserMessage(id, values)


def end_sentence(message: str) -> str:
    """Return a title or a clause as a sentence, with its stop."""
    is_message = isinstance(message, UserMessage | JoinedMessages)
    return N_("{sentence}.", sentence=message) if is_message else f"{message}."


def translate_id(id: str, language: str) -> str | None:
    """Return the translation of a message, with its placeholders; None when the catalogue has no such message."""
    translation = _compile_catalogue(language).gettext(id) if id else id
    return translation if translation != id or id in _list_messages(language) else None


def is_message_id(id: str) -> bool:
    """Return whether the catalogues have a message. A finished sentence is its own id, and in none of them."""
    return any(translate_id(id, language) is not None for language in LANGUAGES if language != ENGLISH)


def script_translations() -> dict[str, str]:
    """Return the translations of the scripts' messages by their English; a plural by its singular. Empty in English."""
    return _load_script_translations(current_language())


def catalogue_path(language: str) -> Path:
    return LOCALE_FOLDER / language.replace("-", "_") / "LC_MESSAGES" / "messages.po"


@lru_cache
def _compile_catalogue(language: str) -> by_gettext.NullTranslations:
    """Compile a catalogue in memory, so that an edited catalogue needs no build step."""
    if language == ENGLISH:
        return by_gettext.NullTranslations()
    from babel.messages.mofile import write_mo  # takes a tenth of a second, and English does not need it

    compiled = io.BytesIO()
    write_mo(compiled, read_catalogue(language))
    compiled.seek(0)
    return by_gettext.GNUTranslations(compiled)


@lru_cache
def _list_messages(language: str) -> frozenset[str]:
    return frozenset(message.id for message in read_catalogue(language) if isinstance(message.id, str))


@lru_cache
def _load_script_translations(language: str) -> dict[str, str]:
    if language == ENGLISH:
        return {}
    messages = (
        message
        for message in read_catalogue(language)
        if any(path.startswith("static/") for path, _ in message.locations)
    )
    return {_first_form(message.id): _first_form(message.string) for message in messages}


def _first_form(text: str | Sequence[str] | None) -> str:
    """Return the singular of a message, or of its translation."""
    return text if isinstance(text, str) else (text or ("",))[0]


@lru_cache
def read_catalogue(language: str) -> Catalog:
    from babel.messages.pofile import read_po

    with catalogue_path(language).open("rb") as file:
        return read_po(file, locale=language.replace("-", "_"))
