"""A small pool of child processes in which untrusted files are read and drawn: limited, killable, recycled."""

from __future__ import annotations

import errno
import logging
import multiprocessing
import os
import resource
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from concurrent.futures import TimeoutError as Late
from contextlib import suppress
from typing import Any

from pebble import ProcessExpired, ProcessPool

from highlighter.errors import Unreadable
from highlighter.models import DAMAGED, FAILED, TIMED_OUT, TOO_LARGE
from highlighter.store.disk import DiskFull, no_room
from highlighter.workers.programs import die_with

log = logging.getLogger(__name__)

TASKS_BEFORE_RECYCLING = 50  # what a parser leaks goes with the process
LARGEST_FILE_WRITTEN = 2 << 30
OPEN_FILES = 256


class Closed(Exception):
    """The pool was closed meanwhile: nothing is known of the file, and the next start reads it."""


class Jail:
    """`run(task, *arguments)` in a child. Every end that a child can come to is an answer or an Unreadable."""

    def __init__(self, workers: int, seconds: float, memory_mb: int):
        self.seconds = seconds
        self._started = threading.Lock()
        self._closing = threading.Event()
        self._keeper: threading.Thread | None = None
        # Spawned, never forked: a fork after torch or Chroma would hang.
        self._pool = ProcessPool(
            max_workers=workers,
            max_tasks=TASKS_BEFORE_RECYCLING,
            initializer=_lock_up,
            initargs=[memory_mb << 20, os.getpid()],
            context=multiprocessing.get_context("spawn"),
        )

    def run(self, task: Callable[..., Any], *arguments: Any, seconds: float | None = None) -> Any:
        """`seconds`: less than the pool's own limit, for what should be quick."""
        seconds = min(seconds or self.seconds, self.seconds)
        try:
            self._start()
            return self._wait(self._pool.schedule(task, args=arguments, timeout=seconds))
        except (Unreadable, Closed):
            raise
        except Late as err:
            raise Unreadable(TIMED_OUT, f"Reading it took longer than {seconds:g} seconds.") from err
        except ProcessExpired as err:
            if self.closed:
                raise Closed from err
            log.warning("A reading process died with exit code %s", err.exitcode)
            raise Unreadable(DAMAGED, "The file makes its reader crash; it is damaged or made to do harm.") from err
        except (MemoryError, RecursionError) as err:
            raise Unreadable(TOO_LARGE, "Reading it needs more memory than one file is allowed.") from err
        except OSError as err:
            raise _of_the_disk(err) from err
        except Exception as err:
            if self.closed:  # its children were stopped under it
                raise Closed from err
            # Not foreseen, so perhaps a fault of ours: told apart from a damaged file, and tried again next time.
            log.error("A reader failed in a way it should not: %r", err, exc_info=log.isEnabledFor(logging.DEBUG))
            raise Unreadable(FAILED, f"Its reader failed ({type(err).__name__}); trying again may help.") from err

    @property
    def closed(self) -> bool:
        return self._closing.is_set()

    def close(self) -> None:
        self._closing.set()
        self._pool.stop()
        self._pool.join()

    def _wait(self, future: Future) -> Any:
        """The result. A task that was still waiting when the pool was closed would never have one."""
        while True:
            if self.closed:
                raise Closed
            if wait([future], timeout=1).done:
                return future.result()

    def _start(self) -> None:
        """The kernel counts the thread that starts a child as its parent, so it must be one that stays."""
        with self._started:
            if self.closed:
                raise Closed
            if self._keeper is None:
                ready = threading.Event()
                self._keeper = threading.Thread(target=self._keep, args=[ready], name="jail-keeper", daemon=True)
                self._keeper.start()
                ready.wait()

    def _keep(self, ready: threading.Event) -> None:
        with suppress(RuntimeError):  # closed before it began
            self._pool.schedule(_nothing)
        ready.set()
        self._closing.wait()


def _of_the_disk(err: OSError) -> Unreadable:
    if no_room(err):
        return Unreadable(FAILED, DiskFull().detail)
    if err.errno == errno.EFBIG:
        return Unreadable(TOO_LARGE, "What is made of it is larger than a file is allowed to be.")
    log.error("A reader could not use the disk: %r", err)
    return Unreadable(FAILED, f"Its reader failed ({type(err).__name__}); trying again may help.")


def _nothing() -> None:
    """The first task of a pool: it brings the children up."""


def _lock_up(memory: int, parent: int) -> None:
    """Limits that the kernel keeps, whatever a file makes a parser do. A child never outlives its parent."""
    die_with(parent)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE_WRITTEN, LARGEST_FILE_WRITTEN))
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
