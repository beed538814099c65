"""The language and direction of texts on a page: `lang` and `dir` attributes, and the names of languages."""

from __future__ import annotations

import re
from functools import lru_cache

from markupsafe import Markup

from highlighter.locale import ENGLISH, current_language
from highlighter.text.language import detect_language, get_base_language, get_direction, is_latin_language

_LATIN_LETTER = re.compile("[A-Za-z]")


def build_lang_attributes(text: str, around: str = "") -> Markup:
    """Return the lang and dir attributes of a text that differ from those of the element around it.

    `around` is the language of that element, by default that of the page.
    """
    if not text.strip():
        return Markup()
    code = choose_language(text, around)
    around = around or current_language()
    attributes = Markup(' lang="{}"').format(code) if code != around else Markup()
    direction = get_direction(code)
    return attributes + (Markup(' dir="{}"').format(direction) if direction != get_direction(around) else Markup())


def build_input_attributes(text: str) -> Markup:
    """Return the attributes of a field with a text, whose direction follows what a reader types."""
    code = choose_language(text)
    lang = Markup(' lang="{}"').format(code) if text.strip() and code != current_language() else Markup()
    return lang + Markup(' dir="auto"')


def choose_language(text: str, around: str = "") -> str:
    """Return the language of a text; without words that tell, that of the text around it, else English."""
    code = detect_language(text)
    if not code:
        # Latin letters of no known language cannot be Arabic or Chinese.
        is_foreign = _LATIN_LETTER.search(text) and not is_latin_language(around)
        return ENGLISH if is_foreign or not around else around
    # A line of Chinese characters may be Japanese, or of both Chinese scripts: the text around it decides.
    is_han_in_han = get_base_language(code) == "zh" and get_base_language(around) in ("zh", "ja")
    return around if is_han_in_han else code


def find_differing_language(text: str, around: str) -> str:
    """Return the language of a text within another text, where it can be told and differs from that one's; else ""."""
    if not detect_language(text):
        return ""
    code, code_around = choose_language(text, choose_language(around)), choose_language(around)
    return code if get_base_language(code) != get_base_language(code_around) else ""


def build_code_attributes(code: str, around: str) -> Markup:
    """Return the lang and dir attributes of a text in a language within a text in another one."""
    direction = get_direction(code)
    attributes = Markup(' lang="{}"').format(code)
    return attributes + (Markup(' dir="{}"').format(direction) if direction != get_direction(around) else Markup())


def name_other_language(text: str, question: str = "") -> str:
    """Return the name of a text's language, where it is neither that of the page nor that of the question; else ""."""
    code = detect_language(text)
    return name_unread_language(code, question) if code else ""


def name_unread_language(code: str, question: str = "") -> str:
    """Return the name of a language, where it is neither that of the page nor that of the question; else ""."""
    known = {get_base_language(current_language()), get_base_language(detect_language(question))}
    return _name_language(code, current_language()) if get_base_language(code) not in known else ""


@lru_cache
def _name_language(code: str, page_language: str) -> str:
    from babel import Locale  # takes a tenth of a second, and most pages name no language

    locale = Locale.parse(page_language.replace("-", "_"))
    return str(locale.languages.get(get_base_language(code), ""))
