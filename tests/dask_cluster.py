"""A Dask cluster on this machine: a scheduler, and workers that are started again when they end, as a container is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from tests.browser.serving import ROOT, free_port

MAX_FILE_DEATHS = 3  # of workers at one file; Dask counts those that are allowed
END_WITH_PARENT = ("setpriv", "--pdeathsig", "KILL", "--")  # with the thread that started it


class RunningDask:
    """The scheduler and the workers. Each worker is one process with children, which the kernel ends with it."""

    def __init__(self, folder: Path, workers: int = 2, environment: dict[str, str] | None = None):
        folder.mkdir()
        self._folder, self._port = folder, free_port()
        self.url = f"tcp://127.0.0.1:{self._port}"
        self._environment = {
            **os.environ,
            "OCR": "0",
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(MAX_FILE_DEATHS - 1),
            **(environment or {}),
        }
        self.worker_count = workers
        self._stopping = threading.Event()
        self._workers: dict[int, subprocess.Popen[bytes]] = {}
        self.deaths = 0  # of workers
        self.start()
        self._keepers = [threading.Thread(target=self._keep_worker, args=(number,)) for number in range(workers)]
        for keeper in self._keepers:
            keeper.start()

    def start(self) -> None:
        """Start the scheduler; workers join it by themselves."""
        self._scheduler = self._run(
            "scheduler", "--host", "127.0.0.1", "--port", str(self._port), "--no-dashboard", "--no-show"
        )

    def stop(self) -> None:
        """Kill the scheduler; the workers stay."""
        self._scheduler.kill()
        self._scheduler.wait()

    def pause(self) -> None:
        """Stop the scheduler from doing anything; its connections stay."""
        self._scheduler.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._scheduler.send_signal(signal.SIGCONT)

    def kill_worker(self, process: int) -> None:
        """Kill a worker, by its process; another takes its place."""
        os.kill(process, signal.SIGKILL)

    def kill_first_worker(self) -> None:
        self.kill_worker(self._workers[0].pid)

    def close(self) -> None:
        self._stopping.set()
        for process in [*self._workers.values()]:
            _kill_group(process)
        for keeper in self._keepers:
            keeper.join()
        self.stop()

    def read_log(self) -> str:
        return "".join(path.read_text(errors="replace") for path in sorted(self._folder.glob("*.log")))

    def _keep_worker(self, number: int) -> None:
        while not self._stopping.is_set():
            self._workers[number] = self._run(
                "worker", self.url, "--nthreads", "1", "--no-dashboard", "--no-nanny", "--death-timeout", "20",
                "--local-directory", str(self._folder / f"worker{number}"),
            )  # fmt: skip
            if self._stopping.is_set():
                _kill_group(self._workers[number])
            self._workers[number].wait()
            self.deaths += 1

    def _run(self, part: str, *arguments: str) -> subprocess.Popen[bytes]:
        with (self._folder / f"{part}.log").open("ab") as log:
            return subprocess.Popen(
                [*END_WITH_PARENT, sys.executable, "-m", f"distributed.cli.dask_{part}", *arguments],
                env=self._environment, cwd=ROOT, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
