"""Tell users which words of a document are left out, because readers do not see them."""

from __future__ import annotations

from collections.abc import Iterable

from highlighter.locale import N_
from ingest.readers.extracted_document import HiddenText

_MAX_QUOTES, _MAX_QUOTE_CHARACTERS = 3, 60  # of each reason


def describe_hidden_texts(hidden_texts: Iterable[HiddenText]) -> list[str]:
    """Return a sentence for each reason why text is left out, with the beginnings of the first texts."""
    quotes_by_reason: dict[str, dict[str, None]] = {}  # each quote once: a stamp may be hidden on every page
    for hidden in hidden_texts:
        quotes_by_reason.setdefault(hidden.reason, {})[_shorten(hidden.text)] = None
    return [_describe(reason, list(quotes)) for reason, quotes in quotes_by_reason.items()]


def _describe(reason: str, quotes: list[str]) -> str:
    shown = " ".join(f"“{quote}”" for quote in quotes[:_MAX_QUOTES])
    if len(quotes) > _MAX_QUOTES:
        count = len(quotes) - _MAX_QUOTES
        return N_("Left out ({reason}): {quotes} and {count} more.", reason=reason, quotes=shown, count=count)
    return N_("Left out ({reason}): {quotes}", reason=reason, quotes=shown)


def _shorten(text: str) -> str:
    shown = " ".join("".join(char for char in text if char.isprintable()).split())
    return shown if len(shown) <= _MAX_QUOTE_CHARACTERS else shown[:_MAX_QUOTE_CHARACTERS].rsplit(" ", 1)[0] + " …"
