"""A file that crashes its process is quarantined; a file whose process was only killed is not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from highlighter.models import QUARANTINED, READY
from highlighter.workers.process_pool import ProcessPool, ProcessPoolClosed
from ingest.pipeline import attempt_processing, ingest_file, process_document
from ingest.quarantine import MAX_CHILD_DEATHS, process_in_quarantine
from ingest.registration import register_file
from tests.conftest import NOTE


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "note.txt"
    path.write_text(NOTE, encoding="utf-8")
    return path


@pytest.mark.cluster
def test_file_that_crashes_its_process_is_quarantined_and_the_queue_moves_on(services, process_pool, tmp_path):
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "a.txt").write_text("This one is poisonous.", encoding="utf-8")
    (papers / "b.txt").write_text("The tide turns at noon.", encoding="utf-8")
    ingest_file(
        papers / "b.txt", services, process_pool, collection="other"
    )  # so that its sentences need no model below
    command = [sys.executable, "-m", "ingest", "--json", "--workers", "1", str(papers)]
    path = os.pathsep.join([str(Path(__file__).with_name("poisoned")), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "DATA_DIR": str(services.settings.data_dir), "PYTHONPATH": path}

    def run():
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)

    assert run().returncode == -signal.SIGKILL
    poisoned = next(document for document in services.catalog.documents() if document.name == "a.txt")
    for _ in range(MAX_CHILD_DEATHS - 1):
        services.catalog.start_processing(poisoned.id)  # and the process dies again
    last = run()
    assert last.returncode == 1, last.stderr
    rows = {os.path.basename(line["path"]): line for line in map(json.loads, last.stdout.splitlines())}
    assert (rows["a.txt"]["state"], rows["b.txt"]["state"]) == (QUARANTINED, READY)
    assert rows["a.txt"]["reason"].endswith(".")


@pytest.mark.cluster
def test_file_whose_process_was_killed_often_is_read(services, path, process_pool):
    ingest_file(
        path, services, process_pool, collection="other"
    )  # its sentences are known, so quarantine needs no model
    document = register_file(path, "note.txt", services).document
    for _ in range(MAX_CHILD_DEATHS + 3):
        services.catalog.start_processing(document.id)  # and the process is killed each time
    assert ingest_file(path, services, process_pool).document.state == READY
    assert services.catalog.start_processing(document.id) == 1


def be_killed_once(document, context, process_pool):
    """Kill this process from outside, like a kernel short of memory, the first time; then process the document."""
    mark = context.settings.data_dir / "killed once"
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    attempt_processing(document, context, process_pool)


@pytest.mark.cluster
def test_file_whose_watched_process_was_killed_once_is_read(services, path, process_pool):
    ingest_file(path, services, process_pool, collection="other")  # its sentences are known: no model is loaded
    document = register_file(path, "note.txt", services).document
    process_in_quarantine(document, services, process_pool, be_killed_once)
    assert services.catalog.document(document.id).state == READY


def test_stopped_attempts_do_not_quarantine_a_document(services, path, process_pool, monkeypatch):
    document = register_file(path, "note.txt", services).document
    closed = ProcessPool(1, 60, 1024)
    closed.close()
    for _ in range(MAX_CHILD_DEATHS + 1):
        with pytest.raises(ProcessPoolClosed):
            process_document(document, services, closed)
    monkeypatch.setattr("ingest.pipeline.process_in_quarantine", None)  # not called
    assert process_document(document, services, process_pool).state == READY
