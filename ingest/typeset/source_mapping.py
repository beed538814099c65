"""Map the characters of a text to the same characters on typeset pages."""

from __future__ import annotations

import unicodedata

import numpy as np
import pypdfium2 as pdfium
from rapidfuzz.distance import Levenshtein

from highlighter.store.source_map import SourceRun


class _FoldTable(dict[int, str]):
    """A table for `str.translate` that folds compatibility forms, and the codes that PDFium returns for hyphens."""

    def __missing__(self, code: int) -> str:
        self[code] = unicodedata.normalize("NFKC", chr(code)) or chr(code)
        return self[code]


# PDFium reports a hyphen at a line's end as one of these two.
_FOLD_TABLE = _FoldTable({0x02: "-", 0xFFFE: "-", 0x2010: "-", 0x2011: "-", 0xAD: "-"})


def align_characters(drawn_text: str, page_text: str) -> tuple[np.ndarray, np.ndarray]:
    """Return rising pairs of indexes `(in drawn_text, in page_text)` of equal characters.

    Between two matches, spans of equal length are paired too: there PDFium read another character than was drawn.
    """
    # Usually only the page number follows and nothing differs: the cheap test first.
    folded = drawn_text.translate(_FOLD_TABLE)
    if len(folded) == len(drawn_text) <= len(page_text) and folded == page_text[: len(drawn_text)].translate(
        _FOLD_TABLE
    ):
        pairs_found = np.arange(len(drawn_text))
        return pairs_found, pairs_found
    left, left_at = _fold_with_offsets(drawn_text)
    right, right_at = _fold_with_offsets(page_text)
    pairs = [np.zeros((2, 0), dtype=int)]
    for step in Levenshtein.opcodes(left, right):
        length = step.src_end - step.src_start
        if step.tag in ("equal", "replace") and length == step.dest_end - step.dest_start:
            pairs.append(np.stack([left_at[step.src_start : step.src_end], right_at[step.dest_start : step.dest_end]]))
    pairs_found = np.concatenate(pairs, axis=1)
    return pairs_found[0], pairs_found[1]


def _fold_with_offsets(text: str) -> tuple[str, np.ndarray]:
    """Return the folded text, and for each of its characters the index of the original character."""
    parts = [char.translate(_FOLD_TABLE) for char in text]
    return "".join(parts), np.repeat(np.arange(len(text)), [len(part) for part in parts])


def read_characters(page: pdfium.PdfPage) -> tuple[np.ndarray, str]:
    """Return the PDFium indexes and the text of a page, without white space, and close the page."""
    textpage = page.get_textpage()
    codes = [pdfium.raw.FPDFText_GetUnicode(textpage, index) for index in range(textpage.count_chars())]
    textpage.close()
    page.close()
    visible = [(index, char) for index, char in enumerate(map(chr, codes)) if not char.isspace() and char != "\0"]
    return np.array([index for index, _ in visible], dtype=np.int64), "".join(char for _, char in visible)


def build_runs(text: str, page: int, offsets: np.ndarray, raw_indexes: np.ndarray) -> list[SourceRun]:
    """Return the source runs of paired characters: neighbours on both sides form one run, also across a space."""
    if not len(offsets):
        return []
    steps, raw_steps = np.diff(offsets), np.diff(raw_indexes)
    # No step on one side: a ligature. Its characters stay together, whatever their number on the other side.
    is_ligature = (steps == 0) | (raw_steps == 0)
    before_space = np.array([text[offset + 1 : offset + 2].isspace() for offset in offsets[:-1].tolist()], dtype=bool)
    is_even = (steps == raw_steps) & ((steps == 1) | ((steps == 2) & before_space))
    is_beside_ligature = np.concatenate([[False], is_ligature[:-1]]) | np.concatenate([is_ligature[1:], [False]])
    is_joined = is_ligature | (is_even & ~is_beside_ligature[: len(is_even)])
    edges = np.flatnonzero(~is_joined) + 1
    starts, ends = np.concatenate([[0], edges]), np.concatenate([edges, [len(offsets)]]) - 1
    return [
        SourceRun(
            int(offsets[first]), int(offsets[last]) + 1, page, int(raw_indexes[first]), int(raw_indexes[last]) + 1
        )
        for first, last in zip(starts.tolist(), ends.tolist(), strict=True)
    ]
