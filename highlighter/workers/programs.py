"""Processes that do not outlive whoever asked for them: how they begin, and how other people's programs are run."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

PR_SET_PDEATHSIG = 1


def run_program(
    command: list[str],
    work: Path,
    environment: Mapping[str, str],
    seconds: float,
    heard: bool = False,
    beforehand: Callable[[], object] = lambda: None,
) -> tuple[int, bytes]:
    """Its exit status, and what it said of errors when it is `heard`. `beforehand` is done in its process, before it.

    Raises OSError when it cannot be started, subprocess.TimeoutExpired when it takes longer.
    """

    asking = os.getpid()

    def get_ready() -> None:
        die_with(asking)
        beforehand()

    child = subprocess.Popen(
        command,
        cwd=work,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE if heard else subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=get_ready,
    )
    try:
        _, said = child.communicate(timeout=seconds)
        return child.returncode, said or b""
    finally:
        _end(child)


def die_with(parent: int) -> None:
    """From now on this process ends with its parent, and at once when that was gone before it could say so."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _end(child: subprocess.Popen) -> None:
    """With all that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    if child.stderr:
        child.stderr.close()
