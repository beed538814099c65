"""Which character of one text is which of another that should read the same."""

from __future__ import annotations

import unicodedata

import numpy as np
import pypdfium2 as pdfium
from rapidfuzz.distance import Levenshtein

from highlighter.store.source_map import SourceRun


class _FoldTable(dict):
    """For `str.translate`: compatibility forms made plain, the hyphens that PDFium gives back made hyphens."""

    def __missing__(self, code: int) -> str:
        self[code] = unicodedata.normalize("NFKC", chr(code)) or chr(code)
        return self[code]


# PDFium reports a hyphen at a line's end as one of these two.
_FOLD_TABLE = _FoldTable({0x02: "-", 0xFFFE: "-", 0x2010: "-", 0x2011: "-", 0xAD: "-"})


def align_characters(wanted: str, found: str) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of indexes `(in wanted, in found)`, rising on both sides, of characters that are the same.

    Between two matches, stretches of equal length are paired too: there the reader of the page saw another character
    where we know what was drawn.
    """
    # What follows on the page (its number) is common, what differs is rare: the cheap answer first.
    folded = wanted.translate(_FOLD_TABLE)
    if len(folded) == len(wanted) <= len(found) and folded == found[: len(wanted)].translate(_FOLD_TABLE):
        both = np.arange(len(wanted))
        return both, both
    left, left_at = _fold_with_offsets(wanted)
    right, right_at = _fold_with_offsets(found)
    pairs = [np.zeros((2, 0), dtype=int)]
    for step in Levenshtein.opcodes(left, right):
        length = step.src_end - step.src_start
        if step.tag in ("equal", "replace") and length == step.dest_end - step.dest_start:
            pairs.append(np.stack([left_at[step.src_start : step.src_end], right_at[step.dest_start : step.dest_end]]))
    both = np.concatenate(pairs, axis=1)
    return both[0], both[1]


def _fold_with_offsets(text: str) -> tuple[str, np.ndarray]:
    """The folded text, and for each of its characters the index of the one it came from."""
    parts = [char.translate(_FOLD_TABLE) for char in text]
    return "".join(parts), np.repeat(np.arange(len(text)), [len(part) for part in parts])


# What stands on a finished page, and the runs that tie it to the canonical text.


def read_characters(page: pdfium.PdfPage) -> tuple[np.ndarray, str]:
    """PDFium's index and the character of everything on the page but white space."""
    textpage = page.get_textpage()
    codes = [pdfium.raw.FPDFText_GetUnicode(textpage, index) for index in range(textpage.count_chars())]
    textpage.close()
    page.close()
    kept = [(index, char) for index, char in enumerate(map(chr, codes)) if not char.isspace() and char != "\0"]
    return np.array([index for index, _ in kept], dtype=np.int64), "".join(char for _, char in kept)


def build_runs(text: str, page: int, offsets: np.ndarray, places: np.ndarray) -> list[SourceRun]:
    """Neighbours on both sides become one run; a single space between is taken along."""
    if not len(offsets):
        return []
    steps, raw_steps = np.diff(offsets), np.diff(places)
    # No step on one side: a ligature. Its characters stay in one piece, whatever their number on the other side.
    tied = (steps == 0) | (raw_steps == 0)
    spaced = np.array([text[at + 1 : at + 2].isspace() for at in offsets[:-1].tolist()], dtype=bool)
    even = (steps == raw_steps) & ((steps == 1) | ((steps == 2) & spaced))
    beside_tied = np.concatenate([[False], tied[:-1]]) | np.concatenate([tied[1:], [False]])
    joined = tied | (even & ~beside_tied[: len(even)])
    edges = np.flatnonzero(~joined) + 1
    starts, ends = np.concatenate([[0], edges]), np.concatenate([edges, [len(offsets)]]) - 1
    return [
        SourceRun(int(offsets[first]), int(offsets[last]) + 1, page, int(places[first]), int(places[last]) + 1)
        for first, last in zip(starts.tolist(), ends.tolist(), strict=True)
    ]
