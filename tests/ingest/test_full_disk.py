"""A full disk is reported, leaves nothing half-done, and processing continues once there is space."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
from contextlib import contextmanager

import pytest
from sqlalchemy import event, func, select

from highlighter.errors import UnreadableFile
from highlighter.models import FAILED, QUEUED, READY, TOO_LARGE
from highlighter.store.schema import chunks, documents, sentences, texts
from highlighter.store.storage_errors import DiskFull
from ingest.pipeline import WAITING_FOR_SPACE, ingest_file
from tests.conftest import NOTE, SAMPLES

LABORATORY = SAMPLES / "Laboratory Safety Note.txt"


def raise_disk_full(*_):
    raise OSError(errno.ENOSPC, "No space left on device")


def raise_file_too_large(*_):
    raise OSError(errno.EFBIG, "File too large")


@contextmanager
def full_catalog(engine, spare):
    """Limit SQLite to `spare` more pages, so that it reports its own error for a full disk."""

    with engine.connect() as connection:
        max_pages = connection.exec_driver_sql("PRAGMA page_count").scalar() + spare

    def limit(connection, *_):
        connection.execute(f"PRAGMA max_page_count = {max_pages}")

    def lift(connection, *_):
        connection.execute("PRAGMA max_page_count = 1073741823")

    event.listen(engine, "checkout", limit)
    yield
    event.remove(engine, "checkout", limit)
    event.listen(engine, "checkout", lift)


def count_rows(catalog, *tables):
    with catalog.engine.connect() as connection:
        return [connection.execute(select(func.count()).select_from(table)).scalar() for table in tables]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "note.txt"
    path.write_text(NOTE, encoding="utf-8")
    return path


def test_full_disk_while_the_original_is_stored(services, process_pool, path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", raise_disk_full)
        with pytest.raises(DiskFull, match="The disk is full"):
            ingest_file(path, services, process_pool)
    assert services.catalog.documents() == []
    assert [file for file in services.files.root.rglob("*") if file.is_file() and file.parent.name != "locks"] == []
    assert ingest_file(path, services, process_pool).document.state == READY


@pytest.mark.parametrize("spare", [0, 8])
def test_full_disk_while_vectors_are_saved(services, process_pool, spare):
    assert_ingestion_fails_and_can_be_repeated(services, process_pool, spare, other_documents=0)


@pytest.mark.parametrize("spare", [0, 3, 5])
def test_full_disk_while_the_document_is_saved(services, process_pool, spare):
    """The vectors are known from another collection, so the document itself is written first."""
    ingest_file(LABORATORY, services, process_pool, collection="other")
    assert_ingestion_fails_and_can_be_repeated(services, process_pool, spare, other_documents=1)


def assert_ingestion_fails_and_can_be_repeated(services, process_pool, spare, other_documents):
    catalog = services.catalog
    before = count_rows(catalog, texts, chunks, sentences)
    with full_catalog(catalog.engine, spare), pytest.raises(DiskFull):
        ingest_file(LABORATORY, services, process_pool)
    (failed,) = (document for document in catalog.documents() if document.collection == "default")
    assert (failed.state, failed.reason) == (QUEUED, WAITING_FOR_SPACE)
    assert count_rows(catalog, texts, chunks, sentences) == before
    assert list(services.files.scratch.iterdir()) == []
    again = ingest_file(LABORATORY, services, process_pool).document
    assert again.state == READY
    assert count_rows(catalog, documents)[0] == 1 + other_documents


def test_full_disk_in_the_reading_process(process_pool):
    with pytest.raises(UnreadableFile, match="The disk is full") as raised:
        process_pool.run(raise_disk_full)
    assert raised.value.state == FAILED  # so another upload tries again
    with pytest.raises(UnreadableFile, match="larger than allowed") as raised:
        process_pool.run(raise_file_too_large)
    assert raised.value.state == TOO_LARGE


def test_upload_to_a_full_disk_is_answered_507(client, services, monkeypatch):
    upload = {"file": (io.BytesIO(b"The tide turns at noon."), "tide.txt")}
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", raise_disk_full)
        answer = client.post("/api/v1/documents", data=upload)
    assert answer.status_code == 507
    assert "The disk is full" in answer.json["detail"]
    assert services.catalog.documents() == []


@pytest.mark.cluster
def test_documents_and_index_recover_when_a_full_disk_has_space_again(tmp_path):
    """A real disk of 24 MB is used, which only the process that fills it sees."""
    mount = 'mount -t tmpfs -o size=24m tmpfs "$1" && exec "$0" -m tests.ingest.on_small_disk "$1"'
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, sys.executable, str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    observations = json.loads(result.stdout)
    for full in ("on a full disk", "on a disk without any space"):
        assert observations[full]["states"] == [QUEUED] * 3 + [READY]
        assert observations[full]["generations"] == ["1"]
    for recovered in ("with space again", "after the index was deleted"):
        assert observations[recovered]["states"] == [READY] * 4
        assert observations[recovered]["indexed"] == observations[recovered]["sentences"] == 8
        assert len(observations[recovered]["generations"]) == 1
