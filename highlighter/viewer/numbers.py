"""Whole numbers as addresses and forms write them. No page, part or place is further than LARGEST; SQLite takes little more."""

from __future__ import annotations

from werkzeug.routing import IntegerConverter

LARGEST = 2**31 - 1


def count(written: str) -> int:
    """For `args.get(name, type=count)`, to which what raises was not said."""
    if not (written.isdecimal() and len(written) <= 10 and int(written) <= LARGEST):
        raise ValueError
    return int(written)


def count_or_zero(written: str) -> int:
    """Zero for what counts nothing."""
    try:
        return count(written)
    except ValueError:
        return 0


class Counted(IntegerConverter):
    """`<int:...>` in an address; a larger number is the largest, so that it is said what there is instead."""

    def to_python(self, value: str) -> int:
        try:
            return count(value)
        except ValueError:
            return LARGEST
