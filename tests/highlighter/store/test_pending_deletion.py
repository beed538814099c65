"""Tests of pending deletions: the document is hidden, can be restored, and is deleted when its time has come."""

from __future__ import annotations

import pytest

from highlighter.store import deletion, listing
from highlighter.store.deletion import remove_orphans, remove_overdue_documents
from ingest.pipeline import ingest_file

HOUR_SECONDS = 3600


@pytest.fixture
def engine(services):
    return services.catalog.engine


def make_deletion_overdue(services, document):
    """Set the time of a pending deletion into the past."""
    services.catalog._update_document(document.id, deletion_time="2020-01-01T00:00:00+00:00")


def search_document_ids(services, question="How much is a ticket?"):
    return [hit.document.id for hit in services.search.find(question).hits]


def test_document_with_pending_deletion_is_in_no_list_and_no_search(services, engine, note):
    assert search_document_ids(services) == [note.id]
    assert deletion.schedule_deletion(engine, note.id, HOUR_SECONDS)
    assert services.catalog.documents() == listing.list_documents(engine, listing.DocumentFilter(), 9) == []
    assert listing.count_totals(engine, listing.DocumentFilter()).documents == 0
    assert listing.list_collections(engine) == []
    assert search_document_ids(services) == []
    assert [document.id for document in deletion.list_pending_deletions(engine)] == [note.id]


def test_cancelled_deletion_restores_document(services, engine, note):
    deletion.schedule_deletion(engine, note.id, HOUR_SECONDS)
    assert deletion.cancel_deletion(engine, note.id)
    assert services.catalog.documents() == [note]
    assert search_document_ids(services) == [note.id]
    assert not deletion.cancel_deletion(engine, note.id)


def test_pending_deletion_removes_nothing_before_its_time(services, engine, note):
    deletion.schedule_deletion(engine, note.id, HOUR_SECONDS)
    assert remove_overdue_documents(services.catalog, services.files) == 0
    assert remove_orphans(services.catalog, services.files) == 0
    assert services.files.original_path(note.sha256).is_file()
    assert services.files.chunk_pdf_path(note.id, note.pipeline, 0).is_file()


def test_overdue_deletion_removes_document_and_files(services, engine, note):
    deletion.schedule_deletion(engine, note.id, HOUR_SECONDS)
    make_deletion_overdue(services, note)
    assert remove_overdue_documents(services.catalog, services.files) == 1
    assert services.catalog.document(note.id) is None
    assert not services.files.original_path(note.sha256).exists()
    assert remove_overdue_documents(services.catalog, services.files) == 0


def test_ingestion_carries_out_overdue_deletions(services, engine, note, process_pool, tmp_path):
    from ingest.batch import ingest_files

    make_deletion_overdue(services, note)
    other = tmp_path / "other.txt"
    other.write_text("Other words stand here.", encoding="utf-8")
    ingest_files([other], services, "default", {}, 1, lambda: lambda *_: None, lambda *_: None)
    assert [document.name for document in services.catalog.documents()] == ["other.txt"]
    assert services.catalog.document(note.id) is None


def test_deletion_cancelled_at_last_moment_removes_nothing(services, engine, note):
    """The row is checked again in the transaction that deletes it."""
    make_deletion_overdue(services, note)
    deletion.cancel_deletion(engine, note.id)
    assert services.catalog.delete(note.id, overdue_only=True) is None
    assert services.catalog.document(note.id) == note


def test_second_deletion_does_not_postpone_first(services, engine, note):
    deletion.schedule_deletion(engine, note.id, HOUR_SECONDS)
    until = services.catalog.document(note.id).deletion_time
    assert not deletion.schedule_deletion(engine, note.id, 2 * HOUR_SECONDS)
    assert services.catalog.document(note.id).deletion_time == until
    assert not deletion.schedule_deletion(engine, "nobody", HOUR_SECONDS)


def test_upload_cancels_pending_deletion(services, engine, note, process_pool, note_path):
    deletion.schedule_deletion(engine, note.id, HOUR_SECONDS)
    again = ingest_file(note_path, services, process_pool)
    assert again.document.id == note.id
    assert again.document.deletion_time == ""
    assert services.catalog.documents() == [note]


def test_older_version_is_not_superseded_by_document_with_pending_deletion(services, engine, process_pool, tmp_path):
    versions = []
    for words in ("The fare is four pounds.", "The fare is five pounds."):
        path = tmp_path / "fares.txt"
        path.write_text(words, encoding="utf-8")
        versions.append(ingest_file(path, services, process_pool).document)
    old, new = (services.catalog.document(version.id) for version in versions)
    assert services.catalog.superseding_document(old) == new
    deletion.schedule_deletion(engine, new.id, HOUR_SECONDS)
    assert services.catalog.superseding_document(old) is None
    services.delete_document(new.id)
    assert services.catalog.document(old.id).current
