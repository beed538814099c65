"""Tests of backups: made while documents come and go, and restored elsewhere as they were."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import pytest
from sqlalchemy import make_url

from highlighter.__main__ import main
from highlighter.models import READY
from highlighter.services import Services
from highlighter.signed_links import KEY_FILE_NAME
from highlighter.store.audit_verification import verify_audit
from highlighter.store.backup import BackupFailed, create_backup, restore_backup
from highlighter.store.catalog_identity import read_catalog_id
from highlighter.store.database import open_catalog_database
from highlighter.store.dialects.postgresql.copies import format_address
from highlighter.store.storage_errors import CatalogExists
from ingest.pipeline import ingest_file
from ingest.registration import register_file
from tests.conftest import POSTGRESQL, SQLITE


@pytest.fixture(params=[SQLITE, POSTGRESQL])
def database_kind(request):
    return request.param


@pytest.fixture
def back_up(services, tmp_path):
    def back_up(name="backup", **options):
        settings = services.settings
        return create_backup(services.catalog, services.files, settings.data_dir, tmp_path / name, **options)

    return back_up


@pytest.fixture
def elsewhere(services, tmp_path, request, database_kind):
    """The settings of an empty place for a restored backup."""
    settings = replace(services.settings, data_dir=tmp_path / "restored")
    if database_kind == SQLITE:
        yield settings
        return
    server = request.getfixturevalue("postgresql_server")
    database = server.create_database()
    yield replace(settings, database_url=server.address(database))
    server.drop_database(database)


def check_restored(settings, embedder):
    """Check that a restored library is as the audit recorded it, and return its services."""
    restored = Services(settings, embedder)
    with restored.catalog.engine.connect() as connection:
        report = verify_audit(connection, files=restored.files)
    assert report.discrepancies == ()
    return restored


def test_restored_library_answers_as_before(services, note, back_up, elsewhere, embedder, tmp_path):
    (chunk,) = services.catalog.chunks(note)
    services.link_keys  # noqa: B018 - created on first use
    link_key = (services.settings.data_dir / KEY_FILE_NAME).read_bytes()
    before = services.passage_highlighter.highlight_chunk("When does the ferry leave?", chunk)
    report = back_up()
    assert (report.documents, report.missing) == (1, [])
    restore_backup(tmp_path / "backup", elsewhere)
    with closing(check_restored(elsewhere, embedder)) as restored:
        after = restored.passage_highlighter.highlight_chunk(
            "When does the ferry leave?", restored.catalog.chunks(note)[0]
        )
        assert after == before
        assert restored.files.chunk_pdf_path(note.id, note.pipeline, 0).is_file()
    assert (elsewhere.data_dir / KEY_FILE_NAME).read_bytes() == link_key
    engine = open_catalog_database(elsewhere.data_dir, elsewhere.database_url)
    assert read_catalog_id(services.catalog.engine) != read_catalog_id(engine)
    engine.dispose()


def test_library_in_use_is_not_touched_by_restoring(services, note, back_up, tmp_path):
    services.link_keys  # noqa: B018 - created on first use
    back_up()
    original, key = services.files.original_path(note.sha256), services.settings.data_dir / KEY_FILE_NAME
    original.write_text("later", encoding="utf-8")
    key.write_text("later:key", encoding="ascii")
    with pytest.raises(CatalogExists):
        restore_backup(tmp_path / "backup", services.settings)
    services._server_lock.acquire(timeout_seconds=0)
    with pytest.raises(BackupFailed, match="A server is using"):
        restore_backup(tmp_path / "backup", services.settings)
    assert (original.read_text(encoding="utf-8"), key.read_text(encoding="ascii")) == ("later", "later:key")


@pytest.mark.parametrize("database_kind", [SQLITE])
def test_pages_left_by_a_removed_catalog_are_not_added_to_the_restored_one(
    services, note, back_up, elsewhere, embedder, tmp_path
):
    back_up()
    elsewhere.data_dir.mkdir()
    for suffix in ("-wal", "-shm"):
        (elsewhere.data_dir / f"catalog.sqlite{suffix}").write_bytes(b"of a catalog that was removed")
    restore_backup(tmp_path / "backup", elsewhere)
    check_restored(elsewhere, embedder).close()


def test_password_is_not_on_command_lines_of_postgresql():
    url = make_url("postgresql+psycopg://user:geheim@host:5433/name?sslmode=require")
    assert format_address(url) == "postgresql://user@host:5433/name?sslmode=require"


def test_backup_under_write_load_is_one_state(services, note, back_up, elsewhere, embedder, process_pool, tmp_path):
    """Documents are added and deleted all the while: each is either whole in the backup, or not in it."""
    stopped, made = threading.Event(), []

    def write() -> None:
        while not stopped.is_set():
            path = tmp_path / f"{len(made)}.txt"
            path.write_text(f"The quay number {len(made)} is closed in winter. It opens in spring.", encoding="utf-8")
            made.append(ingest_file(path, services, process_pool).document.id)
            if len(made) % 3 == 0:
                services.delete_document(made[-2])

    writer = threading.Thread(target=write)
    writer.start()
    try:
        while len(made) < 4:
            assert writer.is_alive()
        reports = [back_up(name) for name in ("first", "second")]
    finally:
        stopped.set()
        writer.join()
    assert all(report.missing == [] for report in reports)
    restore_backup(tmp_path / "second", elsewhere)
    with closing(check_restored(elsewhere, embedder)) as restored:
        stored = {document.id: document.state for document in restored.catalog.documents()}
        assert note.id in stored
        assert len(stored) == reports[1].documents
        with_files = {path.name for path in (elsewhere.data_dir / "files" / "documents").glob("*/*")}
        assert with_files <= stored.keys()  # nothing of a deleted document
        assert {id for id, state in stored.items() if state == READY} <= with_files


def test_document_that_is_being_read_is_not_waited_for(
    services, note, note_path, back_up, elsewhere, embedder, tmp_path
):
    """Reading may take minutes. It is read again where the backup is restored."""
    other = note_path.with_name("other.txt")
    other.write_text("The tide turns at noon.", encoding="utf-8")
    being_read = register_file(other, "other.txt", services).document
    with ThreadPoolExecutor(1) as executor, services.files.lock_document(being_read.id):
        report = executor.submit(back_up).result(timeout=60)
    assert (report.documents, report.missing) == (2, [])
    restore_backup(tmp_path / "backup", elsewhere)
    with closing(check_restored(elsewhere, embedder)) as restored:
        assert restored.ingest_queue.finish_unfinished() == 1
        assert restored.catalog.text(restored.catalog.document(being_read.id)) == "The tide turns at noon."


def test_files_are_shared_with_previous_backup(services, note, back_up, elsewhere, embedder, tmp_path):
    first = back_up("first")
    second = back_up("second", previous=tmp_path / "first")
    assert (second.linked, second.files) == (first.files, first.files)
    restore_backup(tmp_path / "second", elsewhere)
    check_restored(elsewhere, embedder).close()


def test_altered_original_is_named_and_not_copied_as_if_sound(services, note, back_up):
    original = services.files.original_path(note.sha256)
    original.write_bytes(original.read_bytes().replace(b"seven", b"eight"))
    assert back_up().missing == ["note.txt"]


def test_incomplete_or_altered_backups_are_refused(services, note, back_up, elsewhere, tmp_path):
    with pytest.raises(BackupFailed, match="not a complete backup"):
        restore_backup(tmp_path, elsewhere)
    back_up()
    with pytest.raises(BackupFailed, match="exists already"):
        back_up()
    (catalog,) = (path for path in (tmp_path / "backup").glob("catalog.*"))
    catalog.write_bytes(catalog.read_bytes() + b"\0")
    with pytest.raises(BackupFailed, match="altered or damaged"):
        restore_backup(tmp_path / "backup", elsewhere)
    assert not (elsewhere.data_dir / "catalog.sqlite").exists()


def _change_manifest(**values):
    def change(backup):
        manifest = json.loads((backup / "manifest.json").read_text())
        (backup / "manifest.json").write_text(json.dumps({**manifest, **values}))

    return change


def _replace_by_link_to(name, target):
    def replace(backup):
        path = backup / name
        path.rename(backup / "moved") if path.exists() else None
        path.symlink_to(target)

    return replace


def _remove_catalog(backup):
    next(backup.glob("catalog.*")).unlink()


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (_change_manifest(catalog=None), "manifest.json in .* was altered or damaged"),
        (_change_manifest(catalog={}), "manifest.json in .* was altered or damaged"),
        (_change_manifest(storage=None), "manifest.json in .* was altered or damaged"),
        (_change_manifest(database="oracle"), "manifest.json in .* was altered or damaged"),
        (_remove_catalog, "not the one that was backed up"),
        (_replace_by_link_to("files/gone", "nowhere"), "files/gone is neither a file nor a folder"),
        (_replace_by_link_to("files/loop", "."), "files/loop is neither"),
        (lambda backup: os.mkfifo(backup / "files" / "fifo"), "files/fifo is neither"),
        (_replace_by_link_to("files", "moved"), "files is neither"),
        (_replace_by_link_to("link.key", "/etc/passwd"), "link.key is neither"),
        (_replace_by_link_to("catalog.sqlite", "moved"), "catalog.sqlite is neither"),
    ],
)
@pytest.mark.parametrize("database_kind", [SQLITE])
def test_damaged_backup_is_refused_before_anything_is_restored(
    services, note, back_up, elsewhere, tmp_path, damage, reason
):
    back_up()
    damage(tmp_path / "backup")
    with pytest.raises(BackupFailed, match=reason):
        restore_backup(tmp_path / "backup", elsewhere)
    assert not elsewhere.data_dir.exists()


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "The disk is full"),
        (OSError(errno.EIO, "Input/output error"), "A file cannot be copied: .*Input/output error"),
        (sqlite3.OperationalError("database or disk is full"), "The disk is full"),
    ],
)
@pytest.mark.parametrize("database_kind", [SQLITE])
def test_full_or_broken_disk_leaves_nothing_half_done(
    services, note, back_up, elsewhere, tmp_path, monkeypatch, error, reason
):
    def fail(*arguments, **options):
        raise error

    back_up()
    elsewhere.data_dir.mkdir()
    (elsewhere.data_dir / "own.txt").write_text("of the operator")
    for place in ("os.fsync", "shutil.copy2", "highlighter.store.backup._make_separate"):
        with monkeypatch.context() as patch:
            patch.setattr(place, fail)
            with pytest.raises(BackupFailed, match=reason):
                restore_backup(tmp_path / "backup", elsewhere)
        assert [path.name for path in elsewhere.data_dir.iterdir()] == ["own.txt"]
    for place in ("os.fsync", "os.replace", "highlighter.store.backup._hash_catalog"):
        with monkeypatch.context() as patch:
            patch.setattr(place, fail)
            with pytest.raises(BackupFailed, match=reason):
                back_up("second")
        assert not list(tmp_path.glob("second*"))
    restore_backup(tmp_path / "backup", elsewhere)


@pytest.mark.parametrize("database_kind", [SQLITE])
def test_commands_back_up_and_restore(services, note, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("DATA_DIR", str(services.settings.data_dir))
    assert main(["backup", "--json", str(tmp_path / "backup")]) == 0
    assert json.loads(capsys.readouterr().out)["documents"] == 1
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "elsewhere"))
    assert main(["restore", str(tmp_path / "backup")]) == 0
    assert "All is as it was written." in capsys.readouterr().out
    assert main(["restore", str(tmp_path / "backup")]) == 1
    assert "only where there is no catalog yet" in capsys.readouterr().err
