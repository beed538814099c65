"""Find input files and normalise their names."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Generic, TypeVar

from highlighter.errors import UnreadableFile
from highlighter.locale import N_
from highlighter.models import DOCUMENT_SUFFIXES, UNSUPPORTED_KIND

# File names are made fit to store and show. A name is data: it never becomes a path on the server's disk.

MAX_PATH_CHARACTERS = 1_000
MAX_NAME_CHARACTERS = 200
_JOINERS = "\u200c\u200d"  # not printable, but needed to spell Persian words and some emoji


def normalise_path(raw_path: str) -> str:
    """Return the relative path, separated by "/", under which a document is stored, however the path was spelled."""
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
    """Return a file name fit to show, shortened where it is too long."""
    name = _escape_unprintable(raw_name)
    if len(name) <= MAX_NAME_CHARACTERS:
        return name
    suffix = PurePosixPath(name).suffix[:8]
    return f"{name[: MAX_NAME_CHARACTERS - 1 - len(suffix)]}…{suffix}"


def _escape_unprintable(part: str) -> str:
    """Escape line breaks, lone surrogates and direction marks, so that names that differ also look different."""
    if part.isprintable():
        return part
    return "".join(map(_escape_character, part))


def _escape_character(character: str) -> str:
    if character.isprintable() or character in _JOINERS or unicodedata.category(character) == "Zs":
        return character
    return character.encode("unicode_escape").decode()


# Expanding command-line paths to files. Files that systems and programs leave in a folder are never meant by its name.
_SYSTEM_FILES = frozenset({"thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r"})
_SYSTEM_FOLDERS = frozenset({"__MACOSX", "$RECYCLE.BIN", "System Volume Information"})
_OFFICE_LOCK_PREFIX = "~$"


File = TypeVar("File")


@dataclass(frozen=True, slots=True)
class InputFiles(Generic[File]):
    """The files that the paths of a command line stand for, in the order in which they are reported."""

    paths: list[File]  # all files, also those of an unsupported kind
    unsupported: dict[File, UnreadableFile] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)  # arguments that name no file or folder

    @property
    def to_read(self) -> list[File]:
        return [path for path in self.paths if path not in self.unsupported]


def find_input_files(names: Iterable[str], recursive: bool) -> InputFiles[Path]:
    """Return the named files and those in the named folders; a file named directly is read whatever its suffix."""
    paths: dict[Path, None] = {}
    named_directly: set[Path] = set()
    missing = []
    for name in names:
        path = Path(name)
        if path.is_dir():
            paths.update(dict.fromkeys(_iterate_folder(path, recursive)))
        elif path.is_file():
            paths[path] = None
            named_directly.add(path)
        else:
            missing.append(name)
    unsupported = {
        path: make_unsupported_error(path.suffix)
        for path in paths
        if path not in named_directly and path.suffix.lower() not in DOCUMENT_SUFFIXES
    }
    return InputFiles(list(paths), unsupported, missing)


def _iterate_folder(folder: Path, recursive: bool) -> Iterator[Path]:
    for path in sorted(folder.rglob("*") if recursive else folder.iterdir()):
        if path.is_file() and not _is_system_file(path.relative_to(folder)):
            yield path


def _is_system_file(path: Path) -> bool:
    """Return whether a path is hidden, in a hidden folder, or a system or office program's own file."""
    return (
        any(part.startswith(".") or part in _SYSTEM_FOLDERS for part in path.parts)
        or path.name.lower() in _SYSTEM_FILES
        or path.name.startswith(_OFFICE_LOCK_PREFIX)
    )


def make_unsupported_error(suffix: str) -> UnreadableFile:
    """Return the error for a file of a folder with such a suffix."""
    kind = normalise_name(suffix) or "no extension"
    return UnreadableFile(
        UNSUPPORTED_KIND,
        N_(
            "Files of this kind ({kind}) are skipped in folders. To try this one, give the path of the file itself.",
            kind=kind,
        ),
    )
