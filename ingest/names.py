"""What a file is called, made fit to be kept and shown. A name is data: it never becomes a place on our disk."""

from __future__ import annotations

import hashlib
import unicodedata
from pathlib import PurePosixPath

LONGEST_PATH = 1_000
LONGEST_NAME = 200
_JOINERS = "\u200c\u200d"  # not printable, yet part of how Persian words and some signs are written


def as_path(named: str) -> str:
    """The relative path, parted by /, that a document is kept under: the same however it was spelled."""
    parts: list[str] = []
    for part in named.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(_printable(part))
    path = "/".join(parts) or "unnamed"
    if len(path) > LONGEST_PATH:
        return f"{path[:LONGEST_PATH]}…{hashlib.sha256(path.encode()).hexdigest()[:16]}"
    return path


def as_name(named: str) -> str:
    """What is shown, cut when it is endless."""
    name = _printable(named)
    if len(name) <= LONGEST_NAME:
        return name
    suffix = PurePosixPath(name).suffix[:8]
    return f"{name[: LONGEST_NAME - 1 - len(suffix)]}…{suffix}"


def _printable(part: str) -> str:
    """Line breaks, lone surrogates and marks that turn the direction around as escapes: seen, and told apart."""
    if part.isprintable():
        return part
    return "".join(map(_shown, part))


def _shown(character: str) -> str:
    if character.isprintable() or character in _JOINERS or unicodedata.category(character) == "Zs":
        return character
    return character.encode("unicode_escape").decode()
