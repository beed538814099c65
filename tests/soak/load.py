"""Load: readers, writers and ingestions at once; more requests than can be answered; and whether memory grows."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from urllib.parse import urlencode

import psutil

from highlighter.background_worker import MEMORY_INTERVAL_SECONDS
from tests.conftest import NOTE, SAMPLES
from tests.soak.goals import GoalResult, judge
from tests.soak.options import SoakOptions
from tests.soak.progress import report
from tests.soak.running_service import Connection, Reply, RunningService
from tests.waiting import wait_until

DOCUMENTS = ("Harbour Works Contract.pdf", "HR Policy - Leave and Flexible Working.docx", "Laboratory Safety Note.txt")
QUESTIONS = (
    "Who pays for delay?", "When is an early warning due?", "How many days of leave are there?", "Who may work from home?",
    "What is worn in the laboratory?", "Who is told of an accident?", "What are delay damages?", "When is the work paid?",
)  # fmt: skip
MAX_HIGHLIGHT_SECONDS = 0.3  # of 99 in 100
THINK_SECONDS = (0.5, 3.0)  # between two requests of a reader
MAX_GROWTH = 1.05  # of memory after warm-up
MAX_SLOWDOWN = 2.0  # of what an overloaded service accepts
OVERLOAD_LEAD_SECONDS = 15.0  # until the queue counts as standing
OVERLOAD_CLIENTS_PER_THREAD = 10
LEAK_CONNECTIONS = 4
LEAK_STEPS = 5  # the first is the warm-up
REST_SECONDS = MEMORY_INTERVAL_SECONDS + 2  # until what runs has ended, and what is free was returned

Task = Callable[[Connection, Random], Reply | None]


@dataclass(slots=True)
class Measurements:
    """The seconds and states of the requests of one kind, by threads that run at once; those sent before `counted_from` do not count."""

    counted_from: float = 0.0
    seconds: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    without_retry_after: int = 0
    last_failure: float = 0.0  # when it ended; 0 when there was none

    def add(self, reply: Reply, seconds: float) -> None:
        if time.monotonic() - seconds < self.counted_from:
            return
        self.statuses[reply.status] += 1
        if reply.status < 300:
            self.seconds.append(seconds)
            return
        self.last_failure = time.monotonic()
        if reply.status == 503 and "Retry-After" not in reply.headers:
            self.without_retry_after += 1

    def add_error(self, error: Exception) -> None:
        self.errors[type(error).__name__] += 1
        self.last_failure = time.monotonic()

    def percentile(self, share: float) -> float:
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else float("inf")

    def count_failures(self) -> int:
        return self.errors.total() + sum(count for status, count in self.statuses.items() if status >= 300)

    def describe(self) -> str:
        statuses = ", ".join(f"{count} x {status}" for status, count in sorted(self.statuses.items()))
        return statuses + "".join(f", {count} x {error}" for error, count in self.errors.items())


class Library:
    """The chunks of a running service's documents, and requests for them."""

    def __init__(self, service: RunningService):
        self.service = service
        self.chunks: list[tuple[str, int]] = []
        with closing(service.connect()) as connection:
            for name in DOCUMENTS:
                self.chunks += read_in(connection, name, (SAMPLES / name).read_bytes())
            self.sentences = [
                (id, sentence)
                for id in dict(self.chunks)
                for sentence in connection.get(f"/api/v1/documents/{id}/sentences").json()["sentences"]
            ]

    def highlight(self, connection: Connection, random: Random) -> Reply:
        return self._highlight(connection, random, random.choice(QUESTIONS))

    def highlight_anew(self, connection: Connection, random: Random) -> Reply:
        """Ask for the highlights of a chunk for a question that no cache has."""
        return self._highlight(connection, random, f"{random.choice(QUESTIONS)} Case {random.randrange(1 << 30)}")

    def _highlight(self, connection: Connection, random: Random, question: str) -> Reply:
        document_id, chunk = random.choice(self.chunks)
        query = {"document_id": document_id, "chunk_index": chunk, "sub_question": question}
        return connection.get(f"/api/v1/chunks/highlight?{urlencode(query)}")

    def highlight_text(self, connection: Connection, random: Random) -> Reply:
        """Ask for the highlights of a text that no cache has."""
        text = f"Ferry {random.random()} leaves at {random.random()}. {NOTE}"
        return connection.post("/api/v1/highlight", {"question": random.choice(QUESTIONS), "text": text})

    def search(self, connection: Connection, random: Random) -> Reply:
        return connection.post("/api/v1/search", {"question": random.choice(QUESTIONS)})

    def read(self, connection: Connection, random: Random) -> Reply:
        """Ask what readers ask for: mostly a highlight, now and then a search or a list."""
        choice = random.random()
        if choice < 0.7:
            return self.highlight(connection, random)
        return self.search(connection, random) if choice < 0.9 else connection.get("/api/v1/documents")

    def write(self, connection: Connection, random: Random) -> Reply:
        """Give feedback on a sentence."""
        document_id, sentence = random.choice(self.sentences)
        fields = {"document_id": document_id, "question": random.choice(QUESTIONS), "verdict": "right"}
        return connection.post(
            "/api/v1/feedback",
            {**fields, "chunk_index": sentence["chunk_index"], "start": sentence["start"], "end": sentence["end"]},
        )


