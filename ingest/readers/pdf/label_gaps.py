"""Find the white after labels: wider than between the words of the text in another typeface that follows."""

from __future__ import annotations

import re

import numpy as np

from ingest.list_markers import is_pdf_item_start
from ingest.readers.pdf.captions import CAPTION_WORD
from ingest.readers.pdf.glyphs import GlyphPlaces, Glyphs

_MIN_LABEL_GAP_EMS, _MIN_WORD_GAP_EMS = 0.35, 0.12
_MIN_WORD_GAPS = 3  # in the text, so that they show how wide its spaces are
_MIN_GAP_RATIO, _MIN_BOLD_GAP_RATIO = 1.25, 1.1  # of the white after a label, to the usual space of the text
_MIN_BOLD_SHARE = 0.6  # of a label with signs in other typefaces
_MAX_LABEL_CHARACTERS = 80
_LETTER, _LETTERS, _LABEL_END = re.compile(r"[^\W\d_]"), re.compile(r"[^\W\d_]{3}"), re.compile(r"[\w)\]>]$")
# Numbers of clauses and captions are read with their text.
_NUMBERED = re.compile(rf"\d|(?:{CAPTION_WORD}|Section|Article|Clause|Chapter|Schedule|Annex|Appendix)(?!\w)")


def is_run_in_label(text: str, is_bold: bool) -> bool:
    """Return whether text may be a run-in label: some letters without a stop, and no number of a clause or a caption."""
    return (
        len(text) <= _MAX_LABEL_CHARACTERS
        and (_LETTERS.search(text) or (is_bold and _LETTER.search(text))) is not None
        and _LABEL_END.search(text) is not None
        and not (_NUMBERED.match(text) or is_pdf_item_start(text + " "))
    )


def find_label_ends(glyphs: Glyphs, index: np.ndarray, places: GlyphPlaces, is_end: np.ndarray) -> list[int]:
    """Return after which characters of `index` a label ends; `is_end` is true between two fragments."""
    bold, face = glyphs.bold[index], glyphs.face[index]
    changes = (bold[1:] != bold[:-1]) | (face[1:] != face[:-1])
    gap = places.left[1:] - places.right[:-1]
    size = np.maximum(places.size[:-1], 0.5)
    found = np.flatnonzero(changes & ~is_end & (gap > _MIN_LABEL_GAP_EMS * size))
    if not len(found):
        return []
    ends = np.flatnonzero(is_end)
    label_ends = []
    for end in found.tolist():
        if not glyphs.text[index[end + 1]].isupper():
            continue
        place = int(np.searchsorted(ends, end))
        start = int(ends[place - 1]) + 1 if place else 0
        stop = int(ends[place]) if place < len(ends) else len(gap)
        if changes[start:end].any() and not _is_bold_beside(bold, start, end, stop):
            continue
        spaces = gap[end + 1 : stop] / size[end + 1 : stop]
        spaces = spaces[spaces > _MIN_WORD_GAP_EMS]
        width = gap[end] / size[end]
        is_bold = bool(bold[end] and not bold[end + 1])
        if (
            len(spaces) >= _MIN_WORD_GAPS
            and width > (_MIN_BOLD_GAP_RATIO if is_bold else _MIN_GAP_RATIO) * np.median(spaces)
            and (width >= spaces.max() or (is_bold and width > _MIN_GAP_RATIO * np.median(spaces)))
            and is_run_in_label(glyphs.text[index[start] : index[end] + 1], is_bold)
        ):
            label_ends.append(end)
    return label_ends


def _is_bold_beside(bold: np.ndarray, start: int, end: int, stop: int) -> bool:
    """Return whether a label is bold but for some signs, and the text after it is not: "open = <name>"."""
    return bool(
        bold[start : end + 1].mean() > _MIN_BOLD_SHARE and bold[end + 1 : stop + 1].mean() < 1 - _MIN_BOLD_SHARE
    )
