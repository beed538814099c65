"""Where the clauses of a sentence begin and end: at marks, and at words for "and" and "but".

There is no parser, so each rule names the kinds of borders that end a clause for it. Texts are folded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise

from highlighter.text.language import detect_language
from highlighter.text.lazy_pattern import compile_later

SEMICOLON, COLON, STOP, COMMA, AND, BUT = "semicolon", "colon", "stop", "comma", "and", "but"
MARKS = frozenset((SEMICOLON, COLON, STOP, COMMA))
CLAUSES = frozenset((SEMICOLON, COLON, COMMA, AND, BUT))
COORDINATIONS = frozenset((SEMICOLON, AND))
# Where another matter begins: what a "but" joins is said of something else.
MATTERS = frozenset((SEMICOLON, COLON, STOP, BUT))

Span = tuple[int, int]

AND_WORDS = "and|und|sowie|et|y|e|en|и|och|og|oraz|та|ve|और|तथा"
BUT_WORDS = "but|while|whereas|aber|doch|während|mais|tandis que|pero|mientras(?: que)?|ma|mentre|mas|enquanto|maar|terwijl|но|а"
_BORDER = compile_later(
    rf"(?P<{BUT}>(?:[,，、،]\s?|\s)(?:{BUT_WORDS})(?=\s)|[,，]?但|，而)"
    rf"|(?P<{AND}>(?:[,，]\s?|\s)(?:{AND_WORDS})(?=\s)|\s(?:ו[-־]?|و)(?=\d))"
    rf"|(?P<{SEMICOLON}>[;；])|(?P<{COLON}>[:：](?!\d))|(?P<{STOP}>\.(?!\d)|。)|(?P<{COMMA}>[,，、،](?!\d))"
)
_COMMAS = frozenset(",，、،")


def find_borders(folded: str, kinds: Collection[str] = CLAUSES) -> Iterator[Span]:
    """Yield the spans of the borders of some kinds. "En" is an "and" in Dutch alone; in another language that is known it is "in"."""
    may_be_dutch: bool | None = None
    for match in _BORDER.finditer(folded):
        kind = match.lastgroup or ""
        if kind == AND and match[0].endswith(" en"):
            may_be_dutch = detect_language(folded) in ("nl", "") if may_be_dutch is None else may_be_dutch
            kind = kind if may_be_dutch else ""
        if kind in kinds:
            yield match.span()
        elif COMMA in kinds and match[0][0] in _COMMAS:
            yield match.start(), match.start() + 1


def list_clauses(folded: str, kinds: Collection[str] = CLAUSES) -> list[Span]:
    """Return the spans of the clauses of a text."""
    edges = [(0, 0), *find_borders(folded, kinds), (len(folded), len(folded))]
    return [(start, end) for (_, start), (end, _) in pairwise(edges)]


def find_clause(folded: str, start: int, end: int, kinds: Collection[str] = CLAUSES) -> Span:
    """Return the span of the clause around `[start, end)`, which may itself hold borders."""
    first, last = 0, len(folded)
    for border_start, border_end in find_borders(folded, kinds):
        if border_end <= start:
            first = border_end
        elif border_start >= end:
            return first, border_start
    return first, last
