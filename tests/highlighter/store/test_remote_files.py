"""Tests of what only files elsewhere have: local copies, an owner, and a storage that may be out of reach."""

import hashlib
import io
import logging
import os
import sys
import time

import pytest

from highlighter.errors import HighlighterError
from highlighter.service_state import is_ready, list_parts
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store import object_storage
from highlighter.store.file_cache import PROTECTED_SECONDS, FileCache
from highlighter.store.object_storage import PART_BYTES, compute_entity_tag
from highlighter.store.storage_errors import FilesUnavailable
from tests.highlighter.store.test_files import DOCUMENT_ID, open_files, save_generated
from tests.s3_server import SECRET_KEY

WORDS_SHA256 = hashlib.sha256(b"words").hexdigest()


@pytest.fixture
def files(tmp_path, s3_server):
    return open_files(tmp_path, **s3_server.settings())


@pytest.fixture
def words_path(files):
    """The local copy of a stored original."""
    files.save_original(io.BytesIO(b"words"))
    return files.original_path(WORDS_SHA256)


def is_words(sha256):
    return sha256 == WORDS_SHA256


def test_altered_object_is_never_provided(files, words_path):
    words_path.unlink()
    files.storage.put_bytes(f"originals/{WORDS_SHA256[:2]}/{WORDS_SHA256}", b"other")
    assert not files.fetch(words_path, is_words)
    assert not words_path.exists()
    assert files.compute_original_sha256(WORDS_SHA256) == hashlib.sha256(b"other").hexdigest()


def test_altered_local_copy_is_fetched_again(files, words_path):
    words_path.write_bytes(b"other")
    assert files.fetch(words_path, is_words)
    assert words_path.read_bytes() == b"words"


def test_copy_of_removed_object_with_another_hash_is_removed(files, words_path):
    files.storage.delete([f"originals/{WORDS_SHA256[:2]}/{WORDS_SHA256}"])
    words_path.write_bytes(b"other")
    assert files.fetch(words_path, is_words)  # as of a file that is missing
    assert not words_path.exists()


def test_upload_repairs_altered_object(files, words_path, tmp_path):
    (tmp_path / "copy").write_bytes(b"words")
    assert files.has_intact_original(WORDS_SHA256, tmp_path / "copy")
    files.storage.put_bytes(f"originals/{WORDS_SHA256[:2]}/{WORDS_SHA256}", b"other")
    assert not files.has_intact_original(WORDS_SHA256, tmp_path / "copy")
    files.storage.delete([f"originals/{WORDS_SHA256[:2]}/{WORDS_SHA256}"])
    assert not files.has_intact_original(WORDS_SHA256, tmp_path / "copy")


@pytest.mark.parametrize("size", [0, 5, PART_BYTES, PART_BYTES + 1])
def test_entity_tag_is_that_of_the_storage(files, tmp_path, size):
    path = tmp_path / "file"
    path.write_bytes(b"x" * size)
    assert files.storage.put_file("key", path) == compute_entity_tag(path) == files.storage.read_entity_tag("key")
    assert files.storage.compute_sha256("key") == hashlib.sha256(b"x" * size).hexdigest()


def test_original_just_stored_is_no_orphan(files, words_path):
    assert list(files.list_original_hashes()) == []
    files.min_orphan_age_seconds = 0
    assert list(files.list_original_hashes()) == [WORDS_SHA256]


def test_files_of_another_catalog_are_not_changed(files, words_path, tmp_path, s3_server):
    settings = {**s3_server.settings(), "files_url": files.address}
    (tmp_path / "other").mkdir()
    other = open_files(tmp_path / "other", **settings)
    for change in (
        lambda: other.save_original(io.BytesIO(b"words")),
        lambda: save_generated(other, ["chunks/0.pdf"]),
        lambda: other.remove_original(WORDS_SHA256),
        lambda: other.remove_generated_files(DOCUMENT_ID),
        other.check_available,
    ):
        with pytest.raises(FilesUnavailable, match="belong to another catalog"):
            change()
    assert files.has_original(WORDS_SHA256)
    assert open_files(tmp_path, **settings).has_original(WORDS_SHA256)


def test_storage_out_of_reach_is_an_error_and_recovers(files, words_path, s3_switch, caplog):
    s3_switch.stop()
    for request in (
        lambda: files.save_original(io.BytesIO(b"more words")),
        lambda: files.fetch(files.original_path("0" * 64), is_words),
        lambda: files.has_typeset_pdf(DOCUMENT_ID, 1),
        lambda: list(files.list_document_ids()),
        lambda: files.remove_original("0" * 64),
        files.check_available,
    ):
        with pytest.raises(FilesUnavailable, match="does not answer"):
            request()
    assert "does not answer" in files.problem
    assert files.fetch(words_path, is_words)  # by the local copy
    assert list(files.scratch.iterdir()) == []
    s3_switch.start()
    files.check_available()
    assert files.problem == ""
    assert SECRET_KEY not in caplog.text


