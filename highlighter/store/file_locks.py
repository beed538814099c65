"""Locks on open files, which the kernel releases when the file is closed or its process ends, however it ends."""

from __future__ import annotations

from typing import IO


def lock_file(file: IO[str], is_shared: bool = False, waits: bool = True) -> None:
    """Take the lock of an open file: for this file alone, or shared. Without waiting, raise BlockingIOError where it is taken."""
    import fcntl  # here, so that clients of a service run on Windows, which has no such module

    operation = fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX
    fcntl.flock(file, operation if waits else operation | fcntl.LOCK_NB)
