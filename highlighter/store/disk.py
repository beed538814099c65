"""A full disk, told from every other fault: whoever hands a file in can do something about it."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

from highlighter.errors import HighlighterError
from highlighter.locale import N_

SQLITE_FULL = "database or disk is full"
SPACE_NEEDED_BYTES = 4 << 20  # less than any document needs with its pages and its transaction


class DiskFull(HighlighterError):
    status, title = 507, N_("The disk is full")

    def __init__(self) -> None:
        super().__init__("The disk is full, so nothing was kept. Free some space and hand it in again.")

    def __reduce__(self):  # a child process may send it to its parent
        return type(self), ()


def no_room(err: BaseException) -> bool:
    if isinstance(err, OSError):
        return err.errno in (errno.ENOSPC, errno.EDQUOT)
    words = str(err)  # of the catalog's SQLite, of Chroma's, and of a child process that met a full disk
    return isinstance(err, DiskFull) or SQLITE_FULL in words or words == DiskFull().detail


def has_space(folder: Path) -> bool:
    """Whether a few megabytes can be written there. They are reserved and given back, as quotas are not in `statvfs`."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            os.posix_fallocate(file.fileno(), 0, SPACE_NEEDED_BYTES)
    except OSError as err:
        if no_room(err):
            return False
        raise
    return True
