"""Tests that deletion removes the rows, vectors and files of a document, except what other documents need."""

import io
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from sqlalchemy import func, select

from highlighter.background_worker import BackgroundWorker
from highlighter.errors import NotFound
from highlighter.models import READY
from highlighter.services import Services
from highlighter.store import catalog_statistics
from highlighter.store.catalog import ReadingOutcome, VectorsMissing, compute_text_hash
from highlighter.store.deletion import find_orphans, remove_orphans, retry_removals
from highlighter.store.schema import chunks, sentences, texts, vectors, versions
from highlighter.store.storage_errors import CatalogUnreachable
from ingest.ingest_queue import IngestQueue
from ingest.pipeline import ingest_file, process_document
from ingest.registration import register_file
from tests.conftest import NOTE
from tests.highlighter.store.test_catalog import contents


def count_rows(catalog, *tables):
    with catalog.engine.connect() as connection:
        return [connection.execute(select(func.count()).select_from(table)).scalar() for table in tables]


def list_files(services):
    root = services.files.root
    return [path for folder in ("originals", "documents") for path in (root / folder).rglob("*") if path.is_file()]


def test_deletion_leaves_nothing_of_document(services, note):
    services.index.sync()
    assert services.delete_document(note.id) == note
    assert services.catalog.document(note.id) is None
    assert count_rows(services.catalog, texts, chunks, sentences, vectors, versions) == [0] * 5
    assert list_files(services) == []
    services.index.sync()
    assert services.index.usable_collections()[0].count() == 0


def test_text_of_a_document_that_was_just_deleted_is_not_found(services, note):
    """A page that is being made had looked up the document before."""
    services.delete_document(note.id)
    for read in (services.catalog.text, services.catalog.facts, services.catalog.source_map):
        with pytest.raises(NotFound, match=r"This text of note.txt no longer exists"):
            read(note)


def test_second_deletion_does_nothing(services, note):
    services.delete_document(note.id)
    assert services.delete_document(note.id) is None
    assert [entry.what for entry in services.catalog.audit_entries()] == ["ingested", "deleted"]


def test_deletion_keeps_what_another_collection_needs(services, process_pool, note, note_path):
    other = ingest_file(note_path, services, process_pool, collection="other").document
    services.delete_document(note.id)
    assert services.files.original_path(other.sha256).read_text(encoding="utf-8") == NOTE
    chunk = services.catalog.chunk(other, 0)
    assert services.catalog.sentences(chunk, services.embedder.name)[1] is not None
    assert services.files.chunk_pdf_path(other.id, other.pipeline, 0).is_file()
    assert not services.files.generated_folder(note.id, note.pipeline).exists()


def test_deleted_document_can_be_uploaded_again(services, process_pool, note, note_path):
    services.delete_document(note.id)
    again = ingest_file(note_path, services, process_pool)
    assert not again.was_known
    assert (again.document.id, again.document.state) == (note.id, READY)


def test_files_follow_their_deleted_document_once_the_database_can_be_reached(services, note, monkeypatch):
    def lose_database(*_):
        raise CatalogUnreachable

    monkeypatch.setattr(services.catalog, "has_document_with_hash", lose_database)
    assert services.delete_document(note.id) == note
    assert services.files.original_path(note.sha256).exists()
    monkeypatch.undo()
    retry_removals(services.catalog, services.files)
    assert (list_files(services), services.files.removals) == ([], set())


def test_server_removes_what_interrupted_uploads_and_deletions_left(services, note):
    """Not only at its start: a refused upload, a killed process or a lost database may leave it at any time."""
    services.catalog.delete(note.id)
    services.catalog.save_vectors([compute_text_hash("One fish.")], np.eye(1, 4), "toy")
    jobs = {job.name: job for job in BackgroundWorker(services)._list_jobs()}
    jobs["remove leftovers"].task()
    assert (list_files(services), count_rows(services.catalog, vectors)) == ([], [0])


def test_interrupted_deletion_is_completed_by_orphan_removal(services, note):
    services.catalog.delete(note.id)
    assert list_files(services) != []
    assert find_orphans(services.catalog, services.files) == ([note.sha256], [note.id])
    assert remove_orphans(services.catalog, services.files) == 2
    assert list_files(services) == []


