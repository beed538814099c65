"""What is cited without a bracket of its own: "Source 2", "SOURCE contract_chunk_005", "Source: A.pdf, page 3"."""

from __future__ import annotations

import re

from highlighter.citations.code import WAIT, Wait
from highlighter.citations.locators import EXTENSION, LOCATED, chunk_of, pages_of
from highlighter.folding import fold

WINDOW = 160

_WORD = re.compile(r"SOURCES?|Sources?|资料来源|資料來源|来源|來源|出处|出處")
_NUMBERED = re.compile(
    r"(?:SOURCES?|Sources?)\s{1,2}#?\d{1,3}(?:\s?(?:,|and|&|-|–)\s?#?\d{1,3})*(?![\w%])(?:,?\s(?:p|pp|pages?)\b\.?\s?\d{1,5})?"
)
_NAMED = re.compile(r"SOURCES?[:#\s]{1,2}(?=[\w./-]*[_\d.])([A-Za-z][\w./-]*\w)")
_TOLD = re.compile(r"(?:SOURCES?|Sources?|资料来源|資料來源|来源|來源|出处|出處)\**\s?[:：]\**[ \t]*")
_ENDS = re.compile(r"[\[\]【】。；]|[.;](?=\s|$)(?<!\bp\.)(?<!pp\.)(?<!pg\.)(?<!No\.)|\s{2}")
_EXTENSION = re.compile(rf"\w{EXTENSION}\b", re.IGNORECASE)
_SOURCE_FIRST = re.compile(
    r"\s*(?:sources?|src|ref(?:erence)?s?|citation|来源|出处|资料来源|引自|摘自|doc(?:ument)?|file)\s*(?::|\s#?\d)"
)
_NOT_A_NAME = re.compile(r"[\s(]*(?:see|see also|cf|p|at|on|and|,|\W)*\s*\Z")
_GRACE = len("資料來源：")


def may_cite(said: str) -> bool:
    """Whether what stands in round brackets has the look of a reference: a page with a name, a file, "Source: ..."."""
    folded = fold(said)
    if _SOURCE_FIRST.match(folded) or _EXTENSION.search(folded):
        return True
    located = LOCATED.search(folded)
    return located is not None and _NOT_A_NAME.fullmatch(folded[: located.start()] + folded[located.end() :]) is None


def signed(said: str) -> bool:
    """Whether it says itself that it names a source: by a word for one, or by a file and a place in it."""
    folded = fold(said)
    located = LOCATED.search(folded) if _EXTENSION.search(folded) else None
    return _SOURCE_FIRST.match(folded) is not None or bool(located and (pages_of(located) or chunk_of(located)))


def words_of_a_source(text: str, place: int, final: bool) -> tuple[int, int, bool] | Wait | None:
    """(where what they name begins, where it ends, whether that is only a guess), if the words here name a source."""
    word = _WORD.match(text, place)
    if word is None or (text[word.end() : word.end() + 1].isalpha() and text[word.end()].isascii()):
        return None if final or len(text) - place > _GRACE + 3 or (word and word.end() < len(text)) else WAIT
    window = text[place : place + WINDOW]
    line = window.find("\n")
    if line < 0 and len(window) < WINDOW and not final:
        return WAIT
    window = window if line < 0 else window[:line]
    found = _NUMBERED.match(window) or _NAMED.match(window)
    if found and _TOLD.match(window) is None:
        return place, place + found.end(), False
    told = _TOLD.match(window)
    if told is None:
        return None
    window = window[: _closed(window, told.end())]
    end = _ENDS.search(window, told.end())
    said = window[told.end() : end.start() if end else len(window)].rstrip(" .,;*_")
    # Where a bracket begins, the bracket says it.
    if not said or (end and end[0] in "[【"):
        return None
    sure = LOCATED.search(fold(said)) is not None or _EXTENSION.search(said) is not None
    return place + told.end(), place + told.end() + len(said), not sure


def _closed(window: str, at: int) -> int:
    """Where a bracket closes that was opened before: "(…, Source: A.pdf)"."""
    depth = 0
    for place in range(at, len(window)):
        depth += (window[place] in "(（") - (window[place] in ")）")
        if depth < 0:
            return place
    return len(window)
