"""The reordering of characters by their bidirectional levels: rule L2 of the Unicode bidirectional algorithm."""

from __future__ import annotations


def reorder_by_levels(levels: list[int]) -> list[int]:
    """Return the positions of a line with each run of a level or higher reversed, from the highest level to 1."""
    order = list(range(len(levels)))
    for level in range(max(levels, default=0), 0, -1):
        order = _reverse_runs(order, levels, level)
    return order


def _reverse_runs(order: list[int], levels: list[int], level: int) -> list[int]:
    reordered: list[int] = []
    run: list[int] = []
    for index in order:
        if levels[index] >= level:
            run.append(index)
        else:
            reordered += [*reversed(run), index]
            run = []
    return reordered + run[::-1]
