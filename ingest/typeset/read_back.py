"""What stands on a finished page, and the runs that tie it to the canonical text."""

from __future__ import annotations

import numpy as np
import pypdfium2 as pdfium

from highlighter.store.source_map import Run


def characters_of(page: pdfium.PdfPage) -> tuple[np.ndarray, str]:
    """PDFium's index and the character of everything on the page but white space."""
    textpage = page.get_textpage()
    codes = [pdfium.raw.FPDFText_GetUnicode(textpage, index) for index in range(textpage.count_chars())]
    textpage.close()
    page.close()
    kept = [(index, char) for index, char in enumerate(map(chr, codes)) if not char.isspace() and char != "\0"]
    return np.array([index for index, _ in kept], dtype=np.int64), "".join(char for _, char in kept)


def runs_of(text: str, page: int, offsets: np.ndarray, places: np.ndarray) -> list[Run]:
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
        Run(int(offsets[first]), int(offsets[last]) + 1, page, int(places[first]), int(places[last]) + 1)
        for first, last in zip(starts.tolist(), ends.tolist(), strict=True)
    ]
