"""Search a text for spans similar to a quote: candidates share seeds with the quote and end at word boundaries."""

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

# Seeds are substrings of this length (in Chinese, shorter ones are specific enough). At most MAX_SEEDS of a quote are
# searched for; a seed with more than MAX_SEED_OCCURRENCES is too common and is ignored as long as there are others.
SEED_CHARACTERS, CJK_SEED_CHARACTERS, MAX_SEEDS, MAX_SEED_OCCURRENCES = 8, 3, 64, 300
# Groups of seeds that are extended to spans, those that share most with the quote first.
MAX_SEED_GROUPS = 6
# How far a span's edges may be from where its seeds predict them.
MIN_EDGE_REACH_CHARACTERS, MAX_EDGE_REACH_CHARACTERS = 24, 160
# The edges tried on either side, and how much less similar a longer span may be: where the quote lost a word near its
# end, the most similar span is too short. A shorter span is never tried: it would leave out the very word that differs.
MAX_EDGES_PER_SIDE, MAX_SIMILARITY_LOSS = 3, 0.04
# Edges are compared by this many characters: more add nothing when the beginning of a quote is not in the text.
MAX_EDGE_CHARACTERS = 1_000

_LETTER = re.compile(r"[^\W_]")


SimilarSpan = tuple[int, int, float]


def find_similar_spans(text: ComparableText, normal_quote: str, min_similarity: float) -> list[list[SimilarSpan]]:
    """Return the spans of the text that are similar to a normalised quote, best first.

    Each item is a list of alternatives (start, end, similarity): the most similar span of a place, then longer ones
    that are nearly as similar. No first span is below `min_similarity`, and no two overlap.
    """
    span_lists = [
        _extend_seeds(text, normal_quote, group)
        for group in _group_shared_seeds(text.normal_form.text, normal_quote)[:MAX_SEED_GROUPS]
    ]
    ordered = sorted(
        (spans for spans in span_lists if spans and spans[0][2] >= min_similarity), key=lambda spans: -spans[0][2]
    )
    selected: list[list[SimilarSpan]] = []
    for spans in ordered:  # of two that overlap, the better is kept
        if all(spans[0][1] <= other[0][0] or spans[0][0] >= other[0][1] for other in selected):
            selected.append(spans)
    return selected


def find_occurrences(text: str, substring: str, start: int = 0, end: int | None = None) -> Iterator[int]:
    """Yield the offset of every occurrence of a substring in `[start, end)`, overlapping ones included."""
    offset = text.find(substring, start, end) if substring else -1
    while offset >= 0:
        yield offset
        offset = text.find(substring, offset + 1, end)


def is_word_boundary(text: str, offset: int) -> bool:
    """Return whether no word runs across this offset; between ideographs every offset is a boundary."""
    if offset <= 0 or offset >= len(text):
        return True
    return not (_is_word_letter(text[offset - 1]) and (_is_word_letter(text[offset]) or _is_combining(text[offset])))


