"""Tags and other metadata of stored documents, as they are changed, counted and recorded."""

from __future__ import annotations

import pytest

from highlighter.access import VisibleCollections
from highlighter.errors import BadRequest
from highlighter.metadata import build_where_clause
from highlighter.store import audit_log
from highlighter.store.audit_verification import verify_audit
from highlighter.store.database import write_transaction
from highlighter.store.digests import DETAILS
from highlighter.store.document_metadata import (
    add_tags,
    count_tags,
    list_unreadable_metadata,
    remove_tags,
    rename_tag,
    repair_metadata,
    update_metadata,
)
from highlighter.store.listing import DocumentFilter, list_documents
from highlighter.store.schema import audit
from tests.conftest import SQLITE


@pytest.fixture
def documents(services):
    """The ids of three documents, the last of another collection."""
    register = services.catalog.register
    return [register(name, f"{name:0>64}", f"{name}.pdf", "pdf", 1).id for name in ("a", "b", "c")]


@pytest.fixture
def tags_of(services):
    return lambda id: services.catalog.document(id).meta.get("tags")


def test_tags_are_added_renamed_and_removed(services, documents, tags_of):
    engine, (first, second, third) = services.catalog.engine, documents
    add_tags(engine, [first, second], ["signed", "2024"])
    add_tags(engine, [first], ["signed", "late"])
    rename_tag(engine, documents, "signed", "late")
    remove_tags(engine, [second, third], ["2024"])
    assert [tags_of(id) for id in documents] == [["late", "2024"], ["late"], None]
    assert count_tags(engine, DocumentFilter()) == {"2024": 1, "late": 2}
    assert count_tags(engine, DocumentFilter(VisibleCollections(frozenset({"b"})))) == {"late": 1}


def test_tags_of_a_file_that_is_sent_again_are_added(services, documents, tags_of):
    for tags in (["signed", "2024"], ["late"]):
        services.catalog.register("a", f"{'a':0>64}", "a.pdf", "pdf", 1, meta={"tags": tags, "year": len(tags)})
    assert tags_of(documents[0]) == ["signed", "2024", "late"]
    assert services.catalog.document(documents[0]).meta["year"] == 1
    with pytest.raises(BadRequest, match="at most"):
        services.catalog.register("a", f"{'a':0>64}", "a.pdf", "pdf", 1, meta={"tags": [str(n) for n in range(30)]})


def test_metadata_is_merged_and_none_removes(services, documents):
    engine, id = services.catalog.engine, documents[0]
    update_metadata(engine, id, {"year": 2024, "client": "Acme"})
    update_metadata(engine, id, {"year": None, "signed": True})
    assert services.catalog.document(id).meta == {"client": "Acme", "signed": True}
    update_metadata(engine, "0" * 32, {"year": 2024})  # deleted in the meantime


def test_only_changes_are_recorded_in_audit(services, documents):
    engine, id = services.catalog.engine, documents[0]

    def count_records():
        with engine.connect() as connection:
            return len(connection.execute(audit.select().where(audit.c.what == audit_log.DESCRIBED)).all())

    add_tags(engine, [id], ["signed"])
    assert count_records() == 1
    add_tags(engine, [id], ["signed"])
    remove_tags(engine, [id], ["other"])
    assert count_records() == 1


def test_refused_change_changes_no_document(services, documents, tags_of):
    add_tags(services.catalog.engine, documents[1:2], map(str, range(30)))
    with pytest.raises(BadRequest, match="at most 30 tags"):
        add_tags(services.catalog.engine, documents, ["one more"])
    assert tags_of(documents[0]) is None


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [1.5, float("-inf")]])
def test_numbers_that_json_lacks_are_refused(services, documents, value):
    with pytest.raises(BadRequest, match="finite"):
        update_metadata(services.catalog.engine, documents[0], {"year": value})
    with pytest.raises(BadRequest, match="finite"):
        services.catalog.register("a", f"{'a':0>64}", "a.pdf", "pdf", 1, meta={"year": value})


@pytest.mark.parametrize("database_kind", [SQLITE])  # PostgreSQL never stored them
def test_stored_nan_hides_one_document_from_filters_until_it_is_repaired(services, documents, tags_of):
    engine, (first, second, _) = services.catalog.engine, documents
    add_tags(engine, documents, ["signed"])
    with write_transaction(engine) as connection:
        connection.exec_driver_sql(
            """UPDATE documents SET meta = '{"tags": ["signed"], "x": NaN, "y": [1, -Infinity]}' WHERE id = ?""",
            (first,),
        )
    is_signed = DocumentFilter(where=build_where_clause({"tags": "signed"}))
    assert count_tags(engine, DocumentFilter()) == {"signed": 2}
    assert first not in [document.id for document in list_documents(engine, is_signed, 9)]
    assert services.catalog.document(first).meta == {"tags": ["signed"], "y": [1]}
    assert list_unreadable_metadata(engine) == [first]
    update_metadata(engine, second, {"year": 2024})
    repair_metadata(engine)
    assert count_tags(engine, DocumentFilter()) == {"signed": 3}
    assert list_unreadable_metadata(engine) == []
    with engine.connect() as connection:
        report = verify_audit(connection, files=services.files)
    assert [found for found in report.discrepancies if found.group == DETAILS] == []
