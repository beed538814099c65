"""Typeset pages for a document without pages, and map its text to them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from highlighter.locale import N_
from ingest.readers.extracted_document import ExtractedDocument


def typeset_document(
    path: Path, kind: str, extracted: ExtractedDocument, title: str, out: Path, office_seconds: float = 0
) -> ExtractedDocument:
    """Write the typeset PDF to `out` and return the document with its source map and pages.

    LibreOffice typesets a Word file if seconds are given for that; whatever goes wrong there, ReportLab does.
    """
    from ingest.typeset.reportlab_typesetter import typeset_with_reportlab

    if kind != "docx" or not office_seconds:
        return typeset_with_reportlab(extracted, title, out)
    from ingest.typeset.libreoffice import LibreOfficeError, typeset_with_libreoffice

    try:
        return typeset_with_libreoffice(path, extracted, out, office_seconds)
    except LibreOfficeError as err:
        note = N_("Its pages are set by Highlighter and not by LibreOffice:") + f" {err}."
        return typeset_with_reportlab(replace(extracted, notes=(*extracted.notes, note)), title, out)
