"""A full disk: said clearly, nothing half-done, and on as soon as there is room."""

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


def refuse(*_):
    raise OSError(errno.ENOSPC, "No space left on device")


def outgrow(*_):
    raise OSError(errno.EFBIG, "File too large")


@contextmanager
def full_catalog(engine, spare):
    """SQLite finds no room for more than `spare` pages: its own error, from where it would meet a full disk."""

    with engine.connect() as connection:
        most = connection.exec_driver_sql("PRAGMA page_count").scalar() + spare

    def limit(connection, *_):
        connection.execute(f"PRAGMA max_page_count = {most}")

    def lift(connection, *_):
        connection.execute("PRAGMA max_page_count = 1073741823")

    event.listen(engine, "checkout", limit)
    yield
    event.remove(engine, "checkout", limit)
    event.listen(engine, "checkout", lift)


def rows(catalog, *tables):
    with catalog.engine.connect() as connection:
        return [connection.execute(select(func.count()).select_from(table)).scalar() for table in tables]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "note.txt"
    path.write_text(NOTE, encoding="utf-8")
    return path


def test_full_while_the_original_is_kept(services, process_pool, path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", refuse)
        with pytest.raises(DiskFull, match="The disk is full"):
            ingest_file(path, services, process_pool)
    assert services.catalog.documents() == []
    assert [file for file in services.files.root.rglob("*") if file.is_file() and file.parent.name != "locks"] == []
    assert ingest_file(path, services, process_pool).document.state == READY


@pytest.mark.parametrize("spare", [0, 8])
def test_full_while_vectors_are_kept(services, process_pool, spare):
    fails_whole(services, process_pool, spare, others=0)


@pytest.mark.parametrize("spare", [0, 3, 5])
def test_full_while_the_document_is_kept(services, process_pool, spare):
    """Its vectors are known from another collection, so the first thing to be written is the document itself."""
    ingest_file(LABORATORY, services, process_pool, collection="other")
    fails_whole(services, process_pool, spare, others=1)


def fails_whole(services, process_pool, spare, others):
    catalog = services.catalog
    before = rows(catalog, texts, chunks, sentences)
    with full_catalog(catalog.engine, spare), pytest.raises(DiskFull):
        ingest_file(LABORATORY, services, process_pool)
    (failed,) = (document for document in catalog.documents() if document.collection == "default")
    assert (failed.state, failed.reason) == (QUEUED, WAITING_FOR_SPACE)
    assert rows(catalog, texts, chunks, sentences) == before
    assert list(services.files.scratch.iterdir()) == []
    again = ingest_file(LABORATORY, services, process_pool).document
    assert again.state == READY
    assert rows(catalog, documents)[0] == 1 + others


def test_full_where_the_file_is_read(process_pool):
    with pytest.raises(UnreadableFile, match="The disk is full") as refused:
        process_pool.run(refuse)
    assert refused.value.state == FAILED  # so handing it in again tries again
    with pytest.raises(UnreadableFile, match="larger than allowed") as refused:
        process_pool.run(outgrow)
    assert refused.value.state == TOO_LARGE


def test_an_upload_to_a_full_disk_says_so(client, services, monkeypatch):
    upload = {"file": (io.BytesIO(b"The tide turns at noon."), "tide.txt")}
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", refuse)
        answer = client.post("/api/v1/documents", data=upload)
    assert answer.status_code == 507
    assert "The disk is full" in answer.json["detail"]
    assert services.catalog.documents() == []


@pytest.mark.slow
def test_documents_and_index_recover_when_a_full_disk_has_space_again(tmp_path):
    """On a real disk of 24 MB, which only the process that fills it sees."""
    mount = 'mount -t tmpfs -o size=24m tmpfs "$1" && exec "$0" -m tests.ingest.on_small_disk "$1"'
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, sys.executable, str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    seen = json.loads(ended.stdout)
    for full in ("on a full disk", "on a disk without any space"):
        assert seen[full]["states"] == [QUEUED] * 3 + [READY]
        assert seen[full]["generations"] == ["1"]
    for recovered in ("with space again", "after the index was deleted"):
        assert seen[recovered]["states"] == [READY] * 4
        assert seen[recovered]["indexed"] == seen[recovered]["sentences"] == 8
        assert len(seen[recovered]["generations"]) == 1
