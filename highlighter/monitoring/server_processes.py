"""Memory, processor time and open files of each process of a server that has several."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from prometheus_client import Metric, ProcessCollector
from prometheus_client.registry import Collector

PROCESSES_FOLDER = Path("/proc")  # of Linux; elsewhere a process cannot look at another, and nothing is measured


class ServerProcessesCollector(Collector):
    """The measurements that a single process has without a label, by the id of each process of this server."""

    def __init__(self, shared_folder: Path):
        self._shared_folder = shared_folder

    def collect(self) -> Iterator[Metric]:
        families: dict[str, Metric] = {}
        for process_id in list_server_processes(self._shared_folder):
            for family in ProcessCollector(pid=lambda id=process_id: id, registry=None).collect():  # type: ignore[misc]
                all_processes = families.setdefault(family.name, Metric(family.name, family.documentation, family.type))
                for sample in family.samples:
                    all_processes.add_sample(sample.name, {"pid": str(process_id)}, sample.value)
        yield from families.values()


def list_server_processes(shared_folder: Path) -> list[int]:
    """Return the ids of the processes that count in a folder and were started by the same server as this one."""
    counted = {int(path.stem.rpartition("_")[2]) for path in shared_folder.glob("counter_*.db")}
    return sorted(process_id for process_id in counted if _read_parent_id(process_id) == os.getppid())


def _read_parent_id(process_id: int) -> int:
    """Return the id of the process that started another; 0 where it has ended."""
    try:
        status = (PROCESSES_FOLDER / str(process_id) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    return int(status.rpartition(")")[2].split()[1])  # the name before it may hold spaces and brackets
