"""Runs a module as a program where Python lacks what it lacks on Windows: `python without_posix.py MODULE ARGUMENTS`."""

from __future__ import annotations

import os
import runpy
import select
import signal
import sys

MODULES = ("fcntl", "resource", "pwd", "grp", "termios", "pty", "tty", "readline", "syslog")
MISSING = {
    os: ("fork", "killpg", "setsid", "getppid", "nice", "sched_getaffinity", "posix_fallocate", "geteuid", "getuid"),
    signal: ("SIGKILL", "SIGBUS", "SIGXCPU", "SIGALRM", "SIGHUP", "SIGUSR1", "SIGUSR2", "setitimer", "siginterrupt"),
    select: ("poll",),
}


def main() -> None:
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]  # an import then fails, and find_spec returns None
    for module, names in MISSING.items():
        for name in names:
            delattr(module, name)
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
