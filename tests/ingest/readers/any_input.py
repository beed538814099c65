"""Read inputs of which nothing is known, for tests of what no input may do."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from highlighter.errors import UnreadableFile
from highlighter.models import UNREADABLE
from ingest.readers.extracted_document import ExtractedDocument


def read_or_none(reader: ModuleType, path: Path) -> ExtractedDocument | None:
    """Return what a reader reads, or None for a typed error; any other error is a defect of the reader."""
    try:
        extracted = reader.read(path)
    except UnreadableFile as err:
        if err.state not in UNREADABLE or not err.detail.endswith("."):
            raise
        return None
    if not extracted.text.strip():
        raise AssertionError("A document without text is not a success.")
    extracted.text.encode()
    return extracted
