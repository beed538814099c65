"""Which character of one text is which of another that should read the same."""

from __future__ import annotations

import unicodedata

import numpy as np
from rapidfuzz.distance import Levenshtein


class _Folds(dict):
    """For `str.translate`: compatibility forms made plain, the hyphens that PDFium gives back made hyphens."""

    def __missing__(self, code: int) -> str:
        self[code] = unicodedata.normalize("NFKC", chr(code)) or chr(code)
        return self[code]


# PDFium reports a hyphen at a line's end as one of these two.
_FOLDS = _Folds({0x02: "-", 0xFFFE: "-", 0x2010: "-", 0x2011: "-", 0xAD: "-"})


def align(wanted: str, found: str) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of indexes `(in wanted, in found)`, rising on both sides, of characters that are the same.

    Between two matches, stretches of equal length are paired too: there the reader of the page saw another character
    where we know what was drawn.
    """
    # What follows on the page (its number) is common, what differs is rare: the cheap answer first.
    folded = wanted.translate(_FOLDS)
    if len(folded) == len(wanted) <= len(found) and folded == found[: len(wanted)].translate(_FOLDS):
        both = np.arange(len(wanted))
        return both, both
    left, left_at = _folded(wanted)
    right, right_at = _folded(found)
    pairs = [np.zeros((2, 0), dtype=int)]
    for step in Levenshtein.opcodes(left, right):
        length = step.src_end - step.src_start
        if step.tag in ("equal", "replace") and length == step.dest_end - step.dest_start:
            pairs.append(np.stack([left_at[step.src_start : step.src_end], right_at[step.dest_start : step.dest_end]]))
    both = np.concatenate(pairs, axis=1)
    return both[0], both[1]


def _folded(text: str) -> tuple[str, np.ndarray]:
    """The folded text, and for each of its characters the index of the one it came from."""
    parts = [char.translate(_FOLDS) for char in text]
    return "".join(parts), np.repeat(np.arange(len(text)), [len(part) for part in parts])
