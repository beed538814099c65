"""Rows of the table, and the few statistics they are made of."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    what: str
    ours: str
    against: str
    ratio: str
    goal: str


def print_table(rows: Sequence[Row]) -> None:
    head = Row("what", "ours", "against", "ratio", "goal")
    lines = [(row.what, row.ours, row.against, row.ratio, row.goal) for row in (head, *rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(5)]
    for number, line in enumerate(lines):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |")
        if number == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")


def in_turn(rounds: int, *calls: Callable[[int], object]) -> list[list[float]]:
    """Seconds of each call, taken A B A B ..., so that a noisy neighbour is noisy to all of them."""
    taken: list[list[float]] = [[] for _ in calls]
    for number in range(rounds):
        for call, seconds in zip(calls, taken, strict=True):
            began = time.perf_counter()
            call(number)
            seconds.append(time.perf_counter() - began)
    return taken


def percentile(seconds: Sequence[float], share: float) -> float:
    ordered = sorted(seconds)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)]


def ms(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"


def p50_p99(seconds: Sequence[float]) -> str:
    return f"{ms(percentile(seconds, 0.5))} / {ms(percentile(seconds, 0.99))}"
