"""Read files into a canonical text and a source map.

To add a format, write a module with `read(path)` and add it to READERS.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from ingest.readers.extracted_document import ExtractedDocument

READERS = {
    "pdf": "ingest.readers.pdf",
    "docx": "ingest.readers.docx",
    "txt": "ingest.readers.txt",
    "csv": "ingest.readers.csv_tables",
    "html": "ingest.readers.html",
    "md": "ingest.readers.markdown",
    "eml": "ingest.readers.eml",
    "msg": "ingest.readers.msg",
    "epub": "ingest.readers.epub",
    "sheet_html": "ingest.readers.sheet_html",  # what LibreOffice makes of a workbook
    "slides_pdf": "ingest.readers.slides_pdf",  # ... and of a presentation
}


class _Reader(Protocol):
    """A module that reads one kind of file."""

    def read(self, path: Path) -> ExtractedDocument: ...


def read_document(path: Path, kind: str) -> ExtractedDocument:
    """Read a file with the reader of its kind."""
    # Imported on first use: each reader brings a library of its own.
    reader = cast(_Reader, import_module(READERS[kind]))
    return reader.read(path)
