"""A deletion that is held back: nobody finds the document, all of it is there, and it goes when its time has come."""

from __future__ import annotations

import pytest

from highlighter.store import deletion, listing
from highlighter.store.deletion import remove_orphans, remove_overdue_documents
from ingest.pipeline import ingest_file

HOUR = 3600


@pytest.fixture
def engine(services):
    return services.catalog.engine


def let_time_pass(services, document):
    """As if it had been announced long ago."""
    services.catalog._update_document(document.id, leaving="2020-01-01T00:00:00+00:00")


def found(services, question="How much is a ticket?"):
    return [hit.document.id for hit in services.search.find(question).hits]


def test_what_is_leaving_is_in_no_list_and_no_search(services, engine, note):
    assert found(services) == [note.id]
    assert deletion.schedule_deletion(engine, note.id, HOUR)
    assert services.catalog.documents() == listing.list_documents(engine, listing.DocumentFilter(), 9) == []
    assert listing.count_totals(engine, listing.DocumentFilter()).documents == 0
    assert listing.list_collections(engine) == []
    assert found(services) == []
    assert [document.id for document in deletion.list_pending_deletions(engine)] == [note.id]


def test_called_off_everything_is_as_it_was(services, engine, note):
    deletion.schedule_deletion(engine, note.id, HOUR)
    assert deletion.cancel_deletion(engine, note.id)
    assert services.catalog.documents() == [note]
    assert found(services) == [note.id]
    assert not deletion.cancel_deletion(engine, note.id)


def test_before_its_time_nothing_of_it_goes(services, engine, note):
    deletion.schedule_deletion(engine, note.id, HOUR)
    assert remove_overdue_documents(services.catalog, services.files) == 0
    assert remove_orphans(services.catalog, services.files) == 0
    assert services.files.original_path(note.sha256).is_file()
    assert services.files.chunk_pdf_path(note.id, note.pipeline, 0).is_file()


def test_when_its_time_has_come_all_of_it_goes_whoever_looks(services, engine, note):
    deletion.schedule_deletion(engine, note.id, HOUR)
    let_time_pass(services, note)
    assert remove_overdue_documents(services.catalog, services.files) == 1
    assert services.catalog.document(note.id) is None
    assert not services.files.original_path(note.sha256).exists()
    assert remove_overdue_documents(services.catalog, services.files) == 0


def test_an_ingestion_carries_out_what_a_stopped_service_left(services, engine, note, process_pool, tmp_path):
    from ingest.batch import ingest_files

    let_time_pass(services, note)
    other = tmp_path / "other.txt"
    other.write_text("Other words stand here.", encoding="utf-8")
    ingest_files([other], services, "default", {}, 1, lambda: lambda *_: None, lambda *_: None)
    assert [document.name for document in services.catalog.documents()] == ["other.txt"]
    assert services.catalog.document(note.id) is None


def test_called_off_in_the_very_moment_it_stays(services, engine, note):
    """The row is looked at again in the transaction that removes it."""
    let_time_pass(services, note)
    deletion.cancel_deletion(engine, note.id)
    assert services.catalog.delete(note.id, overdue_only=True) is None
    assert services.catalog.document(note.id) == note


def test_a_second_deletion_puts_the_first_one_off_by_nothing(services, engine, note):
    deletion.schedule_deletion(engine, note.id, HOUR)
    until = services.catalog.document(note.id).leaving
    assert not deletion.schedule_deletion(engine, note.id, 2 * HOUR)
    assert services.catalog.document(note.id).leaving == until
    assert not deletion.schedule_deletion(engine, "nobody", HOUR)


def test_handed_in_again_it_stays(services, engine, note, process_pool, tmp_path):
    deletion.schedule_deletion(engine, note.id, HOUR)
    again = ingest_file(tmp_path / "note.txt", services, process_pool)
    assert again.document.id == note.id
    assert again.document.leaving == ""
    assert services.catalog.documents() == [note]


def test_an_older_version_does_not_point_to_what_is_leaving(services, engine, process_pool, tmp_path):
    versions = []
    for words in ("The fare is four pounds.", "The fare is five pounds."):
        path = tmp_path / "fares.txt"
        path.write_text(words, encoding="utf-8")
        versions.append(ingest_file(path, services, process_pool).document)
    old, new = (services.catalog.document(version.id) for version in versions)
    assert services.catalog.superseding_document(old) == new
    deletion.schedule_deletion(engine, new.id, HOUR)
    assert services.catalog.superseding_document(old) is None
    services.delete_document(new.id)
    assert services.catalog.document(old.id).current
