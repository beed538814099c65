"""Typeset a document without pages with ReportLab, and map its text to the pages.

The map is not computed but read: every character is looked up in the finished PDF, as in any other PDF.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
from reportlab.lib.pagesizes import A4

from highlighter.locale import N_
from highlighter.store.source_map import SourceMap, SourceRun
from ingest.readers.extracted_document import ExtractedDocument, PageInfo
from ingest.typeset.bidi import RTL_LETTER
from ingest.typeset.block_layout import BlockTypesetter, PlacedLine
from ingest.typeset.blocks import split_blocks
from ingest.typeset.fonts import TEXT, Fonts, system_fonts
from ingest.typeset.line_breaking import Typeface, strip_invisible
from ingest.typeset.pagination import HEADER_FOOTER_POINTS, TEXT_WIDTH, TypesetPage, draw_pages, paginate
from ingest.typeset.rtl_mapping import PageOrigins, map_by_place
from ingest.typeset.source_mapping import align_characters, build_runs, read_characters

_CHINESE = re.compile("[\u3400-\u9fff\U00020000-\U0003ffff]")
# The scripts of India and of South-East Asia, but not Thai and Lao, which can be set letter by letter.
_UNSHAPED_SCRIPTS = re.compile("[\u0900-\u0dff\u0f00-\u109f\u1780-\u17ff]")
_SAMPLE_CHARACTERS = 20_000  # that decide whether a text is Chinese
_MAX_LISTED_CHARACTERS = 12  # named in a warning as undrawable


def typeset_with_reportlab(
    extracted: ExtractedDocument, title: str, out: Path, fonts: Fonts | None = None
) -> ExtractedDocument:
    """Write the typeset PDF to `out` and return the document with its source map and pages."""
    fonts = fonts or system_fonts()
    sample = extracted.text[:_SAMPLE_CHARACTERS]
    chinese = len(_CHINESE.findall(sample)) > len(sample) / 5
    typesetter = BlockTypesetter(extracted.text, fonts, TEXT_WIDTH, chinese=chinese)
    pages = paginate(row for block in split_blocks(extracted) for row in typesetter.lay_out(block))
    draw_pages(pages, extracted.text, title, Typeface(fonts, TEXT, HEADER_FOOTER_POINTS, chinese), out)
    runs, characters = _map_pages(extracted.text, pages, out)
    width, height = A4
    page_infos = tuple(
        PageInfo(number, str(number), width, height, count) for number, count in enumerate(characters, start=1)
    )
    return replace(
        extracted,
        source_map=SourceMap(tuple(sorted(runs))),
        pages=page_infos,
        warnings=extracted.warnings
        + _warn_undrawn(typesetter.missing_characters)
        + _warn_unshaped(extracted.text, typesetter.missing_characters),
    )


def _warn_unshaped(text: str, missing: set[str]) -> tuple[str, ...]:
    """Warn of letters that are drawn without being joined; those without a font are no letters on the page."""
    if all(letter in missing for letter in _UNSHAPED_SCRIPTS.findall(text)):
        return ()
    return (
        N_(
            "The generated PDF does not join the letters of this script: the letters are correct, their shapes are not."
        ),
    )


def _warn_undrawn(missing: set[str]) -> tuple[str, ...]:
    if not missing:
        return ()
    listed = [f"{char} (U+{ord(char):04X})" for char in sorted(missing)[:_MAX_LISTED_CHARACTERS]]
    shown, count = " ".join(listed + ["…"] * (len(missing) > _MAX_LISTED_CHARACTERS)), len(missing)
    if count == 1:
        return (
            N_("1 character has no font in the generated PDF and is shown as a question mark: {shown}.", shown=shown),
        )
    return (
        N_(
            "{count} different characters have no font in the generated PDF and are shown as question marks: {shown}.",
            count=count,
            shown=shown,
        ),
    )


def _map_pages(text: str, pages: list[TypesetPage], out: Path) -> tuple[list[SourceRun], list[int]]:
    runs: list[SourceRun] = []
    characters = []
    with pdfium.PdfDocument(out) as document:
        for number, page in enumerate(pages, start=1):
            raw_indexes, page_text = read_characters(document[number - 1])
            lines = [(top, placed, _list_drawn_offsets(text, placed)) for top, placed in page.lines]
            if RTL_LETTER.search(page_text):
                origins = PageOrigins(document[number - 1], raw_indexes)
                matches = [map_by_place(text, *line, origins, page_text) for line in lines]
            else:
                offsets = np.array([offset for *_, line_offsets in lines for offset in line_offsets], dtype=np.int64)
                wanted, positions = align_characters("".join(map(text.__getitem__, offsets.tolist())), page_text)
                matches = [(offsets[wanted], positions)]
            for found, positions in matches:
                runs += build_runs(text, number, found, raw_indexes[positions])
            characters.append(sum(len(line_offsets) for *_, line_offsets in lines))
    return runs, characters


def _list_drawn_offsets(text: str, placed: PlacedLine) -> list[int]:
    """Return the offset of every character drawn of a line, without white space."""
    span = text[placed.line.start : placed.line.end]
    is_plain = strip_invisible(span) == span
    return [
        placed.line.start + index
        for index, char in enumerate(span)
        if not char.isspace() and (is_plain or strip_invisible(char))
    ]
