"""Fake programs for those that readers call: real executables on the path, in real child processes."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import pytest


def put_on_path(name: str, text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put an executable with this text on the path, before any other of its name."""
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(text)
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def is_running(pid: int) -> bool:
    """Return whether a process still runs, not counting a zombie."""
    for _ in range(50):
        status = Path(f"/proc/{pid}/stat")
        if not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z":
            return False
        time.sleep(0.1)
    return True
