"""A small pool of child processes in which untrusted files are read and drawn: limited, killable, recycled."""

from __future__ import annotations

import errno
import logging
import shutil
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import LifoQueue, SimpleQueue
from typing import Any

from highlighter.errors import UnreadableFile
from highlighter.lean_imports import skip_unneeded_imports
from highlighter.locale import N_
from highlighter.models import DAMAGED, FAILED, QUARANTINED, TIMED_OUT, TOO_LARGE
from highlighter.store.storage_errors import DiskFull, is_disk_full
from highlighter.workers.child import ChildDied, ChildProcess, TaskTimedOut
from highlighter.workers.network_refusal import refuse_network
from highlighter.workers.process_control import run_within_cpu_limit, set_process_limits
from highlighter.workers.replies import OtherError, RefusedReply, ReplyTooLarge

log = logging.getLogger(__name__)

TASKS_BEFORE_RECYCLING = 50  # memory that a parser leaks is freed with the process
MAX_DEATHS = 3  # of children at one task: then the task is the cause
# A task that waits uses no processor time, so it is stopped by wall time: 15 minutes for the usual minute. That is
# generous, because a good file must not be refused when the machine is busy with something else.
WALL_SECONDS_PER_CPU_SECOND = 15

OFFICE_PROGRAM = "soffice"  # of LibreOffice, which listens on a Unix socket of its own

QUARANTINE_REASON = N_("Processing this file crashes every time, so it was quarantined. Upload it again to retry.")

# Signals that a process causes itself. Any other comes from outside: the kernel out of memory, a person.
_CRASH_SIGNALS = ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL")
_CRASH_EXIT_CODES = {-getattr(signal, name) for name in _CRASH_SIGNALS if hasattr(signal, name)}  # Windows has not all


def is_crash(exit_code: int) -> bool:
    """Return whether a process ended by a signal that it caused itself."""
    return exit_code in _CRASH_EXIT_CODES


class ProcessPoolClosed(Exception):
    """The error for a task that the pool was closed for: its file was not judged, and the next start reads it."""


