"""Where the clauses of a sentence begin and end: at marks, and at words for "and" and "but".

There is no parser, so each rule names the kinds of borders that end a clause for it. Texts are folded.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable
from itertools import pairwise

from highlighter.text.function_words import FUNCTION_WORDS
from highlighter.text.language import detect_language
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.sentences.word_lists import ABBREVIATIONS_NEVER_LAST, TITLES

SEMICOLON, COLON, STOP, COMMA, AND = "semicolon", "colon", "stop", "comma", "and"
# A Chinese comma between the things of a list; a "but" behind a comma; and one without, which may join two words.
LISTING, BUT, BUT_ALONE = "listing", "but", "but_alone"

# The marks at which the reach of a "not" ends: "no dogs, and cats may come". In a Chinese list it denies each thing.
MARKS = frozenset((SEMICOLON, COLON, STOP, COMMA))
# Where another clause may begin, with a subject or a value of its own: "the north has 120 places, the south 85".
CLAUSES = frozenset((SEMICOLON, COLON, COMMA, LISTING, AND, BUT, BUT_ALONE))
# Between two clauses that say something beside each other; a "but" may take back what stands before it.
COORDINATIONS = frozenset((SEMICOLON, AND))
# Where a sentence turns to something else, so that a word before it ("expects", "planned for") says nothing of what follows.
# A colon is none: "the board expects the following: ...".
MATTERS = frozenset((SEMICOLON, STOP, BUT))

Span = tuple[int, int]

AND_WORDS = "and|und|sowie|et|y|e|en|и|och|og|oraz|та|ve|और|तथा"
BUT_WORDS = "but|while|whereas|aber|doch|während|mais|tandis que|pero|mientras(?: que)?|ma|mentre|mas|enquanto|maar|terwijl|но|а"
# Without a comma, "während" is "during", "doch" is "after all", and "a while" and "nothing but" join no clauses.
_NO_BUT = r"(?<!\ba)(?<!\ball)(?<!\bnothing)(?<!\banything)(?<!\bnone)\s(?!während|doch)"
# "E.g.", "Dr." and "Art. 5" end no sentence.
_ABBREVIATED = "".join(rf"(?<!\b{re.escape(word)})" for word in sorted(ABBREVIATIONS_NEVER_LAST | TITLES))
_STOP = rf"{_ABBREVIATED}(?<!\b[^\W\d_])\.(?!\s?\d)|。"
_BORDER = compile_later(
    r"(?=[\s,，、،;；:：.。但])(?:"  # most characters begin no border
    rf"(?P<{BUT}>[,，、،]\s?(?:{BUT_WORDS})(?=\s)|[,，]但|，而)"
    rf"|(?P<{BUT_ALONE}>{_NO_BUT}(?:{BUT_WORDS})(?=\s)|(?<!不)但)"
    rf"|(?P<{AND}>(?:[,，]\s?|\s)(?:{AND_WORDS})(?=\s)|\s(?:ו[-־]?|و)(?=\d))"
    rf"|(?P<{SEMICOLON}>[;；])|(?P<{COLON}>[:：](?!\d))|(?P<{STOP}>{_STOP})|(?P<{LISTING}>、(?!\d))|(?P<{COMMA}>[,，،](?!\d)))"
)
_KINDS_OF_COMMAS = {"、": LISTING} | dict.fromkeys(",，،", COMMA)
_NOT_DUTCH = (FUNCTION_WORDS["fr"] | FUNCTION_WORDS["es"]) - FUNCTION_WORDS["nl"]


def find_borders(folded: str, kinds: Collection[str] = CLAUSES) -> list[Span]:
    """Return the spans of the borders of some kinds, in their order."""
    borders: list[Span] = []
    is_and: bool | None = None
    for match in _BORDER.finditer(folded):
        kind = match.lastgroup
        if kind == AND and AND in kinds and match[0].endswith(" en"):
            is_and = _has_dutch_and(folded) if is_and is None else is_and
            kind = kind if is_and else None
        if kind in kinds:
            borders.append(match.span())
        elif _KINDS_OF_COMMAS.get(match[0][0]) in kinds:
            borders.append((match.start(), match.start() + 1))
    return borders


def _has_dutch_and(folded: str) -> bool:
    """Return whether "en" is "and" in a text, as in Dutch: in French and Spanish it is "in"."""
    language = detect_language(folded)
    return language == "nl" or (not language and _NOT_DUTCH.isdisjoint(folded.split()))


def list_clauses(folded: str, kinds: Collection[str] = CLAUSES) -> list[Span]:
    """Return the spans of the clauses of a text."""
    edges = [(0, 0), *find_borders(folded, kinds), (len(folded), len(folded))]
    return [(start, end) for (_, start), (end, _) in pairwise(edges)]


def find_clause(folded: str, start: int, end: int, kinds: Collection[str] = CLAUSES) -> Span:
    """Return the span of the clause around `[start, end)`, which may itself hold borders."""
    return find_clauses(folded, [(start, end)], kinds)[0]


def find_clauses(folded: str, spans: Iterable[Span], kinds: Collection[str] = CLAUSES) -> list[Span]:
    """Return the span of the clause around each of some spans."""
    borders = find_borders(folded, kinds)
    starts, ends = [0, *(end for _, end in borders)], [*(start for start, _ in borders), len(folded)]
    return [
        (starts[max(bisect_right(starts, start) - 1, 0)], ends[bisect_left(ends, end, hi=len(borders))])
        for start, end in spans
    ]
