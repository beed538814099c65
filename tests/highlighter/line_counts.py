"""How much more work twice the text is, by the lines of Python that this thread executes: the same on any machine.

Each turn of a loop counts, also in a comprehension that is one line.
"""

from __future__ import annotations

import sys

from highlighter.grounding.wording import parse_wording

MAX_GROWTH = 2.4  # of the number of lines for twice the text
SIZE = 500


def repeat_unit(unit):
    return lambda size: (unit * (size // len(unit) + 1))[:size]


def count_lines(work):
    """Return the number of lines that a call executes, and of functions that it calls."""
    count = 0

    def trace(frame, event, _):
        nonlocal count
        count += event in ("line", "call")
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def measure_growth(work, text):
    """Return how many times more lines twice the text takes. Caches that outlive a request are filled first."""
    sizes, counts = (SIZE, 2 * SIZE), []
    for size in sizes:
        work(text(size))
    for size in sizes:
        parse_wording.cache.clear()
        text_of_size = text(size)
        counts.append(count_lines(lambda: work(text_of_size)))  # noqa: B023 - called at once
    return counts[1] / counts[0]
