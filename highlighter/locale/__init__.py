"""Words for people, in their language. English is the source; a catalogue says what each sentence is in another."""

from __future__ import annotations

import gettext as by_gettext
import io
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path

LOCALE_FOLDER = Path(__file__).parent
ENGLISH = "en"
# As pages and browsers name them, with what each calls itself.
LANGUAGES = {ENGLISH: "English", "zh-Hant": "繁體中文", "zh-Hans": "简体中文"}

_current: ContextVar[str] = ContextVar("language", default=ENGLISH)


def set_language(language: str) -> None:
    """From here on, until something else is said: an answer is made in one context."""
    _current.set(language)


def current_language() -> str:
    return _current.get()


def gettext(words: str) -> str:
    return _compile_catalogue(current_language()).gettext(words)


def ngettext(one: str, more: str, number: int) -> str:
    return _compile_catalogue(current_language()).ngettext(one, more, number)


def N_(words: str) -> str:
    """Marks words for the catalogues that are said later: by gettext, or where values stand in them, by `said`."""
    return words


def script_translations() -> dict[str, str]:
    """What scripts say, by its English; nothing in English. A plural goes by its singular."""
    return _load_script_translations(current_language())


def catalogue_path(language: str) -> Path:
    return LOCALE_FOLDER / language.replace("-", "_") / "LC_MESSAGES" / "messages.po"


@lru_cache
def _compile_catalogue(language: str) -> by_gettext.NullTranslations:
    """Compiled in memory: a catalogue that was edited is a catalogue that is used."""
    if language == ENGLISH:
        return by_gettext.NullTranslations()
    from babel.messages.mofile import write_mo  # costs a tenth of a second, and English needs none of it

    compiled = io.BytesIO()
    write_mo(compiled, read_catalogue(language))
    compiled.seek(0)
    return by_gettext.GNUTranslations(compiled)


@lru_cache
def _load_script_translations(language: str) -> dict[str, str]:
    if language == ENGLISH:
        return {}
    said = (one for one in read_catalogue(language) if any(path.startswith("static/") for path, _ in one.locations))
    return {
        (one.id[0] if one.pluralizable else one.id): (one.string[0] if one.pluralizable else one.string) for one in said
    }


@lru_cache
def read_catalogue(language: str):
    from babel.messages.pofile import read_po

    with catalogue_path(language).open("rb") as file:
        return read_po(file, locale=language.replace("-", "_"))
