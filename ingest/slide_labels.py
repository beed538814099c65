"""Label the pages of a PDF that was made of a presentation with the numbers of its slides: hidden slides have no page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pypdf import PdfWriter
from pypdf.constants import PageLabelStyle

from ingest.readers.left_out_notes import describe_hidden_slides


def label_slides(pdf: Path, are_shown: Sequence[bool]) -> tuple[str, ...]:
    """Label the pages with the numbers of the slides that are shown, and return a note on the others."""
    numbers = [number for number, is_shown in enumerate(are_shown, start=1) if is_shown]
    if len(numbers) == len(are_shown):
        return ()
    writer = PdfWriter(clone_from=pdf)
    if len(writer.pages) == len(numbers):
        for index, number in enumerate(numbers):
            writer.set_page_label(index, index, PageLabelStyle.DECIMAL, start=number)
        writer.write(pdf)
    return describe_hidden_slides([number for number in range(1, len(are_shown) + 1) if number not in numbers])
