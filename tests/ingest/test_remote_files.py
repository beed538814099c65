"""Documents whose files are in an S3-compatible storage, from the upload to the deletion."""

import io
import json
import random
import shutil
import sys
from argparse import Namespace
from dataclasses import fields, replace
from urllib.request import urlopen

import pytest

from highlighter.app import create_app
from highlighter.cli import doctor, verify
from highlighter.diagnostics import compare_with_audit
from highlighter.models import QUEUED, READY
from highlighter.secret import Secret
from highlighter.settings import Settings
from highlighter.store import remote_files
from highlighter.store.deletion import (
    remove_orphans,
    remove_overdue_documents,
    remove_unused_copies,
    retry_removals,
)
from highlighter.store.storage_errors import FilesUnavailable
from ingest.batch import ingest_files
from ingest.pipeline import WAITING_FOR_FILES, ingest_file, process_document
from ingest.registration import register_file, register_upload
from tests.conftest import CONTRACT, NOTE, SAMPLES
from tests.highlighter.store.test_pending_deletion import make_deletion_overdue
from tests.ingest.killing import run_and_kill
from tests.s3_server import SECRET_KEY


@pytest.fixture
def services(remote_services):
    return remote_services


@pytest.fixture
def note_path(tmp_path):
    path = tmp_path / "note.txt"
    path.write_text(NOTE, encoding="utf-8")
    return path


@pytest.fixture
def note(services, process_pool, note_path):
    return ingest_file(note_path, services, process_pool).document


def remove_local_copies(services):
    """Leave what another machine has, or this one after an eviction."""
    for folder in ("originals", "documents"):
        shutil.rmtree(services.files.root / folder, ignore_errors=True)


def get(services, address, **headers):
    with create_app(services).test_client().get(address, headers=headers) as response:
        return response.status_code, response.data, response.headers


def list_keys(services):
    return [key for folder in ("originals", "documents") for key in services.files.storage.list_keys(folder)]


def run_doctor(services, capsys, *, fix=False):
    status = doctor.run(services, Namespace(fix=fix, json=True))
    return status, json.loads(capsys.readouterr().out)


def test_document_is_shown_without_local_copies(services, note, process_pool):
    contract = ingest_file(SAMPLES / CONTRACT, services, process_pool).document
    for address in (
        f"/documents/{contract.id}/original",
        f"/documents/{contract.id}/pdf",
        f"/documents/{contract.id}/pages/1.png",
        f"/documents/{contract.id}/pages/1.json",
        f"/documents/{contract.id}/chunks/0.pdf",
        f"/documents/{note.id}/original",
        f"/documents/{note.id}/pdf?at=0-20",
        f"/documents/{note.id}/pages/1.webp",
    ):
        status, before, _ = get(services, address)
        remove_local_copies(services)
        assert (status, before) == get(services, address)[:2], address
        assert status == 200
    assert get(services, f"/documents/{contract.id}/original", Range="bytes=0-4")[:2] == (206, b"%PDF-")


def test_file_that_was_altered_in_the_storage_is_not_shown(services, note):
    for key in list_keys(services):
        services.files.storage.put_bytes(key, b"altered")
    remove_local_copies(services)
    for address in ("original", "pdf", "pages/1.png", "chunks/0.pdf"):
        assert b"damaged or was altered" in get(services, f"/documents/{note.id}/{address}")[1]


def test_same_file_again_is_not_sent_again(services, note, note_path, monkeypatch):
    monkeypatch.setattr(services.files.storage, "put_file", None)
    remove_local_copies(services)
    assert register_file(note_path, "note.txt", services).document.id == note.id
    with note_path.open("rb") as file:
        assert register_upload(file, "note.txt", services).document.id == note.id


def test_upload_while_the_storage_is_out_of_reach_is_refused_and_can_be_repeated(services, s3_switch):
    client = create_app(services).test_client()

    def upload():
        return client.post("/api/v1/documents", data={"file": (io.BytesIO(NOTE.encode()), "note.txt")})

    s3_switch.stop()
    refused = upload()
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "10")
    assert "file storage does not answer" in refused.json["detail"]
    assert SECRET_KEY not in refused.text
    assert services.catalog.documents() == []
    assert list(services.files.scratch.iterdir()) == []
    s3_switch.start()
    assert upload().status_code == 202


