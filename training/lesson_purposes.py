"""What each text of our own lessons serves: learning, weighing what was learned, or measuring the result."""

from __future__ import annotations

from collections.abc import Container
from zlib import crc32

LEARNED, WEIGHED, MEASURED = "learned", "weighed", "measured"
PARTS = 20  # the part of a text follows from its id
MEASURED_PARTS = (0, 10)  # one text in ten


def choose_purpose(text_id: str, weighed_parts: Container[int]) -> str:
    """Return what all lessons about a text serve. Further lessons about a text have its id with `+` and another word."""
    part = crc32(text_id.partition("+")[0].encode()) % PARTS
    if part in MEASURED_PARTS:
        return MEASURED
    return WEIGHED if part in weighed_parts else LEARNED
