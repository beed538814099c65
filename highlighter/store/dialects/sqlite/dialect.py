"""The differences of SQLite: see `highlighter.store.dialects.CatalogDialect`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Select, text

from highlighter.secret import Secret
from highlighter.store.dialects.document_condition import DocumentCondition
from highlighter.store.dialects.sqlite import copies, full_text, guards
from highlighter.store.dialects.sqlite.connections import DataVersionMonitor
from highlighter.store.storage_errors import find_catalog_damage


class SqliteDialect:
    """The differences of SQLite."""

    def lock_schema(self, connection: Connection) -> None:
        """Do nothing: a transaction that writes holds the only write lock."""

    def create_objects(self, connection: Connection) -> None:
        full_text.create_full_text_index(connection)
        guards.create_guards(connection)

    def has_guards(self, connection: Connection) -> bool:
        return guards.has_guards(connection)

    def create_guards(self, connection: Connection) -> None:
        guards.create_guards(connection)

    def monitor_version(self, engine: Engine) -> DataVersionMonitor:
        return DataVersionMonitor(engine)

    def count_audit_rows(self, connection: Connection) -> int:
        count: int | None = connection.execute(text("SELECT seq FROM sqlite_sequence WHERE name = 'audit'")).scalar()
        return count or 0

    def read_clock(self, connection: Connection) -> float:
        return time.time()

    def rank_chunks(
        self, terms: Sequence[str], rare_terms: Sequence[str], conditions: Sequence[DocumentCondition]
    ) -> Select[Any]:
        return full_text.rank_chunks(terms, rare_terms, conditions)

    def count_chunks(self, terms: Sequence[str], limit: int) -> Select[Any]:
        return full_text.count_chunks(terms, limit)

    def find_damage(self, engine: Engine, thorough: bool) -> str:
        return find_catalog_damage(Path(engine.url.database or ""), thorough)

    def copy_catalog(self, engine: Engine, folder: Path) -> AbstractContextManager[Connection]:
        return copies.copy_catalog(engine, folder)

    def require_no_catalog(self, data_dir: Path, database_url: Secret) -> None:
        copies.require_no_catalog(data_dir)

    def restore_catalog(self, folder: Path, data_dir: Path, database_url: Secret) -> None:
        copies.restore_catalog(folder, data_dir)

    def begin_copy(self, connection: Connection) -> None:
        """Do nothing: SQLite counts rows itself."""

    def end_copy(self, connection: Connection, audit_rows: int) -> None:
        connection.execute(_SET_AUDIT_ROWS, {"rows": audit_rows})

    def describe(self, engine: Engine) -> str:
        return f"SQLite, {engine.url.database}"


_SET_AUDIT_ROWS = text("UPDATE sqlite_sequence SET seq = max(seq, :rows) WHERE name = 'audit'")