def read_in(connection: Connection, name: str, content: bytes) -> list[tuple[str, int]]:
    """Upload a file, wait until it is read, and return its chunks."""
    document_id = connection.upload(name, content).json()["document_id"]
    path = f"/api/v1/documents/{document_id}"
    wait_until(lambda: connection.get(path).json()["state"] not in ("queued", "reading"), seconds=600)
    return [(document_id, chunk) for chunk in range(connection.get(path).json()["chunks"] or 0)]


def ingest_one(connection: Connection, random: Random) -> None:
    number = random.randrange(1 << 40)
    read_in(connection, f"{number}.txt", f"Ferry {number} leaves at noon.\n\n{NOTE * 3}".encode())


@contextmanager
def start_library(work: Path, **settings: str) -> Iterator[Library]:
    (work / "data").mkdir()
    with RunningService(work / "data", OCR="0", **settings) as service:
        yield Library(service)


class Crowd:
    """Threads that ask a service until they are told to stop."""

    def __init__(self, service: RunningService, seed: object):
        self._service, self._seed = service, seed
        self._stopped = threading.Event()
        self._threads: list[threading.Thread] = []

    def add(
        self,
        count: int,
        task: Task,
        measurements: Measurements,
        pause: tuple[float, float] = (0, 0),
        retry_pause: float = 0.5,
    ) -> None:
        for _ in range(count):
            random = Random(f"{self._seed} {len(self._threads)}")
            thread = threading.Thread(target=self._work, args=(task, measurements, pause, retry_pause, random))
            self._threads.append(thread)

    def run(self, seconds: float | None) -> None:
        """Let them ask for so long; until `stop` is called if no time is given."""
        for thread in self._threads:
            thread.start()
        self._stopped.wait(seconds)
        self._stopped.set()
        for thread in self._threads:
            thread.join()

    @contextmanager
    def working(self) -> Iterator[None]:
        """Let them ask while the block runs."""
        thread = threading.Thread(target=self.run, args=(None,))
        thread.start()
        try:
            yield
        finally:
            self._stopped.set()
            thread.join()

    def _work(
        self, task: Task, measurements: Measurements, pause: tuple[float, float], retry_pause: float, random: Random
    ) -> None:
        with closing(self._service.connect()) as connection:
            while not self._stopped.wait(random.uniform(*pause)):
                began = time.monotonic()
                try:
                    reply = task(connection, random)
                except Exception as err:
                    measurements.add_error(err)
                    continue
                if reply is not None:
                    measurements.add(reply, time.monotonic() - began)
                    if reply.status == 503:
                        self._stopped.wait(retry_pause)


def run_load(options: SoakOptions, work: Path) -> list[GoalResult]:
    """Let readers, writers and ingestions work at once."""
    reads, writes, ingested = Measurements(), Measurements(), Measurements()
    with start_library(work, WORKERS=str(options.ingestions)) as library:
        highlights = Measurements()

        def read(connection: Connection, random: Random) -> Reply | None:
            if random.random() < 0.3:
                return library.read(connection, random)
            began = time.monotonic()
            reply = library.highlight(connection, random)
            highlights.add(reply, time.monotonic() - began)
            return None

        warm_up = Crowd(library.service, options.seed)
        warm_up.add(4, library.read, Measurements())
        warm_up.run(10)
        crowd = Crowd(library.service, options.seed)
        crowd.add(options.readers, read, reads, THINK_SECONDS)
        crowd.add(options.writers, library.write, writes, THINK_SECONDS)
        crowd.add(options.ingestions, ingest_one, ingested)
        report(f"{options.readers} readers, {options.writers} writers, {options.ingestions} ingestions")
        crowd.run(options.minutes * 60)
    failures = sum(kind.count_failures() for kind in (highlights, reads, writes, ingested))
    figure = f"{options.minutes:g} minutes: highlights {highlights.describe()}; other reads {reads.describe()}; writes {writes.describe()}"
    figure += "".join(f"; ingestions {error}" for error in ingested.errors)
    p50, p99 = highlights.percentile(0.5), highlights.percentile(0.99)
    return [
        judge("Load: no errors", figure, failures == 0),
        judge(
            "Load: 99 in 100 highlights within 300 ms",
            f"p50 {p50 * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms of {len(highlights.seconds)}",
            p99 <= MAX_HIGHLIGHT_SECONDS,
        ),
    ]


