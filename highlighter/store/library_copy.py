"""Copies of a whole library in another place: a PostgreSQL server or a SQLite file, with files in a folder or a storage.

The files come first: a copy that was interrupted goes on with those that are missing. The rows follow in one transaction,
which compares them with those of the source before it ends, so no server ever finds half a catalog. The vector index is left
out, as a server builds it from the catalog.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import ColumnElement, Connection, Engine, Table, delete, exists, func, insert, select, update

from highlighter.errors import HighlighterError
from highlighter.locale import N_
from highlighter.settings import Settings
from highlighter.signed_links import KEY_FILE_NAME
from highlighter.store.catalog import Catalog
from highlighter.store.database import open_catalog_database, write_transaction
from highlighter.store.dialects import get_dialect
from highlighter.store.file_stores import open_file_store
from highlighter.store.files import FileStore
from highlighter.store.schema import (
    audit,
    catalog_identity,
    catalog_values,
    documents,
    idempotent_responses,
    index_generations,
    leases,
    metadata,
    sign_ins,
    texts,
)
from highlighter.store.server_lock import ServerLock
from highlighter.store.table_digest import TableDigest, digest_table

# What belongs to one place: who works there or is signed in, its index, the responses that it gave lately, and its own id,
# so that two catalogs never share files or vectors.
_LOCAL_TABLES = {leases, index_generations, catalog_identity, idempotent_responses, sign_ins}
_ROWS_PER_BATCH, _TEXTS_PER_BATCH = 1000, 20  # a text may have megabytes
_CALIBRATION_FOLDER_NAME = "calibration"
_UNFINISHED, _FINISHED = 0, 1

ProgressCallback = Callable[[str, int, int], None]  # is called with "documents" or "rows", those done, and all


class CopyFailed(HighlighterError):
    """The error for a library that cannot be copied; the sentence says why."""

    title = N_("The library could not be copied")


@dataclass(frozen=True, slots=True)
class Library:
    """The catalog and the files of a library, and the settings by which they are found."""

    settings: Settings
    catalog: Catalog
    files: FileStore


@dataclass(slots=True)
class CopyReport:
    """What a copy holds. The field names are keys of the JSON that `migrate` prints."""

    rows: dict[str, int] = field(default_factory=dict)  # by table
    documents: int = 0
    files: int = 0  # compared by their hashes
    copied_files: int = 0  # by this run; the others were there
    missing: list[str] = field(default_factory=list)  # documents whose original is not stored, or was altered


def copy_library(source: Library, target: Settings, progress: ProgressCallback) -> CopyReport:
    """Copy a library to the place that other settings name. Interrupted and called again, it goes on."""
    _require_two_places(source.settings, target)
    with _keep_servers_off(source.settings.data_dir), _keep_servers_off(target.data_dir):
        engine = open_catalog_database(target.data_dir, target.database_url)
        try:
            files = open_file_store(target, lambda: engine)
            return _Copy(source, engine, files, target.data_dir, progress).run()
        finally:
            engine.dispose()


class _Copy:
    """One run of copying a library."""

    def __init__(
        self, source: Library, engine: Engine, files: FileStore, data_dir: Path, progress: ProgressCallback
    ) -> None:
        self.source, self.engine, self.files, self.data_dir = source, engine, files, data_dir
        self.progress = progress
        self.report = CopyReport()

    def run(self) -> CopyReport:
        version = self.source.catalog.data_version()
        with self.source.catalog.engine.connect() as snapshot:  # one state of the source, until the end
            mark = _name_mark(snapshot)
            with self._lock(mark):
                is_finished = self._claim_target(mark)
                if is_finished:
                    with self.engine.connect() as connection:
                        self._compare_rows(snapshot, connection)
                self._copy_files(snapshot)
                self._copy_data_folder()
                if not is_finished:
                    self._copy_rows(snapshot, mark, version)
        return self.report

    @contextmanager
    def _lock(self, mark: str) -> Iterator[None]:
        with self.files.locks.try_lock("copy-", hashlib.sha256(mark.encode()).hexdigest()) as is_free:
            if not is_free:
                raise CopyFailed(N_("Another process copies this library to the same place."))
            yield

    def _claim_target(self, mark: str) -> bool:
        """Mark the target as a copy of this library, and return whether it is a finished one. Others must be empty."""
        with write_transaction(self.engine) as connection:
            marks = select(catalog_values.c.name, catalog_values.c.value).where(~_is_no_mark())
            states: dict[str, int] = {row.name: row.value for row in connection.execute(marks)}
            state = states.get(mark)
            if state != _FINISHED:
                self._require_no_rows(connection)
            if states and state is None:
                raise self._create_occupied_error()
            if state is None:
                connection.execute(insert(catalog_values).values(name=mark, value=_UNFINISHED))
        return state == _FINISHED

    def _require_no_rows(self, connection: Connection) -> None:
        for table in _list_tables():
            if table is not catalog_values and connection.scalar(select(exists().select_from(table))):
                raise self._create_occupied_error()

    def _create_occupied_error(self) -> CopyFailed:
        return CopyFailed(
            N_(
                "{place} holds another library: name an empty database, or a folder that does not exist.",
                place=get_dialect(self.engine).describe(self.engine),
            )
        )

    # -- files ---------------------------------------------------------------------------------------------------

    def _copy_files(self, snapshot: Connection) -> None:
        stored = snapshot.execute(select(documents.c.id, documents.c.name, documents.c.sha256)).all()
        readings: dict[str, list[int]] = {}
        for id, pipeline in snapshot.execute(select(texts.c.document_id, texts.c.pipeline)):
            readings.setdefault(id, []).append(pipeline)
        for done, document in enumerate(stored):
            self.progress("documents", done, len(stored))
            if not self._copy_original(document.sha256):
                self.report.missing.append(document.name)
            for pipeline in readings.get(document.id, ()):
                self._copy_generated_files(document.id, pipeline)
        self.progress("documents", len(stored), len(stored))
        self.report.documents = len(stored)

    def _copy_original(self, sha256: str) -> bool:
        """Copy an original unless it is there, and return whether the source has it as it was uploaded."""
        path = self.source.files.original_path(sha256)
        if not self.source.files.fetch(path, lambda stored: stored == sha256) or not path.is_file():
            return False
        if not self.files.has_intact_original(sha256, path):
            with path.open("rb") as file:
                saved, _ = self.files.save_original(file)
            if saved != sha256:
                return False
            self.report.copied_files += 1
        self.report.files += 1
        return True

    def _copy_generated_files(self, document_id: str, pipeline: int) -> None:
        source, target = self.source.files, self.files
        hashes = source.hash_generated_files(document_id, pipeline)
        self.report.files += len(hashes)
        if not hashes or target.hash_generated_files(document_id, pipeline) == hashes:
            return
        work, folder = target.create_work_folder(), source.generated_folder(document_id, pipeline)
        try:
            for name, sha256 in hashes.items():
                source.fetch(folder / name, sha256.__eq__)
                (work / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(folder / name, work / name)
            if target.save_generated_folder(work, document_id, pipeline) != hashes:
                raise CopyFailed(N_("The files of the library changed while they were copied: run the command again."))
        finally:
            shutil.rmtree(work, ignore_errors=True)
        self.report.copied_files += len(hashes)

    def _copy_data_folder(self) -> None:
        """Copy what is beside the catalog and the files: the key that signs links, and the calibration of scores."""
        key = self.source.settings.data_dir / KEY_FILE_NAME
        if key.is_file():
            shutil.copy2(key, self.data_dir / KEY_FILE_NAME)
        calibration = self.source.settings.data_dir / _CALIBRATION_FOLDER_NAME
        if calibration.is_dir():
            shutil.copytree(calibration, self.data_dir / _CALIBRATION_FOLDER_NAME, dirs_exist_ok=True)

    # -- rows ----------------------------------------------------------------------------------------------------

    def _copy_rows(self, snapshot: Connection, mark: str, version: int) -> None:
        """Copy and compare all rows in one transaction."""
        dialect = get_dialect(self.engine)
        total = sum(snapshot.execute(select(func.count()).select_from(table)).scalar_one() for table in _list_tables())
        done = 0
        with write_transaction(self.engine) as connection:
            self._require_no_rows(connection)
            connection.execute(delete(catalog_values).where(_is_no_mark()))
            dialect.begin_copy(connection)
            for table in _list_tables():
                for batch in _read_batches(snapshot, table):
                    connection.execute(insert(table), batch)
                    done += len(batch)
                    self.progress("rows", done, total)
            dialect.end_copy(connection, get_dialect(snapshot).count_audit_rows(snapshot))
            self._compare_rows(snapshot, connection)
            if self.source.catalog.data_version() != version:
                raise CopyFailed(
                    N_(
                        "The library was changed while it was copied. Stop what writes to it, and run the command again."
                    )
                )
            finished = update(catalog_values).where(catalog_values.c.name == mark).values(value=_FINISHED)
            connection.execute(finished)

    def _compare_rows(self, snapshot: Connection, connection: Connection) -> None:
        """Compare the numbers of rows, and all their values, table by table."""
        for table in _list_tables():
            rows, copied = _digest(snapshot, table), _digest(connection, table)
            if rows != copied:
                raise CopyFailed(
                    N_(
                        "The table {table} has {rows} rows, and in the copy {copied}, or others: the library or its copy was "
                        "changed since. Name an empty place.",
                        table=table.name,
                        rows=rows.rows,
                        copied=copied.rows,
                    )
                )
            self.report.rows[table.name] = rows.rows


def _list_tables() -> list[Table]:
    """Return the tables that are copied, each after those that it refers to."""
    return [table for table in metadata.sorted_tables if table not in _LOCAL_TABLES]


def _read_batches(snapshot: Connection, table: Table) -> Iterator[list[dict[str, object]]]:
    size = _TEXTS_PER_BATCH if table is texts else _ROWS_PER_BATCH
    query = select(table).execution_options(yield_per=size)
    if table is catalog_values:
        query = query.where(_is_no_mark())
    keys = [column.key for column in table.columns]
    for rows in snapshot.execute(query).partitions():
        yield [dict(zip(keys, row, strict=True)) for row in rows]


def _digest(connection: Connection, table: Table) -> TableDigest:
    return digest_table(connection, select(table).where(_is_no_mark()) if table is catalog_values else select(table))


# A row of `marks` says that the catalog is a copy of a library, and whether it is finished.
_MARK_PREFIX = "copy of "


def _is_no_mark() -> ColumnElement[bool]:
    return ~catalog_values.c.name.startswith(_MARK_PREFIX)


def _name_mark(snapshot: Connection) -> str:
    """Return the name of the mark of copies of a library: it is recognised by the first row of its audit, which never changes."""
    first = snapshot.execute(select(audit).order_by(audit.c.seq).limit(1)).first()
    return _MARK_PREFIX + hashlib.sha256(repr(tuple(first or ())).encode()).hexdigest()[:32]


def _require_two_places(source: Settings, target: Settings) -> None:
    is_same_folder = source.data_dir.resolve() == target.data_dir.resolve()
    is_same_catalog = source.database_url == target.database_url and (bool(source.database_url) or is_same_folder)
    if is_same_catalog:
        raise CopyFailed(N_("The library is there already: name another place."))
    if is_same_folder or (source.files_url and source.files_url == target.files_url):
        raise CopyFailed(
            N_("The copy needs files of its own: name another address by --files, or another folder by --folder.")
        )


@contextmanager
def _keep_servers_off(data_dir: Path) -> Iterator[None]:
    lock = ServerLock(data_dir)
    if lock.is_held():
        raise CopyFailed(
            N_(
                "A server is using {folder}. Stop it first: what it writes meanwhile would be missing in the copy.",
                folder=data_dir,
            )
        )
    lock.acquire(timeout_seconds=0)
    try:
        yield
    finally:
        lock.release()
