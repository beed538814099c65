"""Find Chinese and Japanese text that is set from top to bottom, in columns from right to left."""

from __future__ import annotations

import numpy as np

FIRST_CODE = 0x2E80  # of the characters that are set so
_MIN_CHARACTERS = 8
_MIN_DOWNWARD_SHARE = 0.5  # of the steps between such characters must go down, or the text is horizontal
_MIN_STEP_EMS, _MAX_STEP_EMS = 0.6, 2.2  # between characters below each other
_MAX_SHIFT_EMS = 0.35  # sideways
_MIN_CELL_EMS = 0.7  # of the box of a whole character, rather than of a mark's ink
_MAX_OVERLAP_EMS, _MAX_DISTANCE_EMS = 0.25, 1.2  # of a punctuation mark's ink with the character beside it


def find_vertical_characters(
    codes: np.ndarray, is_candidate: np.ndarray, box: np.ndarray, size: np.ndarray
) -> np.ndarray:
    """Return which characters stand in vertical columns; punctuation in them gets the box of a whole character.

    Boxes are (x0, y0, x1, y1) with y upward.
    """
    is_vertical = np.zeros(len(codes), bool)
    index = np.flatnonzero(is_candidate & (codes >= FIRST_CODE) & (codes < 0xFFF0))
    if len(index) < _MIN_CHARACTERS:
        return is_vertical
    a, b = index[:-1], index[1:]
    em = np.maximum(size[a], 0.1)
    is_below = np.abs(box[a, 0] + box[a, 2] - box[b, 0] - box[b, 2]) / 2 < _MAX_SHIFT_EMS * em
    step = (box[a, 1] + box[a, 3] - box[b, 1] - box[b, 3]) / 2 / em
    is_downward = is_below & (step > _MIN_STEP_EMS) & (step < _MAX_STEP_EMS)
    if is_downward.sum() <= _MIN_DOWNWARD_SHARE * len(is_downward):
        return is_vertical
    is_vertical[a[is_downward]] = is_vertical[b[is_downward]] = True
    # Marks are drawn in a corner of their cell: they follow the character above, or precede the one below.
    is_cell = is_vertical & (np.minimum(box[:, 2] - box[:, 0], box[:, 3] - box[:, 1]) > _MIN_CELL_EMS * size)
    following, preceding = zip(a, b, strict=True), zip(b[::-1], a[::-1], strict=True)
    for direction, pairs in ((1, following), (-1, preceding)):
        for neighbour, mark in pairs:
            if is_cell[neighbour] and not is_cell[mark]:
                cell = _find_cell(box[neighbour], box[mark], float(size[mark]), direction)
                if cell is not None:
                    is_cell[mark] = is_vertical[mark] = True
                    box[mark] = cell
    return is_vertical


def _find_cell(beside: np.ndarray, mark: np.ndarray, size: float, direction: int) -> np.ndarray | None:
    """Return the cell of a mark below (1) or above (-1) a character, or None when it is not in its column."""
    x0, y0, x1, y1 = beside.tolist()
    middle_x, middle_y = (mark[0] + mark[2]) / 2, (mark[1] + mark[3]) / 2
    distance = y0 - middle_y if direction > 0 else middle_y - y1
    if not (x0 - 0.1 * size < middle_x < x1 + 0.1 * size):
        return None
    if not -_MAX_OVERLAP_EMS * size < distance < _MAX_DISTANCE_EMS * size:
        return None
    return np.array([x0, y0 - size, x1, y0] if direction > 0 else [x0, y1, x1, y1 + size], mark.dtype)
