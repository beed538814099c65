"""Convert office files that have no reader of their own, with LibreOffice, to a kind that has one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from highlighter.errors import UnreadableFile
from highlighter.locale import N_
from highlighter.models import DAMAGED, TIMED_OUT, UNSUPPORTED_KIND
from ingest.libreoffice_program import LibreOfficeError, LibreOfficeTimeout, convert_file, has_component
from ingest.office_copy import MAX_PART_BYTES, copy_ooxml, copy_opendocument, copy_rtf
from ingest.office_parts import list_shown_slides
from ingest.slide_labels import label_slides
from ingest.workbook_copy import copy_workbook

_WRITER, _CALC, _IMPRESS = "libswlo.so", "libsclo.so", "libsdlo.so"
_PACKAGES = {_WRITER: "libreoffice-writer", _CALC: "libreoffice-calc", _IMPRESS: "libreoffice-impress"}


@dataclass(frozen=True, slots=True)
class _Conversion:
    """The way from one kind of file to another that has a reader."""

    component: str  # of LibreOffice, by its library
    input_filter: str  # named, so that no other filter gets a file that is not what it seems
    output_filter: str
    kind: str  # of the file that is made


# Its structure tree tells the paragraphs and items of slides, and the order of their boxes.
_TAGGED_PDF = 'pdf:impress_pdf_Export:{"UseTaggedPDF":{"type":"boolean","value":"true"}}'
_CONVERSIONS = {
    "odt": _Conversion(_WRITER, "writer8", "docx:MS Word 2007 XML", "docx"),
    "rtf": _Conversion(_WRITER, "Rich Text Format", "docx:MS Word 2007 XML", "docx"),
    "xlsx": _Conversion(_CALC, "Calc MS Excel 2007 XML", "html:HTML (StarCalc)", "sheet_html"),
    "pptx": _Conversion(_IMPRESS, "Impress MS PowerPoint 2007 XML", _TAGGED_PDF, "slides_pdf"),
}


@dataclass(frozen=True, slots=True)
class ConvertedFile:
    """The file that LibreOffice made of another one, its kind, and notes on what it lacks."""

    path: Path
    kind: str
    notes: tuple[str, ...]


def convert_office_file(path: Path, kind: str, work: Path, seconds: float) -> ConvertedFile:
    """Return the file that LibreOffice makes of an office file. Raises `UnreadableFile`."""
    conversion = _CONVERSIONS[kind]
    if not has_component(conversion.component):
        package = _PACKAGES[conversion.component]
        raise UnreadableFile(
            UNSUPPORTED_KIND,
            N_(
                "{kind} files are read with LibreOffice, which is not installed on this server. Install "
                "{package}, then upload the file again.",
                kind=kind.upper(),
                package=package,
            ),
        )
    copy = work / f"file.{kind}"
    notes = _copy_file(path, kind, copy)
    try:
        made = convert_file(copy, conversion.input_filter, conversion.output_filter, work, seconds)
    except LibreOfficeTimeout as err:
        raise UnreadableFile(
            TIMED_OUT, N_("LibreOffice took longer than {seconds:.0f} seconds.", seconds=seconds)
        ) from err
    except LibreOfficeError as err:
        raise UnreadableFile(DAMAGED, "LibreOffice cannot read the file. It may be damaged.") from err
    if kind == "pptx":
        notes = label_slides(made, list_shown_slides(path, MAX_PART_BYTES))
    return ConvertedFile(made, conversion.kind, notes)


def _copy_file(path: Path, kind: str, copy: Path) -> tuple[str, ...]:
    """Write the copy that LibreOffice gets, and return notes on what the file hides."""
    if kind == "xlsx":
        return copy_workbook(path, copy)
    if kind == "odt":
        copy_opendocument(path, copy)
    elif kind == "rtf":
        copy_rtf(path, copy)
    else:
        copy_ooxml(path, copy)
    return ()
