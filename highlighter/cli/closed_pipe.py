"""The end of a command whose output pipe is closed, as in `... --json | head -1`."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable
from typing import TextIO

SIGPIPE_EXIT_STATUS = 141  # what a shell reports for a program ended by the signal


def run_main(main: Callable[[], int]) -> int:
    """Run `main` and return its exit status. A closed pipe ends the command without a message."""
    try:
        try:
            return main()
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()  # at exit, the interpreter would report the closed pipe
    except BrokenPipeError:
        closed = [stream for stream in (sys.stdout, sys.stderr) if _is_closed_pipe(stream)]
        if not closed:
            raise  # another pipe, to a child process or a service
        for stream in closed:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return SIGPIPE_EXIT_STATUS


def _is_closed_pipe(stream: TextIO | None) -> bool:
    if stream is None:
        return False
    if not hasattr(select, "poll"):  # Windows, where no command has another pipe
        return True
    poll = select.poll()
    poll.register(stream.fileno(), 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))
