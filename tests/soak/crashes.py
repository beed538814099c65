"""Kill the service, its reading processes and ingestions beside it, again and again: nothing accepted is lost or doubled."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import psutil

from highlighter.embedding.embedder import Embedder
from highlighter.models import QUARANTINED, READING, READY, UNFINISHED
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.workers.process_pool import MAX_DEATHS
from tests.browser.serving import ROOT
from tests.conftest import NOTE, SAMPLES
from tests.soak.goals import GoalResult, judge
from tests.soak.library_state import list_inconsistencies
from tests.soak.options import SoakOptions
from tests.soak.progress import report
from tests.soak.running_service import START_SECONDS, Connection, RunningService, is_reader
from tests.waiting import wait_until

SERVICE, WORKER, READER, INGESTION = "service", "answering process", "reading process", "ingestion"
VICTIMS = (SERVICE, SERVICE, WORKER, READER, INGESTION)
KILLS_BETWEEN_AUDITS = 15  # each stops the service and compares everything with everything
MAX_ANSWER_SECONDS = 10.0
QUESTION = {"question": "When does the ferry leave?"}


class CrashLoop:
    """A service on a data folder, what it accepted, and what was found wrong."""

    def __init__(self, work: Path, random: Random):
        self.work, self.data, self.random = work, work / "data", random
        self.service = RunningService(self.data)
        self.accepted: set[str] = set()  # documents
        self.deleted: set[str] = set()
        self.answers: set[str] = set()
        self.files = 0
        self.pdfs: dict[str, bytes] = {}  # by name
        self.deaths = Counter[str]()  # kills while a document was read
        self.answer_seconds: list[float] = []
        self.retries = 0
        self.kills = Counter[str]()
        self.faults: list[str] = []

    def run(self, kills: int) -> None:
        self.data.mkdir()
        self.start_and_answer(is_measured=False)
        self.upload()
        try:
            while self.kills.total() < kills:
                self.disturb(self.random.choice(VICTIMS))
                if self.kills.total() % KILLS_BETWEEN_AUDITS == 0:
                    self.compare_everything()
                report(f"{self.kills.total()} kills, {len(self.accepted)} documents", passing=True)
            self.compare_everything()
        finally:
            self.service.stop()

    def disturb(self, victim: str) -> None:
        """Give the service work, kill something meanwhile, and go on."""
        for _ in range(self.random.randint(1, 3)):
            self.work_a_little()
        if victim == INGESTION:
            self.kill_ingestion()
        elif victim == READER:
            self.kill_reader()
        elif victim == WORKER:
            self.kill_worker()
        else:
            time.sleep(self.random.uniform(0, 2))
            others = self.service.list_processes()[1:]
            self.count_deaths()
            self.service.kill()
            self.expect_death(others)
            self.start_and_answer()
        self.kills[victim] += 1
        self.compare_accepted()

    def work_a_little(self) -> None:
        with closing(self.service.connect()) as connection:
            if self.random.random() < 0.15 and self.accepted:
                self.delete(connection)
            elif self.random.random() < 0.2:
                self.answers.add(connection.post("/api/v1/answers", QUESTION).json()["id"])
            else:
                self.upload()

    def upload(self) -> None:
        name, content = self.make_file()
        with closing(self.service.connect()) as connection:
            reply = connection.upload(name, content)
        if reply.status == 202:
            self.accepted.add(reply.json()["document_id"])
        else:
            self.faults.append(f"An upload was answered {reply.status}.")

    def delete(self, connection: Connection) -> None:
        document_id = self.random.choice(sorted(self.accepted))
        reply = connection.request("DELETE", f"/api/v1/documents/{document_id}")
        if reply.status in (200, 202, 204):
            self.accepted.discard(document_id)
            self.deleted.add(document_id)
        else:
            self.faults.append(f"A deletion was answered {reply.status}.")

    def make_file(self) -> tuple[str, bytes]:
        """Return a name and a content that no other document has: text, or a Word file or PDF that is as long as they are."""
        self.files += 1
        text = f"Ferry number {self.files} leaves at {self.files} minutes past seven.\n\n{NOTE}"
        if self.random.random() < 0.2:
            pdf = (SAMPLES / "Harbour Works Contract.pdf").read_bytes()
            self.pdfs[f"{self.files}.pdf"] = pdf + b"%% %d\n" % self.files
            return f"{self.files}.pdf", self.pdfs[f"{self.files}.pdf"]
        return f"{self.files}.txt", text.encode()

    def start_and_answer(self, is_measured: bool = True) -> None:
        began = time.monotonic()
        self.service.start()
        with closing(self.service.connect()) as connection:
            reply = connection.post("/api/v1/answers", QUESTION)
        if reply.status != 200:
            self.faults.append(f"The first answer after a start was {reply.status}.")
        else:
            self.answers.add(reply.json()["id"])
        if is_measured:
            self.answer_seconds.append(time.monotonic() - began)

    def kill_worker(self) -> None:
        """Kill the process that answers, and wait for the answer of the one that follows it."""
        time.sleep(self.random.uniform(0, 2))
        worker = self.service.find_worker()
        self.count_deaths()
        worker.kill()
        began = time.monotonic()
        while time.monotonic() - began < START_SECONDS:
            try:
                with closing(self.service.connect()) as connection:
                    reply = connection.post("/api/v1/answers", QUESTION)
                if reply.status == 200:
                    self.answers.add(reply.json()["id"])
                    break
            except OSError:
                pass
            time.sleep(0.05)
        else:
            self.faults.append("No process followed the one that was killed.")
            self.service.kill()
            self.service.start()
        self.answer_seconds.append(time.monotonic() - began)

    def kill_reader(self) -> None:
        self.upload()
        end = time.monotonic() + self.random.uniform(0, 1)
        while time.monotonic() < end or not (readers := self.service.list_readers()):
            if time.monotonic() > end + 10:
                return
            time.sleep(0.01)
        self.count_deaths()
        with suppress(psutil.NoSuchProcess):
            self.random.choice(readers).kill()
        if not self.service.is_alive():
            self.faults.append("The service ended with a reading process.")
            self.start_and_answer()

    def kill_ingestion(self) -> None:
        """Kill the command that takes files in beside the service, with the processes that it started."""
        folder = self.work / f"folder-{self.files}"
        folder.mkdir()
        for _ in range(3):
            name, content = self.make_file()
            (folder / name).write_bytes(content)
        process = subprocess.Popen(
            [sys.executable, "-m", "ingest", "--quiet", str(folder)],
            cwd=ROOT,
            env={**os.environ, "DATA_DIR": str(self.data)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(self.random.uniform(0.5, 4))
        others = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
        self.count_deaths()
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.expect_death(others)

    def count_deaths(self) -> None:
        """Count a kill for each document that is being read."""
        with closing(sqlite3.connect(self.data / "catalog.sqlite", timeout=60)) as catalog:
            self.deaths.update(id for (id,) in catalog.execute("SELECT id FROM documents WHERE state = ?", (READING,)))

    def expect_death(self, processes: list[psutil.Process]) -> None:
        """Note the reading processes that outlive the process that started them."""
        _, alive = psutil.wait_procs(processes, timeout=10)
        self.faults += ["A reading process outlived its parent." for process in alive if is_reader(process)]

    def compare_accepted(self) -> None:
        """Note accepted documents and answers that are missing, deleted ones that are there, and contents that are there twice."""
        with closing(sqlite3.connect(self.data / "catalog.sqlite", timeout=60)) as catalog:
            rows = catalog.execute("SELECT id, sha256, collection FROM documents").fetchall()
            answers = {id for (id,) in catalog.execute("SELECT id FROM answers")}
        ids = {id for id, _, _ in rows}
        contents = Counter((sha256, collection) for _, sha256, collection in rows)
        self.faults += [f"Document {id} was accepted and is lost." for id in self.accepted - ids]
        self.faults += [f"Document {id} was deleted and is there." for id in self.deleted & ids]
        self.faults += [f"Answer {id} was given and is lost." for id in self.answers - answers]
        self.faults += [f"A content is there {count} times." for count in contents.values() if count > 1]

    def compare_everything(self) -> None:
        """Wait until the service has read all, stop it, and compare rows, vectors, files and the audit."""
        report("compares everything")
        wait_until(lambda: not self.list_unfinished(), seconds=600)
        self.retry_quarantined()
        self.service.stop()
        services = Services(Settings(data_dir=self.data, ocr=False), Embedder())
        try:
            services.ingest_queue.finish_unfinished()
            services.index.sync()
            self.faults += list_inconsistencies(services)
            self.faults += [
                f"{document.name} is {document.state}: {document.reason}"
                for document in services.catalog.documents()
                if document.state != READY
            ]
        finally:
            services.close()
        self.start_and_answer()

    def retry_quarantined(self) -> None:
        """Upload again what was quarantined because its processes were killed three times, as its page says."""
        with closing(sqlite3.connect(self.data / "catalog.sqlite", timeout=60)) as catalog:
            rows = catalog.execute("SELECT id, name FROM documents WHERE state = ?", (QUARANTINED,)).fetchall()
        for document_id, name in rows:
            if self.deaths[document_id] >= MAX_DEATHS and name in self.pdfs:
                report(f"{name} is uploaded again, after {self.deaths[document_id]} kills while it was read")
                self.retries += 1
                with closing(self.service.connect()) as connection:
                    connection.upload(name, self.pdfs[name])
        wait_until(lambda: not self.list_unfinished(), seconds=600)

    def list_unfinished(self) -> list[str]:
        with closing(sqlite3.connect(self.data / "catalog.sqlite", timeout=60)) as catalog:
            states = [state for (state,) in catalog.execute("SELECT state FROM documents")]
        return [state for state in states if state in UNFINISHED]


def run_crashes(options: SoakOptions, work: Path) -> list[GoalResult]:
    loop = CrashLoop(work, Random(options.seed))
    loop.run(options.kills)
    faults = list(dict.fromkeys(loop.faults))  # what stays is found again at each comparison
    kills = ", ".join(f"{count} of {victim}" for victim, count in loop.kills.items())
    figure = f"{loop.kills.total()} kills ({kills}), {len(loop.accepted)} documents, {len(loop.answers)} answers, "
    figure += f"{loop.retries} killed {MAX_DEATHS} times while they were read and uploaded again: "
    figure += f"{len(faults)} faults" + "".join(f"; {fault}" for fault in faults[:3])
    for fault in faults:
        report(fault)
    slowest = max(loop.answer_seconds, default=0.0)
    median = sorted(loop.answer_seconds)[len(loop.answer_seconds) // 2] if loop.answer_seconds else 0.0
    return [
        judge("After kills 0 lost, 0 doubled, rows = vectors = PDFs, audit whole", figure, not loop.faults),
        judge(
            "First answer after a start within 10 s",
            f"median {median:.1f} s, longest {slowest:.1f} s of {len(loop.answer_seconds)} starts",
            slowest <= MAX_ANSWER_SECONDS,
        ),
    ]
