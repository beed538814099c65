"""Numbers as they are compared: by so many decimals that every processor agrees on them."""

from __future__ import annotations

import numpy as np

# Float32 sums differ from processor to processor in the seventh decimal: by it no tie, order or threshold may be decided.
COMPARED_DECIMALS = 5


def round_for_comparison(numbers: np.ndarray | float) -> np.ndarray:
    """The same numbers without the decimals in which processors differ."""
    return np.round(np.asarray(numbers, dtype=np.float64), COMPARED_DECIMALS)
