"""Tests of the file store, in a folder and in a storage elsewhere."""

import hashlib
import io
import shutil
import threading

import pytest

from highlighter.models import Document
from highlighter.settings import Settings
from highlighter.store.database import open_database
from highlighter.store.file_stores import open_file_store

DOCUMENT_ID = "ab" * 16


def open_files(folder, **settings):
    engine = open_database(folder / "catalog.sqlite")
    return open_file_store(Settings(data_dir=folder, **settings), lambda: engine)


@pytest.fixture(params=["folder", "storage"])
def files(request, tmp_path):
    settings = request.getfixturevalue("s3_server").settings() if request.param == "storage" else {}
    return open_files(tmp_path, **settings)


def fetch(files, path):
    """Return the content of a stored file with any hash, as a machine without a copy of a remote file gets it."""
    if files.address:
        shutil.rmtree(files.root / "originals")
        shutil.rmtree(files.root / "documents")
    assert files.fetch(path, lambda sha256: True)
    return path.read_bytes()


def list_local_files(files):
    return [path for path in files.root.rglob("*") if path.is_file() and path.parent.name != "locks"]


def save_generated(files, names, content=b"words"):
    work = files.create_work_folder()
    for name in names:
        (work / name).parent.mkdir(exist_ok=True)
        (work / name).write_bytes(content)
    return files.save_generated_folder(work, DOCUMENT_ID, 1)


def test_original_is_stored_under_its_hash(files):
    sha256, size = files.save_original(io.BytesIO(b"words"))
    assert (sha256, size) == (hashlib.sha256(b"words").hexdigest(), 5)
    assert fetch(files, files.original_path(sha256)) == b"words"
    assert files.has_original(sha256)
    assert files.compute_original_sha256(sha256) == sha256
    assert list(files.scratch.iterdir()) == []


def test_failed_upload_leaves_no_file(files):
    class BrokenUpload(io.BytesIO):
        def read(self, size=-1):
            raise OSError("the line went dead")

    with pytest.raises(OSError, match="went dead"):
        files.save_original(BrokenUpload())
    assert list_local_files(files) == []
    assert list(files.list_original_hashes()) == []


def test_staged_file_that_is_not_saved_leaves_nothing(files):
    with files.stage_original(io.BytesIO(b"words")) as staged:
        assert (staged.sha256, staged.size) == (hashlib.sha256(b"words").hexdigest(), 5)
        assert staged.path.read_bytes() == b"words"
    assert list_local_files(files) == []
    assert list(files.list_original_hashes()) == []


def test_generated_folder_replaces_old_one(files):
    save_generated(files, ["typeset.pdf", "chunks/0.pdf", "chunks/1.pdf"], b"old")
    hashes = save_generated(files, ["chunks/0.pdf"], b"new")
    assert hashes == {"chunks/0.pdf": hashlib.sha256(b"new").hexdigest()}
    assert files.hash_generated_files(DOCUMENT_ID, 1) == hashes
    assert fetch(files, files.chunk_pdf_path(DOCUMENT_ID, 1, 0)) == b"new"
    assert files.count_chunk_pdfs(DOCUMENT_ID, 1) == 1
    assert not files.has_typeset_pdf(DOCUMENT_ID, 1)
    assert list(files.scratch.iterdir()) == []  # the old one does not stay until the next start


def test_pages_of_pdf_are_in_original_unless_typeset(files):
    document = Document(DOCUMENT_ID, "default", "c" * 64, "scan.pdf", "pdf", 1, "ready", pipeline=1)
    assert files.paged_pdf_path(document) == files.original_path("c" * 64)
    save_generated(files, ["typeset.pdf"])
    assert files.paged_pdf_path(document) == files.typeset_pdf_path(DOCUMENT_ID, 1)


def test_bytes_with_another_hash_are_not_as_expected(files):
    sha256, _ = files.save_original(io.BytesIO(b"words"))
    path = files.original_path(sha256)
    assert files.fetch(path, lambda found: found == sha256)
    assert not files.fetch(path, lambda found: found == "0" * 64)
    assert files.fetch(files.original_path("0" * 64), lambda found: False)  # opening it raises the error


def test_removed_files_are_gone(files):
    sha256, _ = files.save_original(io.BytesIO(b"words"))
    save_generated(files, ["chunks/0.pdf"])
    assert list(files.list_document_ids()) == [DOCUMENT_ID]
    files.remove_original(sha256)
    files.remove_generated_files(DOCUMENT_ID)
    assert not files.has_original(sha256)
    assert list(files.list_document_ids()) == []
    assert list_local_files(files) == []


def test_sweep_keeps_folders_of_running_processes(files):
    own = files.create_work_folder()
    dead = files.scratch / "999999999-gone"
    dead.mkdir()
    (files.scratch / "stray").write_text("left over")
    files.sweep_scratch()
    assert own.is_dir()
    assert sorted(path.name for path in files.scratch.iterdir()) == [own.name]


def test_document_lock_is_held_by_one_at_a_time(files):
    order = []

    def second():
        with files.lock_document("ab" * 16):
            order.append("second")

    with files.lock_document("ab" * 16):
        waiting = threading.Thread(target=second)
        waiting.start()
        waiting.join(0.2)
        order.append("first")
    waiting.join(5)
    assert order == ["first", "second"]
