"""Tests of copying a library to another database and other files, and back: whole, equal, and resumed after a kill."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from contextlib import closing
from dataclasses import replace

import pytest
from sqlalchemy import func, select

from highlighter.__main__ import main
from highlighter.models import READY
from highlighter.services import Services
from highlighter.store import library_copy
from highlighter.store.audit_log import read_head
from highlighter.store.audit_verification import verify_audit
from highlighter.store.catalog_identity import read_catalog_id
from highlighter.store.database import open_catalog_database
from highlighter.store.document_metadata import update_metadata
from highlighter.store.library_copy import CopyFailed, Library, copy_library
from highlighter.store.schema import documents, sentences
from ingest.pipeline import ingest_file
from tests.conftest import SQLITE

QUESTION = "When does the ferry leave?"


@pytest.fixture(autouse=True)
def database_kind():
    """The source; the copies are in PostgreSQL."""
    return SQLITE


@pytest.fixture
def on_postgresql(services, postgresql_server, s3_server, tmp_path):
    """The settings of an empty PostgreSQL database and an empty file storage."""
    database = postgresql_server.create_database()
    yield replace(
        services.settings,
        data_dir=tmp_path / "moved",
        database_url=postgresql_server.address(database),
        **s3_server.settings(),
    )
    postgresql_server.drop_database(database)


def copy(services: Services, target, progress=lambda unit, done, total: None):
    return copy_library(Library(services.settings, services.catalog, services.files), target, progress)


def list_files(folder):
    return {
        path.relative_to(folder): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("server.lock", "catalog.sqlite-shm") and "locks" not in path.parts
    }


def check_same(services, copied):
    """Check that a copy is proven by its audit, ends in the same row, and answers as the source does."""
    heads = []
    for one in (services, copied):
        with one.catalog.engine.connect() as connection:
            heads.append(read_head(connection))
            assert verify_audit(connection, files=one.files).discrepancies == ()
    assert heads[0] == heads[1]
    note = next(document for document in services.catalog.documents() if document.name == "note.txt")
    highlights = [
        one.passage_highlighter.highlight_chunk(QUESTION, one.catalog.chunks(note)[0]) for one in (services, copied)
    ]
    assert highlights[0] == highlights[1]
    assert highlights[0].sentences


def test_library_moves_to_postgresql_and_s3_and_back(
    services, note, on_postgresql, process_pool, tmp_path, embedder, postgresql_server
):
    """A NUL and a lone surrogate are in its metadata, which PostgreSQL stores as escapes."""
    update_metadata(services.catalog.engine, note.id, {"odd": "a\0b\ud800"})
    services.link_keys  # noqa: B018 - created on first use
    before = list_files(services.settings.data_dir)
    report = copy(services, on_postgresql)
    assert list_files(services.settings.data_dir) == before
    assert (report.documents, report.missing) == (1, [])
    assert report.files == report.copied_files > 1
    assert report.rows["sentences"] > 1
    with closing(Services(on_postgresql, embedder)) as moved:
        check_same(services, moved)
        assert read_catalog_id(moved.catalog.engine) != read_catalog_id(services.catalog.engine)
        path = tmp_path / "later.txt"  # later rows are numbered on from those that were copied
        path.write_text("A ferry to the north is planned for next year.", encoding="utf-8")
        assert ingest_file(path, moved, process_pool).document.state == READY
        back = replace(services.settings, data_dir=tmp_path / "back")
        assert copy(moved, back).documents == 2
        with closing(Services(back, embedder)) as returned:
            check_same(moved, returned)
            assert returned.catalog.document(note.id).meta["odd"] == "a\0b\ud800"


@pytest.mark.parametrize(("unit", "done"), [("documents", 1), ("rows", 5)])
def test_killed_copy_goes_on(services, note, contract, postgresql_server, tmp_path, embedder, unit, done):
    database = postgresql_server.create_database()
    address = postgresql_server.address(database)
    target = replace(services.settings, data_dir=tmp_path / "moved", database_url=address)
    killed = subprocess.run(
        [
            sys.executable,
            "-c",
            KILLED_COPY,
            services.settings.data_dir,
            target.data_dir,
            address.reveal(),
            unit,
            str(done),
        ]
    )
    assert killed.returncode == -signal.SIGKILL
    engine = open_catalog_database(target.data_dir, address)
    with engine.connect() as connection:
        assert [connection.scalar(select(func.count()).select_from(table)) for table in (documents, sentences)] == [
            0,
            0,
        ]
    engine.dispose()
    report = copy(services, target)
    assert 0 <= report.copied_files < report.files  # the rest was there
    assert (report.copied_files == 0) == (unit == "rows")
    with closing(Services(target, embedder)) as moved:
        check_same(services, moved)
    assert copy(services, target).copied_files == 0  # called once more, it only compares
    postgresql_server.drop_database(database)


KILLED_COPY = """
import os, signal, sys
from pathlib import Path
from highlighter.secret import Secret
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store.library_copy import Library, copy_library

