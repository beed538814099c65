"""Bytes in, one canonical text and its source map out. Another format: a module with `read(path)`, and a line in READERS."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from ingest.readers.extracted_document import ExtractedDocument

READERS = {
    "pdf": "ingest.readers.pdf",
    "docx": "ingest.readers.docx",
    "txt": "ingest.readers.txt",
}


def read_document(path: Path, kind: str) -> ExtractedDocument:
    """A reader's module is imported on its first file: each brings a library of its own."""
    return import_module(READERS[kind]).read(path)
