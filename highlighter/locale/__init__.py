"""Translations of the messages that users read. English is the source; a catalogue holds the other languages."""

from __future__ import annotations

import gettext as by_gettext
import io
from collections.abc import Sequence
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

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


def N_(message: str) -> str:
    """Mark a message for the catalogues. It is translated later: by gettext, or with inserted values by `translate`."""
    return message


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
