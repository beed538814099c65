"""Tests of lists of documents: their pages, order and filters, and that only one page is loaded."""

from __future__ import annotations

import pytest
from sqlalchemy import event

from highlighter.access import VisibleCollections
from highlighter.metadata import build_where_clause
from highlighter.models import DAMAGED, READY
from highlighter.store import listing
from highlighter.store.catalog import ReadingOutcome
from highlighter.store.listing import DocumentFilter, LibraryTotals
from tests.conftest import SQLITE
from tests.highlighter.store.test_catalog import contents


@pytest.fixture
def engine(services):
    return services.catalog.engine


@pytest.fixture
def catalog(services):
    """A catalog of twelve documents in two collections; every third document is unreadable."""
    return services.catalog


def save_twelve_documents(services):
    catalog = services.catalog
    for number in range(12):
        collection = "left" if number % 2 else "right"
        tags = [name for name, each in (("even", 2), ("third", 3)) if number % each == 0]
        meta = {"number": number, "tags": tags}
        document = catalog.register(collection, f"{number:064}", f"Straße {number:02}.pdf", "pdf", 1, meta)
        if number % 3:
            catalog.save_contents(document.id, contents(f"Words of {number}.", document.id), ReadingOutcome(READY))
        else:
            catalog.set_state(document.id, DAMAGED, "It is damaged.")


FILLED_LIBRARIES = {"catalog": save_twelve_documents}


def names(documents):
    return [document.name for document in documents]


def test_pages_hold_every_document_once_in_order(catalog, engine):
    pages = [listing.list_documents(engine, DocumentFilter(), 5, offset) for offset in (0, 5, 10, 15)]
    assert [len(page) for page in pages] == [5, 5, 2, 0]
    assert [document.name for page in pages for document in page] == names(catalog.documents())


def test_hashes_of_the_newest_and_of_the_oldest_documents_are_listed(catalog):
    assert catalog.list_hashes(2) == [f"{number:064}" for number in (11, 10, 0, 1)]


def test_list_loads_only_rows_of_page(catalog, engine, monkeypatch):
    loaded = []
    monkeypatch.setattr(listing, "document_from_row", lambda row: loaded.append(row))
    listing.list_documents(engine, DocumentFilter(), 5, 5)
    listing.count_totals(engine, DocumentFilter())
    assert len(loaded) == 5


@pytest.mark.parametrize("database_kind", [SQLITE])  # PostgreSQL sorts as few rows as a test has
def test_page_is_read_from_index_without_sorting(catalog, engine):
    statements = []
    event.listen(engine, "before_cursor_execute", lambda *args: statements.append(args[2:4]))
    listing.list_documents(engine, DocumentFilter(include_superseded=False), 5)
    sql, parameters = next((sql, given) for sql, given in statements if "LIMIT" in sql)
    with engine.connect() as connection:
        plan = " ".join(row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", parameters))
    assert "documents_newest_first" in plan
    assert "TEMP B-TREE" not in plan


@pytest.mark.parametrize(
    ("document_filter", "numbers"),
    [
        (DocumentFilter(states=(DAMAGED,)), [0, 3, 6, 9]),
        (DocumentFilter(VisibleCollections(frozenset({"left"})), states=(DAMAGED,)), [3, 9]),
        (DocumentFilter(name="STRASSE 1"), [10, 11]),  # ignoring case, in any script
        (DocumentFilter(name="%"), []),
        (DocumentFilter(where=build_where_clause({"tags": ["even", "third"]})), [0, 2, 3, 4, 6, 8, 9, 10]),
        (DocumentFilter(where=build_where_clause({"tags": "even", "number": 6})), [6]),
        (DocumentFilter(kind="docx"), []),
        (DocumentFilter(VisibleCollections(frozenset())), []),
        (DocumentFilter(where=build_where_clause({"tags": []})), []),
        (DocumentFilter(VisibleCollections().restrict_to("right"), states=(READY,)), [2, 4, 8, 10]),
        (DocumentFilter(VisibleCollections(frozenset({"left"})).restrict_to("right")), []),
    ],
)
def test_list_matches_filter(catalog, engine, document_filter, numbers):
    assert sorted(names(listing.list_documents(engine, document_filter, 50))) == [
        f"Straße {number:02}.pdf" for number in numbers
    ]
    assert listing.count_totals(engine, document_filter).documents == len(numbers)


def test_totals_cover_all_pages(catalog, engine):
    assert listing.count_totals(engine, DocumentFilter()) == LibraryTotals(
        documents=12, pages=8, sentences=8, unfinished=0
    )
    for count, digit in enumerate("ef", 1):
        catalog.register("left", digit * 64, "new.pdf", "pdf", 1)
        unfinished = listing.count_totals(engine, DocumentFilter()).unfinished
        assert (unfinished, type(unfinished)) == (count, int)  # it is printed on pages
    assert listing.count_totals(engine, DocumentFilter(name="nothing")) == LibraryTotals(0, 0, 0, 0)


def test_only_visible_collections_are_listed(catalog, engine):
    assert listing.list_collections(engine) == ["left", "right"]
    assert listing.list_collections(engine, VisibleCollections(frozenset({"left", "secret"}))) == ["left"]
