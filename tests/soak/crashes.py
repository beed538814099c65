"""Kill the service, its reading processes and ingestions beside it, again and again: nothing accepted is lost or doubled."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import psutil

from highlighter.embedding.embedder import Embedder
from highlighter.models import READY
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.workers.process_pool import MAX_DEATHS
from tests.browser.serving import ROOT
from tests.soak.accepted_work import AcceptedWork
from tests.soak.goals import GoalResult, judge
from tests.soak.library_state import list_inconsistencies
from tests.soak.options import SoakOptions
from tests.soak.progress import report
from tests.soak.running_service import START_SECONDS, RunningService, is_reader
from tests.waiting import wait_until

SERVICE, WORKER, READER, INGESTION = "service", "answering process", "reading process", "ingestion"
VICTIMS = (SERVICE, SERVICE, WORKER, READER, INGESTION)
# A start of the service takes seconds, a reading process or an ingestion one: the quick form kills mostly those.
QUICK_VICTIMS = {SERVICE: 1, WORKER: 2, READER: 5, INGESTION: 4}
KILLS_BETWEEN_AUDITS = 25  # each stops the service and compares everything with everything
INGESTION_SECONDS = (0.3, 3.0)  # from its start to its death
MAX_ANSWER_SECONDS = 10.0
UNDO_SECONDS = "86400"  # longer than the loop: no pending deletion becomes final in it


class CrashLoop:
    """A service on a data folder, what it accepted, and what was found wrong."""

    def __init__(self, work: Path, random: Random):
        self.work, self.data, self.random = work, work / "data", random
        self.service = RunningService(self.data, UNDO_SECONDS=UNDO_SECONDS)
        self.accepted = AcceptedWork(self.data / "catalog.sqlite", random)
        self.deaths = Counter[str]()  # kills while a document was read
        self.answer_seconds: list[float] = []
        self.retries = 0
        self.kills = Counter[str]()
        self._faults: list[str] = []

    @property
    def faults(self) -> list[str]:
        """Return what was found wrong, each once: what stays is found again at each comparison."""
        return list(dict.fromkeys([*self.accepted.refused, *self._faults]))

    def run(self, victims: Iterable[str]) -> None:
        self.data.mkdir()
        self.start_and_answer(is_measured=False)
        try:
            with closing(self.service.connect()) as connection:
                self.accepted.begin(connection)
            for number, victim in enumerate(victims):
                if number and number % KILLS_BETWEEN_AUDITS == 0:
                    self.compare_everything()
                    self.start_and_answer()
                self.disturb(victim)
                report(f"{self.kills.total()} kills, {self.accepted.describe()}", passing=True)
            self.compare_everything()
        finally:
            self.service.stop()

    def disturb(self, victim: str) -> None:
        """Give the service work, kill something meanwhile, and go on."""
        with closing(self.service.connect()) as connection:
            for _ in range(self.random.randint(1, 3)):
                self.accepted.add_something(connection)
        kill = {
            SERVICE: self.kill_service,
            WORKER: self.kill_worker,
            READER: self.kill_reader,
            INGESTION: self.kill_ingestion,
        }[victim]
        while not kill():
            pass
        self.kills[victim] += 1
        self._faults += self.accepted.find_losses()

    def start_and_answer(self, is_measured: bool = True) -> None:
        began = time.monotonic()
        self.service.start()
        with closing(self.service.connect()) as connection:
            self.accepted.ask(connection)
        if is_measured:
            self.answer_seconds.append(time.monotonic() - began)

    def kill_service(self) -> bool:
        time.sleep(self.random.uniform(0, 2))
        others = self.service.list_processes()[1:]
        self.count_deaths()
        self.service.kill()
        self.expect_death(others)
        self.start_and_answer()
        return True

    def kill_worker(self) -> bool:
        """Kill the process that answers, and wait for the answer of the one that follows it."""
        time.sleep(self.random.uniform(0, 2))
        worker = self.service.find_worker()
        self.count_deaths()
        worker.kill()
        began = time.monotonic()
        while not self.is_answered():
            if time.monotonic() - began > START_SECONDS:
                self._faults.append("No process followed the one that was killed.")
                self.service.kill()
                self.service.start()
                break
            time.sleep(0.05)
        self.answer_seconds.append(time.monotonic() - began)
        return True

    def is_answered(self) -> bool:
        try:
            with closing(self.service.connect()) as connection:
                return self.accepted.try_to_ask(connection)
        except OSError:
            return False

    def kill_reader(self) -> bool:
        """Kill a process that reads a file. Return False if there was none."""
        with closing(self.service.connect()) as connection:
            self.accepted.upload(connection)
        time.sleep(self.random.uniform(0, 1))
        end = time.monotonic() + 10
        while not (readers := self.service.list_readers()):
            if time.monotonic() > end:
                return False
            time.sleep(0.01)
        self.count_deaths()
        with suppress(psutil.NoSuchProcess):
            self.random.choice(readers).kill()
        if not self.service.is_alive():
            self._faults.append("The service ended with a reading process.")
            self.start_and_answer()
        return True

    def kill_ingestion(self) -> bool:
        """Kill the command that takes files in beside the service, with the processes that it started.

        Return False if it had ended before.
        """
        folder = self.work / f"folder-{time.monotonic_ns()}"
        folder.mkdir()
        for _ in range(3):
            name, content = self.accepted.make_file()
            (folder / name).write_bytes(content)
        process = subprocess.Popen(
            [sys.executable, "-m", "ingest", "--quiet", str(folder)],
            cwd=ROOT,
            env={**os.environ, "DATA_DIR": str(self.data)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(self.random.uniform(*INGESTION_SECONDS))
        if process.poll() is not None:
            return False
        others = psutil.Process(process.pid).children(recursive=True)
        self.count_deaths()
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.expect_death(others)
        return True

    def count_deaths(self) -> None:
        """Count a kill for each document that is being read."""
        self.deaths.update(self.accepted.list_reading())

    def expect_death(self, processes: list[psutil.Process]) -> None:
        """Note the reading processes that outlive the process that started them."""
        _, alive = psutil.wait_procs(processes, timeout=60)
        self._faults += ["A reading process outlived its parent." for process in alive if is_reader(process)]

    def compare_everything(self) -> None:
        """Wait until the service has read all, stop it, and compare rows, vectors, files and the audit."""
        report("compares everything")
        with closing(self.service.connect()) as connection:
            self.accepted.undo_all(connection)
        wait_until(lambda: not self.accepted.has_unfinished(), seconds=600)
        self.retry_quarantined()
        self.service.stop()
        self._faults += self.accepted.find_losses()
        services = Services(Settings(data_dir=self.data, ocr=False), Embedder())
        try:
            services.ingest_queue.finish_unfinished()
            services.index.sync()
            self._faults += list_inconsistencies(services)
            self._faults += [
                f"{document.name} is {document.state}: {document.reason}"
                for document in services.catalog.documents()
                if document.state != READY
            ]
        finally:
            services.close()

    def retry_quarantined(self) -> None:
        """Upload again what was quarantined because its processes were killed three times, as its page says."""
        for document_id, name in self.accepted.list_quarantined():
            if self.deaths[document_id] >= MAX_DEATHS and name in self.accepted.files:
                report(f"{name} is uploaded again, after {self.deaths[document_id]} kills while it was read")
                self.retries += 1
                with closing(self.service.connect()) as connection:
                    connection.upload(name, self.accepted.files[name])
        wait_until(lambda: not self.accepted.has_unfinished(), seconds=600)


def choose_quick_victims(random: Random) -> list[str]:
    """Return the 12 victims of the quick form in a random order."""
    victims = [victim for victim, count in QUICK_VICTIMS.items() for _ in range(count)]
    random.shuffle(victims)
    return victims


def run_crashes(options: SoakOptions, work: Path) -> list[GoalResult]:
    random = Random(options.seed)
    loop = CrashLoop(work, random)
    loop.run(random.choice(VICTIMS) for _ in range(options.kills))
    faults = loop.faults
    kills = ", ".join(f"{count} of {victim}" for victim, count in loop.kills.items())
    figure = f"{loop.kills.total()} kills ({kills}), {loop.accepted.describe()}, "
    figure += f"{loop.retries} killed {MAX_DEATHS} times while they were read and uploaded again: "
    figure += f"{len(faults)} faults" + "".join(f"; {fault}" for fault in faults[:3])
    for fault in faults:
        report(fault)
    slowest = max(loop.answer_seconds, default=0.0)
    median = sorted(loop.answer_seconds)[len(loop.answer_seconds) // 2] if loop.answer_seconds else 0.0
    return [
        judge("After kills 0 lost, 0 doubled, rows = vectors = PDFs, audit whole", figure, not faults),
        judge(
            "First answer after a start within 10 s",
            f"median {median:.1f} s, longest {slowest:.1f} s of {len(loop.answer_seconds)} starts",
            slowest <= MAX_ANSWER_SECONDS,
        ),
    ]