source, target, address, unit, done = sys.argv[1:]

def die(*progress):
    if progress[0] == unit and progress[1] >= int(done):
        os.kill(os.getpid(), signal.SIGKILL)

services = Services(Settings(data_dir=Path(source), ocr=False))
library = Library(services.settings, services.catalog, services.files)
copy_library(library, Settings(data_dir=Path(target), database_url=Secret(address), ocr=False), die)
"""


def test_place_of_another_library_is_refused(services, note, tmp_path, embedder, process_pool):
    target = replace(services.settings, data_dir=tmp_path / "other")
    with closing(Services(target, embedder)) as other:
        path = tmp_path / "other.txt"
        path.write_text("The lighthouse has two lamps.", encoding="utf-8")
        ingest_file(path, other, process_pool)
        before = list_files(target.data_dir)
        with pytest.raises(CopyFailed, match="holds another library"):
            copy(services, target)
        assert list_files(target.data_dir) == before
    with pytest.raises(CopyFailed, match="is there already"):
        copy(services, services.settings)


def test_half_a_copy_of_another_library_is_refused(services, note, tmp_path, embedder, process_pool):
    target = replace(services.settings, data_dir=tmp_path / "half")
    with pytest.raises(InterruptedError):
        copy(services, target, interrupt)
    with closing(Services(replace(services.settings, data_dir=tmp_path / "other"), embedder)) as other:
        path = tmp_path / "other.txt"
        path.write_text("The lighthouse has two lamps.", encoding="utf-8")
        ingest_file(path, other, process_pool)
        with pytest.raises(CopyFailed, match="holds another library"):
            copy(other, target)


def interrupt(unit, done, total):
    raise InterruptedError


def test_library_that_changes_meanwhile_is_not_copied(services, note, tmp_path, embedder):
    target = replace(services.settings, data_dir=tmp_path / "moved")

    def write(unit, done, total):
        if unit == "rows":
            update_metadata(services.catalog.engine, note.id, {"tag": f"row {done}"})

    with pytest.raises(CopyFailed, match="was changed while it was copied"):
        copy(services, target, write)
    assert copy(services, target).documents == 1
    with closing(Services(target, embedder)) as moved:
        check_same(services, moved)


def test_library_of_a_running_server_is_not_copied(services, note, tmp_path):
    services._server_lock.acquire(timeout_seconds=0)
    with pytest.raises(CopyFailed, match="A server is using"):
        copy(services, replace(services.settings, data_dir=tmp_path / "moved"))


def test_values_that_differ_in_the_copy_are_found(services, note, tmp_path, monkeypatch):
    """Rows are compared by their values, not only counted."""
    read_batches = library_copy._read_batches

    def alter(snapshot, table):
        for batch in read_batches(snapshot, table):
            yield [{**row, "page": 7} for row in batch] if table is sentences else batch

    monkeypatch.setattr(library_copy, "_read_batches", alter)
    target = replace(services.settings, data_dir=tmp_path / "moved")
    with pytest.raises(CopyFailed, match="The table sentences has"):
        copy(services, target)
    engine = open_catalog_database(target.data_dir, target.database_url)
    with engine.connect() as connection:
        assert connection.scalar(select(func.count()).select_from(documents)) == 0
    engine.dispose()


def test_altered_original_is_named_and_not_copied(services, note, tmp_path):
    original = services.files.original_path(note.sha256)
    original.write_bytes(original.read_bytes().replace(b"seven", b"eight"))
    target = replace(services.settings, data_dir=tmp_path / "moved")
    assert copy(services, target).missing == ["note.txt"]
    assert not list((target.data_dir / "files" / "originals").glob("*/*"))


def test_command_copies_and_verifies(services, note, tmp_path, monkeypatch, capsys):
    services.close()
    monkeypatch.setenv("DATA_DIR", str(services.settings.data_dir))
    target = tmp_path / "moved"
    assert main(["migrate", "--json", "--to", f"sqlite:///{target}/catalog.sqlite"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["documents"], printed["proven"]) == (1, True)
    assert printed["settings"] == [f"DATA_DIR={target}"]
    assert main(["migrate", "--to", str(target)]) == 0
    assert "All is as it was written." in capsys.readouterr().out
    assert main(["migrate", "--to", "postgresql://db/highlighter"]) == 2
    assert "Say where the files go" in capsys.readouterr().err
    assert main(["migrate", "--to", "mysql://db/highlighter"]) == 2
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "nothing"))
    assert main(["migrate", "--to", str(tmp_path / "else")]) == 1
    assert "There is no catalog" in capsys.readouterr().err
