"""A full disk, told from every other fault: whoever hands a file in can do something about it."""

from __future__ import annotations

import errno

from sqlalchemy.exc import OperationalError

from highlighter.errors import HighlighterError


class DiskFull(HighlighterError):
    status, title = 507, "The disk is full"

    def __init__(self) -> None:
        super().__init__("The disk is full, so nothing was kept. Free some space and hand it in again.")


def no_room(err: BaseException) -> bool:
    if isinstance(err, OperationalError):
        return "disk is full" in str(err.orig)
    return isinstance(err, OSError) and err.errno in (errno.ENOSPC, errno.EDQUOT)
