"""The translation of messages from below the pages, such as the details of errors."""

from __future__ import annotations

from markupsafe import Markup, escape

from highlighter.locale import ENGLISH, current_language
from highlighter.locale.message_translation import TRANSLATION, translate_message
from highlighter.web.text_language import build_lang_attributes


def translate_markup(message: str) -> Markup:
    """Return a message in the language of the page, as markup.

    Inserted values are escaped; words in another language than the page are marked with their language.
    """
    if current_language() == ENGLISH:
        return escape(str(message))
    return Markup().join(_mark_language(run.words, run.kind) for run in translate_message(message, current_language()))


def translate_text(message: str) -> str:
    """Return a message in the language of the page as plain text, for attributes and JSON."""
    return "".join(run.words for run in translate_message(message, current_language()))


def _mark_language(words: str, kind: str) -> Markup:
    attributes = Markup() if kind == TRANSLATION else build_lang_attributes(words, current_language())
    return Markup("<span{}>{}</span>").format(attributes, words) if attributes else escape(words)
