import hashlib
import io
import threading

import pytest

from highlighter.store.files import FileStore


def test_original_is_stored_under_its_hash(tmp_path):
    files = FileStore(tmp_path)
    sha256, size = files.save_original(io.BytesIO(b"words"))
    assert (sha256, size) == (hashlib.sha256(b"words").hexdigest(), 5)
    assert files.original_path(sha256).read_bytes() == b"words"
    assert list(files.scratch.iterdir()) == []


def test_failed_upload_leaves_no_file(tmp_path):
    class BrokenUpload(io.BytesIO):
        def read(self, size=-1):
            raise OSError("the line went dead")

    files = FileStore(tmp_path)
    with pytest.raises(OSError, match="went dead"):
        files.save_original(BrokenUpload())
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_staged_file_that_is_not_saved_leaves_nothing(tmp_path):
    files = FileStore(tmp_path)
    with files.stage_original(io.BytesIO(b"words")) as staged:
        assert (staged.sha256, staged.size) == (hashlib.sha256(b"words").hexdigest(), 5)
        assert staged.path.read_bytes() == b"words"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_generated_folder_replaces_old_one(tmp_path):
    files = FileStore(tmp_path)
    for words in (b"old", b"new"):
        work = files.create_work_folder()
        (work / "chunks").mkdir()
        (work / "chunks" / "0.pdf").write_bytes(words)
        files.save_generated_folder(work, "ab" * 16, 1)
    assert files.chunk_pdf_path("ab" * 16, 1, 0).read_bytes() == b"new"


def test_sweep_keeps_folders_of_running_processes(tmp_path):
    files = FileStore(tmp_path)
    own = files.create_work_folder()
    dead = files.scratch / "999999999-gone"
    dead.mkdir()
    (files.scratch / "stray").write_text("left over")
    files.sweep_scratch()
    assert own.is_dir()
    assert sorted(path.name for path in files.scratch.iterdir()) == [own.name]


def test_document_lock_is_held_by_one_at_a_time(tmp_path):
    files = FileStore(tmp_path)
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
