"""How much more work twice the text is, by the bytecode instructions that this thread executes: the same on any machine."""

from __future__ import annotations

import sys

from highlighter.grounding.wording import parse_wording

MAX_GROWTH = 2.4  # of the number of instructions for twice the text
SIZE = 500


def repeat_unit(unit):
    return lambda size: (unit * (size // len(unit) + 1))[:size]


def count_instructions(work):
    """Return the number of bytecode instructions that a call executes."""
    count = 0

    def trace(frame, event, _):
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def measure_growth(work, text):
    """Return how many times more instructions twice the text takes. Caches that outlive a request are filled first."""
    sizes, counts = (SIZE, 2 * SIZE), []
    for size in sizes:
        work(text(size))
    for size in sizes:
        parse_wording.cache.clear()
        text_of_size = text(size)
        counts.append(count_instructions(lambda: work(text_of_size)))  # noqa: B023 - called at once
    return counts[1] / counts[0]
