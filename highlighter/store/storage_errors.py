"""Errors of the storage that are told apart from all others: a damaged catalog file, and a full disk."""

from __future__ import annotations

import errno
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Self

from highlighter.errors import HighlighterError, Unavailable
from highlighter.locale import N_

PRIMARY_CODE_MASK = 0xFF  # of SQLite's extended result codes
DAMAGE_CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class CatalogDamaged(Unavailable):
    """SQLite cannot read the catalog's file any more; only a backup helps."""

    title = N_("The catalog is damaged")

    def __init__(self) -> None:
        super().__init__(
            'The catalog file is damaged. Administrator: stop the service, run "python -m '
            'highlighter doctor", restore a backup of the data folder, and start the service '
            "again."
        )

    def __reduce__(self) -> tuple[type[Self], tuple[()]]:  # a child process may send it to its parent
        return type(self), ()


def is_catalog_damage(err: BaseException) -> bool:
    if isinstance(err, CatalogDamaged):
        return True
    return any(getattr(cause, "sqlite_errorcode", 0) & PRIMARY_CODE_MASK in DAMAGE_CODES for cause in _walk_causes(err))


def find_catalog_damage(path: Path, thorough: bool) -> str:
    """Return what is wrong with a catalog file, in words; empty when it is sound. A thorough check reads the whole file.

    Uses a new connection, as open ones answer from their cached pages.
    """
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True, timeout=60)) as connection:
            connection.create_function("casefolded", 1, str.casefold, deterministic=True)
            if thorough:
                result = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
                return "" if result == "ok" else result
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            connection.execute("SELECT max(seq) FROM changes").fetchone()
            return ""
    except sqlite3.DatabaseError as err:
        if is_catalog_damage(err):
            return str(err)
        if not os.path.exists(path):
            return "it is not there"
        raise


def _walk_causes(err: BaseException | None) -> Iterator[BaseException]:
    while err is not None:
        yield err
        err = getattr(err, "orig", None) or err.__cause__


# A full disk is reported by itself, as the person who uploads a file can do something about it.

SQLITE_FULL_MESSAGE = "database or disk is full"
SPACE_NEEDED_BYTES = 4 << 20  # less than any document needs with its pages and its transaction


class DiskFull(HighlighterError):
    """The disk or the quota is full, so nothing was stored."""

    status, title = 507, N_("The disk is full")

    def __init__(self) -> None:
        super().__init__("The disk is full, so nothing was saved. Free some space, then upload the file again.")

    def __reduce__(self) -> tuple[type[Self], tuple[()]]:  # a child process may send it to its parent
        return type(self), ()


def is_disk_full(err: BaseException) -> bool:
    if isinstance(err, OSError):
        return err.errno in (errno.ENOSPC, errno.EDQUOT)
    message = str(err)  # from the catalog's SQLite, from Chroma's, or from a child process that met a full disk
    return isinstance(err, DiskFull) or SQLITE_FULL_MESSAGE in message or message == DiskFull().detail


def has_space(folder: Path) -> bool:
    """Return whether a few megabytes can be written to a folder.

    The bytes are reserved and released again, as `statvfs` does not know quotas.
    """
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            os.posix_fallocate(file.fileno(), 0, SPACE_NEEDED_BYTES)
    except OSError as err:
        if is_disk_full(err):
            return False
        raise
    return True
