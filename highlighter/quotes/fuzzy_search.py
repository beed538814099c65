"""The runs of a text that are nearly a quote: found by the pieces they share with it, cut at the borders of words."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice

from rapidfuzz.distance import Indel

from highlighter.cpu_budget import check_cpu
from highlighter.quotes.normal_form import ComparableText
from highlighter.text.terms import is_cjk

# Shared pieces are looked for at this length (shorter ones say more in Chinese), at most so many of a quote, and none
# that stands in more than so many places, as long as there are others: it says nothing.
SEED_CHARACTERS, CJK_SEED_CHARACTERS, MAX_SEEDS, MAX_SEED_OCCURRENCES = 8, 3, 64, 300
# Runs looked at in full, those that share most with the quote first.
MAX_SEED_GROUPS = 6
# How far from where the shared pieces say it begins or ends a run may do so.
MIN_EDGE_REACH_CHARACTERS, MAX_EDGE_REACH_CHARACTERS = 24, 160
# The edges tried on either side, and how much less like it a longer run may be: where the quote lost a word near its end
# the likest run is too short. Never a shorter one: it would leave out the very word that differs.
MAX_EDGES_PER_SIDE, MAX_SIMILARITY_LOSS = 3, 0.04
# Characters by which edges are compared: of a quote whose beginning is not in the text, more say nothing.
MAX_EDGE_CHARACTERS = 1_000

_LETTER = re.compile(r"[^\W_]")


SimilarSpan = tuple[int, int, float]


def find_similar_spans(words: ComparableText, normal_quote: str, min_similarity: float) -> list[list[SimilarSpan]]:
    """The stretches of the text that are like it, best first, each as one run (start, end, likeness) or that and a few
    longer ones that are nearly as like it. None is below `floor`. `wanted` is in the normal form."""
    found = [
        _extend_seeds(words, normal_quote, hits)
        for hits in _group_shared_seeds(words.normal_form.text, normal_quote)[:MAX_SEED_GROUPS]
    ]
    ordered = sorted((runs for runs in found if runs and runs[0][2] >= min_similarity), key=lambda runs: -runs[0][2])
    kept: list[list[SimilarSpan]] = []
    for runs in ordered:  # of two that overlap, the better
        if all(runs[0][1] <= other[0][0] or runs[0][0] >= other[0][1] for other in kept):
            kept.append(runs)
    return kept


def find_occurrences(text: str, wanted: str, start: int = 0) -> Iterator[int]:
    """Where it stands, as often as it does; they may overlap."""
    at = text.find(wanted, start) if wanted else -1
    while at >= 0:
        yield at
        at = text.find(wanted, at + 1)


def is_word_boundary(text: str, offset: int) -> bool:
    """Whether no word runs over this place. Between ideographs every place will do."""
    if offset <= 0 or offset >= len(text):
        return True
    return not (_is_word_letter(text[offset - 1]) and (_is_word_letter(text[offset]) or _is_combining(text[offset])))


def _group_shared_seeds(text: str, normal_quote: str) -> list[list[tuple[int, int]]]:
    """Pieces that both hold, as (place in wanted, place in text), in groups that lie along one line; largest first."""
    size = CJK_SEED_CHARACTERS if 2 * sum(map(is_cjk, normal_quote)) > len(normal_quote) else SEED_CHARACTERS
    step = max(size // 2, len(normal_quote) // MAX_SEEDS, 1)
    width = max(32, len(normal_quote) // 5)
    pieces = [(at, normal_quote[at : at + size]) for at in range(0, max(len(normal_quote) - size + 1, 1), step)]
    groups: dict[int, list[tuple[int, int]]] = defaultdict(list)
    # One place more than a telling piece has is enough to know that it is none.
    found = [(at, list(islice(find_occurrences(text, piece), MAX_SEED_OCCURRENCES + 1))) for at, piece in pieces]
    telling = [(at, places) for at, places in found if len(places) <= MAX_SEED_OCCURRENCES]
    for at, places in telling if any(places for _, places in telling) else found:
        for place in places[:MAX_SEED_OCCURRENCES]:
            line = (place - at) // width
            groups[line].append((at, place))
            groups[line + 1].append((at, place))  # a run may lie over the border of two groups
    return sorted(groups.values(), key=lambda hits: -len({at for at, _ in hits}))


def _extend_seeds(words: ComparableText, normal_quote: str, hits: list[tuple[int, int]]) -> list[SimilarSpan]:
    check_cpu()
    whole = words.normal_form
    middle = sorted(place - at for at, place in hits)[len(hits) // 2]
    ordered = sorted(hits, key=lambda hit: (hit[0], abs(hit[1] - hit[0] - middle)))
    first_at, first = ordered[0]
    last_at, last = next(hit for hit in ordered if hit[0] == ordered[-1][0])
    rest = len(normal_quote) - last_at
    head, tail = (
        normal_quote[: first_at + SEED_CHARACTERS][:MAX_EDGE_CHARACTERS],
        normal_quote[last_at:][-MAX_EDGE_CHARACTERS:],
    )
    reach = _edge_reach(first_at)
    starts = _find_word_boundaries(words, first - first_at - reach, min(first - first_at + reach, first))
    reach = _edge_reach(rest)
    ends = _find_word_boundaries(words, max(last + rest - reach, last + 1), last + rest + reach)
    starts = sorted(
        starts, key=lambda s: -_similarity(head, whole.text[s : first + SEED_CHARACTERS][:MAX_EDGE_CHARACTERS])
    )[:MAX_EDGES_PER_SIDE]
    ends = sorted(ends, key=lambda e: -_similarity(tail, whole.text[last:e][-MAX_EDGE_CHARACTERS:]))[
        :MAX_EDGES_PER_SIDE
    ]
    if not starts or not ends or starts[0] >= ends[0]:
        return []
    pairs = [(starts[0], ends[0]), *((a, b) for a in starts for b in ends if a <= starts[0] and b >= ends[0])]
    runs = [(*whole.original_span(a, b), _similarity(normal_quote, whole.text[a:b])) for a, b in dict.fromkeys(pairs)]
    return [run for run in runs if run[2] >= runs[0][2] - MAX_SIMILARITY_LOSS]


def _edge_reach(unshared: int) -> int:
    """The more of the quote lies beyond the last shared piece, the less is known of where it ends."""
    return min(MIN_EDGE_REACH_CHARACTERS + unshared // 5, MAX_EDGE_REACH_CHARACTERS)


def _find_word_boundaries(words: ComparableText, low: int, high: int) -> list[int]:
    """Places in the normal form, from `low` to `high`, where no word of the text is cut."""
    size = len(words.normal_form.offsets)
    return [
        place for place in range(max(low, 0), min(high, size) + 1) if _is_boundary_in_normal_form(words, place, size)
    ]


def _is_boundary_in_normal_form(words: ComparableText, place: int, size: int) -> bool:
    if place in (0, size):
        return True
    before, after = int(words.normal_form.offsets[place - 1]), int(words.normal_form.offsets[place])
    return before != after and (is_word_boundary(words.text, after) or is_word_boundary(words.text, before + 1))


def _similarity(a: str, b: str) -> float:
    return Indel.normalized_similarity(a, b)


def _is_word_letter(character: str) -> bool:
    return _LETTER.match(character) is not None and not is_cjk(character)


def _is_combining(character: str) -> bool:
    return unicodedata.category(character) == "Mn"
