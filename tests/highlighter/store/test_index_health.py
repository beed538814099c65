"""An index that does not hold what the catalog holds is found out, whatever became of it, and made again."""

import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store import index_health
from highlighter.store.chroma import IndexGeneration
from highlighter.store.index import VectorIndex
from ingest.pipeline import ingest_file
from tests.conftest import NOTE
from tests.highlighter.store.test_index import stored


@pytest.fixture(scope="module")
def built(tmp_path_factory, embedder, process_pool):
    """Services that keep one document, and their index."""
    folder = tmp_path_factory.mktemp("built")
    services = Services(Settings(data_dir=folder / "data"), embedder)
    (folder / "note.txt").write_text(NOTE, encoding="utf-8")
    ingest_file(folder / "note.txt", services, process_pool)
    services.index.sync()
    services.index.close()
    yield services
    services.close()


@pytest.fixture
def copied(built, tmp_path):
    """A copy of that index, to be harmed."""
    shutil.copytree(built.index.folder, tmp_path / "index")
    index = VectorIndex(tmp_path / "index", built.catalog, built.embedder.name)
    yield index
    index.close()


@pytest.fixture
def followed(services, note):
    services.index.sync()
    services.index.close()
    return services.index


def _each(pattern, harm):
    def hurt(folder):
        files = [path for path in folder.rglob(pattern) if path.is_file()]
        assert files
        for path in files:
            harm(path)

    return hurt


def _lose(number, collection=0):
    """As when two processes wrote at once: rows that the catalog has and Chroma has not."""

    def hurt(folder):
        client, *collections = IndexGeneration(folder).open()
        collections[collection].delete(ids=collections[collection].get(include=[])["ids"][:number])
        client.close()

    return hurt


def _add_a_stranger(folder):
    client, sentences, _ = IndexGeneration(folder).open()
    known = sentences.get(include=["embeddings"], limit=1)
    sentences.upsert(ids=[known["ids"][0] + "99"], embeddings=known["embeddings"])
    client.close()


def _confuse(folder):
    """The ids are all there, and the vectors are not those of the catalog."""
    client, sentences, _ = IndexGeneration(folder).open()
    ids = sentences.get(include=[])["ids"]
    sentences.upsert(ids=ids, embeddings=np.random.default_rng(1).normal(size=(len(ids), 384)))
    client.close()


def _enlarge(folder):
    with (folder / "link_lists.bin").open("wb") as file:
        file.truncate(1 << 40)  # sparse: it takes no room


HARMS = {
    "torn": _each("*.sqlite3", lambda path: path.write_bytes(b"torn")),
    "cut short": _each("*.sqlite3", lambda path: os.truncate(path, 5000)),
    "emptied": _each("*.sqlite3", lambda path: path.write_bytes(b"")),
    "gone": _each("*.sqlite3", lambda path: path.unlink()),
    "absurdly large": _enlarge,
    "short of one sentence": _lose(1),
    "short of a chunk": _lose(1, 1),
    "with a row too many": _add_a_stranger,
    "with other vectors": _confuse,
    "of another model": _each("about.json", lambda path: path.write_text('{"model": "another"}')),
}


@pytest.mark.parametrize("harm", HARMS)
def test_an_index_that_is_not_as_it_should_be_is_found_out(copied, harm):
    HARMS[harm](copied.folder / "1")
    assert copied.find_problem() != ""


def test_a_sound_index_is_not_suspected_and_used_again(copied):
    assert copied.find_problem() == ""
    assert copied.usable_collections() is None
    assert copied.sync() == 0
    assert copied.usable_collections() is not None
    assert copied.describe().generation == 1


