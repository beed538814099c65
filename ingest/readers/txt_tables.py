"""Tables in plain text: cells parted by tabs, by wide gaps, or by upright bars."""

from __future__ import annotations

import re

_GAP = re.compile(r"\t+ *| {3,}")
_BAR_RULE = frozenset("|:-+ \t")
_WIDEST = 160  # gaps in longer lines are careless typing, not columns


def is_table(lines: list[str]) -> bool:
    """Two lines with columns are enough when most of the group has them."""
    barred = sum(line.startswith("|") and line.endswith("|") and len(line) > 2 for line in lines)
    gapped = sum(bool(_GAP.search(line)) and (len(line) <= _WIDEST or "\t" in line) for line in lines)
    return len(lines) > 1 and max(barred, gapped) >= max(2, len(lines) * 0.7)


def rows(lines: list[str]) -> list[str]:
    """Each line with exactly one tab between its cells."""
    if all(line.startswith("|") for line in lines):
        kept = [line for line in lines if not _BAR_RULE.issuperset(line)]
        return ["\t".join(_squeezed(cell) for cell in line.strip("|").split("|")) for line in kept]
    if all("\t" in line for line in lines):
        return ["\t".join(_squeezed(cell) for cell in line.split("\t")) for line in lines]
    return ["\t".join(_squeezed(cell) for cell in _GAP.split(line)) for line in lines]


def _squeezed(text: str) -> str:
    return " ".join(text.split())
