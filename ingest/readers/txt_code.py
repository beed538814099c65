"""Lines of a plain text that are code: their indents and gaps mean something and are kept."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from itertools import groupby

_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})[ \t]*([\w+#.-]*)[ \t]*")
_GAP = re.compile(r"\n(?:[ \t\u3000]*\n)+")
_TAB = 4
_LEAST_LINES, _MOST_LOOKED_AT = 2, 200
_LONGEST = 160  # of a line of code
# How a line of code gives itself away: by its end, its first word, or its signs.
_TELLING = re.compile(
    r".*[;{}]"
    r"|(?:async |export )?(?:def|class|if|elif|else|for|while|with|try|except|finally|switch|case)\b.*[:{]"
    r"|(?:import|from|#include|#define|using|package|return|yield|raise|var|let|const|public|private|static) .*"
    r"|(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|FROM|WHERE|GROUP BY|ORDER BY) .*"
    r"|>>> .*|\$ [a-z./].*"
    r"|[\w.\[\]\"'*]+ ?(?:[-+*/|&:]?=|<-|=>) ?\S.*"
    r"|[\w.]+\(.*\)"
    r"|[)}\]]+[,;]?"
    r"|(?://|/\*|\*/|<!--|</?\w+[^<>]*>).*"
)
_PROSE = re.compile(r"(?:[^\W\d_’']{2,}[ ,]+){3}[^\W\d_]{2,}|[\u3040-\u9fff]{6}")  # a clause that ends in ";" is none
_ENOUGH = 0.6


def parts(text: str) -> Iterator[tuple[bool, str]]:
    """Groups of lines between blank lines, each with whether it is code; code that follows code comes with it."""
    for is_fenced, piece in _fenced(text):
        if is_fenced:
            yield True, piece
            continue
        for telling, alike in groupby(_GAP.split(piece), key=_is_code):
            together = list(alike)
            yield from [(True, "\n\n".join(together))] if telling else [(False, group) for group in together]


def laid_out(code: str) -> list[str]:
    """Its blocks as they are parted by blank lines, with the indents that they have beside each other."""
    lines = [line.rstrip() for line in code.expandtabs(_TAB).split("\n")]
    even = textwrap.dedent("\n".join(lines)).strip("\n")
    return [block for block in re.split(r"\n{2,}", even) if block.strip()]


def _fenced(text: str) -> list[tuple[bool, str]]:
    """The text in pieces, each with whether it stood between two fences of Markdown; the fences are gone."""
    pieces: list[tuple[bool, str]] = []
    plain: list[str] = []
    lines = text.split("\n")
    never_closed: dict[
        str, int
    ] = {}  # by their sign, the shortest fence that nothing closes: longer ones are not tried
    at = 0
    while at < len(lines):
        opened = _FENCE.fullmatch(lines[at])
        sign, length = (opened[1][0], len(opened[1])) if opened else ("", 0)
        end = _closing(lines, at, opened[1]) if opened and length < never_closed.get(sign, length + 1) else 0
        if end:
            pieces += [(False, "\n".join(plain)), (True, "\n".join(lines[at + 1 : end]))]
            plain, at = [], end
        else:
            plain.append(lines[at])
            if opened:
                never_closed[sign] = min(length, never_closed.get(sign, length))
        at += 1
    return [*pieces, (False, "\n".join(plain))]


def _closing(lines: list[str], at: int, opened: str) -> int:
    """The line of the fence that closes the one at `at`; 0 when there is none."""
    for number in range(at + 1, len(lines)):
        closed = _FENCE.fullmatch(lines[number])
        if closed and closed[1].startswith(opened) and not closed[2]:
            return number
    return 0


def _is_code(group: str) -> bool:
    """A group of lines without a fence: told by its lines, and never by indents alone, which letters have too."""
    lines = [line.strip() for line in group.split("\n", _MOST_LOOKED_AT)[:_MOST_LOOKED_AT] if line.strip()]
    if len(lines) < _LEAST_LINES or max(map(len, lines)) > _LONGEST:
        return False
    telling = sum(bool(_TELLING.fullmatch(line)) and not _PROSE.search(line) for line in lines)
    return telling >= _LEAST_LINES and telling >= len(lines) * _ENOUGH
