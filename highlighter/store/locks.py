"""Locks between processes, which vanish with their holder: on files of the data folder, or in the database."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Protocol

from highlighter.store.file_locks import lock_file


class Locks(Protocol):
    """The locks of the processes that work on the same documents."""

    def lock(self, kind: str, id: str) -> AbstractContextManager[None]:
        """Take a lock, waiting for its holder; it is released at the end of the context, or of the process."""

    def try_lock(self, kind: str, id: str) -> AbstractContextManager[bool]:
        """Take a lock without waiting. Yields False when another process or thread has it."""


class FolderLocks:
    """Locks on files, for the processes of one machine. The kernel releases those of a process that is killed."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._of_thread = threading.local()

    @contextmanager
    def lock(self, kind: str, id: str) -> Iterator[None]:
        with self._lock_file(kind, id, waits=True):
            yield

    @contextmanager
    def try_lock(self, kind: str, id: str) -> Iterator[bool]:
        try:
            with self._lock_file(kind, id, waits=False):
                yield True
        except BlockingIOError:
            yield False

    @contextmanager
    def _lock_file(self, kind: str, id: str, waits: bool) -> Iterator[None]:
        # One of 256 files: two documents may sometimes share one and wait for each other, but no files accumulate. A thread that
        # has the file for an email's document must not wait for itself when it reads an attachment.
        name = f"{kind}{id[:2]}"
        ids_by_name: dict[str, set[str]] = self._of_thread.__dict__.setdefault("ids_by_name", {})
        shares_file = name in ids_by_name and id not in ids_by_name[name]
        with ExitStack() as stack:
            if not shares_file:
                file = stack.enter_context((self._folder / name).open("w"))
                lock_file(file, waits=waits)
                stack.callback(ids_by_name.pop, name)
            ids_by_name.setdefault(name, set()).add(id)
            stack.callback(ids_by_name[name].discard, id)
            yield
