"""Quantities that are equal in other units: two weeks and fourteen days, two years and 24 months, three fifths and 60 %."""

from __future__ import annotations

from fractions import Fraction

from highlighter.text.numerals import Quantity

EQUAL = "="  # begins each key
SHARES = {"%": Fraction(1, 100), "‰": Fraction(1, 1000), "‱": Fraction(1, 10_000)}
# The size of a unit in another one. A month has no fixed number of days, and a working day is not a day.
_FACTORS = {
    "min": ("min", Fraction(1)), "h": ("min", Fraction(60)), "d": ("min", Fraction(24 * 60)), "w": ("min", Fraction(7 * 24 * 60)),
    "mo": ("mo", Fraction(1)), "y": ("mo", Fraction(12)),
    "": ("share", Fraction(1)), **{unit: ("share", share) for unit, share in SHARES.items()},
}  # fmt: skip


def build_equal_key(quantity: Quantity) -> str:
    """Return a key that equal quantities share in whatever unit; "" for numbers without such a unit, and for dates."""
    value = parse_value(quantity)
    is_plain = not quantity.unit and "/" not in quantity.value
    if value is None or is_plain or quantity.unit not in _FACTORS:
        return ""
    base, factor = _FACTORS[quantity.unit]
    return f"{EQUAL}{value * factor}{base}"


def parse_value(quantity: Quantity) -> Fraction | None:
    """Return the value of a quantity; None for a date, and for a number that is written twice ("five (6)")."""
    if len(quantity.parts) != 1:
        return None
    try:
        return Fraction(quantity.value)
    except (ValueError, ZeroDivisionError):
        return None
