"""What a file is, told by its first bytes: a name can lie."""

from __future__ import annotations

import zipfile
from pathlib import Path

from highlighter.errors import Unreadable
from highlighter.models import EMPTY, ENCRYPTED, UNSUPPORTED

# What a folder is searched for, and what an upload form offers. A file named outright is tried whatever its name.
SUFFIXES = (".pdf", ".docx", ".txt", ".md")

_PDF_WITHIN = 1024  # the header may stand behind some leading bytes
_OLE = bytes.fromhex("d0cf11e0a1b11ae1")


def kind_of(path: Path) -> str:
    """ "pdf", "docx" or "txt"; raises Unreadable for what is none of them."""
    with path.open("rb") as file:
        head = file.read(_PDF_WITHIN)
    if not head:
        raise Unreadable(EMPTY, "The file is empty.")
    if b"%PDF-" in head:
        return "pdf"
    if head.startswith(_OLE):
        raise Unreadable(
            ENCRYPTED if b"E\0n\0c\0r\0y\0p\0t" in path.read_bytes()[: 1 << 20] else UNSUPPORTED,
            "It is an old or a password-protected Office file. Save it as .docx without a password.",
        )
    if head.startswith(b"PK"):
        return _kind_of_zip(path)
    return "txt"


def _kind_of_zip(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError):
        return "docx"  # its reader says what is wrong with it
    if "[Content_Types].xml" in names and any(name.startswith("word/") for name in names):
        return "docx"
    raise Unreadable(UNSUPPORTED, "It is an archive or another kind of Office file; PDF, DOCX and TXT can be read.")
