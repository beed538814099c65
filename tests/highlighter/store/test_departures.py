"""A deletion that is held back: nobody finds the document, all of it is there, and it goes when its time has come."""

from __future__ import annotations

import pytest

from highlighter.store import departures, listing
from highlighter.store.removal import remove_overdue, sweep_orphans
from ingest.pipeline import ingest_file

HOUR = 3600


@pytest.fixture
def engine(services):
    return services.catalog.engine


def let_time_pass(services, document):
    """As if it had been announced long ago."""
    services.catalog._update(document.id, leaving="2020-01-01T00:00:00+00:00")


def found(services, question="How much is a ticket?"):
    return [hit.document.id for hit in services.search.find(question).hits]


def test_what_is_leaving_is_in_no_list_and_no_search(services, engine, note):
    assert found(services) == [note.id]
    assert departures.announce(engine, note.id, HOUR)
    assert services.catalog.documents() == listing.page(engine, listing.Wanted(), 9) == []
    assert listing.totals(engine, listing.Wanted()).documents == 0
    assert listing.collections(engine) == []
    assert found(services) == []
    assert [document.id for document in departures.leaving(engine)] == [note.id]


def test_called_off_everything_is_as_it_was(services, engine, note):
    departures.announce(engine, note.id, HOUR)
    assert departures.call_off(engine, note.id)
    assert services.catalog.documents() == [note]
    assert found(services) == [note.id]
    assert not departures.call_off(engine, note.id)


def test_before_its_time_nothing_of_it_goes(services, engine, note):
    departures.announce(engine, note.id, HOUR)
    assert remove_overdue(services.catalog, services.files) == 0
    assert sweep_orphans(services.catalog, services.files) == 0
    assert services.files.original(note.sha256).is_file()
    assert services.files.chunk_pdf(note.id, note.pipeline, 0).is_file()


def test_when_its_time_has_come_all_of_it_goes_whoever_looks(services, engine, note):
    departures.announce(engine, note.id, HOUR)
    let_time_pass(services, note)
    assert remove_overdue(services.catalog, services.files) == 1
    assert services.catalog.document(note.id) is None
    assert not services.files.original(note.sha256).exists()
    assert remove_overdue(services.catalog, services.files) == 0


def test_an_ingestion_carries_out_what_a_stopped_service_left(services, engine, note, jail, tmp_path):
    from ingest.run import ingest_files

    let_time_pass(services, note)
    other = tmp_path / "other.txt"
    other.write_text("Other words stand here.", encoding="utf-8")
    ingest_files([other], services, "default", {}, 1, lambda: lambda *_: None, lambda *_: None)
    assert [document.name for document in services.catalog.documents()] == ["other.txt"]
    assert services.catalog.document(note.id) is None


def test_called_off_in_the_very_moment_it_stays(services, engine, note):
    """The row is looked at again in the transaction that removes it."""
    let_time_pass(services, note)
    departures.call_off(engine, note.id)
    assert services.catalog.delete(note.id, overdue_only=True) is None
    assert services.catalog.document(note.id) == note


def test_a_second_deletion_puts_the_first_one_off_by_nothing(services, engine, note):
    departures.announce(engine, note.id, HOUR)
    until = services.catalog.document(note.id).leaving
    assert not departures.announce(engine, note.id, 2 * HOUR)
    assert services.catalog.document(note.id).leaving == until
    assert not departures.announce(engine, "nobody", HOUR)


def test_handed_in_again_it_stays(services, engine, note, jail, tmp_path):
    departures.announce(engine, note.id, HOUR)
    again = ingest_file(tmp_path / "note.txt", services, jail)
    assert again.document.id == note.id
    assert again.document.leaving == ""
    assert services.catalog.documents() == [note]


def test_an_older_version_does_not_point_to_what_is_leaving(services, engine, jail, tmp_path):
    versions = []
    for words in ("The fare is four pounds.", "The fare is five pounds."):
        path = tmp_path / "fares.txt"
        path.write_text(words, encoding="utf-8")
        versions.append(ingest_file(path, services, jail).document)
    old, new = (services.catalog.document(version.id) for version in versions)
    assert services.catalog.newer(old) == new
    departures.announce(engine, new.id, HOUR)
    assert services.catalog.newer(old) is None
    services.delete(new.id)
    assert services.catalog.document(old.id).current
