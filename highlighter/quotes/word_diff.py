"""What differs between two wordings, word by word; spelling, case and spacing alone are no difference."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import Indel, Levenshtein

from highlighter.locale import N_
from highlighter.quotes.normal_form import normalise_letters, normalise_text
from highlighter.quotes.significance import count_significant_words, is_ocr_confusion
from highlighter.text.terms import CJK_RANGES, is_cjk

SAME, CHANGED, DROPPED, ADDED = "same", "changed", "dropped", "added"

# Below this likeness a word was exchanged for another; above it, it was mistyped.
MIN_TYPO_SIMILARITY = 0.5

_NEGATING_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "mis")
_SIGNIFICANT_EXCHANGES = ({"and", "or"}, {"is", "was"})
_NEGATIVE_NUMBER = re.compile(r"-\d")
# A word with the half that a line's end parted from it; every ideograph by itself.
_TOKEN = re.compile(
    rf"[{CJK_RANGES}]|(?:[^\s{CJK_RANGES}]*[^\W\d_{CJK_RANGES}][-‐\u00ad]\s+(?=[^\W\d_{CJK_RANGES}]))*[^\s{CJK_RANGES}]+"
)


@dataclass(frozen=True, slots=True)
class DiffSegment:
    """A run of words. `ours` is what the quote (or the old version) says there, `theirs` what the text says."""

    kind: str
    ours: str
    theirs: str


def diff_words(ours: str, theirs: str) -> tuple[DiffSegment, ...]:
    """Both wordings, whole, as runs that are the same, changed, dropped (by the text) or added (by it)."""
    left, right = _tokenize(ours), _tokenize(theirs)
    steps = Levenshtein.opcodes([key for key, _, _ in left], [key for key, _, _ in right])
    found: list[DiffSegment] = []
    for step in steps:
        a = _text_of_tokens(ours, left, step.src_start, step.src_end)
        b = _text_of_tokens(theirs, right, step.dest_start, step.dest_end)
        kind = {"equal": SAME, "replace": CHANGED, "delete": DROPPED, "insert": ADDED}[step.tag]
        found.append(DiffSegment(kind, a, b))
    return tuple(found)


def explain_changed_meaning(segments: tuple[DiffSegment, ...]) -> str:
    """Why a difference is more than a slip of the pen, as a sentence for people; "" when it is not."""
    words = sum(len(_tokenize(piece.ours)) for piece in segments)
    exchanged = 0
    for piece in segments:
        if piece.kind == SAME:
            continue
        if other := _find_significant_change(piece):  # piece by piece: two that make up for each other are two
            return _describe_change(other)
        if piece.kind != CHANGED:
            continue
        a, b = normalise_text(piece.ours).text.strip(".,;:"), normalise_text(piece.theirs).text.strip(".,;:")
        if _is_negated_form(a, b) or _is_negated_form(b, a) or {a, b} in _SIGNIFICANT_EXCHANGES:
            return _describe_change(piece)
        if not is_cjk(a) and Indel.normalized_similarity(a, b) < MIN_TYPO_SIMILARITY:
            exchanged += len(_tokenize(piece.ours))
    if exchanged > max(1, words // 10):
        return N_("Too many words differ.")
    return ""


def _find_significant_change(segment: DiffSegment) -> DiffSegment | None:
    """The words of it whose numbers or negations differ, save where a scanner took one for the other."""
    left, right = _tokenize(segment.ours), _tokenize(segment.theirs)
    pairs = [(segment.ours, segment.theirs)]
    if len(left) == len(right):
        pairs = [(segment.ours[a:b], segment.theirs[c:d]) for (_, a, b), (_, c, d) in zip(left, right, strict=True)]
    for ours, theirs in pairs:
        if count_significant_words(ours) != count_significant_words(theirs) and not is_ocr_confusion(ours, theirs):
            return DiffSegment(segment.kind, ours, theirs)
    return None


def _is_negated_form(a: str, b: str) -> bool:
    return any(a == prefix + b for prefix in _NEGATING_PREFIXES)


def _describe_change(segment: DiffSegment) -> str:
    if not segment.theirs:
        return N_(f"The quote says “{segment.ours}”, the text does not.")
    if not segment.ours:
        return N_(f"The text says “{segment.theirs}”, the quote does not.")
    return N_(f"The text says “{segment.theirs}” where the quote says “{segment.ours}”.")


def _tokenize(text: str) -> list[tuple[str, int, int]]:
    """(compared form, start, end) of each; marks that stand alone are none."""
    spans = [match.span() for match in _TOKEN.finditer(text)]
    return [(key, a, b) for a, b in spans if (key := _comparison_key(text[a:b]))]


@lru_cache(maxsize=65_536)
def _comparison_key(word: str) -> str:
    key = normalise_text(word).text.strip(".,;:，。；：、")
    return "-" + key if _NEGATIVE_NUMBER.match(normalise_letters(word)) else key


def _text_of_tokens(text: str, tokens: list[tuple[str, int, int]], first: int, last: int) -> str:
    return text[tokens[first][1] : tokens[last - 1][2]] if last > first else ""