def run_overload(options: SoakOptions, work: Path) -> list[GoalResult]:
    """Ask as much as the service can answer, then ten times that, and compare what it accepts."""
    seconds = max(30.0, options.minutes * 6)
    with start_library(work) as library:
        threads = 8  # of the service, as many as it has by default
        results = {}
        for name, clients in (("at capacity", threads), ("overloaded", threads * OVERLOAD_CLIENTS_PER_THREAD)):
            report(f"{clients} clients without a pause")
            measured = Measurements(counted_from=time.monotonic() + OVERLOAD_LEAD_SECONDS)
            crowd = Crowd(library.service, options.seed)
            crowd.add(clients, library.highlight_text, measured)
            crowd.run(OVERLOAD_LEAD_SECONDS + seconds)
            results[name] = measured
    usual, overloaded = results["at capacity"], results["overloaded"]
    slowdown = overloaded.percentile(0.99) / usual.percentile(0.99)
    figure = (
        f"at capacity {usual.describe()}; with {OVERLOAD_CLIENTS_PER_THREAD} times the clients {overloaded.describe()}"
    )
    others = set(overloaded.statuses) - {200, 503}
    is_shed = bool(overloaded.statuses[503]) and not (overloaded.without_retry_after or others or overloaded.errors)
    return [
        judge("Overload: refused with 503 and Retry-After, nothing else", figure, is_shed),
        judge(
            "Overload: p99 of what is accepted at most doubles",
            f"p99 {usual.percentile(0.99) * 1000:.0f} ms, then {overloaded.percentile(0.99) * 1000:.0f} ms ({slowdown:.2f} times)",
            slowdown <= MAX_SLOWDOWN,
        ),
    ]


@dataclass(frozen=True, slots=True)
class Footprint:
    """What a service takes of the machine."""

    resident_bytes: int
    open_files: int
    threads: int
    zombies: int


def measure_footprint(service: RunningService) -> Footprint:
    worker = service.find_worker()
    zombies = sum(process.status() == psutil.STATUS_ZOMBIE for process in service.list_processes())
    return Footprint(worker.memory_info().rss, worker.num_fds(), worker.num_threads(), zombies)


def run_leaks(options: SoakOptions, work: Path) -> list[GoalResult]:
    """Send many requests and files, and compare the service's memory, files and threads after a fifth of them and at the end."""
    footprints = []
    with start_library(work) as library:
        for step in range(LEAK_STEPS):
            send_all(library, options.requests // LEAK_STEPS, options.uploads // LEAK_STEPS, options.seed + step)
            time.sleep(REST_SECONDS)
            footprints.append(measure_footprint(library.service))
            report(f"{footprints[-1]}")
    warm, end = footprints[0], footprints[-1]
    growth = end.resident_bytes / warm.resident_bytes
    sizes = ", ".join(str(footprint.resident_bytes >> 20) for footprint in footprints)
    return [
        judge(
            "Memory within 5 % after warm-up",
            f"{options.requests} requests, {options.uploads} ingestions: {sizes} MB ({(growth - 1) * 100:+.1f} %)",
            growth <= MAX_GROWTH,
        ),
        judge(
            "Open files and threads flat, no zombies",
            f"files {warm.open_files}, then {end.open_files}; threads {warm.threads}, then {end.threads}; {end.zombies} zombies",
            end.open_files <= warm.open_files + 2 and end.threads <= warm.threads + 2 and end.zombies == 0,
        ),
    ]


def send_all(library: Library, requests: int, uploads: int, seed: int) -> None:
    """Send requests on a few connections and files on another, and wait until all are answered and read."""

    def read() -> None:
        random = Random(seed)
        with closing(library.service.connect()) as connection:
            for _ in range(requests // LEAK_CONNECTIONS):
                library.read(connection, random)

    def ingest() -> None:
        random = Random(time.monotonic_ns())
        with closing(library.service.connect()) as connection:
            for number in range(uploads):
                ingest_one(connection, random)
                report(f"{number + 1} of {uploads} ingestions", passing=True)

    threads = [threading.Thread(target=task) for task in (*[read] * LEAK_CONNECTIONS, ingest)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
