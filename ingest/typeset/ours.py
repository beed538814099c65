"""Makes the pages of a document that has none of its own, and the map from its text to them.

The map is not believed but read: every character is looked up in the finished PDF, as for any other PDF.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
from reportlab.lib.pagesizes import A4

from highlighter.locale import N_
from highlighter.store.source_map import Run, SourceMap
from ingest.readers.reading import PageFacts, Reading
from ingest.typeset.align import align
from ingest.typeset.blocks import blocks
from ingest.typeset.fonts import TEXT, Fonts, system_fonts
from ingest.typeset.lines import Typeface, visible
from ingest.typeset.pages import FURNITURE_SIZE, WIDTH, Page, draw, paginate
from ingest.typeset.read_back import characters_of, runs_of
from ingest.typeset.strips import Setter

_CHINESE = re.compile("[\u3400-\u9fff\U00020000-\U0003ffff]")
# The scripts of India and of South-East Asia, but not Thai and Lao, which can be set letter by letter.
_JOINED_SCRIPTS = re.compile("[\u0900-\u0dff\u0f00-\u109f\u1780-\u17ff]")
_SAMPLE = 20_000  # characters that tell whether a text is Chinese
_SHOWN = 12  # undrawable characters named in a warning


def typeset(reading: Reading, title: str, out: Path, fonts: Fonts | None = None) -> Reading:
    """Writes `out` and returns the same reading with its map and pages."""
    fonts = fonts or system_fonts()
    sample = reading.text[:_SAMPLE]
    chinese = len(_CHINESE.findall(sample)) > len(sample) / 5
    setter = Setter(reading.text, fonts, WIDTH, chinese=chinese)
    pages = paginate(strip for block in blocks(reading) for strip in setter.strips(block))
    draw(pages, reading.text, title, Typeface(fonts, TEXT, FURNITURE_SIZE, chinese), out)
    runs, characters = _read_back(reading.text, pages, out)
    facts = tuple(PageFacts(number, str(number), *A4, count) for number, count in enumerate(characters, start=1))
    return replace(
        reading,
        map=SourceMap(tuple(sorted(runs))),
        pages=facts,
        warnings=reading.warnings + _undrawn(setter.missing) + _unshaped(reading.text),
    )


def _unshaped(text: str) -> tuple[str, ...]:
    if not _JOINED_SCRIPTS.search(text):
        return ()
    return (
        N_("Its script joins letters in ways that our pages do not draw: the letters are right, their shapes are not."),
    )


def _undrawn(missing: set[str]) -> tuple[str, ...]:
    if not missing:
        return ()
    listed = [f"{char} (U+{ord(char):04X})" for char in sorted(missing)[:_SHOWN]]
    shown, count = " ".join(listed + ["…"] * (len(missing) > _SHOWN)), len(missing)
    if count == 1:
        return (
            N_(
                "1 character could not be drawn in our pages, for want of a font, and stands there as a question mark:"
                f" {shown}."
            ),
        )
    return (
        N_(
            f"{count} different characters could not be drawn in our pages, for want of a font, and stand there as"
            f" question marks: {shown}."
        ),
    )


def _read_back(text: str, pages: list[Page], out: Path) -> tuple[list[Run], list[int]]:
    runs: list[Run] = []
    characters = []
    with pdfium.PdfDocument(out) as document:
        for number, page in enumerate(pages, start=1):
            offsets = _offsets(text, page)
            places, found = characters_of(document[number - 1])
            wanted, at = align("".join(map(text.__getitem__, offsets.tolist())), found)
            runs += runs_of(text, number, offsets[wanted], places[at])
            characters.append(len(offsets))
    return runs, characters


def _offsets(text: str, page: Page) -> np.ndarray:
    """The offset of every character drawn on the page, white space left out, in the order of drawing."""
    offsets = []
    for _, placed in page.placed:
        span = text[placed.line.start : placed.line.end]
        plain = visible(span) == span
        offsets += [
            placed.line.start + at for at, char in enumerate(span) if not char.isspace() and (plain or visible(char))
        ]
    return np.array(offsets, dtype=np.int64)
