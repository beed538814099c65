"""Running a command and measuring its time and the peak memory of the process and its children."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class ProcessUsage:
    """The time and the peak memory of a command."""

    seconds: float
    parent_mb: float
    largest_child_mb: float
    together_mb: float  # parent and children at the same moment


def run_monitored(command: list[str], **environment: str) -> ProcessUsage:
    start = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, env={**os.environ, **environment}, start_new_session=True
    )
    peaks: dict[int, float] = {}
    together = [0.0]
    poller = threading.Thread(target=_poll_memory, args=[process, peaks, together], daemon=True)
    poller.start()
    status = process.wait()
    poller.join()
    if status not in (0, 1):
        raise SystemExit(f"{' '.join(command)} ended with {status}")
    parent = peaks.pop(process.pid, 0.0)
    return ProcessUsage(time.perf_counter() - start, parent, max(peaks.values(), default=0.0), together[0])


def _poll_memory(process: subprocess.Popen[bytes], peaks: dict[int, float], together: list[float]) -> None:
    while process.poll() is None:
        memory_of_process = {
            int(p.name): _resident_mb(p) for p in Path("/proc").iterdir() if _is_in_session(p, process.pid)
        }
        for pid, megabytes in memory_of_process.items():
            peaks[pid] = max(peaks.get(pid, 0.0), megabytes)
        together[0] = max(together[0], sum(memory_of_process.values()))
        time.sleep(POLL_SECONDS)


def _is_in_session(process: Path, session: int) -> bool:
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