def test_empty_catalog_removes_no_files(services, caplog):
    services.files.save_original(io.BytesIO(b"of a catalog that was lost"))
    assert remove_orphans(services.catalog, services.files) == 0
    assert len(list_files(services)) == 1
    assert "1 originals and the generated files of 0 documents are kept" in caplog.text


def test_files_of_another_catalog_are_kept_also_by_one_that_has_documents(services, note, tmp_path, process_pool):
    """A database was lost, or a setting names another one: what it does not know is all that is left of the documents."""
    assert remove_orphans(services.catalog, services.files) == 0  # the files have an owner now
    path = tmp_path / "other.txt"
    path.write_text("One fish.", encoding="utf-8")
    with closing(Services(replace(services.settings, data_dir=tmp_path / "other"), services.embedder)) as others:
        vars(others)["files"] = services.files
        ingest_file(path, others, process_pool)
        assert remove_orphans(others.catalog, services.files) == 0
    assert services.files.original_path(note.sha256).is_file()
    assert services.files.generated_folder(note.id, note.pipeline).is_dir()


def test_orphan_removal_keeps_needed_files(services, note):
    before = list_files(services)
    assert remove_orphans(services.catalog, services.files) == 0
    assert list_files(services) == before


def test_document_deleted_during_processing_stays_deleted(services, process_pool, tmp_path):
    path = tmp_path / "note.txt"
    path.write_text(NOTE, encoding="utf-8")
    document = register_file(path, "note.txt", services).document

    def delete_in_the_middle(stage, done, total):
        if stage == "embedding" and done == total:
            services.delete_document(document.id)

    with pytest.raises(NotFound, match="deleted during processing"):
        process_document(document, services, process_pool, delete_in_the_middle)
    assert services.catalog.document(document.id) is None
    assert count_rows(services.catalog, texts, chunks, sentences, vectors) == [0] * 4
    assert list_files(services) == []
    assert [entry.what for entry in services.catalog.audit_entries()] == ["deleted"]


def test_document_deleted_in_queue_is_not_processed(services, tmp_path):
    path = tmp_path / "note.txt"
    path.write_text(NOTE, encoding="utf-8")
    document = register_file(path, "note.txt", services).document
    services.delete_document(document.id)
    queue = IngestQueue(services)
    queue._submit(document).result(timeout=60)
    queue.close()
    assert services.catalog.document(document.id) is None
    assert list_files(services) == []


def test_document_is_not_saved_without_its_vectors(services):
    """Its vectors were deleted with another document in the meantime."""
    catalog = services.catalog
    first = catalog.register("default", "1" * 64, "a.txt", "txt", 1)
    hashes = [compute_text_hash("One fish."), compute_text_hash("Two fish.")]
    catalog.save_vectors(hashes, np.eye(2, 4), "toy")
    catalog.save_contents(first.id, contents(id=first.id), ReadingOutcome(READY, model="toy"))
    second = catalog.register("other", "1" * 64, "a.txt", "txt", 1)
    assert catalog.find_hashes_without_vector(hashes, "toy") == set()
    catalog.delete(first.id)
    with pytest.raises(VectorsMissing):
        catalog.save_contents(second.id, contents(id=second.id), ReadingOutcome(READY, model="toy"))
    assert count_rows(catalog, sentences) == [0]


def test_vectors_without_a_sentence_are_deleted_in_batches(services, monkeypatch):
    hashes = [compute_text_hash(text) for text in "abcde"]
    services.catalog.save_vectors(hashes, np.eye(5, 4), "toy")
    monkeypatch.setattr(catalog_statistics, "MAX_VALUES_PER_QUERY", 2)
    batches = []
    delete = catalog_statistics.delete_unneeded_vectors
    monkeypatch.setattr(
        catalog_statistics, "delete_unneeded_vectors", lambda *args: (batches.append(len(args[1])), delete(*args))
    )
    catalog_statistics.delete_unused_vectors(services.catalog.engine)
    assert (batches, count_rows(services.catalog, vectors)) == ([2, 2, 1], [0])
