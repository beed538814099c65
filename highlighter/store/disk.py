"""A full disk, told from every other fault: whoever hands a file in can do something about it."""

from __future__ import annotations

import errno

from highlighter.errors import HighlighterError
from highlighter.locale import N_

SQLITE_FULL = "database or disk is full"


class DiskFull(HighlighterError):
    status, title = 507, N_("The disk is full")

    def __init__(self) -> None:
        super().__init__("The disk is full, so nothing was kept. Free some space and hand it in again.")


def no_room(err: BaseException) -> bool:
    if isinstance(err, OSError):
        return err.errno in (errno.ENOSPC, errno.EDQUOT)
    return isinstance(err, DiskFull) or SQLITE_FULL in str(err)  # the catalog's SQLite says so, and Chroma's
