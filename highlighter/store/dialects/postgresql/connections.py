"""Connections to PostgreSQL, with transactions as SQLite has them: a reader sees one state, and one writer writes at a time."""

from __future__ import annotations

from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.pool import PoolProxiedConnection

from highlighter.errors import HighlighterError
from highlighter.locale import N_
from highlighter.store.dialects.postgresql.text_escapes import dump_json, load_json, register_text_escapes

LOCK_TIMEOUT_MS = 60_000  # how long a writer waits for another
CONNECT_TIMEOUT_SECONDS = 5
# A machine that vanishes holds its locks until the server notices, which by default takes two hours; so, a minute.
KEEPALIVES = {"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}
SCHEMA = "schema"  # the value of the option `write` of a transaction that creates the tables
# Chosen at random; other programs that take advisory locks in the same database have numbers of their own.
SCHEMA_LOCK_NUMBER = 7_270_318_934_105_601


class DriverMissing(HighlighterError):
    """The error for a PostgreSQL address without the driver for it."""

    title = "A package is missing"

    def __init__(self) -> None:
        super().__init__(N_("PostgreSQL needs the package psycopg: pip install 'highlighter[postgresql]'."))


def create_postgresql_engine(url: URL) -> Engine:
    """Return the engine for an address; nothing connects yet."""
    try:
        import psycopg  # noqa: F401
    except ImportError as err:
        raise DriverMissing from err
    # Compiling a query takes longer than running it: a search would take a fifth longer.
    session = {
        "lock_timeout": LOCK_TIMEOUT_MS,
        "jit": "off",
        **{f"tcp_{name}": value for name, value in KEEPALIVES.items()},
    }
    defaults: dict[str, Any] = {
        "connect_timeout": CONNECT_TIMEOUT_SECONDS,
        "options": " ".join(f"-c {name}={value}" for name, value in session.items()),
        **KEEPALIVES,
        "application_name": "highlighter",
    }
    engine = create_engine(
        url,
        pool_size=8,
        max_overflow=24,
        pool_pre_ping=True,  # a server that was restarted is noticed before a request is lost
        connect_args={name: value for name, value in defaults.items() if name not in url.query},
        json_serializer=dump_json,
        json_deserializer=load_json,
        hide_parameters=True,  # errors are logged, and values are texts of documents
    )
    event.listen(engine, "connect", _configure_connection)
    event.listen(engine, "begin", _begin_transaction)
    return engine


def _configure_connection(connection: Any, _record: object) -> None:
    register_text_escapes(connection.adapters)


def _begin_transaction(connection: Connection) -> None:
    """Begin a transaction in the mode that its options ask for.

    A reader sees one state of the catalog, whatever is committed meanwhile. A writer first locks the row that counts
    writes, so writers follow each other as in SQLite: numbers become visible in their order, and what a writer has read
    stays true until it commits. Its statements must see what the writer before committed, so each sees the latest state.
    """
    from psycopg import IsolationLevel

    options = connection.get_execution_options()
    if options.get("isolation_level") == "AUTOCOMMIT":
        return
    proxied: PoolProxiedConnection = connection.connection
    driver: Any = proxied.driver_connection
    is_writer = bool(options.get("write"))
    driver.isolation_level = IsolationLevel.READ_COMMITTED if is_writer else IsolationLevel.REPEATABLE_READ
    driver.read_only = not is_writer
    if is_writer and options["write"] != SCHEMA and connection.execute(_COUNT_WRITE).rowcount != 1:
        raise LookupError("the row that counts writes is missing from catalog_counters")


_COUNT_WRITE = text("UPDATE catalog_counters SET value = value + 1 WHERE name = 'writes'")
_READ_WRITES = text("SELECT value FROM catalog_counters WHERE name = 'writes'")


def lock_schema(connection: Connection) -> None:
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({SCHEMA_LOCK_NUMBER})")


class WriteCounter:
    """The number of committed writes to the database, by any process."""

    def __init__(self, engine: Engine):
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")

    def version(self) -> int:
        """Return the number of writes. It changes in the transaction that writes, so it is visible exactly with its rows."""
        with self._engine.connect() as connection:
            return int(connection.execute(_READ_WRITES).scalar_one())

    def close(self) -> None:
        """Do nothing: the engine closes its connections."""
