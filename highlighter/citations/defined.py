"""What a text itself says that its numbers mean: "[^1]: NEC4 ACC, p.3", or a list of references at its end.

Whoever numbers his own notes does not number our sources: his "1" is the first he cites. So what he says of it counts,
and not its place in our list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST = 1_000
_LINE = re.compile(
    r"^[ \t>]*(?:[-*+][ \t]+)?(?:\*\*)?[\[［【]\^?(?P<number>\d{1,3})[\]］】](?:\*\*)?(?P<colon>[:：])?[ \t]*(?P<says>\S.{0,400})$",
    re.MULTILINE,
)
_HEADING = re.compile(
    r"^[ \t#>*_]*(?:sources?|references?|citations?|footnotes?|notes|bibliography|参考文献|參考文獻|参考资料|參考資料|来源|來源|出处|出處|注释|註釋)"
    r"[ \t*_]*[:：]?[ \t*_]*$",
    re.MULTILINE | re.IGNORECASE,
)
_ITEM = re.compile(r"[ \t>]*(?P<number>\d{1,3})[.)、．][ \t]*(?P<says>\S.{0,400})")
_ADDRESS = re.compile(r"<?(?:https?:|www\.|mailto:|[/#])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Definition:
    says: str  # empty: an address, so the number is a link
    certain: bool  # "[1]: ..." can be nothing else; "[1] The Contractor ..." may be a sentence with its mark in front
    start: int
    end: int


def definitions(text: str) -> dict[int, Definition]:
    """By number; a number that is defined twice is not in it."""
    found: dict[int, list[Definition]] = {}
    for line in _LINE.finditer(text):
        _add(found, line, text, line["colon"] is not None)
    headings = list(_HEADING.finditer(text))
    if headings:
        _items(found, text, headings[-1].end())
    return {number: defined[0] for number, defined in list(found.items())[:MOST] if len(defined) == 1}


def _items(found: dict[int, list[Definition]], text: str, at: int) -> None:
    """ "1. NEC4 ACC, p.3" under a heading that says what the list is."""
    for line in re.compile(r"[^\n]+").finditer(text, at):
        item = _ITEM.fullmatch(text, *line.span())
        if item:
            _add(found, item, text, False)
        elif not line[0].isspace():
            return


def _add(found: dict[int, list[Definition]], line: re.Match[str], text: str, certain: bool) -> None:
    says = "" if _ADDRESS.match(line["says"]) else line["says"].strip()
    found.setdefault(int(line["number"]), []).append(Definition(says, certain, line.start(), line.end()))
