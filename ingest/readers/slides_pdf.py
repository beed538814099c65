"""Read the slides of a presentation from the PDF that LibreOffice makes of it."""

from __future__ import annotations

from pathlib import Path

from ingest.readers.extracted_document import ExtractedDocument
from ingest.readers.pdf.reader import read as read_pdf


def read(path: Path) -> ExtractedDocument:
    """Read the slides into a canonical text."""
    return read_pdf(path, is_presentation=True)