class ProcessPool:
    """A pool of child processes. Every way in which a child can end becomes a result or an UnreadableFile."""

    def __init__(self, workers: int, seconds: float, memory_mb: int, wall_seconds: float | None = None):
        """Create a pool without starting a child.

        `seconds` is the processor time for one task, `wall_seconds` the wall time (a multiple of `seconds` by default).
        """
        self.seconds = seconds
        self._wall_seconds = wall_seconds
        self._memory_bytes = memory_mb << 20
        self._closing = threading.Event()
        self._lock = threading.Lock()  # guards the attributes below
        self._starter: _ChildStarter | None = None
        self._children: set[ChildProcess] = set()
        # Last in, first out: running children are used before another is started (None).
        self._idle: LifoQueue[ChildProcess | None] = LifoQueue()
        for _ in range(workers):
            self._idle.put(None)

    def run(self, task: Callable[..., Any], *arguments: Any, seconds: float | None = None) -> Any:
        """Run a task in a child and return its result.

        `seconds` is a limit below the pool's own, for tasks that should be quick. Raises UnreadableFile and
        ProcessPoolClosed.
        """
        seconds = min(seconds or self.seconds, self.seconds)
        wall_seconds = self._wall_seconds or seconds * WALL_SECONDS_PER_CPU_SECOND
        try:
            succeeded, result = self._run_with_retries(task, arguments, seconds, wall_seconds)
            if succeeded:
                return result
            raise result
        except (UnreadableFile, ProcessPoolClosed):
            raise
        except TaskTimedOut as err:
            raise UnreadableFile(
                TIMED_OUT, N_("Processing timed out after {seconds:g} seconds.", seconds=wall_seconds)
            ) from err
        except ChildDied as err:
            raise _error_of_exit_code(err.exit_code, seconds) from err
        except ReplyTooLarge as err:
            raise UnreadableFile(TOO_LARGE, "What was read of the file is larger than allowed.") from err
        except RefusedReply as err:
            log.error("A child process sent a reply that no reader sends; the child was killed")
            raise UnreadableFile(DAMAGED, "Processing crashed: the file is damaged or malicious.") from err
        except (MemoryError, RecursionError) as err:
            raise UnreadableFile(TOO_LARGE, "Processing needs more memory than is allowed for one file.") from err
        except OSError as err:
            raise _error_of_disk(err) from err
        except Exception as err:
            # Unexpected, so perhaps an error of this program: not reported as damage, and tried again later.
            name = err.name if isinstance(err, OtherError) else type(err).__name__
            log.error("A reader failed in a way it should not: %s", name, exc_info=log.isEnabledFor(logging.DEBUG))
            raise UnreadableFile(FAILED, N_("Processing failed ({error}). Try again.", error=name)) from err

    @property
    def closed(self) -> bool:
        return self._closing.is_set()

    def close(self) -> None:
        """Stop all children. A caller that waits for a child, or for its turn, gets ProcessPoolClosed."""
        with self._lock:
            self._closing.set()
            for child in self._children:
                child.kill()
            if self._starter:
                self._starter.close()
        self._idle.put(None)  # wakes a caller that waits for its turn, who puts it back for the next

    def _run_with_retries(
        self, task: Callable[..., Any], arguments: tuple[Any, ...], seconds: float, wall_seconds: float
    ) -> tuple[bool, Any]:
        """Return the answer of the first child that survives the task.

        A child that was killed is replaced and the task is run again, until MAX_DEATHS children have died of it.
        """
        for deaths in range(1, MAX_DEATHS + 1):
            try:
                return self._run_once(task, arguments, seconds, wall_seconds)
            except ChildDied as err:
                if self.closed:
                    raise ProcessPoolClosed from err
                log.warning("A child process died with exit code %s", err.exit_code)
                if deaths == MAX_DEATHS or is_crash(err.exit_code) or err.exit_code == -signal.SIGXCPU:
                    raise
        raise AssertionError("unreachable")

    def _run_once(
        self, task: Callable[..., Any], arguments: tuple[Any, ...], seconds: float, wall_seconds: float
    ) -> tuple[bool, Any]:
        child = self._idle.get()
        try:
            if child is None or not child.is_alive or child.tasks >= TASKS_BEFORE_RECYCLING or self.closed:
                self._discard_child(child)
                child = None
                child = self._start_child()
            return child.run(run_within_cpu_limit, seconds, task, *arguments, wait_seconds=wall_seconds)
        except BaseException:  # not an error of the task, which would be an answer
            self._discard_child(child)
            child = None
            raise
        finally:
            self._idle.put(child)

    def _start_child(self) -> ChildProcess:
        with self._lock:
            if self.closed:
                raise ProcessPoolClosed
            if self._starter is None:
                self._starter = _ChildStarter()
            child = self._starter.start()
            self._children.add(child)
        try:
            child.run(set_process_limits, self._memory_bytes)
            child.run(refuse_network, shutil.which(OFFICE_PROGRAM) is not None)
            child.run(skip_unneeded_imports)
        except ChildDied:
            self._discard_child(child)
            raise
        return child

    def _discard_child(self, child: ChildProcess | None) -> None:
        if child is not None:
            child.close()
            with self._lock:
                self._children.discard(child)


class _ChildStarter:
    """A thread that starts the children.

    The kernel ends children with the thread that started them, so this thread must stay.
    """

    def __init__(self) -> None:
        self._requests: SimpleQueue[Future[ChildProcess] | None] = SimpleQueue()
        threading.Thread(target=self._work, name="process_pool-starter", daemon=True).start()

    def start(self) -> ChildProcess:
        started: Future[ChildProcess] = Future()
        self._requests.put(started)
        return started.result()

    def close(self) -> None:
        self._requests.put(None)

    def _work(self) -> None:
        while (started := self._requests.get()) is not None:
            try:
                started.set_result(ChildProcess())
            except Exception as err:
                started.set_exception(err)


def _error_of_exit_code(exit_code: int, seconds: float) -> UnreadableFile:
    if exit_code == -signal.SIGXCPU:
        return UnreadableFile(
            TIMED_OUT, N_("Processing used more than {seconds:g} seconds of processor time.", seconds=seconds)
        )
    if is_crash(exit_code):
        return UnreadableFile(DAMAGED, "Processing crashed: the file is damaged or malicious.")
    return UnreadableFile(QUARANTINED, QUARANTINE_REASON)


def _error_of_disk(err: OSError) -> UnreadableFile:
    if is_disk_full(err):
        return UnreadableFile(FAILED, DiskFull().detail)
    if err.errno == errno.EFBIG:
        return UnreadableFile(TOO_LARGE, "A file generated from it is larger than allowed.")
    log.error("A reader could not use the disk: %r", err)
    return UnreadableFile(FAILED, N_("Processing failed ({error}). Try again.", error=type(err).__name__))
