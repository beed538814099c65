"""Opens the SQLite file the way the truth needs it: WAL, flushed at each commit, writers queueing, none failing."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.exc import DatabaseError
from sqlalchemy.schema import CreateColumn

from highlighter.store.append_only import guard
from highlighter.store.damage import CatalogDamaged, is_damage
from highlighter.store.schema import documents, metadata
from highlighter.store.versions import adopt

WAIT_MS = 60_000  # a writer waits this long for another: an ingester and the service share the file
NAMED_AT_ONCE = 500  # in one statement: below SQLite's limit on parameters


def open_database(path: Path) -> Engine:
    path.parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(
        f"sqlite:///{path}", pool_size=16, max_overflow=16, connect_args={"check_same_thread": False}
    )
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    try:
        with writing(engine) as connection:
            metadata.create_all(connection)
            _add_what_is_new(connection)
            guard(connection)
    except DatabaseError as err:
        engine.dispose()
        if is_damage(err):
            raise CatalogDamaged from err
        raise
    return engine


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """One transaction that holds the write lock from its first statement: two writers queue, and neither deadlocks."""
    with engine.connect().execution_options(write=True) as connection, connection.begin():
        yield connection


class Watch:
    """Tells, in microseconds, whether anything was written to the database."""

    def __init__(self, engine: Engine):
        self._connection = engine.raw_connection()
        self._lock = threading.Lock()

    def version(self) -> int:
        """SQLite counts the commits of all other connections; this one never writes, so all are others."""
        with self._lock:
            return self._connection.driver_connection.execute("PRAGMA data_version").fetchone()[0]

    def close(self) -> None:
        self._connection.close()


def _add_what_is_new(connection: Connection) -> None:
    """Columns and indexes that a file of an earlier release does not have yet."""
    there, without_a_place = inspect(connection), False
    for table in metadata.sorted_tables:
        columns = {column["name"] for column in there.get_columns(table.name)}
        for column in table.columns:
            if column.name not in columns:
                words = CreateColumn(column).compile(dialect=connection.dialect)
                connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN {words}")
                if column is documents.c.current:
                    without_a_place = True
        for index in table.indexes:
            index.create(connection, checkfirst=True)
    if without_a_place:
        adopt(connection)


def _prepare(connection, _record) -> None:
    connection.isolation_level = None  # we say BEGIN ourselves, below
    connection.create_function("casefolded", 1, str.casefold, deterministic=True)  # its own lower() knows ASCII only
    for pragma in (
        f"busy_timeout = {WAIT_MS}",
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        "temp_store = MEMORY",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    write = connection.get_execution_options().get("write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")