def test_search_that_stops_at_a_near_duplicate_is_no_miss_and_a_lost_vector_is(tmp_path):
    """Fifty forms, each filled in a hundred times: their vectors lie so close that the index often finds another one."""
    random = np.random.default_rng(0)
    forms = random.normal(size=(50, 384))
    forms /= np.linalg.norm(forms, axis=1, keepdims=True)
    vectors = np.repeat(forms, 100, axis=0) + 0.07 * random.normal(size=(5000, 384)) / np.sqrt(384)
    client, collection, _ = IndexGeneration(tmp_path).open()
    for at in range(0, len(vectors), 1000):
        collection.upsert(ids=[str(n) for n in range(at, at + 1000)], embeddings=vectors[at : at + 1000])
    index_health._check_search_finds(collection, vectors[::25])
    index_health._check_stored_vectors(collection, {str(n): vectors[n] for n in range(0, 5000, 25)})
    with pytest.raises(index_health._UnhealthyIndexError, match="not those of the catalog"):
        index_health._check_stored_vectors(collection, {str(n): vectors[n + 1] for n in range(0, 4000, 25)})
    collection.delete(ids=[str(n) for n in range(0, 500)])
    with pytest.raises(index_health._UnhealthyIndexError, match="20 of 200 vectors that are in it are not found"):
        index_health._check_search_finds(collection, vectors[::25])
    client.close()


def test_a_bad_index_is_made_again_beside_the_old(copied):
    HARMS["short of one sentence"](copied.folder / "1")
    assert copied.sync() == 1
    (document,) = copied.catalog.documents()
    assert copied.usable_collections()[0].count() == document.sentences
    assert (copied.describe().generation, copied.describe().whole) == (2, True)
    assert "1 are missing" in copied.describe().found
    assert [path.name for path in copied.folder.iterdir() if path.is_dir()] == ["2"]
    copied.close()
    assert copied.find_problem() == ""


def test_until_the_new_one_has_caught_up_none_is_used(copied, monkeypatch):
    HARMS["torn"](copied.folder / "1")
    seen = []
    hear = VectorIndex._apply_changes

    def looking(self, opened):
        seen.append(self.usable_collections())
        return hear(self, opened)

    monkeypatch.setattr(VectorIndex, "_apply_changes", looking)
    copied.sync()
    assert seen == [None]
    assert copied.usable_collections() is not None


def test_killed_while_it_is_made_again_it_goes_on_where_it_was(services, note, process_pool, tmp_path, monkeypatch):
    path = tmp_path / "second.txt"
    path.write_text("The tide turns at noon.", encoding="utf-8")
    second = ingest_file(path, services, process_pool).document
    bring_up = VectorIndex._update_document

    def die_at_the_second(self, document_id, *collections):
        bring_up(self, document_id, *collections)
        if document_id == second.id:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(VectorIndex, "_update_document", die_at_the_second)
        with pytest.raises(KeyboardInterrupt):
            services.index.sync()
    services.index.close()
    assert services.index.read_sync_progress() == (1, 2)
    assert services.index.find_problem() == ""
    assert services.index.sync() == 1
    assert services.index.usable_collections()[0].count() == note.sentences + second.sentences
    assert services.index.describe().generation == 1


def test_a_fault_on_the_way_is_looked_into_before_it_is_used_again(followed, services, note, monkeypatch):
    def fail(*_):
        raise RuntimeError("Chroma says no")

    services.delete_document(note.id)
    with monkeypatch.context() as patch:
        patch.setattr(VectorIndex, "_update_document", fail)
        with pytest.raises(RuntimeError, match="says no"):
            followed.sync()
    assert followed.usable_collections() is None
    assert followed.sync() == 1
    assert followed.usable_collections()[0].count() == 0


def test_only_the_current_version_is_in_it(followed, services, note, process_pool, tmp_path):
    path = tmp_path / "note.txt"
    path.write_text("The ferry does not leave any more.", encoding="utf-8")
    newer = ingest_file(path, services, process_pool).document
    followed.sync()
    vectors, _ = stored(followed)
    assert {key.partition(":")[0] for key in vectors} == {newer.id}
    assert followed.find_problem() == ""


def test_its_owner_is_told_by_others(copied):
    assert copied.find_owner_process() == 0
    copied.acquire_ownership()
    program = (
        "import sys; from pathlib import Path; from highlighter.store.index import VectorIndex; "
        "print(VectorIndex(Path(sys.argv[1]), None, '').find_owner_process())"
    )
    command = [sys.executable, "-c", program, str(copied.folder)]
    assert int(subprocess.run(command, capture_output=True, text=True, check=True).stdout) == os.getpid()
