"""Where our text of a Word file stands on pages that another program made of it.

Those pages say more (heads, repeated rows), number lists their own way, and keep notes and boxes elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium

from highlighter.locale import N_
from highlighter.store.source_map import Run
from ingest.readers.reading import PageFacts, Reading
from ingest.typeset.far_align import Pairing, fold
from ingest.typeset.lines import visible
from ingest.typeset.marked import is_furniture
from ingest.typeset.read_back import runs_of
from ingest.typeset.reading_order import Char, in_reading_order

_STRETCH = 3  # letters of a line or cell that cannot go missing: its sentence would have no place
_LEAST = 0.6  # of such a stretch that must be found again
_LEAST_OF_ALL = 0.9
_SHOWN = 60


class Astray(Exception):
    """The pages do not say what the text says; where, for people."""


def runs_and_pages(reading: Reading, made: Path) -> tuple[list[Run], list[PageFacts]]:
    """Raises Astray when a stretch of the text cannot be found on the pages."""
    text = reading.text
    found, page_of, index_of, sizes = _on_pages(made)
    units = _units(reading)
    offsets = np.array(
        [at for start, end in units for at in range(start, end) if not text[at].isspace() and visible(text[at])],
        dtype=np.int64,
    )
    left, left_at = fold("".join(text[at] for at in offsets))
    right, right_at = fold(found)
    left_offsets = offsets[left_at]
    edges = np.searchsorted(left_offsets, [start for start, _ in units] + [len(text)])
    pairing = Pairing(left, right, list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)))
    _check(text, units, pairing)
    kept = np.flatnonzero(pairing.partner >= 0)
    on_page, raw = page_of[right_at[pairing.partner[kept]]], index_of[right_at[pairing.partner[kept]]]
    runs: list[Run] = []
    pages = []
    for number, (label, width, height) in enumerate(sizes, start=1):
        here = on_page == number
        runs += runs_of(text, number, *_one_place_each(left_offsets[kept][here], raw[here]))
        pages.append(PageFacts(number, label, width, height, int(here.sum())))
    return _apart(sorted(runs)), pages


def _units(reading: Reading) -> list[tuple[int, int]]:
    """Each line and each cell that a reader sees; what is deleted or hidden is on no page."""
    units, at = [], 0
    hidden = {span.start: span.end for span in reading.hidden}
    for line in reading.text.split("\n"):
        end = at + len(line)
        if not any(start <= at < stop for start, stop in hidden.items()):
            for cell in line.split("\t"):
                if cell.strip():
                    units.append((at, at + len(cell)))
                at += len(cell) + 1
        at = end + 1
    return units


def _check(text: str, units: list[tuple[int, int]], pairing: Pairing) -> None:
    for (start, end), share, letters in zip(units, pairing.shares, pairing.letters, strict=True):
        if letters >= _STRETCH and share < _LEAST:
            words = " ".join(text[start:end].split())
            shown = words if len(words) <= _SHOWN else words[:_SHOWN].rsplit(" ", 1)[0] + " …"
            raise Astray(N_(f"its pages do not show “{shown}” as the file has it"))
    if pairing.share < _LEAST_OF_ALL:
        raise Astray(N_("its pages do not show the words as the file has them"))


def _on_pages(made: Path) -> tuple[str, np.ndarray, np.ndarray, list[tuple[str, float, float]]]:
    """All characters but white space, heads and feet; of each its page and PDFium's index; label and size of pages."""
    found: list[Char] = []
    page_of, sizes = [], []
    with pdfium.PdfDocument(made) as document:
        for number in range(1, len(document) + 1):
            page = document[number - 1]
            here = [char for line in _lines(page) for char in in_reading_order(line)]
            found += here
            page_of += [number] * len(here)
            sizes.append((document.get_page_label(number - 1) or str(number), *page.get_size()))
            page.close()
    index_of = np.array([index for index, _ in found], dtype=np.int64)
    return "".join(char for _, char in found), np.array(page_of, dtype=np.int64), index_of, sizes


def _lines(page: pdfium.PdfPage) -> Iterator[list[Char]]:
    textpage = page.get_textpage()
    known: dict[int, bool] = {}
    line: list[Char] = []
    for index in range(textpage.count_chars()):
        char = chr(pdfium.raw.FPDFText_GetUnicode(textpage, index))
        if char == "\n":
            yield line
            line = []
        elif not char.isspace() and char != "\0" and not is_furniture(textpage, index, known):
            line.append((index, char))
    yield line
    textpage.close()


def _one_place_each(offsets: np.ndarray, raw: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A character that was taken apart for comparing (a ligature) stands where its first part was found."""
    steps, raw_steps = np.diff(offsets), np.diff(raw)
    good = np.concatenate([[True], (steps > 0) | ((raw_steps >= 0) & (raw_steps <= 1))])[: len(offsets)]
    return offsets[good], raw[good]


def _apart(runs: list[Run]) -> list[Run]:
    """Runs of different pages never overlap either."""
    kept: list[Run] = []
    for run in runs:
        if not kept or run.start >= kept[-1].end:
            kept.append(run)
    return kept
