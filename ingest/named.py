"""From what a person names on the command line to the files that are meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from highlighter.errors import Unreadable
from highlighter.models import UNSUPPORTED
from ingest.kinds import SUFFIXES
from ingest.names import as_name

# What systems and programs leave beside the documents of a folder: nobody means it when naming the folder.
_SYSTEM_FILES = frozenset({"thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r"})
_SYSTEM_FOLDERS = frozenset({"__MACOSX", "$RECYCLE.BIN", "System Volume Information"})
_OFFICE_LOCK = "~$"


@dataclass(frozen=True, slots=True)
class NamedFiles:
    """The files that the paths of a command line stand for, in the order in which they are reported."""

    paths: list[Path]  # all of them, those of an unsupported kind too
    unsupported: dict[Path, Unreadable] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)  # names of which there is nothing

    @property
    def to_read(self) -> list[Path]:
        return [path for path in self.paths if path not in self.unsupported]


def files(named: Iterable[str], recursive: bool) -> NamedFiles:
    """Return the named files and those in the named folders; a file named itself is read whatever it is called."""
    found: dict[Path, None] = {}
    named_itself: set[Path] = set()
    missing = []
    for name in named:
        path = Path(name)
        if path.is_dir():
            found.update(dict.fromkeys(_within(path, recursive)))
        elif path.is_file():
            found[path] = None
            named_itself.add(path)
        else:
            missing.append(name)
    unsupported = {
        path: _unsupported(path) for path in found if path not in named_itself and path.suffix.lower() not in SUFFIXES
    }
    return NamedFiles(list(found), unsupported, missing)


def _within(folder: Path, recursive: bool) -> Iterator[Path]:
    for path in sorted(folder.rglob("*") if recursive else folder.iterdir()):
        if path.is_file() and not _is_system_file(path.relative_to(folder)):
            yield path


def _is_system_file(path: Path) -> bool:
    """Hidden files, files in hidden folders, and what an operating system or an office program keeps for itself."""
    return (
        any(part.startswith(".") or part in _SYSTEM_FOLDERS for part in path.parts)
        or path.name.lower() in _SYSTEM_FILES
        or path.name.startswith(_OFFICE_LOCK)
    )


def _unsupported(path: Path) -> Unreadable:
    kind = as_name(path.suffix) or "no extension"
    return Unreadable(
        UNSUPPORTED,
        f"Files of this kind ({kind}) are not read from folders: PDF, DOCX, TXT and MD are. "
        "To try it, name the file itself.",
    )
