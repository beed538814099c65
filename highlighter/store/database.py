"""Opens the SQLite file the way the truth needs it: WAL, flushed at each commit, writers queueing, none failing."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.exc import DatabaseError
from sqlalchemy.schema import CreateColumn

from highlighter.store.schema import documents, metadata
from highlighter.store.storage_errors import CatalogDamaged, is_catalog_damage
from highlighter.store.versions import add_missing_paths

BUSY_TIMEOUT_MS = 60_000  # a writer waits this long for another: an ingester and the service share the file
MAX_VALUES_PER_QUERY = 500  # in one statement: below SQLite's limit on parameters


def open_database(path: Path) -> Engine:
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
    """One transaction that holds the write lock from its first statement: two writers queue, and neither deadlocks."""
    with engine.connect().execution_options(write=True) as connection, connection.begin():
        yield connection


class DataVersionMonitor:
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


def _migrate_schema(connection: Connection) -> None:
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
        add_missing_paths(connection)


def _configure_connection(connection, _record) -> None:
    connection.isolation_level = None  # we say BEGIN ourselves, below
    connection.create_function("casefolded", 1, str.casefold, deterministic=True)  # its own lower() knows ASCII only
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


# Tables that are only added to: SQLite itself refuses the rest, whoever asks, save that words of answers may go
# and, with a document, the salts of its digests.
#
# Triggers can be dropped by whoever may write the file. That is what the chain is for: store/chain.py.


APPEND_ONLY_TABLE_KEYS = {"audit": "seq", "answers": "id", "answer_documents": "answer_id, document_id"}
ANSWER_PARTS_TABLE, FEEDBACK_TABLE, DIGESTS_TABLE = "answer_parts", "feedback", "audit_digests"
_ABORT_STATEMENT = "BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END"


def create_append_only_triggers(connection: Connection) -> None:
    """At each opening, so that the tables of an earlier release are guarded, too."""
    for statement in _list_trigger_statements():
        connection.exec_driver_sql(statement)


def _list_trigger_statements() -> list[str]:
    refused = [(table, verb) for table in APPEND_ONLY_TABLE_KEYS for verb in ("UPDATE", "DELETE")]
    refused += [(ANSWER_PARTS_TABLE, "DELETE"), (FEEDBACK_TABLE, "DELETE"), (DIGESTS_TABLE, "DELETE")]
    made = [f"CREATE TRIGGER IF NOT EXISTS {t}_no_{v.lower()} BEFORE {v} ON {t} {_ABORT_STATEMENT}" for t, v in refused]
    for table, keys in (
        APPEND_ONLY_TABLE_KEYS | {ANSWER_PARTS_TABLE: "answer_id, name", FEEDBACK_TABLE: "seq", DIGESTS_TABLE: "seq"}
    ).items():
        same = " AND ".join(f"{key} = new.{key}" for key in keys.split(", "))
        # INSERT OR REPLACE deletes without asking the trigger against deletion.
        there = f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {same})"
        made.append(
            f"CREATE TRIGGER IF NOT EXISTS {table}_no_replace BEFORE INSERT ON {table} {there} {_ABORT_STATEMENT}"
        )
    return [*made, _ALLOW_WORDS_REMOVAL, _ALLOW_FEEDBACK_REDACTION, _ALLOW_SALT_REMOVAL]


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
