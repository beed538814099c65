"""Measure the reading of files on a Dask cluster of this machine beside its own processes: `python -m bench.scale.workers`.

With as many workers as cores there is nothing to gain; what the cluster costs is seen. That work spreads over more workers is
shown with tasks that only sleep.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from bench.generated_documents import write_documents
from bench.table import Row, print_table
from highlighter.models import READY
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.workers.cluster import Cluster
from ingest.batch import ingest_files
from tests.dask_cluster import RunningDask
from tests.waiting import wait_until

WORKERS = (1, 2, 4)
TASKS, TASK_SECONDS = 40, 0.5


def read_files(folder: Path, data_dir: Path, workers: int, dask_url: str = "") -> float:
    """Return the seconds that reading a folder takes, once the workers have read a first file."""
    first = folder.parent / "first.txt"
    first.write_text("The models are loaded by the first file. It has two sentences.", encoding="utf-8")
    with closing(Services(Settings(data_dir=data_dir, ocr=False, dask_scheduler=dask_url))) as services:
        if cluster := services.cluster:
            wait_until(lambda: cluster.count_threads() == workers, seconds=60)
        warm_up = [first.with_name(f"first{number}.txt") for number in range(workers * 4)]
        for number, path in enumerate(warm_up):
            path.write_text(f"{first.read_text(encoding='utf-8')} It is number {number}.", encoding="utf-8")
        ingest(warm_up, services, workers)
        started = time.monotonic()
        ingest(sorted(folder.iterdir()), services, workers)
        seconds = time.monotonic() - started
        assert {document.state for document in services.catalog.documents()} == {READY}
        return seconds


def ingest(paths: list[Path], services: Services, workers: int) -> None:
    ingest_files(
        list(paths),
        services,
        "default",
        {},
        workers,
        lambda: lambda stage, done, total: None,
        lambda path, outcome: None,
    )


def sleep_on(dask_url: str) -> float:
    """Return the seconds that forty tasks of half a second take."""
    with closing(Cluster(dask_url)) as cluster, ThreadPoolExecutor(TASKS) as threads:
        cluster.require_answer()
        started = time.monotonic()
        list(threads.map(lambda _: cluster.run(time.sleep, TASK_SECONDS), range(TASKS)))
        return time.monotonic() - started


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the reading of files on Dask beside the same without it.")
    parser.add_argument("--share", type=float, default=0.25, help="of 1,000 pages (default: %(default)s)")
    options = parser.parse_args()
    rows, slept = [], {}
    with tempfile.TemporaryDirectory() as root:
        folder = write_documents(Path(root) / "papers", options.share)
        for workers in WORKERS:
            here = read_files(folder, Path(root) / f"here{workers}", workers)
            dask = RunningDask(Path(root) / f"dask{workers}", workers)
            with closing(dask):
                there = read_files(folder, Path(root) / f"there{workers}", workers, dask.url)
                slept[workers] = sleep_on(dask.url)
            name = f"{len(list(folder.iterdir()))} files, {workers} Dask workers"
            rows.append(
                Row(name, f"{there:.1f} s", f"{workers} processes {here:.1f} s", f"{there / here:.2f}", "≤ 1.1")
            )
            print(*rows[-1:], flush=True)
    most = max(WORKERS)
    name = f"{TASKS} tasks that sleep for {TASK_SECONDS:g} s, {most} workers"
    rows.append(
        Row(name, f"{slept[most]:.1f} s", f"1 worker {slept[1]:.1f} s", f"{slept[1] / slept[most]:.2f}", "≥ 3.5")
    )
    print_table(rows)


if __name__ == "__main__":
    main()
