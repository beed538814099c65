"""Quantities that are equal in other units: two weeks and fourteen days, 60 mm and 6 cm, three fifths and 60 %."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from highlighter.grounding.measures import find_measure, is_nearly_equal
from highlighter.text.numerals import Quantity

EQUAL = "="  # begins each key
MEGANEWTONS = "MN"
SHARES = {"%": Fraction(1, 100), "‰": Fraction(1, 1000), "‱": Fraction(1, 10_000)}
_KEY = re.compile(rf"{EQUAL}(?P<value>\d+(?:/\d+)?)(?P<dimension>\D.*)")


def build_equal_key(quantity: Quantity, text: str, folded: str) -> str:
    """Return a key that equal quantities of a text share in whatever unit; "" for numbers without such a unit, and for dates."""
    value = parse_value(quantity)
    if value is None:
        return ""
    if quantity.unit in SHARES or (not quantity.unit and "/" in quantity.value):
        return f"{EQUAL}{value * SHARES.get(quantity.unit, 1)}share"
    end = quantity.parts[-1].end
    if text[end - len(MEGANEWTONS) : end] == MEGANEWTONS and not quantity.unit:  # read as a million
        return f"{EQUAL}{value}N"
    measure = find_measure(text, folded, end, quantity.unit)
    return f"{EQUAL}{value * measure.factor}{measure.dimension}" if measure else ""


def parse_equal_key(key: str) -> tuple[Fraction, str] | None:
    """Return the value of an equal key in the base unit of its dimension, and the dimension; None for another key."""
    match = _KEY.fullmatch(key)
    return (Fraction(match["value"]), match["dimension"]) if match else None


def have_nearly_equal_keys(keys: Iterable[str], others: Iterable[str]) -> bool:
    """Return whether one of the keys and one of the others are of quantities in units without an exact conversion that may be the same."""
    measured, other_measured = (list(filter(None, map(parse_equal_key, some))) for some in (keys, others))
    return any(is_nearly_equal(*first, *second) for first in measured for second in other_measured)


def parse_value(quantity: Quantity) -> Fraction | None:
    """Return the value of a quantity; None for a date, and for a number that is written twice ("five (6)")."""
    if len(quantity.parts) != 1:
        return None
    try:
        return Fraction(quantity.value)
    except (ValueError, ZeroDivisionError):
        return None
