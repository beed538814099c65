"""Typeset a Word file with LibreOffice, where it is installed, for pages close to Word's own.

It converts a copy of the file with only what is drawn.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import pypdfium2 as pdfium

from highlighter.errors import UnreadableFile
from highlighter.locale import N_
from highlighter.store.source_map import SourceMap
from ingest.libreoffice_program import LibreOfficeError, convert_file, is_installed
from ingest.readers.extracted_document import ExtractedDocument
from ingest.typeset.libreoffice_input import write_drawable_copy
from ingest.typeset.libreoffice_mapping import PagesMismatchError, map_pages

# Tagged, so that headers and footers differ from text; notes and form fields are not text of the page.
_EXPORT_OPTIONS = {"UseTaggedPDF": True, "ExportNotes": False, "ExportFormFields": False, "ExportBookmarks": False}


def typeset_with_libreoffice(path: Path, extracted: ExtractedDocument, out: Path, seconds: float) -> ExtractedDocument:
    """Write the typeset PDF to `out` and return the document with its source map and pages.

    When it fails, it leaves nothing behind.
    """
    if not is_installed():
        raise LibreOfficeError(N_("LibreOffice is not installed"))
    with tempfile.TemporaryDirectory(prefix="office-", dir=out.parent) as folder:
        try:
            pdf = _convert_to_pdf(path, Path(folder), seconds)
            runs, pages = map_pages(extracted, pdf)
        except PagesMismatchError as err:
            raise LibreOfficeError(*err.args) from err
        except UnreadableFile as err:
            raise LibreOfficeError(N_("LibreOffice cannot read a part of the file")) from err
        except pdfium.PdfiumError as err:
            raise LibreOfficeError(N_("LibreOffice made pages that cannot be read")) from err
        shutil.move(pdf, out)
    return replace(extracted, source_map=SourceMap(tuple(runs)), pages=tuple(pages))


def _convert_to_pdf(path: Path, work: Path, seconds: float) -> Path:
    copy = work / "pages.docx"
    write_drawable_copy(path, copy)
    export = {name: {"type": "boolean", "value": str(value).lower()} for name, value in _EXPORT_OPTIONS.items()}
    return convert_file(copy, "MS Word 2007 XML", f"pdf:writer_pdf_Export:{json.dumps(export)}", work, seconds)
