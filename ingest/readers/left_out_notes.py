"""Tell users which words and parts of a file are left out of its text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from highlighter.locale import N_
from ingest.readers.extracted_document import HiddenText

_MAX_QUOTES, _MAX_QUOTE_CHARACTERS = 3, 60


def describe_hidden_texts(hidden_texts: Iterable[HiddenText]) -> list[str]:
    """Return a sentence for each reason why text is left out, with the beginnings of the first texts."""
    texts_by_reason: dict[str, list[str]] = {}
    for hidden in hidden_texts:
        texts_by_reason.setdefault(hidden.reason, []).append(hidden.text)
    return [
        N_("Left out ({reason}): {quotes}", reason=reason, quotes=_quote(texts))
        for reason, texts in texts_by_reason.items()
    ]


def describe_headers_footers(texts: Sequence[str]) -> tuple[str, ...]:
    """Return a note on the headers and footers of a file, which are no part of its text."""
    return (N_("Left out (headers and footers): {quotes}", quotes=_quote(texts)),) if texts else ()


def describe_comments(count: int) -> tuple[str, ...]:
    """Return a note on the comments beside a text."""
    if not count:
        return ()
    return (
        N_("1 margin comment was left out.")
        if count == 1
        else N_("{count} margin comments were left out.", count=count),
    )


def describe_cell_comments(count: int) -> tuple[str, ...]:
    """Return a note on the comments of a sheet's cells."""
    if not count:
        return ()
    return (
        N_("1 comment of a cell was left out.")
        if count == 1
        else N_("{count} comments of cells were left out.", count=count),
    )


def describe_hidden_parts(sheet_names: Sequence[str], row_count: int, column_count: int) -> tuple[str, ...]:
    """Return notes on the hidden sheets of a workbook, and on the hidden rows and columns of the others."""
    notes = []
    if sheet_names:
        notes.append(N_("Left out (hidden sheets): {quotes}", quotes=_quote(sheet_names)))
    if row_count:
        notes.append(
            N_("1 hidden row is left out.")
            if row_count == 1
            else N_("{count} hidden rows are left out.", count=row_count)
        )
    if column_count:
        notes.append(
            N_("1 hidden column is left out.")
            if column_count == 1
            else N_("{count} hidden columns are left out.", count=column_count)
        )
    return tuple(notes)


def describe_hidden_slides(numbers: Sequence[int]) -> tuple[str, ...]:
    """Return a note on the hidden slides of a presentation."""
    if not numbers:
        return ()
    if len(numbers) == 1:
        return (N_("Slide {number} is hidden and left out.", number=numbers[0]),)
    return (N_("Slides {numbers} are hidden and left out.", numbers=", ".join(map(str, numbers))),)


def _quote(texts: Iterable[str]) -> str:
    """Return the beginnings of the first texts, each once, and how many more there are."""
    quotes = [f"“{quote}”" for quote in dict.fromkeys(map(_shorten, texts))]
    shown, count = " ".join(quotes[:_MAX_QUOTES]), len(quotes) - _MAX_QUOTES
    return N_("{quotes} and {count} more", quotes=shown, count=count) if count > 0 else shown


def _shorten(text: str) -> str:
    shown = " ".join("".join(char for char in text if char.isprintable()).split())
    return shown if len(shown) <= _MAX_QUOTE_CHARACTERS else shown[:_MAX_QUOTE_CHARACTERS].rsplit(" ", 1)[0] + " …"
