"""The database of the catalog: a SQLite file in the data folder, or a PostgreSQL server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, make_url
from sqlalchemy.exc import DatabaseError

from highlighter.secret import Secret
from highlighter.store.dialects.postgresql.connections import create_postgresql_engine
from highlighter.store.dialects.sqlite.connections import create_sqlite_engine
from highlighter.store.migration import upgrade_schema
from highlighter.store.storage_errors import (
    CatalogDamaged,
    convert_unreachable_error,
    is_catalog_damage,
    is_catalog_unreachable,
)

MAX_VALUES_PER_QUERY = 500  # below SQLite's limit on parameters of a statement
CATALOG_FILE_NAME = "catalog.sqlite"


def open_catalog_database(data_dir: Path, database_url: Secret) -> Engine:
    """Open the database that the settings name: the PostgreSQL server, or the SQLite file in the data folder."""
    data_dir.mkdir(parents=True, exist_ok=True)
    return open_database(database_url if database_url else data_dir / CATALOG_FILE_NAME)


def open_database(address: Path | Secret) -> Engine:
    """Open a database, creating or upgrading its tables.

    Raises CatalogDamaged when SQLite cannot read the file, CatalogUnreachable when no PostgreSQL server answers.
    """
    if isinstance(address, Secret):
        engine = create_postgresql_engine(make_url(address.reveal()))
    else:
        engine = create_sqlite_engine(address)
    try:
        upgrade_schema(engine)
    except DatabaseError as err:
        engine.dispose()
        if is_catalog_damage(err):
            raise CatalogDamaged from err
        if is_catalog_unreachable(err):
            raise convert_unreachable_error(err) from err
        raise
    except BaseException:
        engine.dispose()
        raise
    return engine


def export_address(engine: Engine) -> str:
    """Return the address of a database with its password, for a child process that opens it by `parse_address`."""
    url = engine.url
    return str(url.database) if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=False)


def parse_address(address: str) -> Path | Secret:
    """Return the address that `export_address` returned as a text."""
    return Secret(address) if "://" in address else Path(address)


@contextmanager
def write_transaction(engine: Engine) -> Iterator[Connection]:
    """Begin a transaction that holds the write lock from its first statement, so that two writers cannot deadlock."""
    with engine.connect().execution_options(write=True) as connection, connection.begin():
        yield connection
