"""Connections to SQLite: WAL mode, flushed at each commit; writers wait for each other instead of failing."""

from __future__ import annotations

import json
import sqlite3
import threading
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event

BUSY_TIMEOUT_MS = 60_000  # how long a writer waits for another: ingestion and the service share the file
CACHE_KB = 500  # of each connection, of which there are up to 32; the system has the whole file in its cache


def create_sqlite_engine(path: Path) -> Engine:
    path.parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(
        f"sqlite:///{path}",
        pool_size=16,
        max_overflow=16,
        connect_args={"check_same_thread": False},
        json_serializer=partial(json.dumps, allow_nan=False),  # SQLite's functions cannot read NaN
        hide_parameters=True,
    )
    event.listen(engine, "connect", _configure_connection)
    event.listen(engine, "begin", _begin_transaction)
    return engine


def _configure_connection(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # `_begin_transaction` begins transactions explicitly
    connection.create_function("casefolded", 1, str.casefold, deterministic=True)  # SQLite's lower() knows ASCII only
    for pragma in (
        f"busy_timeout = {BUSY_TIMEOUT_MS}",
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        "temp_store = MEMORY",
        f"cache_size = -{CACHE_KB}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_transaction(connection: Connection) -> None:
    write = connection.get_execution_options().get("write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


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
