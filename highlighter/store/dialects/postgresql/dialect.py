"""The differences of PostgreSQL: see `highlighter.store.dialects.CatalogDialect`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Select, func, select, text
from sqlalchemy.exc import DatabaseError

from highlighter.secret import Secret
from highlighter.store.dialects.document_condition import DocumentCondition
from highlighter.store.dialects.postgresql import connections, copies, full_text, functions, guards
from highlighter.store.storage_errors import is_catalog_damage


class PostgresqlDialect:
    """The differences of PostgreSQL."""

    def lock_schema(self, connection: Connection) -> None:
        connections.lock_schema(connection)

    def create_objects(self, connection: Connection) -> None:
        for statement in _COUNTERS:
            connection.exec_driver_sql(statement)
        functions.create_functions(connection)
        full_text.create_full_text_index(connection)
        guards.create_guards(connection)

    def has_guards(self, connection: Connection) -> bool:
        return guards.has_guards(connection)

    def create_guards(self, connection: Connection) -> None:
        guards.create_guards(connection)

    def monitor_version(self, engine: Engine) -> connections.WriteCounter:
        return connections.WriteCounter(engine)

    def count_audit_rows(self, connection: Connection) -> int:
        return int(connection.execute(_AUDIT_ROWS_QUERY).scalar_one())

    def read_clock(self, connection: Connection) -> float:
        return float(connection.scalar(select(func.extract("epoch", func.clock_timestamp()))) or 0.0)

    def rank_chunks(
        self, terms: Sequence[str], rare_terms: Sequence[str], conditions: Sequence[DocumentCondition]
    ) -> Select[Any]:
        return full_text.rank_chunks(terms, rare_terms, conditions)

    def count_chunks(self, terms: Sequence[str], limit: int) -> Select[Any]:
        return full_text.count_chunks(terms, limit)

    def find_damage(self, engine: Engine, thorough: bool) -> str:
        """Read one row. A whole check is the server's own work: its checksums, and pg_amcheck."""
        try:
            with engine.connect() as connection:
                connection.execute(_LAST_CHANGE_QUERY).scalar()
        except DatabaseError as err:
            if is_catalog_damage(err):
                return str(err.orig)
            raise
        return ""

    def copy_catalog(self, engine: Engine, folder: Path) -> AbstractContextManager[Connection]:
        return copies.copy_catalog(engine, folder)

    def require_no_catalog(self, data_dir: Path, database_url: Secret) -> None:
        copies.require_no_catalog(database_url)

    def restore_catalog(self, folder: Path, data_dir: Path, database_url: Secret) -> None:
        copies.restore_catalog(folder, database_url)

    def begin_copy(self, connection: Connection) -> None:
        """Count the rows of the audit at the end: each of thousands of counts would read those before in its transaction."""
        connection.exec_driver_sql(f"ALTER TABLE audit DISABLE TRIGGER {guards.COUNTING_TRIGGER}")

    def end_copy(self, connection: Connection, audit_rows: int) -> None:
        connection.exec_driver_sql(f"ALTER TABLE audit ENABLE TRIGGER {guards.COUNTING_TRIGGER}")
        connection.execute(_SET_AUDIT_ROWS, {"rows": audit_rows})
        for table, column in _NUMBERED_COLUMNS:
            connection.exec_driver_sql(
                f"SELECT setval(pg_get_serial_sequence('{table}', '{column}'), max({column})) FROM {table}"
            )

    def describe(self, engine: Engine) -> str:
        url = engine.url
        return f"PostgreSQL, {url.database} at {url.host or 'this machine'}{f':{url.port}' if url.port else ''}"


# The numbers of writes, whose row is the write lock, too, and of audit rows.
_COUNTERS = (
    "CREATE TABLE IF NOT EXISTS catalog_counters (name TEXT PRIMARY KEY, value BIGINT NOT NULL) WITH (fillfactor = 10)",
    "INSERT INTO catalog_counters VALUES ('writes', 0), ('audit rows', 0) ON CONFLICT DO NOTHING",
)
_SET_AUDIT_ROWS = text("UPDATE catalog_counters SET value = :rows WHERE name = 'audit rows'")
_NUMBERED_COLUMNS = (("changes", "seq"), ("audit", "seq"), ("feedback", "seq"), ("chunk_terms", "id"))
_LAST_CHANGE_QUERY = text("SELECT max(seq) FROM changes")
_AUDIT_ROWS_QUERY = text("SELECT value FROM catalog_counters WHERE name = 'audit rows'")
