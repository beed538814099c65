"""Find leaders: the dots that lead the eye from a title to its page number."""

from __future__ import annotations

import re

import numpy as np

from ingest.readers.pdf.glyphs import Glyphs

# Six dots or more, close or spaced. An ellipsis has three or four.
_LEADER = re.compile("[.\u2024\u2025\u2026\u00b7](?:[ \u00a0]{0,2}[.\u2024\u2025\u2026\u00b7]){5,}")


def find_leaders(glyphs: Glyphs) -> np.ndarray:
    """Return which characters are the dots of leaders. Without them, the words around them are cells of a row."""
    is_leader = np.zeros(len(glyphs.text), bool)
    for match in _LEADER.finditer(glyphs.text):
        is_leader[match.start() : match.end()] = True
    return is_leader
