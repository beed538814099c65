"""Rounding of numbers for comparison, to the decimals on which all processors agree."""

from __future__ import annotations

import numpy as np

# Float32 sums differ between processors in the seventh decimal, which must decide no tie, order or threshold.
COMPARED_DECIMALS = 5


def round_for_comparison(numbers: np.ndarray | float) -> np.ndarray:
    """Return the numbers without the decimals in which processors differ."""
    return np.round(np.asarray(numbers, dtype=np.float64), COMPARED_DECIMALS)
