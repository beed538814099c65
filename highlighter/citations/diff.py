"""What differs between two wordings, word by word; spelling, case and spacing alone are no difference."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import Indel, Levenshtein

from highlighter.citations.normal import normal, plain
from highlighter.citations.weight import scanned_alike, weight
from highlighter.locale import N_
from highlighter.terms import CJK, is_cjk

SAME, CHANGED, DROPPED, ADDED = "same", "changed", "dropped", "added"

# Below this likeness a word was exchanged for another; above it, it was mistyped.
ANOTHER_WORD = 0.5

_OPPOSITES = ("un", "in", "im", "il", "ir", "dis", "non", "mis")
_EXCHANGED = ({"and", "or"}, {"is", "was"})
_BELOW_ZERO = re.compile(r"-\d")
# A word with the half that a line's end parted from it; every ideograph by itself.
_TOKEN = re.compile(rf"[{CJK}]|(?:[^\s{CJK}]*[^\W\d_{CJK}][-‐\u00ad]\s+(?=[^\W\d_{CJK}]))*[^\s{CJK}]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of words. `ours` is what the quote (or the old version) says there, `theirs` what the text says."""

    kind: str
    ours: str
    theirs: str


def pieces(ours: str, theirs: str) -> tuple[Piece, ...]:
    """Both wordings, whole, as runs that are the same, changed, dropped (by the text) or added (by it)."""
    left, right = _tokens(ours), _tokens(theirs)
    steps = Levenshtein.opcodes([key for key, _, _ in left], [key for key, _, _ in right])
    found: list[Piece] = []
    for step in steps:
        a = _between(ours, left, step.src_start, step.src_end)
        b = _between(theirs, right, step.dest_start, step.dest_end)
        kind = {"equal": SAME, "replace": CHANGED, "delete": DROPPED, "insert": ADDED}[step.tag]
        found.append(Piece(kind, a, b))
    return tuple(found)


def says_otherwise(changes: tuple[Piece, ...]) -> str:
    """Why a difference is more than a slip of the pen, as a sentence for people; "" when it is not."""
    words = sum(len(_tokens(piece.ours)) for piece in changes)
    exchanged = 0
    for piece in changes:
        if piece.kind == SAME:
            continue
        if other := _weighs_otherwise(piece):  # piece by piece: two that make up for each other are two
            return _says(other)
        if piece.kind != CHANGED:
            continue
        a, b = normal(piece.ours).text.strip(".,;:"), normal(piece.theirs).text.strip(".,;:")
        if _opposite(a, b) or _opposite(b, a) or {a, b} in _EXCHANGED:
            return _says(piece)
        if not is_cjk(a) and Indel.normalized_similarity(a, b) < ANOTHER_WORD:
            exchanged += len(_tokens(piece.ours))
    if exchanged > max(1, words // 10):
        return N_("Too many of its words are others.")
    return ""


def _weighs_otherwise(piece: Piece) -> Piece | None:
    """The words of it whose numbers or negations differ, save where a scanner took one for the other."""
    left, right = _tokens(piece.ours), _tokens(piece.theirs)
    pairs = [(piece.ours, piece.theirs)]
    if len(left) == len(right):
        pairs = [(piece.ours[a:b], piece.theirs[c:d]) for (_, a, b), (_, c, d) in zip(left, right, strict=True)]
    for ours, theirs in pairs:
        if weight(ours) != weight(theirs) and not scanned_alike(ours, theirs):
            return Piece(piece.kind, ours, theirs)
    return None


def _opposite(a: str, b: str) -> bool:
    return any(a == prefix + b for prefix in _OPPOSITES)


def _says(piece: Piece) -> str:
    if not piece.theirs:
        return N_(f"The quote says “{piece.ours}”, the text does not.")
    if not piece.ours:
        return N_(f"The text says “{piece.theirs}”, the quote does not.")
    return N_(f"The text says “{piece.theirs}” where the quote says “{piece.ours}”.")


def _tokens(text: str) -> list[tuple[str, int, int]]:
    """(compared form, start, end) of each; marks that stand alone are none."""
    spans = [match.span() for match in _TOKEN.finditer(text)]
    return [(key, a, b) for a, b in spans if (key := _key(text[a:b]))]


@lru_cache(maxsize=65_536)
def _key(word: str) -> str:
    key = normal(word).text.strip(".,;:，。；：、")
    return "-" + key if _BELOW_ZERO.match(plain(word)) else key


def _between(text: str, tokens: list[tuple[str, int, int]], first: int, last: int) -> str:
    return text[tokens[first][1] : tokens[last - 1][2]] if last > first else ""
