"""Limits that the kernel keeps for a child process, whatever a file makes a parser do."""

from __future__ import annotations

import contextlib
import ctypes
import math
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

MAX_FILE_BYTES = 2 << 30
MAX_OPEN_FILES = 256


def limit_this_process(memory: int) -> None:
    """Limit for good what this process, and each program that it starts, may use. `memory` is in bytes."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_FILE_BYTES, MAX_FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_NOFILE, (MAX_OPEN_FILES, MAX_OPEN_FILES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def skip_unneeded_imports() -> None:
    """Keep nltk from importing scipy and scikit-learn, which it does where they are installed: no task that reads or
    draws a file uses them, and they cost more than a second in each child process."""
    for name in ("scipy", "sklearn"):
        sys.modules.setdefault(name, None)


def run_within_cpu_limit(cpu_seconds: float, task: Callable[..., Any], *arguments: Any) -> Any:
    """Run a task that ends its process by SIGXCPU when it uses more processor time than this.

    The kernel counts from the process's start and in whole seconds, so the limit is moved on before each task. A
    program that the task starts inherits the limit and counts for itself.
    """
    used = resource.getrusage(resource.RUSAGE_SELF)
    ends = math.ceil(used.ru_utime + used.ru_stime + cpu_seconds)
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (ends if most == resource.RLIM_INFINITY else min(ends, most), most))
    return task(*arguments)


# Processes that do not outlive whoever asked for them: how they begin, and how other people's programs are run.


PR_SET_PDEATHSIG = 1


def run_program(
    command: list[str],
    working_folder: Path,
    environment: Mapping[str, str],
    seconds: float,
    capture_errors: bool = False,
    before_start: Callable[[], object] = lambda: None,
) -> tuple[int, bytes]:
    """Its exit status, and what it said of errors when it is `heard`. `beforehand` is done in its process, before it.

    Raises OSError when it cannot be started, subprocess.TimeoutExpired when it takes longer.
    """

    asking = os.getpid()

    def get_ready() -> None:
        die_with_parent(asking)
        before_start()

    child = subprocess.Popen(
        command,
        cwd=working_folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE if capture_errors else subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=get_ready,
    )
    try:
        _, said = child.communicate(timeout=seconds)
        return child.returncode, said or b""
    finally:
        _kill_process_group(child)


def die_with_parent(parent_id: int) -> None:
    """From now on this process ends with its parent, and at once when that was gone before it could say so."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent_id:
        os._exit(1)


def _kill_process_group(child: subprocess.Popen) -> None:
    """With all that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    if child.stderr:
        child.stderr.close()
