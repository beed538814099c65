"""Recognise citations without brackets: "Source 2", "SOURCE contract_chunk_005", "Source: A.pdf, page 3"."""

from __future__ import annotations

import re

from highlighter.references.locators import ANY_LOCATOR, EXTENSION_PATTERN, get_cited_chunk, list_cited_pages
from highlighter.references.non_citations import NEED_MORE_TEXT, NeedMoreText
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later

MAX_WINDOW_CHARACTERS = 160

_SOURCE_WORD = compile_later(r"SOURCES?|Sources?|资料来源|資料來源|来源|來源|出处|出處")
_NUMBERED_SOURCE = compile_later(
    r"(?:SOURCES?|Sources?)\s{1,2}#?\d{1,3}(?:\s?(?:,|and|&|-|–)\s?#?\d{1,3})*(?![\w%])(?:,?\s(?:p|pp|pages?)\b\.?\s?\d{1,5})?"
)
_NAMED_SOURCE = compile_later(r"SOURCES?[:#\s]{1,2}(?=[\w./-]*[_\d.])([A-Za-z][\w./-]*\w)")
_SOURCE_COLON = compile_later(r"(?:SOURCES?|Sources?|资料来源|資料來源|来源|來源|出处|出處)\**\s?[:：]\**[ \t]*")
_SOURCE_NAME_END = compile_later(r"[\[\]【】。；]|[.;](?=\s|$)(?<!\bp\.)(?<!pp\.)(?<!pg\.)(?<!No\.)|\s{2}")
_FILE_NAME_END = compile_later(rf"\w{EXTENSION_PATTERN}\b", re.IGNORECASE)
_SOURCE_FIRST = compile_later(
    r"\s*(?:sources?|src|ref(?:erence)?s?|citation|来源|出处|资料来源|引自|摘自|doc(?:ument)?|file)\s*(?::|\s#?\d)"
)
_NO_NAME_LEFT = compile_later(r"(?:see also|see|cf|p|at|on|and|\W)*+\Z")
_MAX_SOURCE_WORD_CHARACTERS = len("資料來源：")


def is_possible_citation(content: str) -> bool:
    """Return whether round brackets look like a reference: a page with a name, a file, "Source: ..."."""
    folded = fold(content)
    if _SOURCE_FIRST.match(folded) or _FILE_NAME_END.search(folded):
        return True
    locator = ANY_LOCATOR.search(folded)
    return locator is not None and _NO_NAME_LEFT.fullmatch(folded[: locator.start()] + folded[locator.end() :]) is None


def is_explicit_citation(content: str) -> bool:
    """Return whether the content names a source explicitly: by a word for a source, or by a file with a page or chunk."""
    folded = fold(content)
    locator = ANY_LOCATOR.search(folded) if _FILE_NAME_END.search(folded) else None
    return _SOURCE_FIRST.match(folded) is not None or bool(
        locator and (list_cited_pages(locator) or get_cited_chunk(locator))
    )


def match_source_words(text: str, offset: int, is_final: bool) -> tuple[int, int, bool] | NeedMoreText | None:
    """Match words that name a source, as (start of the name, end, whether the match is doubtful)."""
    word = _SOURCE_WORD.match(text, offset)
    if word is None or (text[word.end() : word.end() + 1].isalpha() and text[word.end()].isascii()):
        return (
            None
            if is_final or len(text) - offset > _MAX_SOURCE_WORD_CHARACTERS + 3 or (word and word.end() < len(text))
            else NEED_MORE_TEXT
        )
    window = text[offset : offset + MAX_WINDOW_CHARACTERS]
    line_end = window.find("\n")
    if line_end < 0 and len(window) < MAX_WINDOW_CHARACTERS and not is_final:
        return NEED_MORE_TEXT
    window = window if line_end < 0 else window[:line_end]
    match = _NUMBERED_SOURCE.match(window) or _NAMED_SOURCE.match(window)
    if match and _SOURCE_COLON.match(window) is None:
        return offset, offset + match.end(), False
    source_colon = _SOURCE_COLON.match(window)
    if source_colon is None:
        return None
    window = window[: _find_enclosing_bracket_end(window, source_colon.end())]
    end = _SOURCE_NAME_END.search(window, source_colon.end())
    name = window[source_colon.end() : end.start() if end else len(window)].rstrip(" .,;*_")
    # A bracket that begins here is a marker of its own.
    if not name or (end and end[0] in "[【"):
        return None
    is_certain = ANY_LOCATOR.search(fold(name)) is not None or _FILE_NAME_END.search(name) is not None
    return offset + source_colon.end(), offset + source_colon.end() + len(name), not is_certain


def _find_enclosing_bracket_end(window: str, offset: int) -> int:
    """Return where a bracket that was opened before closes: "(…, Source: A.pdf)"."""
    depth = 0
    for end in range(offset, len(window)):
        depth += (window[end] in "(（") - (window[end] in ")）")
        if depth < 0:
            return end
    return len(window)
