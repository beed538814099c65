"""Where our text of a Word file stands on pages that another program made of it.

Those pages say more (heads, repeated rows), number lists their own way, and keep notes and boxes elsewhere.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium

from highlighter.locale import N_
from highlighter.store.source_map import SourceRun
from ingest.readers.extracted_document import ExtractedDocument, PageInfo
from ingest.typeset.bidi import IndexedCharacter, to_reading_order
from ingest.typeset.line_breaking import strip_invisible
from ingest.typeset.source_mapping import build_runs
from ingest.typeset.text_alignment import TextAlignment, fold_with_offsets

_MIN_CHECKED_LETTERS = 3  # letters of a line or cell that cannot go missing: its sentence would have no place
_MIN_UNIT_SHARE = 0.6  # of such a stretch that must be found again
_MIN_TOTAL_SHARE = 0.9
_MAX_SHOWN_CHARACTERS = 60


class PagesMismatchError(Exception):
    """The pages do not say what the text says; where, for people."""


def map_pages(reading: ExtractedDocument, pdf_path: Path) -> tuple[list[SourceRun], list[PageInfo]]:
    """Raises Astray when a stretch of the text cannot be found on the pages."""
    text = reading.text
    found, page_of, index_of, sizes = _read_pages(pdf_path)
    units = _list_units(reading)
    offsets = np.array(
        [
            at
            for start, end in units
            for at in range(start, end)
            if not text[at].isspace() and strip_invisible(text[at])
        ],
        dtype=np.int64,
    )
    left, left_at = fold_with_offsets("".join(text[at] for at in offsets))
    right, right_at = fold_with_offsets(found)
    left_offsets = offsets[left_at]
    edges = np.searchsorted(left_offsets, [start for start, _ in units] + [len(text)])
    pairing = TextAlignment(left, right, list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)))
    _check_alignment(text, units, pairing)
    kept = np.flatnonzero(pairing.partner >= 0)
    on_page, raw = page_of[right_at[pairing.partner[kept]]], index_of[right_at[pairing.partner[kept]]]
    runs: list[SourceRun] = []
    pages = []
    for number, (label, width, height) in enumerate(sizes, start=1):
        here = on_page == number
        runs += build_runs(text, number, *_drop_repeated_positions(left_offsets[kept][here], raw[here]))
        pages.append(PageInfo(number, label, width, height, int(here.sum())))
    return _drop_overlaps(sorted(runs)), pages


def _list_units(reading: ExtractedDocument) -> list[tuple[int, int]]:
    """Each line and each cell that a reader sees; what is deleted or hidden is on no page."""
    units, at = [], 0
    hidden = {span.start: span.end for span in reading.hidden_spans}
    for line in reading.text.split("\n"):
        end = at + len(line)
        if not any(start <= at < stop for start, stop in hidden.items()):
            for cell in line.split("\t"):
                if cell.strip():
                    units.append((at, at + len(cell)))
                at += len(cell) + 1
        at = end + 1
    return units


def _check_alignment(text: str, units: list[tuple[int, int]], pairing: TextAlignment) -> None:
    for (start, end), share, letters in zip(units, pairing.unit_shares, pairing.unit_letters, strict=True):
        if letters >= _MIN_CHECKED_LETTERS and share < _MIN_UNIT_SHARE:
            words = " ".join(text[start:end].split())
            shown = (
                words if len(words) <= _MAX_SHOWN_CHARACTERS else words[:_MAX_SHOWN_CHARACTERS].rsplit(" ", 1)[0] + " …"
            )
            raise PagesMismatchError(N_(f"the pages of LibreOffice do not show “{shown}” as in the file"))
    if pairing.total_share < _MIN_TOTAL_SHARE:
        raise PagesMismatchError(N_("the pages of LibreOffice do not show the text as in the file"))


def _read_pages(pdf_path: Path) -> tuple[str, np.ndarray, np.ndarray, list[tuple[str, float, float]]]:
    """All characters but white space, heads and feet; of each its page and PDFium's index; label and size of pages."""
    found: list[IndexedCharacter] = []
    page_of, sizes = [], []
    with pdfium.PdfDocument(pdf_path) as document:
        for number in range(1, len(document) + 1):
            page = document[number - 1]
            here = [char for line in _iterate_lines(page) for char in to_reading_order(line)]
            found += here
            page_of += [number] * len(here)
            sizes.append((document.get_page_label(number - 1) or str(number), *page.get_size()))
            page.close()
    index_of = np.array([index for index, _ in found], dtype=np.int64)
    return "".join(char for _, char in found), np.array(page_of, dtype=np.int64), index_of, sizes


def _iterate_lines(page: pdfium.PdfPage) -> Iterator[list[IndexedCharacter]]:
    textpage = page.get_textpage()
    known: dict[int, bool] = {}
    line: list[IndexedCharacter] = []
    for index in range(textpage.count_chars()):
        char = chr(pdfium.raw.FPDFText_GetUnicode(textpage, index))
        if char == "\n":
            yield line
            line = []
        elif not char.isspace() and char != "\0" and not is_artifact(textpage, index, known):
            line.append((index, char))
    yield line
    textpage.close()


def _drop_repeated_positions(offsets: np.ndarray, raw: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A character that was taken apart for comparing (a ligature) stands where its first part was found."""
    steps, raw_steps = np.diff(offsets), np.diff(raw)
    good = np.concatenate([[True], (steps > 0) | ((raw_steps >= 0) & (raw_steps <= 1))])[: len(offsets)]
    return offsets[good], raw[good]


def _drop_overlaps(runs: list[SourceRun]) -> list[SourceRun]:
    """Runs of different pages never overlap either."""
    kept: list[SourceRun] = []
    for run in runs:
        if not kept or run.start >= kept[-1].end:
            kept.append(run)
    return kept


# What the marks in a tagged PDF say of a character: text, or furniture of the page.


_ARTIFACT = "Artifact"  # heads, feet and rows repeated on each page, by the PDF standard
_MAX_NAME_CHARACTERS = 64


def is_artifact(textpage: pdfium.PdfTextPage, index: int, artifact_cache: dict[int, bool]) -> bool:
    """`known`: what was found out about the objects of this page before; neighbours mostly share theirs."""
    drawn = pdfium.raw.FPDFText_GetTextObject(textpage, index)
    if not drawn:
        return False
    key = ctypes.addressof(drawn.contents)
    if key not in artifact_cache:
        artifact_cache[key] = _ARTIFACT in _read_mark_names(drawn)
    return artifact_cache[key]


def _read_mark_names(drawn) -> list[str]:
    names = []
    for number in range(pdfium.raw.FPDFPageObj_CountMarks(drawn)):
        mark = pdfium.raw.FPDFPageObj_GetMark(drawn, number)
        letters, length = (ctypes.c_ushort * _MAX_NAME_CHARACTERS)(), ctypes.c_ulong()
        if pdfium.raw.FPDFPageObjMark_GetName(mark, letters, 2 * _MAX_NAME_CHARACTERS, length):
            names.append(bytes(letters)[: max(length.value - 2, 0)].decode("utf-16-le", "replace"))
    return names
