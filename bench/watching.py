"""A command run to its end, with its time and the most memory that it and each of its children held."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

LOOK_EVERY_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Watched:
    seconds: float
    parent_mb: float
    largest_child_mb: float
    together_mb: float  # parent and children at the same moment


def watched(command: list[str], **environment: str) -> Watched:
    began = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, env={**os.environ, **environment}, start_new_session=True
    )
    peaks: dict[int, float] = {}
    together = [0.0]
    watcher = threading.Thread(target=_watch, args=[process, peaks, together], daemon=True)
    watcher.start()
    status = process.wait()
    watcher.join()
    if status not in (0, 1):
        raise SystemExit(f"{' '.join(command)} ended with {status}")
    parent = peaks.pop(process.pid, 0.0)
    return Watched(time.perf_counter() - began, parent, max(peaks.values(), default=0.0), together[0])


def _watch(process: subprocess.Popen, peaks: dict[int, float], together: list[float]) -> None:
    while process.poll() is None:
        held = {int(p.name): _resident_mb(p) for p in Path("/proc").iterdir() if _is_of(p, process.pid)}
        for pid, megabytes in held.items():
            peaks[pid] = max(peaks.get(pid, 0.0), megabytes)
        together[0] = max(together[0], sum(held.values()))
        time.sleep(LOOK_EVERY_SECONDS)


def _is_of(process: Path, session: int) -> bool:
    if not process.name.isdigit():
        return False
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[3]) == session
    except (OSError, IndexError):
        return False


def _resident_mb(process: Path) -> float:
    try:
        return int((process / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
    except (OSError, IndexError):
        return 0.0
