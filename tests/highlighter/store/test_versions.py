"""New bytes under a path are a new version; which version is current, and what becomes of the others."""

import sqlite3

import pytest
from sqlalchemy import event, text

from highlighter.models import DAMAGED, READY
from highlighter.store.catalog import Catalog
from highlighter.store.database import open_database, write_transaction
from tests.highlighter.store.test_catalog import contents


@pytest.fixture
def catalog(services):
    return services.catalog


def laid(catalog, number, path="contract.pdf", state=READY, collection="default"):
    """A document of these bytes under this path, read to its end."""
    document = catalog.register(collection, f"{number:064}", path.rpartition("/")[2], "pdf", 1, path=path)
    if state == READY:
        catalog.save_contents(document.id, contents(f"Words of {number}.", document.id), READY)
    elif state:
        catalog.set_state(document.id, state, "It is damaged.")
    return catalog.document(document.id)


def now(catalog, document):
    return catalog.document(document.id)


def test_the_first_is_version_1_and_current(catalog):
    first = laid(catalog, 1)
    assert (first.path, first.version, first.current) == ("contract.pdf", 1, True)
    assert catalog.superseding_document(first) is None


def test_new_bytes_take_over_and_the_old_stay_readable(catalog):
    first, second = laid(catalog, 1), laid(catalog, 2)
    assert (second.version, second.current) == (2, True)
    old = now(catalog, first)
    assert (old.version, old.current, old.state) == (1, False, READY)
    assert catalog.text(old) == "Words of 1."
    assert catalog.superseding_document(old) == second
    assert [(v.version, v.document_id, v.current) for v in catalog.versions(old)] == [
        (2, second.id, True),
        (1, first.id, False),
    ]


def test_a_version_that_is_not_read_yet_hides_nothing(catalog):
    first, second = laid(catalog, 1), laid(catalog, 2, state=None)
    assert now(catalog, first).current
    assert not now(catalog, second).current
    catalog.save_contents(second.id, contents("Read now.", second.id), READY)
    assert now(catalog, second).current
    assert not now(catalog, first).current


def test_a_version_that_cannot_be_read_is_shown_and_hides_nothing(catalog):
    first, second = laid(catalog, 1), laid(catalog, 2, state=DAMAGED)
    assert now(catalog, first).current
    assert not second.current
    assert catalog.superseding_document(second) is None
    assert {document.id for document in catalog.documents(superseded=False)} == {first.id, second.id}


def test_what_was_superseded_is_not_listed_unless_asked_for(catalog):
    first, torn, third = laid(catalog, 1), laid(catalog, 2, state=DAMAGED), laid(catalog, 3)
    assert {document.id for document in catalog.documents(superseded=False)} == {third.id}
    assert {document.id for document in catalog.documents()} == {first.id, torn.id, third.id}
    assert catalog.superseding_document(now(catalog, torn)) == third


def test_the_same_bytes_again_make_no_version(catalog):
    first = laid(catalog, 1)
    entry = catalog.register_upload("default", f"{1:064}", "contract.pdf", "pdf", 1)
    assert not entry.is_new_version
    assert entry.document == first
    assert len(catalog.versions(first)) == 1


def test_old_bytes_that_come_in_again_are_current_again_without_being_read(catalog):
    first, second = laid(catalog, 1), laid(catalog, 2)
    entry = catalog.register_upload("default", f"{1:064}", "contract.pdf", "pdf", 1)
    assert entry.is_new_version
    assert (entry.document.id, entry.document.version, entry.document.current) == (first.id, 3, True)
    assert entry.document.state == READY
    assert catalog.superseding_document(now(catalog, second)).id == first.id


def test_the_same_bytes_under_two_paths_are_one_document(catalog):
    left, right = laid(catalog, 1, "left/a.pdf"), laid(catalog, 1, "right/a.pdf")
    assert left.id == right.id
    second = laid(catalog, 2, "left/a.pdf")
    still = now(catalog, left)
    assert (still.current, still.path) == (True, "right/a.pdf")
    assert second.current
    assert catalog.superseding_document(still) is None


