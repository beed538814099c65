"""Differences between two wordings, word by word; spelling, case and spacing alone are no difference."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import Indel, Levenshtein

from highlighter.locale import N_
from highlighter.quotes.normal_form import normalise_letters, normalise_text
from highlighter.quotes.significance import NEGATING_PREFIXES, count_significant_words, is_ocr_confusion
from highlighter.text.terms import CJK_RANGES, is_cjk

SAME, CHANGED, DROPPED, ADDED = "same", "changed", "dropped", "added"

# Below this similarity a word was replaced by another one; above it, the word was mistyped.
MIN_TYPO_SIMILARITY = 0.5

_SIGNIFICANT_EXCHANGES = ({"and", "or"}, {"is", "was"})
_NEGATIVE_NUMBER = re.compile(r"-\d")
# A word, including one hyphenated at a line end, or a single ideograph.
_TOKEN = re.compile(
    rf"[{CJK_RANGES}]|(?:[^\s{CJK_RANGES}]*[^\W\d_{CJK_RANGES}][-‐\u00ad]\s+(?=[^\W\d_{CJK_RANGES}]))*[^\s{CJK_RANGES}]+"
)


@dataclass(frozen=True, slots=True)
class DiffSegment:
    """A run of words: `ours` is the wording of the quote (or the old version), `theirs` that of the text."""

    kind: str
    ours: str
    theirs: str


def diff_words(quote: str, text: str) -> tuple[DiffSegment, ...]:
    """Return a quote (or an old version) and a text, both complete, as segments.

    The segments are the same, changed, dropped by the text or added by the text.
    """
    left, right = _tokenize(quote), _tokenize(text)
    steps = Levenshtein.opcodes([key for key, _, _ in left], [key for key, _, _ in right])
    segments: list[DiffSegment] = []
    for step in steps:
        quote_words = _text_of_tokens(quote, left, step.src_start, step.src_end)
        text_words = _text_of_tokens(text, right, step.dest_start, step.dest_end)
        kind = {"equal": SAME, "replace": CHANGED, "delete": DROPPED, "insert": ADDED}[step.tag]
        segments.append(DiffSegment(kind, quote_words, text_words))
    return tuple(segments)


def explain_changed_meaning(segments: tuple[DiffSegment, ...]) -> str:
    """Return why the differences change the meaning, as a sentence for users; "" when they are only typing errors."""
    word_count = sum(len(_tokenize(segment.ours)) for segment in segments)
    exchanged_count = 0
    for segment in segments:
        if segment.kind == SAME:
            continue
        if significant_change := _find_significant_change(
            segment
        ):  # segment by segment: two changes that cancel out are still two
            return _describe_change(significant_change)
        if segment.kind != CHANGED:
            continue
        quote_words, text_words = (
            normalise_text(segment.ours).text.strip(".,;:"),
            normalise_text(segment.theirs).text.strip(".,;:"),
        )
        if (
            _is_negated_form(quote_words, text_words)
            or _is_negated_form(text_words, quote_words)
            or {quote_words, text_words} in _SIGNIFICANT_EXCHANGES
        ):
            return _describe_change(segment)
        if not is_cjk(quote_words) and Indel.normalized_similarity(quote_words, text_words) < MIN_TYPO_SIMILARITY:
            exchanged_count += len(_tokenize(segment.ours))
    if exchanged_count > max(1, word_count // 10):
        return N_("Too many words differ.")
    return ""


def _find_significant_change(segment: DiffSegment) -> DiffSegment | None:
    """Return the words of a segment whose numbers or negations differ, except where OCR confused them."""
    left, right = _tokenize(segment.ours), _tokenize(segment.theirs)
    pairs = [(segment.ours, segment.theirs)]
    if len(left) == len(right):
        pairs = [(segment.ours[a:b], segment.theirs[c:d]) for (_, a, b), (_, c, d) in zip(left, right, strict=True)]
    for quote_words, text_words in pairs:
        if count_significant_words(quote_words) != count_significant_words(text_words) and not is_ocr_confusion(
            quote_words, text_words
        ):
            return DiffSegment(segment.kind, quote_words, text_words)
    return None


def _is_negated_form(word: str, base: str) -> bool:
    return any(word == prefix + base for prefix in NEGATING_PREFIXES)


def _describe_change(segment: DiffSegment) -> str:
    if not segment.theirs:
        return N_(f"The quote says “{segment.ours}”, the text does not.")
    if not segment.ours:
        return N_(f"The text says “{segment.theirs}”, the quote does not.")
    return N_(f"The text says “{segment.theirs}” where the quote says “{segment.ours}”.")


def _tokenize(text: str) -> list[tuple[str, int, int]]:
    """Return (comparison key, start, end) of each word; punctuation that stands alone is left out."""
    spans = [match.span() for match in _TOKEN.finditer(text)]
    return [(key, a, b) for a, b in spans if (key := _comparison_key(text[a:b]))]


@lru_cache(maxsize=65_536)
def _comparison_key(word: str) -> str:
    key = normalise_text(word).text.strip(".,;:，。；：、")
    return "-" + key if _NEGATIVE_NUMBER.match(normalise_letters(word)) else key


def _text_of_tokens(text: str, tokens: list[tuple[str, int, int]], first: int, last: int) -> str:
    return text[tokens[first][1] : tokens[last - 1][2]] if last > first else ""
