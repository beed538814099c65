"""Limits that the kernel keeps for a child process, whatever a file makes a parser do."""

from __future__ import annotations

import math
import resource
import sys
from collections.abc import Callable
from typing import Any

LARGEST_FILE_WRITTEN = 2 << 30
OPEN_FILES = 256


def limit_this_process(memory: int) -> None:
    """Limit for good what this process, and each program that it starts, may use. `memory` is in bytes."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE_WRITTEN, LARGEST_FILE_WRITTEN))
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def skip_unneeded_imports() -> None:
    """Keep nltk from importing scipy and scikit-learn, which it does where they are installed: no task that reads or
    draws a file uses them, and they cost more than a second in each child process."""
    for name in ("scipy", "sklearn"):
        sys.modules.setdefault(name, None)


def run_within(cpu_seconds: float, task: Callable[..., Any], *arguments: Any) -> Any:
    """Run a task that ends its process by SIGXCPU when it uses more processor time than this.

    The kernel counts from the process's start and in whole seconds, so the limit is moved on before each task. A
    program that the task starts inherits the limit and counts for itself.
    """
    used = resource.getrusage(resource.RUSAGE_SELF)
    ends = math.ceil(used.ru_utime + used.ru_stime + cpu_seconds)
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (ends if most == resource.RLIM_INFINITY else min(ends, most), most))
    return task(*arguments)
