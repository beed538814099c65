"""Dumps of the catalog's database by PostgreSQL's own programs, for backups."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, inspect, make_url, text

from highlighter.errors import HighlighterError
from highlighter.locale import N_
from highlighter.secret import Secret
from highlighter.store.dialects.postgresql.connections import create_postgresql_engine
from highlighter.store.storage_errors import CatalogExists

FILE_NAME = "catalog.dump"


class DumpFailed(HighlighterError):
    """The error for a program of PostgreSQL that is missing or failed."""

    title = N_("A program of PostgreSQL failed")


@contextmanager
def copy_catalog(engine: Engine, folder: Path) -> Iterator[Connection]:
    """Dump one state of the database, and yield a connection that reads the same state."""
    with engine.connect() as connection, connection.begin():
        snapshot = connection.scalar(text("SELECT pg_export_snapshot()"))
        _run(["pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--file={folder / FILE_NAME}"], engine.url)
        yield connection


def require_no_catalog(database_url: Secret) -> None:
    engine = create_postgresql_engine(make_url(database_url.reveal()))
    try:
        if inspect(engine).has_table("documents"):
            raise CatalogExists(str(engine.url.database))
    finally:
        engine.dispose()


def restore_catalog(folder: Path, database_url: Secret) -> None:
    command = ["pg_restore", "--no-owner", "--exit-on-error", "--single-transaction", str(folder / FILE_NAME)]
    _run(command, make_url(database_url.reveal()))


def _run(command: Sequence[str], url: URL) -> None:
    """Run a program on a database. The password goes by the environment: every user can read command lines."""
    address = format_address(url)
    variables = os.environ | ({"PGPASSWORD": str(url.password)} if url.password else {})
    try:
        ended = subprocess.run([*command, f"--dbname={address}"], env=variables, capture_output=True, text=True)
    except FileNotFoundError as err:
        raise DumpFailed(
            N_(
                "{program} is not on this machine: install PostgreSQL's client programs, of the server's version or newer.",
                program=command[0],
            )
        ) from err
    if ended.returncode:
        lines = ended.stderr.strip().splitlines() or [f"it ended with {ended.returncode}"]
        raise DumpFailed(N_("{program}: {problem}", program=command[0], problem=lines[-1]))


def format_address(url: URL) -> str:
    """Return an address for PostgreSQL's programs, without its password."""
    return url._replace(drivername="postgresql", password=None).render_as_string(hide_password=False)
