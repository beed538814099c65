"""A file whose reading times out is read once more; what still times out says so, and can be retried."""

from __future__ import annotations

import sys
import time

import pytest

from highlighter.app import create_app
from highlighter.models import QUEUED, READY, TIMED_OUT, UNFINISHED
from highlighter.services import Services
from highlighter.settings import Settings
from ingest import quarantine
from ingest.batch import ingest_files
from ingest.pipeline import register_file
from tests.conftest import NOTE, SAMPLES
from tests.ingest.standing_in import put_on_path

SCAN = SAMPLES / "Scanned letter 14 March.pdf"
# In place of ocrmypdf: as often as told, the process that reads the file ends as the kernel ends it when it has used up
# its processor time; after that, words are recognised.
RECOGNISER = """#!{python} -SE
import os, pathlib, shutil, signal, sys
runs = pathlib.Path({runs!r})
runs.write_text(runs.read_text() + "run ")
if len(runs.read_text().split()) <= {times}:
    os.kill(os.getppid(), signal.SIGXCPU)
    signal.pause()
shutil.copy({words!r}, sys.argv[-1])
"""


@pytest.fixture
def runs(tmp_path):
    (tmp_path / "runs").write_text("")
    return lambda: len((tmp_path / "runs").read_text().split())


@pytest.fixture
def timing_out(tmp_path, monkeypatch, runs):
    """Makes reading the scan time out as often as that, on a machine that counts as quiet."""
    monkeypatch.setattr(quarantine, "MAX_IDLE_WAIT_SECONDS", 0.0)
    words = str(SAMPLES / "Tide Tables and Diving Windows.pdf")

    def times(number):
        text = RECOGNISER.format(python=sys.executable, runs=str(tmp_path / "runs"), times=number, words=words)
        put_on_path("ocrmypdf", text, tmp_path / "bin", monkeypatch)

    return times


@pytest.fixture
def services(tmp_path, embedder):
    made = Services(Settings(data_dir=tmp_path / "data", ocr=True), embedder)
    yield made
    made.close()


def ended(services, document_id):
    while (document := services.catalog.document(document_id)).state in UNFINISHED:
        time.sleep(0.05)
    return document


@pytest.mark.slow
def test_a_file_that_timed_out_is_read_again_after_the_others(services, timing_out, runs, tmp_path):
    timing_out(1)
    (tmp_path / "note.txt").write_text(NOTE, encoding="utf-8")
    told = []
    ingest_files(
        [SCAN, tmp_path / "note.txt"],
        services,
        "default",
        {},
        1,
        lambda: lambda *_: None,
        lambda path, outcome: told.append((path.name, outcome.document.state)),
    )
    assert told == [("note.txt", READY), (SCAN.name, READY)]
    assert runs() == 2


@pytest.mark.slow
def test_what_times_out_twice_offers_retry_and_then_shows_its_old_error_no_more(services, timing_out, runs):
    timing_out(2)
    client = create_app(services).test_client()
    with SCAN.open("rb") as file:
        sent = client.post("/api/v1/documents", data={"file": (file, SCAN.name)}).get_json()
    failed = ended(services, sent["document_id"])
    assert (failed.state, runs()) == (TIMED_OUT, 2)
    page = client.get(f"/documents/{failed.id}").text
    assert "60 seconds of processor time" in page
    assert f'action="/documents/{failed.id}/retry"' in page
    assert client.post(f"/documents/{failed.id}/retry").location == f"/documents/{failed.id}"
    done = ended(services, failed.id)
    assert (done.state, runs()) == (READY, 3)
    assert "processor time" not in client.get(f"/documents/{failed.id}").text


def test_a_document_that_can_be_read_is_not_read_again_by_a_retry(services, note):
    client = create_app(services).test_client()
    answer = client.post(f"/api/v1/documents/{note.id}/retry")
    assert (answer.status_code, answer.get_json().get("state")) == (202, READY), answer.text
    assert services.catalog.document(note.id) == note


def test_a_document_that_is_handed_in_again_shows_no_old_error(services, note, tmp_path):
    services.catalog.set_state(note.id, TIMED_OUT, "Processing timed out after 60 seconds.")
    waiting = register_file(tmp_path / "note.txt", "note.txt", services).document
    assert (waiting.state, waiting.reason) == (QUEUED, "")
    assert services.catalog.document(note.id) == waiting


def test_document_that_times_out_is_not_left_in_the_queue_where_all_is_to_end(services, timing_out, runs):
    timing_out(9)
    waiting = register_file(SCAN, SCAN.name, services).document
    assert services.ingest_queue.finish_unfinished() == 1
    assert (services.catalog.document(waiting.id).state, runs()) == (TIMED_OUT, 1)


def test_document_that_is_ready_stays_so_on_a_full_disk(services, note):
    services.catalog.requeue(note.id, "The disk is full.")
    assert services.catalog.document(note.id) == note
