"""One child process that runs tasks, one after the other, and can be killed at any moment."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

_MAIN_PATH = Path(__file__).with_name("child_main.py")


class ChildDied(Exception):
    """The child ended before it answered. `exit_code` is negative for a signal, as in subprocess."""

    def __init__(self, exit_code: int):
        super().__init__(f"exit code {exit_code}")
        self.exit_code = exit_code


class TaskTimedOut(Exception):
    """The child has not answered in time. It is still running the task, and good for no other."""


class ChildProcess:
    """A process of its own module: it never imports the caller's `__main__`. Its parent's path is its path."""

    def __init__(self) -> None:
        self.tasks = 0
        self._connection, theirs = Pipe()
        with theirs:
            # Safe path (-P): our folder must not come before the standard library.
            command = [sys.executable, "-P", str(_MAIN_PATH), str(theirs.fileno())]
            # Its own session: Ctrl-C and a service manager's signals go to the parent, which decides.
            self._process = subprocess.Popen(
                command,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,  # the caller's standard output may be read by a program
                cwd="/",  # the caller's own folder may be removed while the child lives
                start_new_session=True,
            )
        self._connection.send((os.getpid(), _list_import_paths()))

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def run(self, task: Callable[..., Any], *arguments: Any, wait_seconds: float | None = None) -> tuple[bool, Any]:
        """Run a task in the child. Return (True, its result) or (False, the error that it raised).

        The task is sent by its name, so it is a function of a module that can be imported. Paths are sent in full.
        """
        self.send(task, *arguments)
        if not self.has_answered(wait_seconds):
            raise TaskTimedOut
        return self.receive()

    def send(self, task: Callable[..., Any], *arguments: Any) -> None:
        in_full = [item.absolute() if isinstance(item, Path) else item for item in arguments]
        message = pickle.dumps((task, in_full))
        self.tasks += 1
        with suppress(ConnectionError):  # dead already: `receive` says so
            self._connection.send_bytes(message)

    def has_answered(self, wait_seconds: float | None) -> bool:
        """Wait for the answer, or the child's death."""
        return self._connection.poll(wait_seconds)

    def receive(self) -> tuple[bool, Any]:
        try:
            answer = self._connection.recv_bytes()
        except (EOFError, ConnectionError) as err:
            raise ChildDied(self._process.wait()) from err
        return pickle.loads(answer)

    def kill(self) -> None:
        """From any thread; whoever waits for an answer gets ChildDied."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        self.kill()
        self._connection.close()


def _list_import_paths() -> list[str]:
    """Where this process finds its modules, in full: the child runs in another folder."""
    try:
        return [os.path.abspath(entry) for entry in sys.path]
    except FileNotFoundError:  # the folder that this process runs in was removed
        return [entry for entry in sys.path if os.path.isabs(entry)]
