"""A child process that runs tasks one after the other, and can be killed at any moment."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

from highlighter.workers import replies
from highlighter.workers.replies import ReplyTooLarge, load_reply

_MAIN_PATH = Path(__file__).with_name("child_main.py")
MIN_RECEIVE_SECONDS = 1.0  # for an answer that began at the last moment


class ChildDied(Exception):
    """The error for a child that ended before it answered. `exit_code` is negative for a signal, as in subprocess."""

    def __init__(self, exit_code: int):
        super().__init__(f"exit code {exit_code}")
        self.exit_code = exit_code


class TaskTimedOut(Exception):
    """The error for a child that has not answered in time.

    The child is still running the task, and can be used for no other.
    """


class ChildProcess:
    """A child process with its own main module, so that it never imports the parent's `__main__`."""

    def __init__(self) -> None:
        self.tasks = 0
        self._connection, child_connection = Pipe()
        with child_connection:
            # Safe path (-P): this folder must not come before the standard library.
            command = [sys.executable, "-P", str(_MAIN_PATH), str(child_connection.fileno())]
            # A session of its own: Ctrl-C and a service manager's signals go to the parent, which decides.
            self._process = subprocess.Popen(
                command,
                pass_fds=[child_connection.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,  # the parent's standard output may be read by a program
                cwd="/",  # the parent's working folder may be removed while the child lives
                start_new_session=True,
            )
        self._connection.send((os.getpid(), _list_import_paths()))

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def run(self, task: Callable[..., Any], *arguments: Any, wait_seconds: float | None = None) -> tuple[bool, Any]:
        """Run a task in the child and return (True, its result) or (False, the error that it raised).

        The task is sent by name, so it must be a function of a module that can be imported. Relative paths are sent as
        absolute ones.
        """
        self.send(task, *arguments)
        if wait_seconds is None:
            return self.receive()
        end = time.monotonic() + wait_seconds
        if not self.has_answered(wait_seconds):
            raise TaskTimedOut
        return self._receive_before(end)

    def send(self, task: Callable[..., Any], *arguments: Any) -> None:
        """Send a task to the child."""
        resolved_arguments = [item.absolute() if isinstance(item, Path) else item for item in arguments]
        message = pickle.dumps((task, resolved_arguments))
        self.tasks += 1
        with suppress(ConnectionError):  # the child is dead: `receive` reports it
            self._connection.send_bytes(message)

    def has_answered(self, wait_seconds: float | None) -> bool:
        """Wait for the answer or the child's death, and return whether it came."""
        return self._connection.poll(wait_seconds)

    def receive(self) -> tuple[bool, Any]:
        """Return the child's answer as `run` does. Raises ChildDied and RefusedReply.

        After an answer that was refused, the child can be used for no other task.
        """
        try:
            answer = self._connection.recv_bytes(replies.MAX_REPLY_BYTES)
        except (EOFError, OSError) as err:
            if not self._connection.readable:  # it announced too many bytes
                raise ReplyTooLarge from err
            raise ChildDied(self._process.wait()) from err
        return load_reply(answer)

    def _receive_before(self, end: float) -> tuple[bool, Any]:
        """Receive an answer that has begun, and kill the child when the rest does not come in time."""
        is_late = threading.Event()

        def stop() -> None:
            is_late.set()
            self.kill()

        watch = threading.Timer(max(end - time.monotonic(), MIN_RECEIVE_SECONDS), stop)
        watch.daemon = True
        watch.start()
        try:
            return self.receive()
        except ChildDied as err:
            if is_late.is_set():
                raise TaskTimedOut from err
            raise
        finally:
            watch.cancel()

    def kill(self) -> None:
        """Kill the child, from any thread. A thread that waits for its answer gets ChildDied."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        self.kill()
        self._connection.close()


def _list_import_paths() -> list[str]:
    """Return where this process finds its modules, as absolute paths, since the child runs in another folder."""
    try:
        return [os.path.abspath(entry) for entry in sys.path]
    except FileNotFoundError:  # the folder that this process runs in was removed
        return [entry for entry in sys.path if os.path.isabs(entry)]
