"""The recorded statements create what Alembic creates."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from highlighter.store import migration
from highlighter.store.database import open_database
from tests.recorded_schemas import RecordedSchemas


def test_later_catalogs_are_as_the_first(tmp_path, monkeypatch):
    monkeypatch.setattr(migration, "_run_revisions", RecordedSchemas(run_alembic).create)
    for name in ("first", "second"):
        open_database(tmp_path / name).dispose()
    first, second = (dump_database(tmp_path / name) for name in ("first", "second"))
    assert "CREATE TRIGGER" in first
    assert second == first


run_alembic = migration._run_revisions  # before the fixture of all tests replaces it


def dump_database(path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        return "\n".join(connection.iterdump())
