"""Bring the parts of a formula that stand above each other onto its line: fractions, limits, matrices in brackets."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from operator import attrgetter

from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.ruling_lines import RulingLine, RulingLines

_MAX_FORMULA_CHARACTERS, _MAX_FORMULA_WORDS = 60, 1  # of a part of a formula; such a word may be "otherwise"
_MIN_SHIFT_EMS, _MAX_SHIFT_EMS = 0.08, 0.82  # between the baselines of two parts: closer than lines of text
_MAX_GAP_EMS, _MAX_LEVEL_GAP_EMS = 0.45, 1.6  # white between two parts, and between two on one baseline
_MAX_SMALL_GAP_EMS = 1.0  # between two parts of different size, where a bracket of no text may stand
_MAX_OVERLAP_EMS = 0.1  # of two parts of one size: more is a line below another, unless it is a fraction
_SMALL_SIZE_RATIO = 0.86  # of limits and of fractions in a line of text
_MAX_LIMIT_SHIFT_EMS = 1.45  # between a sign and the small print above or below it
_MIN_TALL_EMS = 1.5  # the height of a bracket or of a sum's sign
_MIN_LINE_PITCH_EMS = 1.1  # between two lines of formulas
_MAX_BAR_POINTS, _MAX_BAR_DISTANCE_POINTS = 300.0, 40.0
_MAX_NESTED_EMS = 2.5  # between the bar of a fraction and that of a fraction in it
_MAX_ABOVE_BAR_EMS, _MAX_BELOW_BAR_EMS = 1.0, 1.4  # between the bar of a fraction and the baselines of its parts
_MAX_AXIS_EMS = 0.55  # between such a bar and the baseline of the line that it stands in
_MAX_SIGN_SIZE_RATIO = 1.5  # of a sum's sign to most text of the page
_AXIS_EMS = 0.25  # from the baseline up to the bars of fractions and the middle of brackets
_BELOW_WEIGHT = 1.6  # of the distance to the line above a part: less hangs below a line than stands on it
_MAX_PARTS = 4_000  # on a page; a page with more is a drawing

_WORD = re.compile(
    '(?<!\\S)[(\\[“"]?[^\\W\\d_\U0001d400-\U0001d7ff]{4,}[.,;:)\\]”"]*(?!\\S)|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}'
)
_SIGN = re.compile(
    r"[=<>+−×÷±|^·∗\u0370-\u03ff\u2190-\u22ff\u2308-\u230b\u239b-\u23b3\u27e8-\u27ef\uf8e5-\uf8ff\U0001d400-\U0001d7ff]"
)
_RELATION = re.compile("[=<>≤≥≠≈≡∼≃≅∝∈∉⊂⊆⊃⊇→↦⇒⇔←↔≔]")
_RELATION_END = re.compile(_RELATION.pattern + "$")


def align_stacked_formulas(fragments: list[Fragment], rules: RulingLines) -> None:
    """Set the baseline of each part of a formula to that of the line which the formula stands in."""
    if len(fragments) > _MAX_PARTS or not _SIGN.search("".join([fragment.text for fragment in fragments])):
        return  # most pages have no formula
    parts = sorted(fragments, key=attrgetter("turn", "base"))
    is_formula = [_is_formula_part(part) for part in parts]
    bars = [bar for bar in rules.horizontal + rules.short if bar[2] - bar[1] <= _MAX_BAR_POINTS]
    pairs = _find_neighbours(parts, is_formula)
    fractions = _find_fractions(parts, is_formula, bars) if bars else []
    for group in _group_linked(parts, pairs + fractions):
        if any(_SIGN.search(parts[index].text) for index in group):
            members = set(group)
            heights = [(parts[a].y0, parts[b].y1) for a, b in fractions if a in members]
            _align([parts[index] for index in group], heights)


def _group_linked(parts: list[Fragment], pairs: list[tuple[int, int]]) -> list[list[int]]:
    """Return the groups of fragments that pairs of them link, each from top to bottom."""
    owner = list(range(len(parts)))

    def find_owner(index: int) -> int:
        while owner[index] != index:
            owner[index] = owner[owner[index]]
            index = owner[index]
        return index

    for index, other in pairs:
        owner[find_owner(other)] = find_owner(index)
    groups: dict[int, list[int]] = {}
    for index in sorted({index for pair in pairs for index in pair}):
        groups.setdefault(find_owner(index), []).append(index)
    return list(groups.values())


def _is_formula_part(part: Fragment) -> bool:
    text = part.text
    if len(text) > _MAX_FORMULA_CHARACTERS:
        return False
    count = len(_WORD.findall(text))
    return not count or (count <= _MAX_FORMULA_WORDS and _SIGN.search(text) is not None)


def _find_neighbours(parts: list[Fragment], is_formula: list[bool]) -> list[tuple[int, int]]:
    """Return the pairs of fragments that are closer than lines of text, one of them at least a part of a formula."""
    pairs = []
    usual_size = sorted(part.size for part in parts)[len(parts) // 2] if parts else 0.0
    for index, part in enumerate(parts):
        size = max(part.size, _MAX_SIGN_SIZE_RATIO * usual_size)
        reach = part.base + _MAX_LIMIT_SHIFT_EMS * size
        if part.y1 - part.base > part.size:  # a tall sign, which hangs from its baseline
            reach = max(reach, part.y1 + part.size)
        left, right = part.x0 - _MAX_LEVEL_GAP_EMS * size, part.x1 + _MAX_LEVEL_GAP_EMS * size
        for other in range(index + 1, len(parts)):
            following = parts[other]
            if following.base > reach or following.turn != part.turn:
                break
            if following.x0 > right or following.x1 < left or not (is_formula[index] or is_formula[other]):
                continue
            if _are_linked(part, following, is_formula[index] and is_formula[other]):
                pairs.append((index, other))
    return pairs


def _are_linked(part: Fragment, below: Fragment, are_formula: bool) -> bool:
    size = max(part.size, below.size)
    gap = max(below.x0 - part.x1, part.x0 - below.x1)
    if gap > _MAX_LEVEL_GAP_EMS * size:
        return False
    shift = below.base - part.base
    if shift < _MIN_SHIFT_EMS * size:
        return are_formula
    is_small = min(part.size, below.size) < _SMALL_SIZE_RATIO * size
    if gap > (_MAX_SMALL_GAP_EMS if is_small else _MAX_GAP_EMS) * size:
        return False
    if shift < _MAX_SHIFT_EMS * size and (is_small or gap > -_MAX_OVERLAP_EMS * size):
        return True
    if not are_formula:
        return False
    if is_small and gap < 0 and shift < _MAX_LIMIT_SHIFT_EMS * size:
        return not min(part, below, key=attrgetter("size")).text.isdigit()  # the number of a line
    return any(
        _is_tall(tall) and other.y0 < tall.y1 and other.y1 > tall.y0 for tall, other in ((part, below), (below, part))
    )


def _is_tall(part: Fragment) -> bool:
    return part.y1 - part.y0 > _MIN_TALL_EMS * part.size


def _find_fractions(parts: list[Fragment], is_formula: list[bool], bars: list[RulingLine]) -> list[tuple[int, int]]:
    """Return the pairs of fragments that a bar makes a fraction, and of the fraction and what stands beside the bar."""
    first = bisect_left(parts, 0, key=attrgetter("turn"))  # parts are sorted by turn
    bases = [part.base for part in parts[first:] if part.turn == 0]
    pairs: list[tuple[int, int]] = []
    fractions: list[RulingLine] = []
    for y, x0, x1 in sorted(bars, key=lambda bar: bar[1] - bar[2]):
        near = range(
            first + bisect_left(bases, y - _MAX_BAR_DISTANCE_POINTS),
            first + bisect_right(bases, y + _MAX_BAR_DISTANCE_POINTS),
        )
        inside = [i for i in near if is_formula[i] and x0 - 3 < parts[i].x0 and parts[i].x1 < x1 + 3]
        above = [i for i in inside if 0 <= y - parts[i].base < _MAX_ABOVE_BAR_EMS * parts[i].size]
        below = [i for i in inside if 0 < parts[i].base - y < _MAX_BELOW_BAR_EMS * parts[i].size]
        if not (above and below):
            continue
        beside = [i for i in near if i not in inside and _stands_beside(parts[i], y, x0, x1)]
        if beside or _is_nested((y, x0, x1), fractions, parts[above[0]].size):
            fractions.append((y, x0, x1))
            pairs += [(above[0], index) for index in (*above[1:], *below, *beside)]
    return pairs


def _is_nested(bar: RulingLine, fractions: list[RulingLine], size: float) -> bool:
    """Return whether a bar is of a fraction in the upper or lower part of another."""
    y, x0, x1 = bar
    return any(
        abs(y - other) < _MAX_NESTED_EMS * size and left < x0 + 3 and x1 < right + 3 for other, left, right in fractions
    )


def _stands_beside(part: Fragment, y: float, x0: float, x1: float) -> bool:
    """Return whether a fragment stands at the end of a bar, on the line that the bar is in the middle of."""
    is_level = 0 < part.base - y < _MAX_AXIS_EMS * part.size or (_is_tall(part) and part.y0 < y < part.y1)
    return is_level and -0.2 * part.size < max(x0 - part.x1, part.x0 - x1) < _MAX_SMALL_GAP_EMS * part.size


def _align(group: list[Fragment], heights: list[tuple[float, float]]) -> None:
    """Move each part to the nearest main baseline of its group; `heights` are those of fractions."""
    mains = _find_main_baselines(group)
    size = max(part.size for part in group)
    heights = _merge_heights(heights + [(part.y0, part.y1) for part in group if _is_tall(part)])
    moved = []
    for part in group:
        if part.base in mains:
            continue
        level = (part.y0 + part.y1) / 2 + _AXIS_EMS * part.size if _is_tall(part) else part.base
        nearest = min(mains, key=lambda base: base - level if base > level else _BELOW_WEIGHT * (level - base))
        is_small = part.size < _SMALL_SIZE_RATIO * size
        reach = (_MAX_LIMIT_SHIFT_EMS if is_small else _MAX_SHIFT_EMS) * size
        axis = nearest - _AXIS_EMS * size
        if abs(nearest - level) <= reach or any(y0 < axis < y1 and y0 < level < y1 + 0.5 * size for y0, y1 in heights):
            moved.append((part, nearest))
    for part, nearest in moved:
        part.base, part.drop = nearest, part.base - nearest
    _order_stacks(group)


def _merge_heights(heights: list[tuple[float, float]]) -> list[tuple[float, float]]:
    merged: list[tuple[float, float]] = []
    for y0, y1 in sorted(heights):
        if merged and y0 < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], y1))
        else:
            merged.append((y0, y1))
    return merged


def _order_stacks(group: list[Fragment]) -> None:
    """Let each part begin no later than what stands below it, so that it is read first."""
    for upper in group:
        edges = [
            lower.x0
            for lower in group
            if lower.base == upper.base and lower.drop > 0 and lower.x0 < upper.x0 < lower.x1 - 1
        ]
        if upper.drop < 0 and edges:
            upper.x0 = min(edges) - 0.01


def _find_main_baselines(group: list[Fragment]) -> list[float]:
    """Return the baselines of words, and those of relations that no other main baseline is near."""
    size = max(part.size for part in group)
    mains = list({part.base for part in group if not _is_formula_part(part)})
    large = [part for part in group if part.size > _SMALL_SIZE_RATIO * size]
    for pattern in (_RELATION_END, _RELATION):
        for part in sorted(large, key=lambda part: -len(part.text)):
            is_apart = all(abs(part.base - base) > _MIN_LINE_PITCH_EMS * size for base in mains)
            if is_apart and pattern.search(part.text):
                mains.append(part.base)
    return mains or [max(large, key=lambda part: len(part.text)).base]
