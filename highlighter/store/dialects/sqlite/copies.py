"""Copies of the catalog's file, for backups."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine

from highlighter.store.dialects.sqlite.connections import create_sqlite_engine
from highlighter.store.files import fsync_folder
from highlighter.store.storage_errors import CatalogExists

FILE_NAME = "catalog.sqlite"


@contextmanager
def copy_catalog(engine: Engine, folder: Path) -> Iterator[Connection]:
    """Copy the file in one step of SQLite's backup: it reads one state, and writers need not wait."""
    path = folder / FILE_NAME
    path.unlink(missing_ok=True)
    with closing(engine.raw_connection()) as source, closing(sqlite3.connect(path)) as target:
        connection: Any = source.driver_connection
        connection.backup(target)
    copied = create_sqlite_engine(path)
    try:
        with copied.connect() as reader:
            yield reader
    finally:
        copied.dispose()


def require_no_catalog(data_dir: Path) -> None:
    if (data_dir / FILE_NAME).exists():
        raise CatalogExists(str(data_dir / FILE_NAME))


def restore_catalog(folder: Path, data_dir: Path) -> None:
    target = data_dir / FILE_NAME
    for suffix in ("-wal", "-shm"):  # of a file that was removed: SQLite would add their pages to the new one
        (data_dir / f"{FILE_NAME}{suffix}").unlink(missing_ok=True)
    partial = data_dir / f"{FILE_NAME}.partial"
    shutil.copyfile(folder / FILE_NAME, partial)
    with partial.open("rb") as file:
        os.fsync(file.fileno())
    os.replace(partial, target)
    fsync_folder(data_dir)
