"""Typeset a Word file with LibreOffice, where it is installed, for pages close to Word's own.

LibreOffice runs in its own session with its own profile, without macros and without a network, within the limits of the
reading child process. It converts a copy of the file with only what is drawn.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import pypdfium2 as pdfium

from highlighter.errors import UnreadableFile
from highlighter.locale import N_
from highlighter.store.source_map import SourceMap
from highlighter.workers.process_control import run_program
from ingest.readers.extracted_document import ExtractedDocument
from ingest.typeset.libreoffice_input import write_drawable_copy
from ingest.typeset.libreoffice_mapping import PagesMismatchError, map_pages

PROGRAM = "soffice"
_PROGRAM_BINARY = "soffice.bin"  # beside the program, which only starts it and may outlive a timeout
_RESTART_EXIT_STATUS = 81  # of a first run, which wrote its profile and must be started again
_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000

# Tagged, so that headers and footers differ from text; notes and form fields are not text of the page.
_EXPORT_OPTIONS = {"UseTaggedPDF": True, "ExportNotes": False, "ExportFormFields": False, "ExportBookmarks": False}
_PROFILE_TEMPLATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
{}
</oor:items>
"""
_PROFILE_SETTINGS = (
    ("Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("Common/Security/Scripting", "DisableActiveContent", "true"),
    ("Common/Java", "Enable", "false"),
    ("Writer/Content/Update", "Link", "0"),  # links in a text are never updated
)


class LibreOfficeError(Exception):
    """LibreOffice made no pages; the message tells users why."""


def is_installed() -> bool:
    return shutil.which(PROGRAM) is not None


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
            raise LibreOfficeError(str(err)) from err
        except UnreadableFile as err:
            raise LibreOfficeError(N_("LibreOffice cannot read a part of the file")) from err
        except pdfium.PdfiumError as err:
            raise LibreOfficeError(N_("LibreOffice made pages that cannot be read")) from err
        shutil.move(pdf, out)
    return replace(extracted, source_map=SourceMap(tuple(runs)), pages=tuple(pages))


def _convert_to_pdf(path: Path, work: Path, seconds: float) -> Path:
    deadline = time.monotonic() + seconds
    copy, profile = work / "pages.docx", work / "profile"
    write_drawable_copy(path, copy)
    (profile / "user").mkdir(parents=True)
    (profile / "user" / "registrymodifications.xcu").write_text(_format_registry(), encoding="utf-8")
    export = {name: {"type": "boolean", "value": str(value).lower()} for name, value in _EXPORT_OPTIONS.items()}
    program = Path(shutil.which(PROGRAM) or PROGRAM).resolve()
    binary = program.with_name(_PROGRAM_BINARY)
    command = [str(binary if binary.exists() else program), f"-env:UserInstallation={profile.as_uri()}"]
    command += ["--headless", "--norestore", "--nologo", "--nolockcheck", "--nodefault"]
    command += ["--infilter=MS Word 2007 XML", "--convert-to", f"pdf:writer_pdf_Export:{json.dumps(export)}"]
    command += ["--outdir", str(work), str(copy)]
    if _run_libreoffice(command, work, deadline - time.monotonic(), seconds) == _RESTART_EXIT_STATUS:
        _run_libreoffice(command, work, deadline - time.monotonic(), seconds)
    pdf = copy.with_suffix(".pdf")
    if not pdf.is_file():
        raise LibreOfficeError(N_("LibreOffice made no pages"))
    return pdf


def _format_registry() -> str:
    return _PROFILE_TEMPLATE.format(
        "\n".join(
            f'<item oor:path="/org.openoffice.Office.{path}"><prop oor:name="{name}" oor:op="fuse">'
            f"<value>{value}</value></prop></item>"
            for path, name, value in _PROFILE_SETTINGS
        )
    )


def _run_libreoffice(command: list[str], work: Path, seconds: float, limit_seconds: float) -> int:
    environment = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    environment |= {"HOME": str(work), "TMPDIR": str(work), "SAL_USE_VCLPLUGIN": "svp"}
    try:
        status, _ = run_program(command, work, environment, max(seconds, 0.1), before_start=_disconnect_network)
    except OSError as err:
        raise LibreOfficeError(N_("LibreOffice cannot be started")) from err
    except subprocess.TimeoutExpired as err:
        raise LibreOfficeError(N_(f"LibreOffice took longer than {limit_seconds:.0f} seconds")) from err
    return status


def _disconnect_network() -> None:
    """Disconnect the process from the network, where the system allows it."""
    libc = ctypes.CDLL(None)
    if libc.unshare(_CLONE_NEWNET) != 0:
        libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET)
