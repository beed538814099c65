"""Pages for a document that has none of its own, and the map from its text to them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from highlighter.locale import N_
from ingest.readers.extracted_document import ExtractedDocument


def typeset_document(
    path: Path, kind: str, reading: ExtractedDocument, title: str, out: Path, office_seconds: float = 0
) -> ExtractedDocument:
    """Writes `out` and returns the same reading with its map and pages.

    By LibreOffice for a Word file, if that is given any time; whatever goes wrong there, the pages are ours.
    """
    from ingest.typeset.reportlab_typesetter import typeset_with_reportlab as by_ourselves

    if kind != "docx" or not office_seconds:
        return by_ourselves(reading, title, out)
    from ingest.typeset.libreoffice import LibreOfficeError, typeset_with_libreoffice

    try:
        return typeset_with_libreoffice(path, reading, out, office_seconds)
    except LibreOfficeError as err:
        told = N_("Its pages are set by Highlighter and not by LibreOffice:") + f" {err}."
        return by_ourselves(replace(reading, notes=(*reading.notes, told)), title, out)