def _group_shared_seeds(text: str, normal_quote: str) -> list[list[tuple[int, int]]]:
    """Return groups of (quote offset, text offset) of shared seeds on nearly one diagonal, largest group first."""
    size = CJK_SEED_CHARACTERS if 2 * sum(map(is_cjk, normal_quote)) > len(normal_quote) else SEED_CHARACTERS
    step = max(size // 2, len(normal_quote) // MAX_SEEDS, 1)
    width = max(32, len(normal_quote) // 5)
    seeds = [
        (quote_offset, normal_quote[quote_offset : quote_offset + size])
        for quote_offset in range(0, max(len(normal_quote) - size + 1, 1), step)
    ]
    groups: dict[int, list[tuple[int, int]]] = defaultdict(list)
    # One occurrence more than allowed is enough to know that a seed is too common.
    occurrences = [
        (quote_offset, list(islice(find_occurrences(text, seed), MAX_SEED_OCCURRENCES + 1)))
        for quote_offset, seed in seeds
    ]
    specific = [
        (quote_offset, text_offsets)
        for quote_offset, text_offsets in occurrences
        if len(text_offsets) <= MAX_SEED_OCCURRENCES
    ]
    for quote_offset, text_offsets in specific if any(text_offsets for _, text_offsets in specific) else occurrences:
        for text_offset in text_offsets[:MAX_SEED_OCCURRENCES]:
            diagonal = (text_offset - quote_offset) // width
            groups[diagonal].append((quote_offset, text_offset))
            groups[diagonal + 1].append((quote_offset, text_offset))  # a span may lie across the border of two groups
    return sorted(groups.values(), key=lambda hits: -len({quote_offset for quote_offset, _ in hits}))


def _extend_seeds(text: ComparableText, normal_quote: str, hits: list[tuple[int, int]]) -> list[SimilarSpan]:
    """Return the span that a group of seeds belongs to and longer alternatives, as (start, end, similarity)."""
    check_cpu()
    normal_form = text.normal_form
    median_shift = sorted(text_offset - quote_offset for quote_offset, text_offset in hits)[len(hits) // 2]
    ordered = sorted(hits, key=lambda hit: (hit[0], abs(hit[1] - hit[0] - median_shift)))
    first_seed, first_offset = ordered[0]
    last_seed, last_offset = next(hit for hit in ordered if hit[0] == ordered[-1][0])
    remaining_characters = len(normal_quote) - last_seed
    head, tail = (
        normal_quote[: first_seed + SEED_CHARACTERS][:MAX_EDGE_CHARACTERS],
        normal_quote[last_seed:][-MAX_EDGE_CHARACTERS:],
    )
    reach = _edge_reach(first_seed)
    starts = _find_word_boundaries(
        text, first_offset - first_seed - reach, min(first_offset - first_seed + reach, first_offset)
    )
    reach = _edge_reach(remaining_characters)
    ends = _find_word_boundaries(
        text,
        max(last_offset + remaining_characters - reach, last_offset + 1),
        last_offset + remaining_characters + reach,
    )
    starts = sorted(
        starts,
        key=lambda s: -_similarity(head, normal_form.text[s : first_offset + SEED_CHARACTERS][:MAX_EDGE_CHARACTERS]),
    )[:MAX_EDGES_PER_SIDE]
    ends = sorted(ends, key=lambda e: -_similarity(tail, normal_form.text[last_offset:e][-MAX_EDGE_CHARACTERS:]))[
        :MAX_EDGES_PER_SIDE
    ]
    if not starts or not ends or starts[0] >= ends[0]:
        return []
    pairs = [(starts[0], ends[0]), *((a, b) for a in starts for b in ends if a <= starts[0] and b >= ends[0])]
    spans = [
        (*normal_form.original_span(a, b), _similarity(normal_quote, normal_form.text[a:b]))
        for a, b in dict.fromkeys(pairs)
    ]
    return [span for span in spans if span[2] >= spans[0][2] - MAX_SIMILARITY_LOSS]


def _edge_reach(characters_beyond_seed: int) -> int:
    """Return how far an edge is searched for: the longer the quote beyond its last seed, the further."""
    return min(MIN_EDGE_REACH_CHARACTERS + characters_beyond_seed // 5, MAX_EDGE_REACH_CHARACTERS)


def _find_word_boundaries(text: ComparableText, low: int, high: int) -> list[int]:
    """Return the offsets of the normal form, from `low` to `high`, at which no word of the text is cut."""
    size = len(text.normal_form.offsets)
    return [
        offset for offset in range(max(low, 0), min(high, size) + 1) if _is_boundary_in_normal_form(text, offset, size)
    ]


def _is_boundary_in_normal_form(text: ComparableText, offset: int, size: int) -> bool:
    if offset in (0, size):
        return True
    before, after = int(text.normal_form.offsets[offset - 1]), int(text.normal_form.offsets[offset])
    return before != after and (is_word_boundary(text.text, after) or is_word_boundary(text.text, before + 1))


def _similarity(a: str, b: str) -> float:
    return Indel.normalized_similarity(a, b)


def _is_word_letter(character: str) -> bool:
    return _LETTER.match(character) is not None and not is_cjk(character)


def _is_combining(character: str) -> bool:
    return unicodedata.category(character) == "Mn"
