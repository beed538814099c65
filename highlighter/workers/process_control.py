"""Limits on child processes that the kernel enforces, whatever a file makes a parser do.

`resource` is imported where it is used, so that clients of a service run on Windows, which has no such module.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from highlighter.operating_system import IS_LINUX

MAX_FILE_BYTES = 2 << 30
MAX_OPEN_FILES = 256


def set_process_limits(memory_bytes: int) -> None:
    """Set the memory limit, file size limit and open file limit of this process and of each program that it starts, for good."""
    import resource

    try:
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    except (OSError, ValueError):  # macOS refuses a limit on memory
        if IS_LINUX:
            raise
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_FILE_BYTES, MAX_FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_NOFILE, (MAX_OPEN_FILES, MAX_OPEN_FILES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_within_cpu_limit(cpu_seconds: float, task: Callable[..., Any], *arguments: Any) -> Any:
    """Run a task that ends its process by SIGXCPU when it uses more processor time than this.

    The kernel counts from the process's start and in whole seconds, so the limit is raised before each task. A program
    that the task starts inherits the limit and counts for itself.
    """
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = math.ceil(used.ru_utime + used.ru_stime + cpu_seconds)
    _, hard_limit = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(
        resource.RLIMIT_CPU, (limit if hard_limit == resource.RLIM_INFINITY else min(limit, hard_limit), hard_limit)
    )
    return task(*arguments)


PR_SET_PDEATHSIG = 1  # prctl's number for the signal that a process gets when its parent dies
PARENT_POLL_SECONDS = 1  # where the kernel sends no such signal


def run_program(
    command: list[str],
    working_folder: Path,
    environment: Mapping[str, str],
    seconds: float,
    *,
    capture_errors: bool = False,
    before_start: Callable[[], object] = lambda: None,
) -> tuple[int, bytes]:
    """Run a program that does not outlive this process, and return its exit status and its error output if captured.

    (On macOS it does where this process is killed by force, until its own limits end it.) `before_start` runs in the program's process before the program does. Raises OSError when the program cannot be
    started, subprocess.TimeoutExpired when it takes longer than `seconds`.
    """
    parent_id = os.getpid()

    def prepare_process() -> None:
        if IS_LINUX:
            die_with_parent(parent_id)
        before_start()

    child = subprocess.Popen(
        command,
        cwd=working_folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE if capture_errors else subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=prepare_process,
    )
    try:
        _, errors = child.communicate(timeout=seconds)
        return child.returncode, errors or b""
    finally:
        _kill_process_group(child)


def die_with_parent(parent_id: int) -> None:
    """End this process when its parent ends, and at once when the parent has ended already."""
    if IS_LINUX:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    else:
        threading.Thread(target=end_after_parent, args=(parent_id,), daemon=True).start()
    if os.getppid() != parent_id:
        os._exit(1)


def end_after_parent(parent_id: int) -> None:
    """Wait for the end of the parent, then end this process."""
    while os.getppid() == parent_id:
        time.sleep(PARENT_POLL_SECONDS)
    os._exit(1)


def _kill_process_group(child: subprocess.Popen[bytes]) -> None:
    """Kill a program and all processes that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    if child.stderr:
        child.stderr.close()
