"""A full disk is reported, leaves nothing half-done, and processing continues once there is space."""

from __future__ import annotations

import errno
import io
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing, contextmanager

import pytest
from sqlalchemy import delete, event, func, select

from highlighter.errors import UnreadableFile
from highlighter.models import FAILED, QUEUED, READY, TOO_LARGE
from highlighter.store.database import write_transaction
from highlighter.store.schema import catalog_values, chunks, documents, sentences, texts
from highlighter.store.storage_errors import DiskFull, DiskUnwritable, is_unwritable
from ingest.pipeline import WAITING_FOR_SPACE, ingest_file, process_document
from ingest.registration import register_file
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


@pytest.mark.parametrize(
    ("error", "status", "problem", "reason"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), 507, "disk-full", "The disk is full"),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), 507, "disk-full", "The disk is full"),
        (OSError(errno.EFBIG, "File too large"), 507, "disk-full", "The disk is full"),
        (OSError(errno.EROFS, "Read-only file system"), 503, "disk-unwritable", "cannot be written"),
        (PermissionError(errno.EACCES, "Permission denied", "/data/x"), 503, "disk-unwritable", "cannot be written"),
    ],
)
def test_upload_to_a_disk_that_takes_nothing_is_answered(client, services, monkeypatch, error, status, problem, reason):
    def fail(*_):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        answer = client.post("/api/v1/documents", data={"file": (io.BytesIO(b"The tide turns at noon."), "tide.txt")})
    assert (answer.status_code, answer.json["type"]) == (status, f"urn:highlighter:problem:{problem}")
    assert reason in answer.json["detail"]
    assert services.catalog.documents() == []


@pytest.mark.parametrize(
    ("number", "status"), [(errno.ENOSPC, 200), (errno.EFBIG, 200), (errno.EROFS, 503), (errno.EACCES, 503)]
)
def test_probe_says_that_nothing_can_be_written(client, monkeypatch, number, status):
    def fail(*_, dir, **__):
        raise OSError(number, os.strerror(number), str(dir))

    monkeypatch.setattr(tempfile, "TemporaryFile", fail)
    probe = client.get("/readyz")
    assert (probe.status_code, probe.mimetype) == (status, "text/plain")
    assert ("The data folder cannot be written" in probe.text) is (status == 503)
    parts = {part["name"]: part for part in client.get("/readyz", headers={"Accept": "application/json"}).json["parts"]}
    assert parts["disk"]["status"] == ("down" if status == 503 else "impaired")
    assert client.get("/metrics").status_code == 200


def test_document_waits_while_nothing_can_be_written(services, path, process_pool, monkeypatch):
    registered = register_file(path, path.name, services).document

    def fail(*_, dir, **__):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(dir))

    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "TemporaryFile", fail)
        patch.setattr(os, "fsync", fail)
        patch.setattr(services.catalog, "save_contents", raise_disk_full)
        with pytest.raises(DiskUnwritable):
            process_document(registered, services, process_pool)
        with pytest.raises(DiskUnwritable):
            services.index.sync()
    assert services.catalog.document(registered.id).state == QUEUED
    assert ingest_file(path, services, process_pool).document.state == READY


def test_search_in_a_catalog_that_cannot_be_written_says_so(app, client, services, process_pool, path):
    """The terms of a library of an earlier release are written at the first search."""
    ingest_file(path, services, process_pool)
    with write_transaction(services.catalog.engine) as connection:
        connection.execute(delete(catalog_values))
    app.config["TESTING"] = False
    event.listen(services.catalog.engine, "checkout", lambda own, *_: own.execute("PRAGMA query_only = 1"))
    answer = client.post("/api/v1/search", json={"question": "How much is a ticket?"})
    assert (answer.status_code, answer.json["type"]) == (503, "urn:highlighter:problem:disk-unwritable")


def test_write_that_a_limit_on_files_ends_is_told_apart(tmp_path):
    """SQLite has one error for all of these: a limit, a quota, and a file system that has become read-only."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with closing(sqlite3.connect(tmp_path / "catalog.sqlite", isolation_level=None)) as connection:
        connection.execute("CREATE TABLE words (word)")
        resource.setrlimit(resource.RLIMIT_FSIZE, (16 << 10, hard))
        try:
            with pytest.raises(sqlite3.OperationalError) as caught:
                connection.execute("INSERT INTO words VALUES (zeroblob(1000000))")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert is_unwritable(caught.value)
    assert not is_unwritable(sqlite3.OperationalError("no such table"))
    assert not is_unwritable(PermissionError(errno.EACCES, "Permission denied"))  # of a connection


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