def test_requests_fail_at_once_while_the_storage_is_out_of_reach(files, words_path, s3_switch, monkeypatch):
    s3_switch.stop()
    with pytest.raises(FilesUnavailable):
        files.check_available()
    monkeypatch.setattr(object_storage, "PAUSE_SECONDS", 60.0)
    with pytest.raises(FilesUnavailable):
        files.check_available()
    s3_switch.start()
    with pytest.raises(FilesUnavailable):
        files.check_available()
    files.storage._paused_until = time.monotonic()
    files.check_available()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"files_url": "s3://no-such-bucket/prefix"}, "refuses access"),
        ({"aws_endpoint_url": "http://127.0.0.1:1"}, "does not answer"),
    ],
)
def test_wrong_settings_have_a_sentence_without_secrets(tmp_path, s3_server, settings, sentence, caplog):
    files = open_files(tmp_path, **{**s3_server.settings(), **settings})
    with caplog.at_level(logging.DEBUG), pytest.raises(FilesUnavailable, match=sentence) as caught:
        files.save_original(io.BytesIO(b"words"))
    assert SECRET_KEY not in caplog.text + repr(caught.value) + repr(files.storage.access)
    assert caught.value.__cause__ is None


def test_refused_key_has_a_sentence_without_secrets(files, s3_server, caplog):
    with s3_server.checked_keys(), pytest.raises(FilesUnavailable, match="refuses access"):
        files.check_available()
    assert SECRET_KEY not in caplog.text


def test_missing_package_is_named(tmp_path, s3_server, monkeypatch):
    monkeypatch.setitem(sys.modules, "obstore.store", None)
    with pytest.raises(HighlighterError, match=r"pip install 'highlighter\[s3\]'"):
        open_files(tmp_path, **s3_server.settings())


def test_readiness_names_storage_out_of_reach(remote_services, s3_switch):
    remote_services.embedder.load()
    assert is_ready(list_parts(remote_services))
    s3_switch.stop()
    with pytest.raises(FilesUnavailable):
        remote_services.files.check_available()
    parts = {part.name: part for part in list_parts(remote_services)}
    assert not is_ready([*parts.values()])
    assert "file storage does not answer" in parts["files"].detail


def test_settings_show_no_secret(s3_server):
    settings = Settings(**s3_server.settings())
    assert SECRET_KEY not in repr(settings) + repr(Services(settings).settings)


# -- the cache of local copies ---------------------------------------------------------------------------------------


def write_used(folder, name, size, seconds_ago):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"x" * size)
    os.utime(path, (time.time() - seconds_ago,) * 2)
    return path


def test_copies_used_longest_ago_are_evicted(tmp_path):
    cache = FileCache([tmp_path / "a", tmp_path / "b"], 100)
    old, middle, new = (
        write_used(tmp_path, name, 40, PROTECTED_SECONDS + age)
        for name, age in (("a/old", 300), ("b/middle", 200), ("a/new", 100))
    )
    used_again = write_used(tmp_path, "a/used-again", 10, PROTECTED_SECONDS + 400)
    cache.note_use(used_again)
    cache.evict()
    assert [path.exists() for path in (old, middle, new, used_again)] == [False, False, True, True]
    assert not (tmp_path / "b").exists()


def test_copies_in_use_stay_up_to_twice_the_limit(tmp_path):
    cache = FileCache([tmp_path], 100)
    first, second, third = (write_used(tmp_path, name, 80, age) for name, age in (("1", 3), ("2", 2), ("3", 1)))
    cache.evict()
    assert [path.exists() for path in (first, second, third)] == [False, True, True]


def test_downloads_stay_within_the_limit(files, words_path):
    files.cache._max_bytes = 12
    names = [f"chunks/{number}.pdf" for number in range(6)]
    save_generated(files, names)
    for index in range(6):
        path = files.chunk_pdf_path(DOCUMENT_ID, 1, index)
        assert files.fetch(path, lambda sha256: True)
        assert path.read_bytes() == b"words"
    folder_bytes = sum(
        p.stat().st_size for top in ("originals", "documents") for p in (files.root / top).rglob("*.pdf")
    )
    assert folder_bytes <= 24
