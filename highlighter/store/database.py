"""The SQLite database: WAL mode, flushed at each commit; writers wait for each other instead of failing."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.exc import DatabaseError
from sqlalchemy.schema import CreateColumn

from highlighter.store.schema import documents, metadata
from highlighter.store.storage_errors import CatalogDamaged, is_catalog_damage
from highlighter.store.versions import add_missing_paths

BUSY_TIMEOUT_MS = 60_000  # how long a writer waits for another: ingestion and the service share the file
MAX_VALUES_PER_QUERY = 500  # below SQLite's limit on parameters of a statement


def open_database(path: Path) -> Engine:
    """Open the database, creating or migrating its tables; raise CatalogDamaged when SQLite cannot read it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(
        f"sqlite:///{path}", pool_size=16, max_overflow=16, connect_args={"check_same_thread": False}
    )
    event.listen(engine, "connect", _configure_connection)
    event.listen(engine, "begin", _begin_transaction)
    try:
        with write_transaction(engine) as connection:
            metadata.create_all(connection)
            _migrate_schema(connection)
            create_append_only_triggers(connection)
    except DatabaseError as err:
        engine.dispose()
        if is_catalog_damage(err):
            raise CatalogDamaged from err
        raise
    return engine


@contextmanager
def write_transaction(engine: Engine) -> Iterator[Connection]:
    """Begin a transaction that holds the write lock from its first statement, so that two writers cannot deadlock."""
    with engine.connect().execution_options(write=True) as connection, connection.begin():
        yield connection


class DataVersionMonitor:
    """A counter that changes with every write to the database. Reading it takes microseconds."""

    def __init__(self, engine: Engine):
        self._connection = engine.raw_connection()
        self._lock = threading.Lock()

    def version(self) -> int:
        """Return SQLite's count of commits by other connections. This connection never writes, so it counts all."""
        with self._lock:
            connection: Any = self._connection.driver_connection
            return int(connection.execute("PRAGMA data_version").fetchone()[0])

    def close(self) -> None:
        self._connection.close()


def _migrate_schema(connection: Connection) -> None:
    """Add the columns and indexes that a database of an earlier release lacks."""
    inspector, lacks_paths = inspect(connection), False
    for table in metadata.sorted_tables:
        columns = {column["name"] for column in inspector.get_columns(table.name)}
        for column in table.columns:
            if column.name not in columns:
                definition = CreateColumn(column).compile(dialect=connection.dialect)
                connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN {definition}")
                if column is documents.c.current:
                    lacks_paths = True
        for index in table.indexes:
            index.create(connection, checkfirst=True)
    if lacks_paths:
        add_missing_paths(connection)


def _configure_connection(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # `_begin_transaction` begins transactions explicitly
    connection.create_function("casefolded", 1, str.casefold, deterministic=True)  # SQLite's lower() knows ASCII only
    for pragma in (
        f"busy_timeout = {BUSY_TIMEOUT_MS}",
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        "temp_store = MEMORY",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_transaction(connection: Connection) -> None:
    write = connection.get_execution_options().get("write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


# Append-only tables: triggers make SQLite refuse changes and deletions. Only the text of answers and feedback may be
# removed and, with a document, the salts of its digests. Who can write the file can also drop the triggers; such changes
# are detected by the hash chain (store/audit_log.py).

APPEND_ONLY_TABLE_KEYS = {"audit": "seq", "answers": "id", "answer_documents": "answer_id, document_id"}
ANSWER_PARTS_TABLE, FEEDBACK_TABLE, DIGESTS_TABLE = "answer_parts", "feedback", "audit_digests"
_ABORT_STATEMENT = "BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END"


def create_append_only_triggers(connection: Connection) -> None:
    """Create the triggers that are missing, so that tables of an earlier release are guarded, too."""
    for statement in _list_trigger_statements():
        connection.exec_driver_sql(statement)


def _list_trigger_statements() -> list[str]:
    refused = [(table, verb) for table in APPEND_ONLY_TABLE_KEYS for verb in ("UPDATE", "DELETE")]
    refused += [(ANSWER_PARTS_TABLE, "DELETE"), (FEEDBACK_TABLE, "DELETE"), (DIGESTS_TABLE, "DELETE")]
    statements = [
        f"CREATE TRIGGER IF NOT EXISTS {t}_no_{v.lower()} BEFORE {v} ON {t} {_ABORT_STATEMENT}" for t, v in refused
    ]
    for table, keys in (
        APPEND_ONLY_TABLE_KEYS | {ANSWER_PARTS_TABLE: "answer_id, name", FEEDBACK_TABLE: "seq", DIGESTS_TABLE: "seq"}
    ).items():
        same_key = " AND ".join(f"{key} = new.{key}" for key in keys.split(", "))
        # INSERT OR REPLACE deletes without running the trigger against deletion.
        if_exists = f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {same_key})"
        statements.append(
            f"CREATE TRIGGER IF NOT EXISTS {table}_no_replace BEFORE INSERT ON {table} {if_exists} {_ABORT_STATEMENT}"
        )
    return [*statements, _ALLOW_WORDS_REMOVAL, _ALLOW_FEEDBACK_REDACTION, _ALLOW_SALT_REMOVAL]


_ALLOW_WORDS_REMOVAL = f"""CREATE TRIGGER IF NOT EXISTS {ANSWER_PARTS_TABLE}_no_update BEFORE UPDATE ON {ANSWER_PARTS_TABLE}
    WHEN new.words IS NOT NULL OR new.salt IS NOT NULL OR new.answer_id IS NOT old.answer_id
        OR new.name IS NOT old.name OR new.goes_with IS NOT old.goes_with OR new.digest IS NOT old.digest {_ABORT_STATEMENT}"""

_FIXED_FEEDBACK_COLUMNS = (
    "seq id at document_id collection pipeline chunk start end sentence lit verdict undoes".split()
)
_ALLOW_FEEDBACK_REDACTION = f"""CREATE TRIGGER IF NOT EXISTS {FEEDBACK_TABLE}_no_update BEFORE UPDATE ON {FEEDBACK_TABLE}
    WHEN new.question IS NOT NULL OR new.note IS NOT NULL
        OR {" OR ".join(f'new."{name}" IS NOT old."{name}"' for name in _FIXED_FEEDBACK_COLUMNS)} {_ABORT_STATEMENT}"""

_ALLOW_SALT_REMOVAL = f"""CREATE TRIGGER IF NOT EXISTS {DIGESTS_TABLE}_no_update BEFORE UPDATE ON {DIGESTS_TABLE}
    WHEN new.salt IS NOT NULL OR new.seq IS NOT old.seq OR new.document_id IS NOT old.document_id
        OR new.pipeline IS NOT old.pipeline OR new.feedback_id IS NOT old.feedback_id
        OR new.digests IS NOT old.digests OR new.sentences IS NOT old.sentences {_ABORT_STATEMENT}"""
