"""The runs of a text that are nearly a quote: found by the pieces they share with it, cut at the borders of words."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict

from rapidfuzz.distance import Indel

from highlighter.citations.normal import Words
from highlighter.terms import is_cjk

# Shared pieces are looked for at this length (shorter ones say more in Chinese), at most so many of a quote, and none
# that stands in more than so many places: it says nothing.
PIECE, PIECE_OF_IDEOGRAPHS, PIECES, COMMON = 8, 3, 64, 300
# Runs looked at in full, those that share most with the quote first.
RUNS = 6
# How far from where the shared pieces say it begins or ends a run may do so.
REACH = 24

_LETTER = re.compile(r"[^\W_]")


def nearly(words: Words, wanted: str, floor: float) -> list[tuple[int, int, float]]:
    """(start, end, likeness) in the text, best first, none below `floor`. `wanted` is in the normal form."""
    found: dict[tuple[int, int], float] = {}
    for hits in _shared(words.normal.text, wanted)[:RUNS]:
        run = _run(words, wanted, hits)
        if run and run[2] >= floor:
            found[run[:2]] = run[2]
    ordered = sorted(((start, end, score) for (start, end), score in found.items()), key=lambda run: -run[2])
    kept: list[tuple[int, int, float]] = []
    for run in ordered:  # of two that overlap, the better
        if all(run[1] <= other[0] or run[0] >= other[1] for other in kept):
            kept.append(run)
    return kept


def border(text: str, offset: int) -> bool:
    """Whether no word runs over this place. Between ideographs every place will do."""
    if offset <= 0 or offset >= len(text):
        return True
    return not (_of_a_word(text[offset - 1]) and (_of_a_word(text[offset]) or _combining(text[offset])))


def _shared(text: str, wanted: str) -> list[list[tuple[int, int]]]:
    """Pieces that both hold, as (place in wanted, place in text), in groups that lie along one line; largest first."""
    size = PIECE_OF_IDEOGRAPHS if 2 * sum(map(is_cjk, wanted)) > len(wanted) else PIECE
    step = max(size // 2, len(wanted) // PIECES, 1)
    width = max(32, len(wanted) // 5)
    groups: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for at in range(0, max(len(wanted) - size + 1, 1), step):
        for place in _places(text, wanted[at : at + size]):
            line = (place - at) // width
            groups[line].append((at, place))
            groups[line + 1].append((at, place))  # a run may lie over the border of two groups
    return sorted(groups.values(), key=lambda hits: -len({at for at, _ in hits}))


def _places(text: str, piece: str) -> list[int]:
    places, at = [], text.find(piece)
    while at >= 0:
        places.append(at)
        if len(places) > COMMON:
            return []
        at = text.find(piece, at + 1)
    return places


def _run(words: Words, wanted: str, hits: list[tuple[int, int]]) -> tuple[int, int, float] | None:
    whole = words.normal
    middle = sorted(place - at for at, place in hits)[len(hits) // 2]
    ordered = sorted(hits, key=lambda hit: (hit[0], abs(hit[1] - hit[0] - middle)))
    (first_at, first), (last_at, last) = ordered[0], min(
        (hit for hit in hits if hit[0] == ordered[-1][0]), key=lambda hit: abs(hit[1] - hit[0] - middle)
    )  # fmt: skip
    reach = REACH + first_at // 5
    starts = _borders(words, first - first_at - reach, min(first - first_at + reach, first))
    head = wanted[: first_at + PIECE]
    start = max(starts, key=lambda s: _like(head, whole.text[s : first + PIECE]), default=None)
    rest = len(wanted) - last_at
    reach = REACH + rest // 5
    ends = _borders(words, max(last + rest - reach, last + 1), last + rest + reach)
    tail = wanted[last_at:]
    end = max(ends, key=lambda e: _like(tail, whole.text[last:e]), default=None)
    if start is None or end is None or end <= start:
        return None
    return *whole.span(start, end), _like(wanted, whole.text[start:end])


def _borders(words: Words, low: int, high: int) -> list[int]:
    """Places in the normal form, from `low` to `high`, where no word of the text is cut."""
    size = len(words.normal.at)
    return [place for place in range(max(low, 0), min(high, size) + 1) if _parts_words(words, place, size)]


def _parts_words(words: Words, place: int, size: int) -> bool:
    if place in (0, size):
        return True
    before, after = int(words.normal.at[place - 1]), int(words.normal.at[place])
    return before != after and (border(words.text, after) or border(words.text, before + 1))


def _like(a: str, b: str) -> float:
    return Indel.normalized_similarity(a, b)


def _of_a_word(character: str) -> bool:
    return _LETTER.match(character) is not None and not is_cjk(character)


def _combining(character: str) -> bool:
    return unicodedata.category(character) == "Mn"
