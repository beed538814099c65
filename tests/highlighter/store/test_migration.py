"""Tests that every catalog gets the tables of this release: new ones, and those of earlier releases with all their rows."""

from __future__ import annotations

import gzip
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from highlighter.services import Services
from highlighter.store import chunk_search
from highlighter.store.audit_verification import verify_audit
from highlighter.store.catalog import Catalog
from highlighter.store.chunk_search import SearchScope
from highlighter.store.database import open_database, write_transaction
from highlighter.store.migration import CURRENT_REVISION, SCRIPTS_FOLDER, CatalogTooNew
from highlighter.store.schema import metadata
from highlighter.text.terms import extract_terms

CATALOGS = Path(__file__).parent / "catalogs"
# The full-text indexes and counters, which each database has in its own way: store/dialects/.
OBJECTS_OF_DIALECTS = ("chunk_words", "chunk_lengths", "catalog_counters")


def list_differences(engine):
    """Return in what the tables of a database differ from the declared ones."""

    def is_declared(name, kind, _parents):
        return kind != "table" or not str(name).startswith(OBJECTS_OF_DIALECTS)

    with engine.connect() as connection:
        # In SQLite, Alembic takes a default that is an empty text for another one.
        compares_defaults = connection.dialect.name != "sqlite"
        options = {"include_name": is_declared, "compare_server_default": compares_defaults}
        return compare_metadata(MigrationContext.configure(connection, opts=options), metadata)


@pytest.fixture
def path_before_alembic(tmp_path):
    path = tmp_path / "catalog.sqlite"
    path.write_bytes(gzip.decompress((CATALOGS / "before_alembic.sqlite.gz").read_bytes()))
    return path


def count_rows(engine):
    with engine.connect() as connection:
        names = set(inspect(connection).get_table_names()) & metadata.tables.keys()
        return {name: connection.scalar(text(f"SELECT count(*) FROM {name}")) for name in names}


def test_current_revision_is_the_last():
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS_FOLDER))
    assert ScriptDirectory.from_config(config).get_heads() == [CURRENT_REVISION]


def test_new_catalog_has_the_declared_tables(catalog_address):
    engine = open_database(catalog_address)
    assert list_differences(engine) == []
    engine.dispose()


def test_catalog_of_release_before_alembic_is_upgraded(path_before_alembic):
    from highlighter.store.dialects.sqlite.connections import create_sqlite_engine

    before = create_sqlite_engine(path_before_alembic)
    counts = count_rows(before)
    assert min(counts[name] for name in ("documents", "vectors", "answers", "feedback", "api_keys", "audit")) > 0
    assert not inspect(before).has_table("alembic_version")
    before.dispose()
    catalog = Catalog(open_database(path_before_alembic))
    assert list_differences(catalog.engine) == []
    assert count_rows(catalog.engine).items() >= counts.items()
    with catalog.engine.connect() as connection:
        assert verify_audit(connection).discrepancies == ()
    current, superseded = sorted(catalog.documents(), key=lambda document: -document.version)
    assert (current.current, superseded.current) == (True, False)
    assert "eight" in catalog.text(current)
    found = chunk_search.search_full_text(catalog.engine, extract_terms("When does the ferry leave?"), SearchScope(), 5)
    assert [key.document_id for key in found] == [current.id]
    assert catalog.register("default", "1" * 64, "new.txt", "txt", 1).name == "new.txt"
    catalog.close()


def test_interrupted_upgrade_leaves_the_catalog_as_it_was(path_before_alembic, monkeypatch):
    from highlighter.store.dialects.sqlite import full_text

    content = path_before_alembic.read_bytes()
    monkeypatch.setattr(full_text, "_STATEMENTS", ("CREATE NONSENSE",))
    with pytest.raises(Exception, match="NONSENSE"):
        open_database(path_before_alembic)
    monkeypatch.undo()
    assert path_before_alembic.read_bytes()[100:] == content[100:]  # but for the journal mode in the header
    open_database(path_before_alembic).dispose()


def test_catalog_of_later_release_is_refused(catalog_address):
    engine = open_database(catalog_address)
    with write_transaction(engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'later'"))
    engine.dispose()
    with pytest.raises(CatalogTooNew, match="Install that release"):
        open_database(catalog_address)


def test_server_with_a_catalog_of_a_later_release_does_not_start(services):
    with write_transaction(services.catalog.engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'later'"))
    services.close()
    with (
        closing(Services(services.settings, services.embedder)) as later,
        pytest.raises(CatalogTooNew, match="Install that release"),
    ):
        later.start()
