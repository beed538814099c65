"""Fixtures with real components: SQLite, Chroma, the embedding model, PDFium and reportlab, in a separate folder for each test.

Tests use neither the network nor the home directory. Fixtures import what they create, so that test files which need none
of it are collected quickly.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import socket
from collections import Counter
from pathlib import Path
from uuid import uuid4

import pytest

SAMPLES = Path(__file__).resolve().parents[1] / "samples"

# Folders of tests are in memory if there is space, as SQLite waits for the disk at each commit.
MEMORY_FOLDER = Path("/dev/shm")
NEEDED_BYTES = 4 << 30


def pytest_configure() -> None:
    is_writable = MEMORY_FOLDER.is_dir() and os.access(MEMORY_FOLDER, os.W_OK)
    if is_writable and shutil.disk_usage(MEMORY_FOLDER).free >= NEEDED_BYTES:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY_FOLDER))
    # A scan ends the same way on every machine; tests of recognition switch it on.
    os.environ["OCR"] = "0"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run files with slow tests first, so that no long file is left to one process at the end. Tests of a file stay
    together and in order."""
    slow = {item.path for item in items if "browser" in item.path.parts or item.get_closest_marker("slow")}
    count = Counter(item.path for item in items)
    position = {path: index for index, path in enumerate(count)}
    items.sort(key=lambda item: (item.path not in slow, -count[item.path], position[item.path]))


@pytest.fixture(autouse=True, scope="session")
def no_network():
    """Make every connection to another machine fail, with its address."""
    connect = socket.socket.connect

    def connect_locally(self, address):
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"A test reached out to {address}")
        return connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", connect_locally)
        yield


@pytest.fixture(autouse=True, scope="session")
def compiled_templates():
    """Compile each template once, not once for each application that a test creates."""
    import flask
    from jinja2 import BytecodeCache

    class MemoryBytecodeCache(BytecodeCache):
        def __init__(self):
            self.compiled: dict[str, bytes] = {}

        def load_bytecode(self, bucket):
            if bucket.key in self.compiled:
                bucket.bytecode_from_string(self.compiled[bucket.key])

        def dump_bytecode(self, bucket):
            self.compiled[bucket.key] = bucket.bytecode_to_string()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flask.Flask, "jinja_options", {"bytecode_cache": MemoryBytecodeCache()})
        yield


@pytest.fixture(scope="session")
def embedder():
    """The real model, loaded once."""
    from highlighter.embedding.embedder import Embedder

    model = Embedder()
    model.load()
    return model


@pytest.fixture(scope="session")
def process_pool():
    from highlighter.workers.process_pool import ProcessPool

    pool = ProcessPool(workers=1, seconds=60, memory_mb=1024)
    yield pool
    pool.close()


class BorrowedProcessPool:
    """A view of the shared process pool for one Services object, which can be closed without closing the pool.

    Starting a process for each Services object that reads a file would cost a second and a half of CPU time.
    """

    def __init__(self, process_pool):
        self._process_pool = process_pool
        self.closed = False

    def run(self, task, *arguments, seconds=None):
        from highlighter.workers.process_pool import ProcessPoolClosed

        if self.closed:
            raise ProcessPoolClosed
        return self._process_pool.run(task, *arguments, seconds=seconds)

    def close(self):
        self.closed = True


@pytest.fixture
def services(tmp_path, embedder, process_pool):
    from highlighter.services import Services
    from highlighter.settings import Settings

    services = Services(Settings(data_dir=tmp_path / "data", ocr=False), embedder)  # the same on every machine
    services.process_pool = BorrowedProcessPool(process_pool)
    yield services
    services.close()


@pytest.fixture
def index_checked_in_process(monkeypatch, tmp_path):
    """Check a copy of the index in this process: a child process for each check takes 1.5 seconds."""
    from highlighter.store import index_health
    from highlighter.store.chroma import IndexGeneration

    def find_problem(generation, catalog, model):
        copy = tmp_path / "checked" / uuid4().hex / generation.folder.name
        shutil.copytree(generation.folder, copy)
        try:
            index_health._check_generation(IndexGeneration(copy), catalog, model)
        except index_health._UnhealthyIndexError as error:
            return str(error)
        return ""

    monkeypatch.setattr("highlighter.store.index.find_index_problem", find_problem)


@pytest.fixture
def app(services):
    from highlighter.app import create_app

    app = create_app(services)
    app.config["TESTING"] = True
    return app


@pytest.fixture
def client(app):
    return app.test_client()


@pytest.fixture
def note(tmp_path, services, process_pool):
    """A small ingested text document."""
    from ingest.pipeline import ingest_file

    path = tmp_path / "note.txt"
    path.write_text(NOTE, encoding="utf-8")
    return ingest_file(path, services, process_pool).document


NOTE = """\
The ferry leaves the island at seven in the morning. It carries sixty passengers and no cars.

Tickets cost four pounds and are sold on board. Children under five travel free of charge.

The captain may cancel a crossing when the wind is stronger than force eight. A cancelled ticket is refunded within \
three days.
"""


@pytest.fixture(scope="session")
def sample_questions() -> dict[str, list[dict[str, str]]]:
    listing = json.loads((SAMPLES / "making" / "questions.json").read_text(encoding="utf-8"))
    return {entry["file"]: entry["questions"] for entry in listing}


@pytest.fixture(scope="session")
def samples_folder(request, tmp_path_factory) -> Path:
    """A data folder with the samples, created once for all processes of a run. Tests copy it, as two may not use it."""
    shared_folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared_folder = shared_folder.parent
    folder = shared_folder / "samples"
    with (shared_folder / "samples.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            unfinished = shared_folder / "samples-unfinished"
            shutil.rmtree(unfinished, ignore_errors=True)
            ingest_samples(unfinished, request.getfixturevalue("embedder"), request.getfixturevalue("process_pool"))
            unfinished.rename(folder)
    return folder


def ingest_samples(folder: Path, embedder, process_pool) -> None:
    """Create a data folder and ingest every sample into it."""
    from highlighter.services import Services
    from highlighter.settings import Settings
    from ingest.pipeline import ingest_file

    services = Services(Settings(data_dir=folder, ocr=False), embedder)
    for path in sorted(SAMPLES.iterdir()):
        if path.suffix in (".pdf", ".docx", ".txt"):
            ingest_file(path, services, process_pool)
    services.close()


@pytest.fixture(scope="session")
def sampled(tmp_path_factory, samples_folder, embedder, process_pool):
    """Services with the samples. Tests that change data create their own."""
    from highlighter.services import Services
    from highlighter.settings import Settings

    folder = tmp_path_factory.mktemp("sampled") / "data"
    shutil.copytree(samples_folder, folder)
    services = Services(Settings(data_dir=folder, ocr=False), embedder)
    services.process_pool = BorrowedProcessPool(process_pool)
    yield services
    services.close()


@pytest.fixture
def scripted():
    """A scripted server that speaks the providers' wire formats, for one test."""
    from tests.scripted.server import ScriptedProvider

    server = ScriptedProvider()
    yield server
    server.close()


@pytest.fixture
def chain_of(scripted):
    """A function that creates a fallback chain of models at the scripted server."""
    from highlighter.answering.llm.fallback import ModelFallback
    from highlighter.settings import Settings

    def create(*models: str, **settings) -> ModelFallback:
        fallback = ModelFallback.from_settings(Settings(**{**scripted.settings(*models), **settings}))
        fallback.pause = 0.001  # seconds before a busy model is tried again
        return fallback

    return create