def test_page_without_local_copy_is_503_while_the_storage_is_out_of_reach(services, note, s3_switch):
    picture = f"/documents/{note.id}/pages/1.png"
    assert get(services, picture)[0] == 200
    s3_switch.stop()
    assert get(services, picture)[0] == 200
    remove_local_copies(services)
    status, body, headers = get(services, picture)
    assert (status, headers["Retry-After"]) == (503, "10")
    assert b"file storage does not answer" in body
    s3_switch.start()
    assert get(services, picture)[0] == 200


def test_document_waits_for_the_storage_and_is_processed_then(services, process_pool, note_path, s3_switch):
    document = register_file(note_path, "note.txt", services).document
    s3_switch.stop()
    for _ in range(5):  # more often than a document that crashes its process is tried
        with pytest.raises(FilesUnavailable):
            process_document(document, services, process_pool)
    waiting = services.catalog.document(document.id)
    assert (waiting.state, waiting.reason) == (QUEUED, WAITING_FOR_FILES)
    s3_switch.start()
    assert process_document(document, services, process_pool).state == READY


def test_deletion_removes_every_object_and_copy(services, note, process_pool, tmp_path):
    services.page_renderer.draw_page(note, 1, 400, "png")
    assert list_keys(services)
    services.delete_document(note.id)
    assert list_keys(services) == []
    assert [path for path in services.files.root.glob("[od]*/**/*") if path.is_file()] == []


def test_deletion_waits_for_the_storage(services, note, s3_switch):
    make_deletion_overdue(services, note)
    s3_switch.stop()
    with pytest.raises(FilesUnavailable):
        remove_overdue_documents(services.catalog, services.files)
    assert services.catalog.document(note.id)
    s3_switch.start()
    assert remove_overdue_documents(services.catalog, services.files) == 1
    assert list_keys(services) == []


def test_files_that_could_not_be_removed_are_removed_later(services, note, s3_switch, monkeypatch):
    monkeypatch.setattr(services.files, "check_available", s3_switch.stop)  # the storage goes just after it was asked
    services.delete_document(note.id)
    assert services.catalog.document(note.id) is None
    with pytest.raises(FilesUnavailable):
        retry_removals(services.catalog, services.files)
    s3_switch.start()
    assert list_keys(services)
    retry_removals(services.catalog, services.files)
    assert (list_keys(services), services.files.removals) == ([], set())


def test_orphans_are_removed_and_documents_stay(services, note):
    services.files.min_orphan_age_seconds = 0
    expected = list_keys(services)
    services.files.save_original(io.BytesIO(b"nobody's"))
    services.files.storage.put_bytes(f"documents/ab/{'ab' * 16}/1/chunks/0.pdf", b"nobody's")
    assert remove_orphans(services.catalog, services.files) == 2
    assert list_keys(services) == expected


def test_copies_of_documents_deleted_elsewhere_are_removed(services, note, process_pool):
    contract = ingest_file(SAMPLES / CONTRACT, services, process_pool).document
    services.catalog.delete(note.id)  # as another machine does
    remove_unused_copies(services.catalog, services.files)
    assert [path.name for path in services.files.root.glob("originals/*/*")] == [contract.sha256]
    assert [path.name for path in services.files.root.glob("documents/*/*")] == [contract.id]
    assert any(note.sha256 in key for key in list_keys(services))


def test_page_drawn_by_another_machine_is_not_drawn_again(services, note, monkeypatch):
    picture = services.page_renderer.draw_page(note, 1, 400, "png")
    monkeypatch.setattr(services, "process_pool", None)
    remove_local_copies(services)
    assert services.page_renderer.draw_page(note, 1, 400, "png") == picture


def test_picture_that_was_altered_in_the_storage_is_drawn_again(services, note):
    picture = services.page_renderer.draw_page(note, 1, 400, "png")
    (key,) = [key for key in list_keys(services) if key.endswith("1-400.png")]
    sealed = services.files.storage.read_bytes(key)
    for altered in (b"altered", b"altered" + sealed[-32:], b""):
        services.files.storage.put_bytes(key, altered)
        remove_local_copies(services)
        assert services.page_renderer.draw_page(note, 1, 400, "png") == picture


def test_picture_drawn_while_its_document_is_deleted_leaves_nothing(services, note, monkeypatch):
    renderer, save_rendered = services.page_renderer, services.files.save_rendered

    def delete_and_save(*arguments):
        services.delete_document(note.id)
        save_rendered(*arguments)

    monkeypatch.setattr(services.files, "save_rendered", delete_and_save)
    assert renderer.draw_page(note, 1, 400, "png")
    assert list_keys(services) == []


