"""Tests of versions: new bytes under a path make a version, and which version is current."""

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import IntegrityError

from highlighter.models import DAMAGED, READY
from highlighter.store.catalog import Catalog, ReadingOutcome
from highlighter.store.database import open_database, write_transaction
from tests.highlighter.store.test_catalog import contents


@pytest.fixture
def catalog(services):
    return services.catalog


def add_document(catalog, number, path="contract.pdf", state=READY, collection="default"):
    """Add a document with these bytes under a path, in a final state."""
    document = catalog.register(collection, f"{number:064}", path.rpartition("/")[2], "pdf", 1, path=path)
    if state == READY:
        catalog.save_contents(document.id, contents(f"Words of {number}.", document.id), ReadingOutcome(READY))
    elif state:
        catalog.set_state(document.id, state, "It is damaged.")
    return catalog.document(document.id)


def reload(catalog, document):
    return catalog.document(document.id)


def test_first_version_is_1_and_current(catalog):
    first = add_document(catalog, 1)
    assert (first.path, first.version, first.current) == ("contract.pdf", 1, True)
    assert catalog.superseding_document(first) is None


def test_new_bytes_become_current_and_old_stay_readable(catalog):
    first, second = add_document(catalog, 1), add_document(catalog, 2)
    assert (second.version, second.current) == (2, True)
    old = reload(catalog, first)
    assert (old.version, old.current, old.state) == (1, False, READY)
    assert catalog.text(old) == "Words of 1."
    assert catalog.superseding_document(old) == second
    assert [(version.version, version.document_id, version.current) for version in catalog.versions(old)] == [
        (2, second.id, True),
        (1, first.id, False),
    ]


def test_unprocessed_version_hides_no_other(catalog):
    first, second = add_document(catalog, 1), add_document(catalog, 2, state=None)
    assert reload(catalog, first).current
    assert not reload(catalog, second).current
    catalog.save_contents(second.id, contents("Read now.", second.id), ReadingOutcome(READY))
    assert reload(catalog, second).current
    assert not reload(catalog, first).current


def test_unreadable_version_is_listed_and_hides_no_other(catalog):
    first, second = add_document(catalog, 1), add_document(catalog, 2, state=DAMAGED)
    assert reload(catalog, first).current
    assert not second.current
    assert catalog.superseding_document(second) is None
    assert {document.id for document in catalog.documents(superseded=False)} == {first.id, second.id}


def test_superseded_version_is_listed_only_on_request(catalog):
    first, damaged, third = add_document(catalog, 1), add_document(catalog, 2, state=DAMAGED), add_document(catalog, 3)
    assert {document.id for document in catalog.documents(superseded=False)} == {third.id}
    assert {document.id for document in catalog.documents()} == {first.id, damaged.id, third.id}
    assert catalog.superseding_document(reload(catalog, damaged)) == third


def test_same_bytes_again_make_no_version(catalog):
    first = add_document(catalog, 1)
    entry = catalog.register_upload("default", f"{1:064}", "contract.pdf", "pdf", 1)
    assert not entry.is_new_version
    assert entry.document == first
    assert len(catalog.versions(first)) == 1


def test_old_bytes_uploaded_again_are_current_without_processing(catalog):
    first, second = add_document(catalog, 1), add_document(catalog, 2)
    entry = catalog.register_upload("default", f"{1:064}", "contract.pdf", "pdf", 1)
    assert entry.is_new_version
    assert (entry.document.id, entry.document.version, entry.document.current) == (first.id, 3, True)
    assert entry.document.state == READY
    assert catalog.superseding_document(reload(catalog, second)).id == first.id


def test_same_bytes_under_two_paths_are_one_document(catalog):
    left, right = add_document(catalog, 1, "left/a.pdf"), add_document(catalog, 1, "right/a.pdf")
    assert left.id == right.id
    second = add_document(catalog, 2, "left/a.pdf")
    still = reload(catalog, left)
    assert (still.current, still.path) == (True, "right/a.pdf")
    assert second.current
    assert catalog.superseding_document(still) is None


def test_same_path_in_another_collection_is_another_path(catalog):
    first, other = add_document(catalog, 1), add_document(catalog, 2, collection="other")
    assert reload(catalog, first).current
    assert other.version == 1


def test_deleting_current_version_makes_previous_one_current(catalog):
    first, second = add_document(catalog, 1), add_document(catalog, 2)
    catalog.delete(second.id)
    assert reload(catalog, first).current


def test_metadata_of_second_upload_is_merged(catalog):
    catalog.register_upload("default", f"{1:064}", "a.pdf", "pdf", 1, {"project": "A12", "year": "2024"})
    entry = catalog.register_upload("default", f"{1:064}", "a.pdf", "pdf", 1, {"year": "2025"})
    assert entry.metadata_changed
    assert entry.document.meta == {"project": "A12", "year": "2025"}
    assert not catalog.register_upload("default", f"{1:064}", "a.pdf", "pdf", 1, {"year": "2025"}).metadata_changed


def test_index_changes_include_new_and_superseded_version(catalog):
    first = add_document(catalog, 1)
    last_change = catalog.last_change()
    second = add_document(catalog, 2)
    assert {document_id for _, document_id, _ in catalog.changes_after(last_change)} == {first.id, second.id}


def test_catalog_of_first_release_is_migrated(tmp_path):
    """That release had neither paths nor versions."""
    path = tmp_path / "old.sqlite"
    engine = open_database(path)
    with write_transaction(engine) as connection:
        for table in ("versions", "alembic_version"):
            connection.execute(text(f"DROP TABLE {table}"))
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


def test_every_change_is_audited_without_text(catalog):
    first, second = add_document(catalog, 1), add_document(catalog, 2)
    damaged = add_document(catalog, 3, state=DAMAGED)
    catalog.delete(first.id)
    assert [(entry.what, entry.document_id) for entry in catalog.audit_entries()] == [
        ("ingested", first.id),
        ("ingested", second.id),
        ("new version", second.id),
        ("failed", damaged.id),
        ("deleted", first.id),
    ]
    assert [entry.sha256 for entry in catalog.audit_entries(first.id)] == [first.sha256] * 2
    assert not any("contract" in str(entry) or "Words" in str(entry) for entry in catalog.audit_entries())


@pytest.mark.parametrize("statement", ["DELETE FROM audit", "UPDATE audit SET what = 'nothing'"])
def test_audit_rows_cannot_be_changed(catalog, statement):
    add_document(catalog, 1)
    with pytest.raises(IntegrityError, match="append-only"), write_transaction(catalog.engine) as connection:
        connection.execute(text(statement))


def test_audit_entry_is_written_in_transaction_of_change(catalog):
    first = add_document(catalog, 1)

    def fail(_connection):
        raise RuntimeError("killed before the commit")

    event.listen(catalog.engine, "commit", fail)
    with pytest.raises(RuntimeError, match="before the commit"):
        catalog.delete(first.id)
    event.remove(catalog.engine, "commit", fail)
    assert reload(catalog, first) == first
    assert [entry.what for entry in catalog.audit_entries()] == ["ingested"]
