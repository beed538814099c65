"""A file whose reading times out is read once more; after a second timeout, the reason and a retry are offered."""

from __future__ import annotations

import shutil
import sys
import time

import pytest

from highlighter.app import create_app
from highlighter.models import QUEUED, READY, TIMED_OUT, UNFINISHED
from highlighter.services import Services
from highlighter.settings import Settings
from ingest import quarantine
from ingest.batch import ingest_files
from ingest.registration import register_file
from tests.conftest import NOTE, SAMPLES
from tests.ingest.fake_programs import put_on_path

POLICY = SAMPLES / "HR Policy - Leave and Flexible Working.docx"
# In place of LibreOffice: the given number of times, the reading process ends as the kernel ends it when it has used up
# its processor time; after that, the program fails, and ReportLab typesets the pages.
OFFICE = """#!{python} -SE
import os, pathlib, signal, sys
runs = pathlib.Path({runs!r})
runs.write_text(runs.read_text() + "run ")
if len(runs.read_text().split()) <= {times}:
    os.kill(os.getppid(), signal.SIGXCPU)
    signal.pause()
sys.exit(1)
"""


@pytest.fixture
def runs(tmp_path):
    (tmp_path / "runs").write_text("")
    return lambda: len((tmp_path / "runs").read_text().split())


@pytest.fixture
def time_out(tmp_path, monkeypatch, runs):
    """Make reading the policy time out a number of times, on a machine that counts as idle."""
    monkeypatch.setattr(quarantine, "MAX_IDLE_WAIT_SECONDS", 0.0)

    def times(number):
        text = OFFICE.format(python=sys.executable, runs=str(tmp_path / "runs"), times=number)
        put_on_path("soffice", text, tmp_path / "bin", monkeypatch)

    return times


@pytest.fixture
def services(tmp_path, note_folder, embedder, own_children):
    shutil.copytree(note_folder, tmp_path / "data")
    services = Services(Settings(data_dir=tmp_path / "data", typesetter="libreoffice"), embedder)
    yield services
    services.close()


def wait_for_end(services, document_id):
    while (document := services.catalog.document(document_id)).state in UNFINISHED:
        time.sleep(0.05)
    return document


@pytest.mark.slow
def test_file_that_timed_out_is_read_again_after_the_others(services, time_out, runs, tmp_path):
    time_out(1)
    (tmp_path / "note.txt").write_text(NOTE, encoding="utf-8")
    outcomes = []
    ingest_files(
        [POLICY, tmp_path / "note.txt"],
        services,
        "default",
        {},
        1,
        lambda: lambda *_: None,
        lambda path, outcome: outcomes.append((path.name, outcome.document.state)),
    )
    assert outcomes == [("note.txt", READY), (POLICY.name, READY)]
    assert runs() == 2


@pytest.mark.slow
def test_document_that_times_out_twice_offers_retry_which_clears_its_error(services, time_out, runs):
    time_out(2)
    client = create_app(services).test_client()
    with POLICY.open("rb") as file:
        sent = client.post("/api/v1/documents", data={"file": (file, POLICY.name)}).get_json()
    failed = wait_for_end(services, sent["document_id"])
    assert (failed.state, runs()) == (TIMED_OUT, 2)
    page = client.get(f"/documents/{failed.id}").text
    assert "60 seconds of processor time" in page
    assert f'action="/documents/{failed.id}/retry"' in page
    assert client.post(f"/documents/{failed.id}/retry").location == f"/documents/{failed.id}"
    done = wait_for_end(services, failed.id)
    assert (done.state, runs()) == (READY, 3)
    assert "processor time" not in client.get(f"/documents/{failed.id}").text


def test_retry_does_not_read_a_readable_document_again(services, note):
    client = create_app(services).test_client()
    answer = client.post(f"/api/v1/documents/{note.id}/retry")
    assert (answer.status_code, answer.get_json().get("state")) == (202, READY), answer.text
    assert services.catalog.document(note.id) == note


def test_document_that_is_uploaded_again_shows_no_old_error(services, note, note_path):
    services.catalog.set_state(note.id, TIMED_OUT, "Processing timed out after 60 seconds.")
    waiting = register_file(note_path, "note.txt", services).document
    assert (waiting.state, waiting.reason) == (QUEUED, "")
    assert services.catalog.document(note.id) == waiting


def test_finishing_the_queue_does_not_leave_a_timed_out_document_in_it(services, time_out, runs):
    time_out(9)
    waiting = register_file(POLICY, POLICY.name, services).document
    assert services.ingest_queue.finish_unfinished() == 1
    assert (services.catalog.document(waiting.id).state, runs()) == (TIMED_OUT, 1)


def test_document_that_is_ready_stays_so_on_a_full_disk(services, note):
    services.catalog.requeue(note.id, "The disk is full.")
    assert services.catalog.document(note.id) == note
