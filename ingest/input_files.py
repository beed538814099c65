"""What a file is, told by its first bytes: a name can lie."""

from __future__ import annotations

import hashlib
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from highlighter.errors import UnreadableFile
from highlighter.models import EMPTY, ENCRYPTED, UNSUPPORTED

# What a folder is searched for, and what an upload form offers. A file named outright is tried whatever its name.
DOCUMENT_SUFFIXES = (".pdf", ".docx", ".txt", ".md")

_HEADER_BYTES = 1024  # the header may stand behind some leading bytes
_OLE_MAGIC = bytes.fromhex("d0cf11e0a1b11ae1")


def detect_kind(path: Path) -> str:
    """ "pdf", "docx" or "txt"; raises Unreadable for what is none of them."""
    with path.open("rb") as file:
        head = file.read(_HEADER_BYTES)
    if not head:
        raise UnreadableFile(EMPTY, "The file is empty.")
    if b"%PDF-" in head:
        return "pdf"
    if head.startswith(_OLE_MAGIC):
        raise UnreadableFile(
            ENCRYPTED if b"E\0n\0c\0r\0y\0p\0t" in path.read_bytes()[: 1 << 20] else UNSUPPORTED,
            "This is an old or password-protected Office file. Save it as .docx without a password.",
        )
    if head.startswith(b"PK"):
        return _detect_zip_kind(path)
    return "txt"


def _detect_zip_kind(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError):
        return "docx"  # its reader says what is wrong with it
    if "[Content_Types].xml" in names and any(name.startswith("word/") for name in names):
        return "docx"
    raise UnreadableFile(
        UNSUPPORTED, "This is an archive or another kind of Office file. Upload a PDF, DOCX or TXT file."
    )


# What a file is called, made fit to be kept and shown. A name is data: it never becomes a place on our disk.


MAX_PATH_CHARACTERS = 1_000
MAX_NAME_CHARACTERS = 200
_JOINERS = "\u200c\u200d"  # not printable, yet part of how Persian words and some signs are written


def normalise_path(raw_path: str) -> str:
    """The relative path, parted by /, that a document is kept under: the same however it was spelled."""
    parts: list[str] = []
    for part in raw_path.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(_escape_unprintable(part))
    path = "/".join(parts) or "unnamed"
    if len(path) > MAX_PATH_CHARACTERS:
        return f"{path[:MAX_PATH_CHARACTERS]}…{hashlib.sha256(path.encode()).hexdigest()[:16]}"
    return path


def normalise_name(raw_name: str) -> str:
    """What is shown, cut when it is endless."""
    name = _escape_unprintable(raw_name)
    if len(name) <= MAX_NAME_CHARACTERS:
        return name
    suffix = PurePosixPath(name).suffix[:8]
    return f"{name[: MAX_NAME_CHARACTERS - 1 - len(suffix)]}…{suffix}"


def _escape_unprintable(part: str) -> str:
    """Line breaks, lone surrogates and marks that turn the direction around as escapes: seen, and told apart."""
    if part.isprintable():
        return part
    return "".join(map(_escape_character, part))


def _escape_character(character: str) -> str:
    if character.isprintable() or character in _JOINERS or unicodedata.category(character) == "Zs":
        return character
    return character.encode("unicode_escape").decode()


# From what a person names on the command line to the files that are meant.


# What systems and programs leave beside the documents of a folder: nobody means it when naming the folder.
_SYSTEM_FILES = frozenset({"thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r"})
_SYSTEM_FOLDERS = frozenset({"__MACOSX", "$RECYCLE.BIN", "System Volume Information"})
_OFFICE_LOCK_PREFIX = "~$"


@dataclass(frozen=True, slots=True)
class InputFiles:
    """The files that the paths of a command line stand for, in the order in which they are reported."""

    paths: list[Path]  # all of them, those of an unsupported kind too
    unsupported: dict[Path, UnreadableFile] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)  # names of which there is nothing

    @property
    def to_read(self) -> list[Path]:
        return [path for path in self.paths if path not in self.unsupported]


def find_input_files(names: Iterable[str], recursive: bool) -> InputFiles:
    """Return the named files and those in the named folders; a file named itself is read whatever it is called."""
    found: dict[Path, None] = {}
    named_itself: set[Path] = set()
    missing = []
    for name in names:
        path = Path(name)
        if path.is_dir():
            found.update(dict.fromkeys(_iterate_folder(path, recursive)))
        elif path.is_file():
            found[path] = None
            named_itself.add(path)
        else:
            missing.append(name)
    unsupported = {
        path: _make_unsupported_error(path)
        for path in found
        if path not in named_itself and path.suffix.lower() not in DOCUMENT_SUFFIXES
    }
    return InputFiles(list(found), unsupported, missing)


def _iterate_folder(folder: Path, recursive: bool) -> Iterator[Path]:
    for path in sorted(folder.rglob("*") if recursive else folder.iterdir()):
        if path.is_file() and not _is_system_file(path.relative_to(folder)):
            yield path


def _is_system_file(path: Path) -> bool:
    """Hidden files, files in hidden folders, and what an operating system or an office program keeps for itself."""
    return (
        any(part.startswith(".") or part in _SYSTEM_FOLDERS for part in path.parts)
        or path.name.lower() in _SYSTEM_FILES
        or path.name.startswith(_OFFICE_LOCK_PREFIX)
    )


def _make_unsupported_error(path: Path) -> UnreadableFile:
    kind = normalise_name(path.suffix) or "no extension"
    return UnreadableFile(
        UNSUPPORTED,
        f"Files of this kind ({kind}) are skipped in folders; PDF, DOCX, TXT and MD files are "
        "read. To try this one, give the path of the file itself.",
    )
