"""The lock that keeps a second server off a data folder whose index belongs to one process."""

from __future__ import annotations

import logging
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

from highlighter.errors import Unavailable
from highlighter.locale import N_
from highlighter.operating_system import is_process_running
from highlighter.store.file_locks import lock_file

log = logging.getLogger(__name__)

POLL_SECONDS = 0.1


class ServerLock:
    """A lock on a file, which the kernel releases when the process ends, however it ends.

    Servers that can share the data folder hold a shared lock: any number of them, and none that needs it for itself.
    """

    def __init__(self, data_dir: Path, is_shared: bool = False):
        self.data_dir = data_dir
        self._is_shared = is_shared
        self.path = data_dir / "server.lock"
        self._file: IO[str] | None = None

    def acquire(self, timeout_seconds: float) -> None:
        """Take the lock, waiting for a server that is being stopped; raise Unavailable when the time is over."""
        deadline, announced = time.monotonic() + timeout_seconds, False
        while not self._try_acquire():
            if time.monotonic() >= deadline:
                raise Unavailable(
                    N_(
                        "Another Highlighter server (process {process}) is using {folder}. Stop it first, set another DATA_DIR "
                        "for this one, or set CHROMA_URL for both: then several servers can share a data folder.",
                        process=self.holder_process(),
                        folder=self.data_dir,
                    )
                )
            if not announced:
                log.warning(
                    "Another Highlighter server (process %s) uses %s; waiting up to %d s for it to stop",
                    self.holder_process(), self.data_dir, timeout_seconds,
                )  # fmt: skip
                announced = True
            time.sleep(POLL_SECONDS)

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def holder_process(self) -> int:
        """Return the id of the process that took the lock last; 0 when that process has ended."""
        try:
            process = int(self.path.read_text())
        except (FileNotFoundError, ValueError):
            return 0
        return process if is_process_running(process) else 0

    def is_held(self) -> bool:
        """Return whether any process has the lock."""
        try:
            with self.path.open() as file:
                lock_file(file, waits=False)
        except FileNotFoundError:
            return False
        except BlockingIOError:
            return True
        return False

    def _try_acquire(self) -> bool:
        if self._file is not None:
            return True
        self.data_dir.mkdir(parents=True, exist_ok=True)
        file = self.path.open("a+")
        try:
            lock_file(file, self._is_shared, waits=False)
        except BlockingIOError:
            file.close()
            return False
        with suppress(OSError):  # the disk is full; the process id is only for people
            os.ftruncate(file.fileno(), 0)
            os.write(file.fileno(), str(os.getpid()).encode())
        self._file = file
        return True
