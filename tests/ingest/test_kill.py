"""Killed at any moment and started again, ingestion ends in the same state: nothing lost, nothing doubled."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from highlighter.models import READY
from highlighter.services import Services
from highlighter.settings import Settings
from ingest.pipeline import take_in
from tests.conftest import SAMPLES
from tests.highlighter.store.test_index import stored

FILES = ("Harbour Works Contract.pdf", "Laboratory Safety Note.txt")
KILLS = 6


def state(data, embedder):
    """Everything that matters, in a form that can be compared."""
    services = Services(Settings(data_dir=data), embedder)
    try:
        kept = {}
        for document in services.catalog.documents():
            chunks = services.catalog.chunks(document)
            sentences = [services.catalog.sentences(chunk, embedder.name) for chunk in chunks]
            made = sorted(p.name for p in services.files.made(document.id, document.pipeline).rglob("*.pdf"))
            kept[document.name] = (document.state, chunks, [s for s, _ in sentences], made)
            assert all(vectors is not None for _, vectors in sentences)
        services.index.follow()
        return kept, sorted(stored(services.index)[0])
    finally:
        services.close()


def run_and_kill(command, environment, seconds):
    process = subprocess.Popen(command, env=environment, start_new_session=True, stderr=subprocess.DEVNULL)
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.fixture(scope="module")
def papers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("papers")
    for name in FILES:
        shutil.copy(SAMPLES / name, folder)
    return folder


def test_killed_at_random_moments_it_comes_to_the_same_end(papers, tmp_path, embedder):
    command = [sys.executable, "-m", "ingest", str(papers)]
    runs = {name: {**os.environ, "DATA_DIR": str(tmp_path / name)} for name in ("whole", "killed")}
    began = time.monotonic()
    subprocess.run(command, env=runs["whole"], check=True, capture_output=True)
    usual = time.monotonic() - began
    moments = random.Random(20241121)
    for _ in range(KILLS):
        run_and_kill(command, runs["killed"], moments.uniform(0.3, usual))
    subprocess.run(command, env=runs["killed"], check=True, capture_output=True)
    whole, killed = (state(tmp_path / name, embedder) for name in ("whole", "killed"))
    assert whole == killed
    assert all(kept[0] == READY for kept in whole[0].values())
    assert len(whole[0]) == len(FILES)


def test_what_a_killed_service_left_is_ended_by_the_next(papers, services):
    document = take_in(papers / FILES[1], FILES[1], services).document
    services.catalog.set_progress(document.id, "reading", 0, 1)
    services.desk.take_up_unfinished()
    services.desk._clerks.shutdown(wait=True)
    assert services.catalog.document(document.id).state == READY
