"""Tests that an index which differs from the catalog is recognised, and is rebuilt."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store import index_health
from highlighter.store.chroma import IndexGeneration
from highlighter.store.folder_index import FolderIndex
from highlighter.store.index import VectorIndex
from ingest.pipeline import ingest_file
from tests.conftest import NOTE
from tests.highlighter.store.test_index import read_collection
from tests.waiting import wait_until


@pytest.fixture(scope="module")
def indexed_services(tmp_path_factory, embedder, process_pool):
    """Services with one document in an index."""
    folder = tmp_path_factory.mktemp("indexed_services")
    services = Services(Settings(data_dir=folder / "data"), embedder)
    (folder / "note.txt").write_text(NOTE, encoding="utf-8")
    ingest_file(folder / "note.txt", services, process_pool)
    services.index.sync()
    services.index.close()
    yield services
    services.close()


@pytest.fixture
def copied_index(indexed_services, tmp_path):
    """A copy of that index, to be damaged."""
    shutil.copytree(indexed_services.index.folder, tmp_path / "index")
    index = FolderIndex(tmp_path / "index", indexed_services.catalog, indexed_services.embedder.name)
    yield index
    index.close()


@pytest.fixture
def synced_index(services, note):
    services.index.sync()
    services.index.close()
    return services.index


def _change_files(pattern, damage):
    def damage_folder(folder):
        files = [path for path in folder.rglob(pattern) if path.is_file()]
        assert files
        for path in files:
            damage(path)

    return damage_folder


def _delete_rows(number, collection=0):
    """Delete rows, as happened when two processes wrote at the same time."""

    def damage_folder(folder):
        client, *collections = IndexGeneration(folder).open()
        collections[collection].delete(ids=collections[collection].get(include=[])["ids"][:number])
        client.close()

    return damage_folder


def _add_unknown_row(folder):
    client, sentences, _ = IndexGeneration(folder).open()
    known = sentences.get(include=["embeddings"], limit=1)
    sentences.upsert(ids=[known["ids"][0] + "99"], embeddings=known["embeddings"])
    client.close()


def _replace_vectors(folder):
    """Keep all ids, with vectors other than those of the catalog."""
    client, sentences, _ = IndexGeneration(folder).open()
    ids = sentences.get(include=[])["ids"]
    sentences.upsert(ids=ids, embeddings=np.random.default_rng(1).normal(size=(len(ids), 384)))
    client.close()


def _enlarge(folder):
    with (folder / "link_lists.bin").open("wb") as file:
        file.truncate(1 << 40)  # sparse: it takes no space


DAMAGES = {
    "torn": _change_files("*.sqlite3", lambda path: path.write_bytes(b"torn")),
    "cut short": _change_files("*.sqlite3", lambda path: os.truncate(path, 5000)),
    "emptied": _change_files("*.sqlite3", lambda path: path.write_bytes(b"")),
    "gone": _change_files("*.sqlite3", lambda path: path.unlink()),
    "absurdly large": _enlarge,
    "short of one sentence": _delete_rows(1),
    "short of a chunk": _delete_rows(1, 1),
    "with a row too many": _add_unknown_row,
    "with other vectors": _replace_vectors,
    "of another model": _change_files("about.json", lambda path: path.write_text('{"model": "another"}')),
}


# Chroma opens an index with such rows without trouble, so a child process has nothing to protect from.
ROW_DAMAGES = ("short of one sentence", "short of a chunk", "with a row too many", "with other vectors")


@pytest.mark.parametrize("damage", [damage for damage in DAMAGES if damage not in ROW_DAMAGES])
def test_damaged_index_is_recognised(copied_index, index_checked_in_child, damage):
    DAMAGES[damage](copied_index.folder / "1")
    assert copied_index.find_problem() != ""


@pytest.mark.parametrize("damage", ROW_DAMAGES)
def test_index_with_damaged_rows_is_recognised(copied_index, damage):
    assert copied_index.find_problem() == ""
    DAMAGES[damage](copied_index.folder / "1")
    assert copied_index.find_problem() != ""


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="the system does not list open files")
def test_check_leaves_no_file_open(copied_index):
    generation = IndexGeneration(copied_index.folder / "1")
    index_health._check_generation(generation, copied_index.catalog, copied_index.model)

    def is_closed():  # Chroma's threads close files a little later
        opened = [os.path.realpath(file) for file in Path("/proc/self/fd").iterdir()]
        return not any(path.startswith(str(generation.folder)) for path in opened)

    wait_until(is_closed)


def test_healthy_index_is_used_again(copied_index, index_checked_in_child):
    assert copied_index.usable_collections() is None
    assert copied_index.sync() == 0
    assert copied_index.usable_collections() is not None
    assert copied_index.describe().generation == 1


def test_near_duplicate_is_no_miss_but_lost_vector_is(tmp_path):
    """The vectors are near duplicates, as of fifty forms, all of them filled in a hundred times.

    One form a hundred times, then the next: then Chroma itself loses all of a form now and then, and a rebuild mends it.
    """
    random = np.random.default_rng(0)
    forms = random.normal(size=(50, 384))
    forms /= np.linalg.norm(forms, axis=1, keepdims=True)
    vectors = np.tile(forms, (100, 1)) + 0.07 * random.normal(size=(5000, 384)) / np.sqrt(384)
    client, collection, _ = IndexGeneration(tmp_path).open()
    for start in range(0, len(vectors), 1000):
        collection.upsert(ids=[str(n) for n in range(start, start + 1000)], embeddings=vectors[start : start + 1000])
    index_health._check_search_finds(collection, vectors[:200])
    index_health._check_stored_vectors(collection, {str(n): vectors[n] for n in range(200)})
    with pytest.raises(index_health._UnhealthyIndexError, match="not those of the catalog"):
        index_health._check_stored_vectors(collection, {str(n): vectors[n + 1] for n in range(200)})
    # Five of the fifty forms are deleted; the approximate search may miss a few more.
    collection.delete(ids=[str(n) for n in range(5000) if n % 50 < 5])
    with pytest.raises(index_health._UnhealthyIndexError, match=r"2\d of 200 vectors that are in it are not found"):
        index_health._check_search_finds(collection, vectors[:200])
    client.close()


def test_damaged_index_is_rebuilt_as_next_generation(copied_index):
    DAMAGES["short of one sentence"](copied_index.folder / "1")
    assert copied_index.sync() == 1
    (document,) = copied_index.catalog.documents()
    assert copied_index.usable_collections()[0].count() == document.sentences
    assert (copied_index.describe().generation, copied_index.describe().whole) == (2, True)
    assert "1 are missing" in copied_index.describe().found
    assert [path.name for path in copied_index.folder.iterdir() if path.is_dir()] == ["2"]
    copied_index.close()
    assert copied_index.find_problem() == ""


@pytest.fixture
def check_program(tmp_path, index_checked_in_child, monkeypatch):
    """Put a shell script in place of the child process that checks an index."""

    def write_program(script):
        path = tmp_path / "program"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(path))

    return write_program


@pytest.mark.parametrize("number", [1, 2, 3, 15])
def test_check_that_is_stopped_finds_nothing_wrong(copied_index, check_program, number):
    check_program(f"kill -{number} $$")
    usual = signal.signal(number, signal.SIG_DFL)  # a run in the background may ignore some, and so would its children
    try:
        with pytest.raises(index_health.IndexCheckStopped):
            copied_index.sync()
    finally:
        signal.signal(number, usual)
    assert copied_index.describe().generation == 1


def test_check_of_a_service_that_ends_finds_nothing_wrong(copied_index, check_program):
    check_program("exit 1")
    copied_index._closing.set()
    with pytest.raises(index_health.IndexCheckStopped):
        copied_index.sync()
    assert copied_index.describe().generation == 1


def test_check_is_not_interrupted_with_its_service(copied_index, check_program):
    check_program("ps -o pgid= -p $$; exit 1")
    assert int(copied_index.find_problem()) != os.getpgrp()


def test_index_is_unused_until_rebuilt(copied_index, index_checked_in_child, monkeypatch):
    DAMAGES["torn"](copied_index.folder / "1")
    seen = []
    apply_changes = VectorIndex._apply_changes

    def record_usable_collections(self, opened):
        seen.append(self.usable_collections())
        return apply_changes(self, opened)

    monkeypatch.setattr(VectorIndex, "_apply_changes", record_usable_collections)
    copied_index.sync()
    assert seen == [None]
    assert copied_index.usable_collections() is not None


def test_interrupted_sync_continues_at_cursor(services, note, process_pool, tmp_path, monkeypatch):
    path = tmp_path / "second.txt"
    path.write_text("The tide turns at noon.", encoding="utf-8")
    second = ingest_file(path, services, process_pool).document
    update_documents = VectorIndex._update_documents

    def stop_at_second_document(self, document_ids, opened):
        update_documents(self, document_ids, opened)
        if second.id in document_ids:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("highlighter.store.index.CHANGES_AT_ONCE", 1)
        patch.setattr(VectorIndex, "_update_documents", stop_at_second_document)
        with pytest.raises(KeyboardInterrupt):
            services.index.sync()
    services.index.close()
    assert services.index.read_sync_progress() == (1, 2)
    assert services.index.find_problem() == ""
    assert services.index.sync() == 1
    assert services.index.usable_collections()[0].count() == note.sentences + second.sentences
    assert services.index.describe().generation == 1


def test_index_is_checked_again_after_failed_sync(synced_index, services, note, monkeypatch):
    def fail(*_):
        raise RuntimeError("Chroma says no")

    services.delete_document(note.id)
    with monkeypatch.context() as patch:
        patch.setattr(VectorIndex, "_update_documents", fail)
        with pytest.raises(RuntimeError, match="says no"):
            synced_index.sync()
    assert synced_index.usable_collections() is None
    assert synced_index.sync() == 1
    assert synced_index.usable_collections()[0].count() == 0


def test_index_holds_only_current_version(synced_index, services, note, process_pool, note_path):
    path = note_path
    path.write_text("The ferry does not leave any more.", encoding="utf-8")
    newer = ingest_file(path, services, process_pool).document
    synced_index.sync()
    vectors, _ = read_collection(synced_index)
    assert {key.partition(":")[0] for key in vectors} == {newer.id}
    assert synced_index.find_problem() == ""


def test_other_processes_know_owner_of_index(copied_index):
    assert copied_index.find_owner_process() == 0
    copied_index.acquire_ownership()
    program = (
        "import sys; from pathlib import Path; from highlighter.store.folder_index import FolderIndex; "
        "print(FolderIndex(Path(sys.argv[1]), None, '').find_owner_process())"
    )
    command = [sys.executable, "-c", program, str(copied_index.folder)]
    assert int(subprocess.run(command, capture_output=True, text=True, check=True).stdout) == os.getpid()


def test_large_document_is_written_in_short_steps(services, process_pool, tmp_path, monkeypatch):
    """While Chroma writes, no request is answered: so a long document must not be written at once."""
    path = tmp_path / "long.txt"
    path.write_text(" ".join(f"The ferry {number} leaves at noon." for number in range(180)), encoding="utf-8")
    document = ingest_file(path, services, process_pool).document
    sizes = []
    from chromadb.api.models.Collection import Collection

    upsert = Collection.upsert
    monkeypatch.setattr(
        Collection, "upsert", lambda self, ids, **rows: (sizes.append(len(ids)), upsert(self, ids, **rows))
    )
    services.index.sync(pauses=True)
    assert services.index.usable_collections()[0].count() == document.sentences == 180
    assert max(sizes) <= 50
    assert sum(sizes) > 180  # the means of the chunks besides
    assert services.index.find_problem() == ""
