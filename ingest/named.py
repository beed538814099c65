"""From what a person names on the command line to the files that are meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ingest.kinds import SUFFIXES


def files(named: Iterable[str], recursive: bool) -> tuple[list[Path], list[str]]:
    """(files, names of which there is nothing); a file named outright is tried whatever it is called."""
    found: dict[Path, None] = {}
    missing = []
    for name in named:
        path = Path(name)
        if path.is_dir():
            found.update(dict.fromkeys(_within(path, recursive)))
        elif path.is_file():
            found[path] = None
        else:
            missing.append(name)
    return list(found), missing


def _within(folder: Path, recursive: bool) -> Iterator[Path]:
    for path in sorted(folder.rglob("*") if recursive else folder.iterdir()):
        if path.is_file() and path.suffix.lower() in SUFFIXES and not path.name.startswith("."):
            yield path
