"""What differs between the databases that can hold the catalog; everything else in store/ is the same for all.

`CatalogDialect` lists the differences. Queries may also use the functions `casefolded`, `instr`, `json_extract` and
`json_each`, the last two with a path: SQLite has them, or gets them with each connection (sqlite/connections.py), and
PostgreSQL gets them with the tables (postgresql/functions.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import Connection, Engine, Select

from highlighter.secret import Secret
from highlighter.store.dialects.document_condition import DocumentCondition
from highlighter.store.dialects.postgresql.dialect import PostgresqlDialect
from highlighter.store.dialects.sqlite.dialect import SqliteDialect


class VersionMonitor(Protocol):
    """A number that changes with every write to the catalog, by this process or another."""

    def version(self) -> int: ...

    def close(self) -> None: ...


class CatalogDialect(Protocol):
    """The differences of one database."""

    def lock_schema(self, connection: Connection) -> None:
        """Let no other process change the schema until the transaction ends."""

    def create_objects(self, connection: Connection) -> None:
        """Create what the declared tables lack: functions, the full-text index, and the guards of append-only tables."""

    def has_guards(self, connection: Connection) -> bool:
        """Return whether the database itself refuses changes of append-only tables."""

    def create_guards(self, connection: Connection) -> None:
        """Create the guards that are missing."""

    def monitor_version(self, engine: Engine) -> VersionMonitor:
        """Return the monitor of writes to this database."""

    def count_audit_rows(self, connection: Connection) -> int:
        """Return how many audit rows were ever written, which is stored apart from the rows and reveals a truncated audit."""

    def read_clock(self, connection: Connection) -> float:
        """Return the seconds since 1970 by the one clock of all processes that have this database open."""

    def rank_chunks(
        self, terms: Sequence[str], rare_terms: Sequence[str], conditions: Sequence[DocumentCondition]
    ) -> Select[Any]:
        """Return the query for the keys of chunks that hold any of the rare terms, best first by BM25 over all terms.

        The conditions are those on their documents.
        """

    def count_chunks(self, terms: Sequence[str], limit: int) -> Select[Any]:
        """Return the query for one row: how many chunks hold each term, counted up to a limit."""

    def find_damage(self, engine: Engine, thorough: bool) -> str:
        """Return what is wrong with the database's files, in words; empty when it is sound. Raises when it cannot be read."""

    def copy_catalog(self, engine: Engine, folder: Path) -> AbstractContextManager[Connection]:
        """Copy the catalog as it is now into a folder, while others write; yield a connection that reads what was copied."""

    def require_no_catalog(self, data_dir: Path, database_url: Secret) -> None:
        """Raise CatalogExists where there is a catalog already."""

    def restore_catalog(self, folder: Path, data_dir: Path, database_url: Secret) -> None:
        """Create the catalog from such a copy, where there is none."""

    def begin_copy(self, connection: Connection) -> None:
        """Prepare an empty catalog for the rows of another one."""

    def end_copy(self, connection: Connection, audit_rows: int) -> None:
        """Number later rows on from those that were copied. `audit_rows` is how many rows of the audit were ever written."""

    def describe(self, engine: Engine) -> str:
        """Return where the catalog is, for people and without a password."""


_DIALECTS: dict[str, CatalogDialect] = {"sqlite": SqliteDialect(), "postgresql": PostgresqlDialect()}
DIALECT_NAMES = frozenset(_DIALECTS)


def get_dialect(database: Engine | Connection) -> CatalogDialect:
    """Return the differences of the database that an engine or a connection talks to."""
    return _DIALECTS[database.dialect.name]


def get_dialect_named(name: str) -> CatalogDialect:
    return _DIALECTS[name]
