"""Several threads, ingesting processes and a service at once lose, duplicate and misreport nothing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import func, select

from highlighter.models import READY
from highlighter.store.schema import chunks, documents, sentences, texts, versions
from ingest.pipeline import ingest_file
from tests.browser.serving import serving
from tests.conftest import NOTE, SAMPLES
from tests.waiting import wait_until

UPLOADS = 20


def start_ingestion(data, *arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "ingest", "--json", *map(str, arguments)],
        env={**os.environ, "DATA_DIR": str(data)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def read_rows(process):
    out, err = process.communicate(timeout=180)
    assert (process.returncode, err) == (0, "")
    return [json.loads(line) for line in out.splitlines()]


@pytest.mark.cluster
def test_one_file_ingested_twenty_times_at_once_is_one_document(services, process_pool, tmp_path):
    path = tmp_path / "note.txt"
    path.write_text(NOTE, encoding="utf-8")
    others = [start_ingestion(services.settings.data_dir, path) for _ in range(2)]
    with ThreadPoolExecutor(UPLOADS) as threads:
        outcomes = list(threads.map(lambda _: ingest_file(path, services, process_pool), range(UPLOADS)))
    (document,) = services.catalog.documents()
    assert {outcome.document.id for outcome in outcomes} == {document.id}
    assert {outcome.document.state for outcome in outcomes} == {READY}
    assert [line["document_id"] for process in others for line in read_rows(process)] == [document.id] * 2
    with services.catalog.engine.connect() as connection:
        counts = [
            connection.execute(select(func.count()).select_from(table)).scalar()
            for table in (documents, texts, versions, chunks, sentences)
        ]
    assert counts == [1, 1, 1, document.chunks, document.sentences]
    assert [note.what for note in services.catalog.audit_entries()] == ["ingested"]


@pytest.mark.slow
@pytest.mark.cluster
def test_two_ingestions_beside_a_running_service_are_in_its_index(services, process_pool, tmp_path):
    data = services.settings.data_dir
    for folder, name in (("left", "Harbour Works Contract.pdf"), ("right", "Laboratory Safety Note.txt")):
        (tmp_path / folder).mkdir()
        shutil.copy(SAMPLES / name, tmp_path / folder)
        # Known sentences need no model, so the processes below write at once and at the same time.
        ingest_file(SAMPLES / name, services, process_pool, collection="known before")
    with serving(data):
        wait_until(lambda: services.index.find_owner_process() != 0)
        assert not services.index.acquire_ownership()
        both = [start_ingestion(data, tmp_path / folder) for folder in ("left", "right")]
        lines = [line for process in both for line in read_rows(process)]
        assert {line["state"] for line in lines} == {READY}
        wait_until(lambda: services.index.read_sync_progress() == (4, 4))
    assert services.index.find_owner_process() == 0
    assert services.index.find_problem() == ""
    services.index.sync()
    assert services.index.usable_collections()[0].count() == 2 * sum(line["sentences"] for line in lines)
