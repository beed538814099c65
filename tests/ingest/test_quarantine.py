"""A file that takes its process down is set aside; one whose process was only killed is not."""

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
from ingest.pipeline import ingest_file, process_document, register_file
from ingest.quarantine import MAX_CHILD_DEATHS
from tests.conftest import NOTE


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "note.txt"
    path.write_text(NOTE, encoding="utf-8")
    return path


@pytest.mark.slow
def test_a_file_that_takes_its_process_down_is_quarantined_and_the_queue_moves_on(services, process_pool, tmp_path):
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
        services.catalog.start_processing(poisoned.id)  # and dies, as it did
    last = run()
    assert last.returncode == 1, last.stderr
    told = {os.path.basename(line["path"]): line for line in map(json.loads, last.stdout.splitlines())}
    assert (told["a.txt"]["state"], told["b.txt"]["state"]) == (QUARANTINED, READY)
    assert told["a.txt"]["reason"].endswith(".")


@pytest.mark.slow
def test_a_file_whose_process_was_killed_often_is_read_all_the_same(services, path, process_pool):
    ingest_file(
        path, services, process_pool, collection="other"
    )  # its sentences are known, so the trial needs no model
    document = register_file(path, "note.txt", services).document
    for _ in range(MAX_CHILD_DEATHS + 3):
        services.catalog.start_processing(document.id)  # and killed, each time
    assert ingest_file(path, services, process_pool).document.state == READY
    assert services.catalog.start_processing(document.id) == 1


def test_being_told_to_stop_is_nothing_against_a_document(services, path, process_pool, monkeypatch):
    document = register_file(path, "note.txt", services).document
    closed = ProcessPool(1, 60, 1024)
    closed.close()
    for _ in range(MAX_CHILD_DEATHS + 1):
        with pytest.raises(ProcessPoolClosed):
            process_document(document, services, closed)
    monkeypatch.setattr("ingest.pipeline.process_in_quarantine", None)  # not called
    assert process_document(document, services, process_pool).state == READY
