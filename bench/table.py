"""The table of results, and its statistics."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table."""

    measurement: str
    result: str
    baseline: str
    ratio: str
    goal: str


def print_table(rows: Sequence[Row]) -> None:
    head = Row("measurement", "Highlighter", "baseline", "ratio", "goal")
    lines = [(row.measurement, row.result, row.baseline, row.ratio, row.goal) for row in (head, *rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(5)]
    for number, line in enumerate(lines):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |")
        if number == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")


def time_in_turn(rounds: int, *calls: Callable[[int], object]) -> list[list[float]]:
    """Return the seconds of each call, taken alternately (A B A B ...), so that other load affects all calls alike."""
    seconds_of_calls: list[list[float]] = [[] for _ in calls]
    for number in range(rounds):
        for call, seconds in zip(calls, seconds_of_calls, strict=True):
            start = time.perf_counter()
            call(number)
            seconds.append(time.perf_counter() - start)
    return seconds_of_calls


def percentile(seconds: Sequence[float], share: float) -> float:
    ordered = sorted(seconds)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)]


def format_ms(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"


def format_p50_p99(seconds: Sequence[float]) -> str:
    return f"{format_ms(percentile(seconds, 0.5))} / {format_ms(percentile(seconds, 0.99))}"