def test_the_same_path_in_another_collection_is_another_path(catalog):
    first, other = laid(catalog, 1), laid(catalog, 2, collection="other")
    assert now(catalog, first).current
    assert other.version == 1


def test_when_the_current_version_is_deleted_the_one_before_takes_its_place(catalog):
    first, second = laid(catalog, 1), laid(catalog, 2)
    catalog.delete(second.id)
    assert now(catalog, first).current


def test_metadata_given_again_are_added(catalog):
    catalog.register_upload("default", f"{1:064}", "a.pdf", "pdf", 1, {"project": "A12", "year": "2024"})
    entry = catalog.register_upload("default", f"{1:064}", "a.pdf", "pdf", 1, {"year": "2025"})
    assert entry.metadata_changed
    assert entry.document.meta == {"project": "A12", "year": "2025"}
    assert not catalog.register_upload("default", f"{1:064}", "a.pdf", "pdf", 1, {"year": "2025"}).metadata_changed


def test_the_index_hears_of_a_version_that_comes_and_of_one_that_goes(catalog):
    first = laid(catalog, 1)
    heard = catalog.last_change()
    second = laid(catalog, 2)
    assert {document_id for _, document_id, _ in catalog.changes_after(heard)} == {first.id, second.id}


def test_a_catalog_of_the_first_release_is_taken_over(tmp_path):
    """It had neither paths nor versions."""
    path = tmp_path / "old.sqlite"
    engine = open_database(path)
    with write_transaction(engine) as connection:
        connection.execute(text("DROP TABLE versions"))
        for column in ("path", "version", "current", "attempts"):
            connection.execute(text(f"ALTER TABLE documents DROP COLUMN {column}"))
        for number in (1, 2):
            connection.execute(
                text(
                    "INSERT INTO documents (id, collection, sha256, name, kind, size, state, reason, pipeline, pages,"
                    " chunks, sentences, labels, meta, added) VALUES (:id, 'default', :id, 'a.pdf', 'pdf', 1, 'ready',"
                    " '', 1, 1, 1, 1, '[]', '{}', :id)"
                ),
                {"id": str(number)},
            )
    engine.dispose()
    catalog = Catalog(open_database(path))
    assert [(d.id, d.path, d.version, d.current) for d in catalog.documents()] == [
        ("2", "a.pdf", 2, True),
        ("1", "a.pdf", 1, False),
    ]
    catalog.close()


def test_every_change_is_audited_with_hashes_and_without_words(catalog):
    first, second = laid(catalog, 1), laid(catalog, 2)
    torn = laid(catalog, 3, state=DAMAGED)
    catalog.delete(first.id)
    assert [(note.what, note.document_id) for note in catalog.audit_entries()] == [
        ("ingested", first.id),
        ("ingested", second.id),
        ("new version", second.id),
        ("failed", torn.id),
        ("deleted", first.id),
    ]
    assert [note.sha256 for note in catalog.audit_entries(first.id)] == [first.sha256] * 2
    assert not any("contract" in str(note) or "Words" in str(note) for note in catalog.audit_entries())


@pytest.mark.parametrize("statement", ["DELETE FROM audit", "UPDATE audit SET what = 'nothing'"])
def test_the_audit_cannot_be_changed(services, catalog, statement):
    laid(catalog, 1)
    with (
        sqlite3.connect(services.settings.data_dir / "catalog.sqlite") as connection,
        pytest.raises(sqlite3.IntegrityError, match="append-only"),
    ):
        connection.execute(statement)
    connection.close()


def test_a_note_is_written_with_what_it_tells_of_or_not_at_all(catalog):
    first = laid(catalog, 1)

    def fail(_connection):
        raise RuntimeError("killed before the commit")

    event.listen(catalog.engine, "commit", fail)
    with pytest.raises(RuntimeError, match="before the commit"):
        catalog.delete(first.id)
    event.remove(catalog.engine, "commit", fail)
    assert now(catalog, first) == first
    assert [note.what for note in catalog.audit_entries()] == ["ingested"]
