"""Find the lines of listings: text in a typeface of fixed width, which is not that of the running text."""

from __future__ import annotations

import re
import statistics
from collections import defaultdict

from ingest.readers.pdf.blocks import PdfLine
from ingest.readers.pdf.fragments import Fragment

_MIN_FRAGMENT_CHARACTERS = 6  # in shorter ones, the last letter decides how wide they are
_MIN_FRAGMENTS = 8  # with different texts, that show whether a typeface has a fixed width
_MAX_FRAGMENTS = 400  # of a typeface that are looked at
_MAX_WIDTH_DIFFERENCE, _MIN_FIXED_SHARE = 0.015, 0.6  # of a character, and of the fragments that have it
_MIN_PROSE_WORDS, _MIN_PROSE_SHARE = 5, 0.8  # of a line of sentences, and its letters, spaces and stops
_LONG_WORD = re.compile(r"[^\W\d_]{3,}")
_PROSE_CHARACTER = re.compile(r"[^\W\d_]|[ .,'’-]")


def mark_listings(pages: list[list[Fragment]]) -> None:
    """Mark the fragments of a document that are in a typeface of fixed width, unless most text is."""
    by_face: dict[int, list[Fragment]] = defaultdict(list)
    for fragments in pages:
        for fragment in fragments:
            by_face[fragment.face].append(fragment)
    if len(by_face) < 2:
        return
    main = max(by_face, key=lambda face: sum(len(fragment.text) for fragment in by_face[face]))
    if _measure_fixed_width(by_face[main]):
        return
    for face, fragments in by_face.items():
        if face != main and (width := _measure_fixed_width(fragments)):
            for fragment in fragments:
                short = len(fragment.text) < _MIN_FRAGMENT_CHARACTERS
                fragment.is_listing = short or abs(_measure_width(fragment) / width - 1) < _MAX_WIDTH_DIFFERENCE


def _measure_width(fragment: Fragment) -> float:
    """Return how wide a character is, in ems."""
    return (fragment.x1 - fragment.x0) / len(fragment.text) / max(fragment.size, 0.5)


def _measure_fixed_width(fragments: list[Fragment]) -> float:
    """Return how wide every character of a typeface is; 0 where some are wider than others."""
    sample = fragments[:: len(fragments) // _MAX_FRAGMENTS + 1]
    by_text = {f.text: f for f in sample if f.turn == 0 and len(f.text) >= _MIN_FRAGMENT_CHARACTERS}
    widths = list(map(_measure_width, by_text.values()))
    if len(widths) < _MIN_FRAGMENTS:
        return 0.0
    usual = statistics.median(widths)
    fixed_count = sum(abs(width / usual - 1) < _MAX_WIDTH_DIFFERENCE for width in widths)
    return usual if usual and fixed_count >= _MIN_FIXED_SHARE * len(widths) else 0.0


def is_in_listing(line: PdfLine) -> bool:
    return line.fragments[0].is_listing and all(fragment.is_listing for fragment in line.fragments)


def are_prose(line: PdfLine, following: PdfLine) -> bool:
    """Return whether two lines are of a sentence that is set like a listing."""
    if len(_LONG_WORD.findall(line.text)) < _MIN_PROSE_WORDS:
        return False
    goes_on = line.text[-1].isalpha() and following.text[:1].islower()
    return _is_prose(line.text) or (goes_on and _is_prose(following.text))


def _is_prose(text: str) -> bool:
    share = len(_PROSE_CHARACTER.findall(text)) / len(text)
    return share >= _MIN_PROSE_SHARE and len(_LONG_WORD.findall(text)) >= _MIN_PROSE_WORDS
