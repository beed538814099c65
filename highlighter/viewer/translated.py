"""Sentences that come from deeper down, in the language of the page; what nobody translated says which it is in."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from highlighter.language import language
from highlighter.locale import ENGLISH, spoken
from highlighter.locale.said import OURS, runs

_LETTER = re.compile("[A-Za-z]")


def translated(sentence: str) -> Markup:
    """For the text of a page. What is filled in may be anybody's words, and is escaped."""
    if spoken() == ENGLISH:
        return escape(sentence)
    return Markup().join(_marked(run.words, run.kind) for run in runs(sentence, spoken()))


def translated_plain(sentence: str) -> str:
    """For attributes, and for what is no HTML."""
    return "".join(run.words for run in runs(sentence, spoken()))


def _marked(words: str, kind: str) -> Markup:
    code = language(words) or (ENGLISH if _LETTER.search(words) else "")
    if kind == OURS or code in ("", spoken()):
        return escape(words)
    return Markup('<span lang="{}">{}</span>').format(code, words)
