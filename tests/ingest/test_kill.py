"""Ingestion that is killed at any moment and started again ends in the same state: nothing lost, nothing duplicated."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress

import pytest

from highlighter.models import READY
from highlighter.services import Services
from highlighter.settings import Settings
from ingest.__main__ import main
from ingest.registration import register_file
from tests.conftest import SAMPLES, BorrowedProcessPool
from tests.highlighter.store.test_index import read_collection

pytestmark = pytest.mark.slow

FILES = ("Harbour Works Contract.pdf", "Laboratory Safety Note.txt")
# A process is killed at a random moment after it wrote the first of these rows. KILL_ROUNDS=10 tests more moments.
ROWS = ("documents", "vectors", f"documents WHERE state = '{READY}'")
ROUNDS = int(os.environ.get("KILL_ROUNDS", "1"))


def read_state(data, embedder):
    """Return everything that matters, in a form that can be compared."""
    services = Services(Settings(data_dir=data), embedder)
    try:
        documents = {}
        for document in services.catalog.documents():
            chunks = services.catalog.chunks(document)
            sentences = [services.catalog.sentences(chunk, embedder.name) for chunk in chunks]
            pdf_names = sorted(
                p.name for p in services.files.generated_folder(document.id, document.pipeline).rglob("*.pdf")
            )
            documents[document.name] = (document.state, chunks, [s for s, _ in sentences], pdf_names)
            assert all(vectors is not None for _, vectors in sentences)
        services.index.sync()
        return documents, sorted(read_collection(services.index)[0])
    finally:
        services.close()


def run_and_kill(command, data, rows, seconds):
    """Kill the process some seconds after it added rows to the catalog, unless it ends before."""
    rows_before = count_rows(data, rows)
    environment = {**os.environ, "DATA_DIR": str(data)}
    process = subprocess.Popen(command, env=environment, start_new_session=True, stderr=subprocess.DEVNULL)
    while process.poll() is None and count_rows(data, rows) == rows_before:
        time.sleep(0.01)
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def count_rows(data, rows):
    with closing(sqlite3.connect(data / "catalog.sqlite")) as catalog:
        try:
            return catalog.execute(f"SELECT count(*) FROM {rows}").fetchone()[0]
        except sqlite3.OperationalError:  # the tables are not made yet
            return 0


@pytest.fixture
def ingest(process_pool, embedder, monkeypatch):
    """Run the whole command in this process, where the model is loaded."""
    monkeypatch.setattr("highlighter.services.Embedder", lambda name: embedder)
    monkeypatch.setattr("ingest.batch.ProcessPool", lambda *_: BorrowedProcessPool(process_pool))
    previous_handler = signal.getsignal(signal.SIGTERM)

    def run(folder, data):
        monkeypatch.setenv("DATA_DIR", str(data))
        assert main(["--quiet", str(folder)]) == 0

    yield run
    signal.signal(signal.SIGTERM, previous_handler)


@pytest.fixture(scope="module")
def papers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("papers")
    for name in FILES:
        shutil.copy(SAMPLES / name, folder)
    return folder


def test_ingestion_killed_at_random_moments_ends_in_the_same_state(papers, tmp_path, embedder, ingest):
    (tmp_path / "killed").mkdir()
    moments = random.Random(20241121)
    for rows in ROWS * ROUNDS:
        command = [sys.executable, "-m", "ingest", str(papers)]
        run_and_kill(command, tmp_path / "killed", rows, moments.uniform(0, 0.7))
    for name in ("whole", "killed"):
        ingest(papers, tmp_path / name)
    whole, killed = (read_state(tmp_path / name, embedder) for name in ("whole", "killed"))
    assert whole == killed
    assert all(document[0] == READY for document in whole[0].values())
    assert len(whole[0]) == len(FILES)


def test_documents_of_a_killed_service_are_finished_by_the_next(papers, services):
    document = register_file(papers / FILES[1], FILES[1], services).document
    services.catalog.set_progress(document.id, "reading", 0, 1)
    services.ingest_queue.resume_unfinished()
    services.ingest_queue._executor.shutdown(wait=True)
    assert services.catalog.document(document.id).state == READY
