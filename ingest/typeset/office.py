"""Pages of a Word file by LibreOffice, where it is installed: close to Word's own, which ours are not.

It runs in a session of its own with a profile of its own, without macros and without a network, within the limits that
the reading child has. It is given a copy of the file with only what is drawn.
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

from highlighter.errors import Unreadable
from highlighter.locale import N_
from highlighter.store.source_map import SourceMap
from highlighter.workers.programs import run_program
from ingest.readers.reading import Reading
from ingest.typeset.office_copy import write_copy
from ingest.typeset.office_map import Astray, runs_and_pages

PROGRAM = "soffice"
_INNER = "soffice.bin"  # beside the program, which only starts it and may outlive our patience with it
_BEGUN_ANEW = 81  # exit status of a first run that wrote its profile and wants to be started again
_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000

# Tagged, so that heads and feet are told from text; notes and fields as widgets are not text of the page.
_EXPORT = {"UseTaggedPDF": True, "ExportNotes": False, "ExportFormFields": False, "ExportBookmarks": False}
_PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
{}
</oor:items>
"""
_SETTINGS = (
    ("Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("Common/Security/Scripting", "DisableActiveContent", "true"),
    ("Common/Java", "Enable", "false"),
    ("Writer/Content/Update", "Link", "0"),  # links in a text are never brought up to date
)


class OfficeFailed(Exception):
    """No pages by LibreOffice; says why, for people."""


def is_installed() -> bool:
    return shutil.which(PROGRAM) is not None


def typeset_by_office(path: Path, reading: Reading, out: Path, seconds: float) -> Reading:
    """Writes `out` and returns the same reading with its map and pages. Leaves nothing behind when it fails."""
    if not is_installed():
        raise OfficeFailed(N_("it is not installed"))
    with tempfile.TemporaryDirectory(prefix="office-", dir=out.parent) as folder:
        try:
            made = _convert(path, Path(folder), seconds)
            runs, pages = runs_and_pages(reading, made)
        except Astray as err:
            raise OfficeFailed(str(err)) from err
        except Unreadable as err:
            raise OfficeFailed(N_("a part of the file that only it needs cannot be read")) from err
        except pdfium.PdfiumError as err:
            raise OfficeFailed(N_("it made pages that cannot be read")) from err
        shutil.move(made, out)
    return replace(reading, map=SourceMap(tuple(runs)), pages=tuple(pages))


def _convert(path: Path, work: Path, seconds: float) -> Path:
    ends = time.monotonic() + seconds
    copy, profile = work / "pages.docx", work / "profile"
    write_copy(path, copy)
    (profile / "user").mkdir(parents=True)
    (profile / "user" / "registrymodifications.xcu").write_text(_registry(), encoding="utf-8")
    export = {name: {"type": "boolean", "value": str(value).lower()} for name, value in _EXPORT.items()}
    program = Path(shutil.which(PROGRAM) or PROGRAM).resolve()
    inner = program.with_name(_INNER)
    command = [str(inner if inner.exists() else program), f"-env:UserInstallation={profile.as_uri()}"]
    command += ["--headless", "--norestore", "--nologo", "--nolockcheck", "--nodefault"]
    command += ["--infilter=MS Word 2007 XML", "--convert-to", f"pdf:writer_pdf_Export:{json.dumps(export)}"]
    command += ["--outdir", str(work), str(copy)]
    if _run(command, work, ends - time.monotonic(), seconds) == _BEGUN_ANEW:
        _run(command, work, ends - time.monotonic(), seconds)
    made = copy.with_suffix(".pdf")
    if not made.is_file():
        raise OfficeFailed(N_("it made no pages of the file"))
    return made


def _registry() -> str:
    return _PROFILE.format(
        "\n".join(
            f'<item oor:path="/org.openoffice.Office.{path}"><prop oor:name="{name}" oor:op="fuse">'
            f"<value>{value}</value></prop></item>"
            for path, name, value in _SETTINGS
        )
    )


def _run(command: list[str], work: Path, seconds: float, allowed: float) -> int:
    environment = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    environment |= {"HOME": str(work), "TMPDIR": str(work), "SAL_USE_VCLPLUGIN": "svp"}
    try:
        status, _ = run_program(command, work, environment, max(seconds, 0.1), beforehand=_leave_the_network)
    except OSError as err:
        raise OfficeFailed(N_("it cannot be started")) from err
    except subprocess.TimeoutExpired as err:
        raise OfficeFailed(N_(f"it took longer than {allowed:.0f} seconds")) from err
    return status


def _leave_the_network() -> None:
    """Where the system lets us take it away."""
    libc = ctypes.CDLL(None)
    if libc.unshare(_NEW_NETWORK) != 0:
        libc.unshare(_NEW_USER | _NEW_NETWORK)
