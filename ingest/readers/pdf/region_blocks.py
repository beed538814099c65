"""Build the blocks of a region of a page: its tables, and the paragraphs between them."""

from __future__ import annotations

from ingest.readers.pdf.blocks import PdfBlock
from ingest.readers.pdf.columns import Row
from ingest.readers.pdf.paragraphs import build_paragraphs
from ingest.readers.pdf.unruled_tables import split_tables


def build_region_blocks(rows: list[Row]) -> list[PdfBlock]:
    """Return the blocks of a region from top to bottom."""
    if not rows:
        return []
    column = (min(row[0].x0 for row in rows), max(row[-1].x1 for row in rows))
    blocks: list[PdfBlock] = []
    for part in split_tables(rows):
        blocks += [part] if isinstance(part, PdfBlock) else build_paragraphs(part, column)
    return blocks
