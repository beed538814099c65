"""The runs of a text that are nearly a quote: found by the pieces they share with it, cut at the borders of words."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice

from rapidfuzz.distance import Indel

from highlighter.citations.normal import Words
from highlighter.cpu_budget import check_cpu
from highlighter.terms import is_cjk

# Shared pieces are looked for at this length (shorter ones say more in Chinese), at most so many of a quote, and none
# that stands in more than so many places, as long as there are others: it says nothing.
PIECE, PIECE_OF_IDEOGRAPHS, PIECES, COMMON = 8, 3, 64, 300
# Runs looked at in full, those that share most with the quote first.
RUNS = 6
# How far from where the shared pieces say it begins or ends a run may do so.
REACH, REACH_AT_MOST = 24, 160
# The edges tried on either side, and how much less like it a longer run may be: where the quote lost a word near its end
# the likest run is too short. Never a shorter one: it would leave out the very word that differs.
EDGES, AS_GOOD = 3, 0.04
# Characters by which edges are compared: of a quote whose beginning is not in the text, more say nothing.
EDGE = 1_000

_LETTER = re.compile(r"[^\W_]")


Run = tuple[int, int, float]


def nearly(words: Words, wanted: str, floor: float) -> list[list[Run]]:
    """The stretches of the text that are like it, best first, each as one run (start, end, likeness) or that and a few
    longer ones that are nearly as like it. None is below `floor`. `wanted` is in the normal form."""
    found = [_runs(words, wanted, hits) for hits in _shared(words.normal.text, wanted)[:RUNS]]
    ordered = sorted((runs for runs in found if runs and runs[0][2] >= floor), key=lambda runs: -runs[0][2])
    kept: list[list[Run]] = []
    for runs in ordered:  # of two that overlap, the better
        if all(runs[0][1] <= other[0][0] or runs[0][0] >= other[0][1] for other in kept):
            kept.append(runs)
    return kept


def occurrences(text: str, wanted: str, start: int = 0) -> Iterator[int]:
    """Where it stands, as often as it does; they may overlap."""
    at = text.find(wanted, start) if wanted else -1
    while at >= 0:
        yield at
        at = text.find(wanted, at + 1)


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
    pieces = [(at, wanted[at : at + size]) for at in range(0, max(len(wanted) - size + 1, 1), step)]
    groups: dict[int, list[tuple[int, int]]] = defaultdict(list)
    # One place more than a telling piece has is enough to know that it is none.
    found = [(at, list(islice(occurrences(text, piece), COMMON + 1))) for at, piece in pieces]
    telling = [(at, places) for at, places in found if len(places) <= COMMON]
    for at, places in telling if any(places for _, places in telling) else found:
        for place in places[:COMMON]:
            line = (place - at) // width
            groups[line].append((at, place))
            groups[line + 1].append((at, place))  # a run may lie over the border of two groups
    return sorted(groups.values(), key=lambda hits: -len({at for at, _ in hits}))


def _runs(words: Words, wanted: str, hits: list[tuple[int, int]]) -> list[Run]:
    check_cpu()
    whole = words.normal
    middle = sorted(place - at for at, place in hits)[len(hits) // 2]
    ordered = sorted(hits, key=lambda hit: (hit[0], abs(hit[1] - hit[0] - middle)))
    first_at, first = ordered[0]
    last_at, last = next(hit for hit in ordered if hit[0] == ordered[-1][0])
    rest = len(wanted) - last_at
    head, tail = wanted[: first_at + PIECE][:EDGE], wanted[last_at:][-EDGE:]
    reach = _reach(first_at)
    starts = _borders(words, first - first_at - reach, min(first - first_at + reach, first))
    reach = _reach(rest)
    ends = _borders(words, max(last + rest - reach, last + 1), last + rest + reach)
    starts = sorted(starts, key=lambda s: -_like(head, whole.text[s : first + PIECE][:EDGE]))[:EDGES]
    ends = sorted(ends, key=lambda e: -_like(tail, whole.text[last:e][-EDGE:]))[:EDGES]
    if not starts or not ends or starts[0] >= ends[0]:
        return []
    pairs = [(starts[0], ends[0]), *((a, b) for a in starts for b in ends if a <= starts[0] and b >= ends[0])]
    runs = [(*whole.span(a, b), _like(wanted, whole.text[a:b])) for a, b in dict.fromkeys(pairs)]
    return [run for run in runs if run[2] >= runs[0][2] - AS_GOOD]


def _reach(unshared: int) -> int:
    """The more of the quote lies beyond the last shared piece, the less is known of where it ends."""
    return min(REACH + unshared // 5, REACH_AT_MOST)


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