def test_doctor_and_verify_compare_what_the_storage_has(services, note, capsys):
    services.index.sync()
    status, report = run_doctor(services, capsys)
    assert (status, report["ill"], report["storage"]) == (0, [], services.files.address)
    chunk, original = f"documents/{note.id[:2]}/{note.id}/{note.pipeline}/chunks/0.pdf", f"originals/{note.sha256[:2]}"
    services.files.storage.put_bytes(chunk, b"altered")
    status, report = run_doctor(services, capsys)
    assert (status, report["made_altered"]) == (1, ["note.txt"])
    verified = verify.run(services, Namespace(against=None, head=False, json=False))
    assert verified == 1
    assert "chunks/0.pdf" in capsys.readouterr().out
    status, report = run_doctor(services, capsys, fix=True)
    assert (status, report["ill"]) == (0, [])
    services.files.storage.delete([f"{original}/{note.sha256}"])
    assert run_doctor(services, capsys)[1]["originals_missing"] == ["note.txt"]


def test_doctor_says_that_the_storage_is_out_of_reach(services, note, s3_switch):
    s3_switch.stop()
    with pytest.raises(FilesUnavailable, match="does not answer"):
        doctor.run(services, Namespace(fix=False, json=True))


@pytest.fixture
def large_document(services, s3_server, monkeypatch, note_path):
    """A document whose original browsers may read from the storage."""
    monkeypatch.setattr(remote_files, "MIN_SIGNED_BYTES", 100)
    access = replace(services.files.storage.access, public_endpoint=s3_server.address)
    monkeypatch.setattr(services.files.storage, "access", access)
    return register_file(note_path, "Über uns.txt", services).document


def test_browser_reads_large_original_from_the_storage(services, large_document):
    address = f"/documents/{large_document.id}/original"
    opened = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    status, _, headers = get(services, address, **opened)
    assert (status, headers["Cache-Control"]) == (302, "no-store")
    assert SECRET_KEY not in headers["Location"]
    with urlopen(headers["Location"]) as response:
        assert response.read() == NOTE.encode()
        assert response.headers["Content-Disposition"] == "inline; filename*=UTF-8''%C3%9Cber%20uns.txt"
        assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    for other in ({}, {**opened, "Sec-Fetch-Dest": "iframe"}, {**opened, "Sec-Fetch-Mode": "cors"}):
        assert get(services, address, **other)[:2] == (200, NOTE.encode())


def test_original_is_read_from_the_storage_only_once_its_bytes_are_known_to_be_right(services, large_document):
    address, opened = (
        f"/documents/{large_document.id}/original",
        {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"},
    )
    remove_local_copies(services)
    assert [get(services, address, **opened)[0] for _ in range(2)] == [200, 302]
    (key,) = list_keys(services)
    services.files.storage.put_bytes(key, b"altered")
    remove_local_copies(services)
    status, body, _ = get(services, address, **opened)
    assert (status, b"damaged or was altered" in body) == (500, True)


@pytest.mark.cluster
def test_ingestion_killed_on_its_way_to_the_storage_is_finished_later(services, note_path, monkeypatch):
    settings = services.settings
    for field in fields(Settings):
        if field.name.startswith(("files_", "aws_")) and (value := getattr(settings, field.name)):
            revealed = value.reveal() if isinstance(value, Secret) else str(value)
            monkeypatch.setenv(field.metadata["variable"], revealed)
    settings.data_dir.mkdir()
    shutil.copy(SAMPLES / CONTRACT, note_path.parent / "papers.pdf")
    command = [sys.executable, "-m", "ingest", str(note_path), str(note_path.parent / "papers.pdf")]
    run_and_kill(command, settings.data_dir, "vectors", random.Random(6).uniform(0, 0.7))
    outcomes = ingest_files(
        [note_path, note_path.parent / "papers.pdf"], services, "default", {}, 1, lambda: ignore, ignore
    )
    assert [outcome.document.state for outcome in outcomes.values()] == [READY, READY]
    services.files.min_orphan_age_seconds = 0
    assert remove_orphans(services.catalog, services.files) == 0
    remove_local_copies(services)
    assert compare_with_audit(services).altered == set()
    assert all(
        get(services, f"/documents/{outcome.document.id}/pages/1.png")[0] == 200 for outcome in outcomes.values()
    )


def ignore(*_):
    return None
