"""What is cited without a bracket of its own: "Source 2", "SOURCE contract_chunk_005", "Source: A.pdf, page 3"."""

from __future__ import annotations

import re

from highlighter.references.locators import ANY_LOCATOR, EXTENSION_PATTERN, get_cited_chunk, list_cited_pages
from highlighter.references.non_citations import NEED_MORE_TEXT, NeedMoreText
from highlighter.text.characters import fold

MAX_WINDOW_CHARACTERS = 160

_SOURCE_WORD = re.compile(r"SOURCES?|Sources?|资料来源|資料來源|来源|來源|出处|出處")
_NUMBERED_SOURCE = re.compile(
    r"(?:SOURCES?|Sources?)\s{1,2}#?\d{1,3}(?:\s?(?:,|and|&|-|–)\s?#?\d{1,3})*(?![\w%])(?:,?\s(?:p|pp|pages?)\b\.?\s?\d{1,5})?"
)
_NAMED_SOURCE = re.compile(r"SOURCES?[:#\s]{1,2}(?=[\w./-]*[_\d.])([A-Za-z][\w./-]*\w)")
_SOURCE_COLON = re.compile(r"(?:SOURCES?|Sources?|资料来源|資料來源|来源|來源|出处|出處)\**\s?[:：]\**[ \t]*")
_SOURCE_NAME_END = re.compile(r"[\[\]【】。；]|[.;](?=\s|$)(?<!\bp\.)(?<!pp\.)(?<!pg\.)(?<!No\.)|\s{2}")
_FILE_NAME_END = re.compile(rf"\w{EXTENSION_PATTERN}\b", re.IGNORECASE)
_SOURCE_FIRST = re.compile(
    r"\s*(?:sources?|src|ref(?:erence)?s?|citation|来源|出处|资料来源|引自|摘自|doc(?:ument)?|file)\s*(?::|\s#?\d)"
)
_NO_NAME_LEFT = re.compile(r"[\s(]*(?:see|see also|cf|p|at|on|and|,|\W)*\s*\Z")
_MAX_SOURCE_WORD_CHARACTERS = len("資料來源：")


def is_possible_citation(content: str) -> bool:
    """Whether what stands in round brackets has the look of a reference: a page with a name, a file, "Source: ..."."""
    folded = fold(content)
    if _SOURCE_FIRST.match(folded) or _FILE_NAME_END.search(folded):
        return True
    located = ANY_LOCATOR.search(folded)
    return located is not None and _NO_NAME_LEFT.fullmatch(folded[: located.start()] + folded[located.end() :]) is None


def is_explicit_citation(content: str) -> bool:
    """Whether it says itself that it names a source: by a word for one, or by a file and a place in it."""
    folded = fold(content)
    located = ANY_LOCATOR.search(folded) if _FILE_NAME_END.search(folded) else None
    return _SOURCE_FIRST.match(folded) is not None or bool(
        located and (list_cited_pages(located) or get_cited_chunk(located))
    )


def match_source_words(text: str, offset: int, is_final: bool) -> tuple[int, int, bool] | NeedMoreText | None:
    """(where what they name begins, where it ends, whether that is only a guess), if the words here name a source."""
    word = _SOURCE_WORD.match(text, offset)
    if word is None or (text[word.end() : word.end() + 1].isalpha() and text[word.end()].isascii()):
        return (
            None
            if is_final or len(text) - offset > _MAX_SOURCE_WORD_CHARACTERS + 3 or (word and word.end() < len(text))
            else NEED_MORE_TEXT
        )
    window = text[offset : offset + MAX_WINDOW_CHARACTERS]
    line = window.find("\n")
    if line < 0 and len(window) < MAX_WINDOW_CHARACTERS and not is_final:
        return NEED_MORE_TEXT
    window = window if line < 0 else window[:line]
    found = _NUMBERED_SOURCE.match(window) or _NAMED_SOURCE.match(window)
    if found and _SOURCE_COLON.match(window) is None:
        return offset, offset + found.end(), False
    told = _SOURCE_COLON.match(window)
    if told is None:
        return None
    window = window[: _find_enclosing_bracket_end(window, told.end())]
    end = _SOURCE_NAME_END.search(window, told.end())
    said = window[told.end() : end.start() if end else len(window)].rstrip(" .,;*_")
    # Where a bracket begins, the bracket says it.
    if not said or (end and end[0] in "[【"):
        return None
    sure = ANY_LOCATOR.search(fold(said)) is not None or _FILE_NAME_END.search(said) is not None
    return offset + told.end(), offset + told.end() + len(said), not sure


def _find_enclosing_bracket_end(window: str, offset: int) -> int:
    """Where a bracket closes that was opened before: "(…, Source: A.pdf)"."""
    depth = 0
    for place in range(offset, len(window)):
        depth += (window[place] in "(（") - (window[place] in ")）")
        if depth < 0:
            return place
    return len(window)
