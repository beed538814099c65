"""Map the text of a Word file to pages that LibreOffice made.

Those pages hold more text (headers, repeated rows), number lists in another way, and have notes and boxes elsewhere.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2 as pdfium

from highlighter.locale import N_
from highlighter.store.source_map import SourceRun
from ingest.readers.extracted_document import ExtractedDocument, PageInfo
from ingest.typeset.bidi import IndexedCharacter, to_reading_order
from ingest.typeset.line_breaking import strip_invisible
from ingest.typeset.source_mapping import build_runs
from ingest.typeset.text_alignment import TextAlignment, fold_with_offsets

_MIN_CHECKED_LETTERS = 3  # a unit with so many must be found: its sentence would have no position
_MIN_UNIT_SHARE = 0.6  # of a unit that must be found
_MIN_TOTAL_SHARE = 0.9
_MAX_SHOWN_CHARACTERS = 60


class PagesMismatchError(Exception):
    """The pages do not show the text; the message tells users where."""


def map_pages(extracted: ExtractedDocument, pdf_path: Path) -> tuple[list[SourceRun], list[PageInfo]]:
    """Return the source runs and the pages; raises `PagesMismatchError` when a unit of the text is not on the pages."""
    text = extracted.text
    page_text, page_of, index_of, sizes = _read_pages(pdf_path)
    units = _list_units(extracted)
    offsets = np.array(
        [
            offset
            for start, end in units
            for offset in range(start, end)
            if not text[offset].isspace() and strip_invisible(text[offset])
        ],
        dtype=np.int64,
    )
    left, left_origins = fold_with_offsets("".join(text[offset] for offset in offsets))
    right, right_origins = fold_with_offsets(page_text)
    left_offsets = offsets[left_origins]
    unit_bounds = np.searchsorted(left_offsets, [start for start, _ in units] + [len(text)])
    alignment = TextAlignment(left, right, list(zip(unit_bounds[:-1].tolist(), unit_bounds[1:].tolist(), strict=True)))
    _check_alignment(text, units, alignment)
    matched = np.flatnonzero(alignment.partner >= 0)
    page_numbers, raw_indexes = (
        page_of[right_origins[alignment.partner[matched]]],
        index_of[right_origins[alignment.partner[matched]]],
    )
    runs: list[SourceRun] = []
    pages = []
    for number, (label, width, height) in enumerate(sizes, start=1):
        is_on_page = page_numbers == number
        runs += build_runs(
            text, number, *_drop_repeated_positions(left_offsets[matched][is_on_page], raw_indexes[is_on_page])
        )
        pages.append(PageInfo(number, label, width, height, int(is_on_page.sum())))
    return _drop_overlaps(sorted(runs)), pages


def _list_units(extracted: ExtractedDocument) -> list[tuple[int, int]]:
    """Return the spans of each line and cell."""
    units: list[tuple[int, int]] = []
    offset = 0
    for line in extracted.text.split("\n"):
        for cell in line.split("\t"):
            if cell.strip():
                units.append((offset, offset + len(cell)))
            offset += len(cell) + 1
    return units


def _check_alignment(text: str, units: list[tuple[int, int]], alignment: TextAlignment) -> None:
    for (start, end), share, letters in zip(units, alignment.unit_shares, alignment.unit_letters, strict=True):
        if letters >= _MIN_CHECKED_LETTERS and share < _MIN_UNIT_SHARE:
            unit_text = " ".join(text[start:end].split())
            shown = (
                unit_text
                if len(unit_text) <= _MAX_SHOWN_CHARACTERS
                else unit_text[:_MAX_SHOWN_CHARACTERS].rsplit(" ", 1)[0] + " …"
            )
            raise PagesMismatchError(N_("the pages of LibreOffice do not show “{shown}” as in the file", shown=shown))
    if alignment.total_share < _MIN_TOTAL_SHARE:
        raise PagesMismatchError(N_("the pages of LibreOffice do not show the text as in the file"))


def _read_pages(pdf_path: Path) -> tuple[str, np.ndarray, np.ndarray, list[tuple[str, float, float]]]:
    """Return the text without white space, headers and footers, each character's page and index, and page sizes."""
    characters: list[IndexedCharacter] = []
    page_of, sizes = [], []
    with pdfium.PdfDocument(pdf_path) as document:
        for number in range(1, len(document) + 1):
            page = document[number - 1]
            page_characters = [char for line in _iterate_lines(page) for char in to_reading_order(line)]
            characters += page_characters
            page_of += [number] * len(page_characters)
            sizes.append((document.get_page_label(number - 1) or str(number), *page.get_size()))
            page.close()
    index_of = np.array([index for index, _ in characters], dtype=np.int64)
    return "".join(char for _, char in characters), np.array(page_of, dtype=np.int64), index_of, sizes


def _iterate_lines(page: pdfium.PdfPage) -> Iterator[list[IndexedCharacter]]:
    textpage = page.get_textpage()
    artifact_cache: dict[int, bool] = {}
    line: list[IndexedCharacter] = []
    for index in range(textpage.count_chars()):
        char = chr(pdfium.raw.FPDFText_GetUnicode(textpage, index))
        if char == "\n":
            yield line
            line = []
        elif not char.isspace() and char != "\0" and not is_artifact(textpage, index, artifact_cache):
            line.append((index, char))
    yield line
    textpage.close()


def _drop_repeated_positions(offsets: np.ndarray, raw_indexes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Drop the further parts of a ligature, so that it stands where its first part was found."""
    steps, raw_steps = np.diff(offsets), np.diff(raw_indexes)
    is_kept = np.concatenate([[True], (steps > 0) | ((raw_steps >= 0) & (raw_steps <= 1))])[: len(offsets)]
    return offsets[is_kept], raw_indexes[is_kept]


def _drop_overlaps(runs: list[SourceRun]) -> list[SourceRun]:
    """Drop runs that overlap, also those of different pages."""
    separate: list[SourceRun] = []
    for run in runs:
        if not separate or run.start >= separate[-1].end:
            separate.append(run)
    return separate


_ARTIFACT = "Artifact"  # in a tagged PDF: headers, footers and rows repeated on each page
_MAX_NAME_CHARACTERS = 64


def is_artifact(textpage: pdfium.PdfTextPage, index: int, artifact_cache: dict[int, bool]) -> bool:
    """Return whether a character belongs to a header, a footer or a repeated row.

    `artifact_cache` holds the results for the page's objects, because neighbours mostly share their object.
    """
    text_object = pdfium.raw.FPDFText_GetTextObject(textpage, index)
    if not text_object:
        return False
    key = ctypes.addressof(text_object.contents)
    if key not in artifact_cache:
        artifact_cache[key] = _ARTIFACT in _read_mark_names(text_object)
    return artifact_cache[key]


def _read_mark_names(text_object: Any) -> list[str]:
    names = []
    for number in range(pdfium.raw.FPDFPageObj_CountMarks(text_object)):
        mark = pdfium.raw.FPDFPageObj_GetMark(text_object, number)
        letters, length = (ctypes.c_ushort * _MAX_NAME_CHARACTERS)(), ctypes.c_ulong()
        if pdfium.raw.FPDFPageObjMark_GetName(mark, letters, 2 * _MAX_NAME_CHARACTERS, length):
            names.append(bytes(letters)[: max(length.value - 2, 0)].decode("utf-16-le", "replace"))
    return names
