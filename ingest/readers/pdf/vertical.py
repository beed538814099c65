"""Chinese and Japanese set from top to bottom, in columns from right to left."""

from __future__ import annotations

import numpy as np

_SHARE = 0.5  # of a page's steps from one such character to the next must go down, or it is set level


def set_upright(codes: np.ndarray, solid: np.ndarray, box, base, size, turn, wide: float) -> None:
    """Gives characters of vertical columns the turn of text that reads downward, which is laid out just so."""
    index = np.flatnonzero(solid & (turn == 0) & (codes >= 0x2E80) & (codes < 0xFF00))
    if len(index) < 8:
        return
    a, b = index[:-1], index[1:]
    beside = np.abs((box[a, 0] + box[a, 2]) - (box[b, 0] + box[b, 2])) / 2 < 0.35 * size[a]
    step = (base[b] - base[a]) / np.maximum(size[a], 0.1)
    down = beside & (step > 0.6) & (step < 2.2)
    if down.sum() <= _SHARE * len(down):
        return
    part = np.zeros(len(codes), bool)
    part[a[down]] = part[b[down]] = True
    x0, y0, x1, y1 = (box[part, k].copy() for k in range(4))
    box[part, 0], box[part, 1], box[part, 2], box[part, 3] = y0, wide - x1, y1, wide - x0
    base[part] = wide - x0 - 0.12 * size[part]
    turn[part] = 270
