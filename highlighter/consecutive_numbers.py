"""Runs of consecutive numbers: pages that follow each other, characters of one word."""

from __future__ import annotations

from collections.abc import Iterable


def group_consecutive_numbers(numbers: Iterable[int]) -> list[list[int]]:
    """Return the numbers in their order, in groups in which each is one more than the last."""
    groups: list[list[int]] = []
    for number in numbers:
        if groups and number == groups[-1][-1] + 1:
            groups[-1].append(number)
        else:
            groups.append([number])
    return groups
