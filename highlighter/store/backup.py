"""Backups: one state of the catalog with the files of its documents, made while the service works.

A backup is a folder: `manifest.json`, the catalog (a SQLite file, or a dump of PostgreSQL), `files/` as in the data folder, and
the key that signs links. The vector index is left out, as it is built again. Files with an address of their own are in a storage
that has backups of its own.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, select

from highlighter.errors import HighlighterError
from highlighter.locale import N_
from highlighter.models import UNFINISHED
from highlighter.settings import Settings
from highlighter.signed_links import KEY_FILE_NAME
from highlighter.store.audit_log import current_timestamp, read_head
from highlighter.store.catalog import Catalog
from highlighter.store.database import CATALOG_FILE_NAME, open_catalog_database, write_transaction
from highlighter.store.dialects import DIALECT_NAMES, get_dialect, get_dialect_named
from highlighter.store.files import COPY_BUFFER_BYTES, RENDERED_FOLDER_NAME, FileStore, fsync_folder
from highlighter.store.schema import catalog_identity, documents, sign_ins
from highlighter.store.server_lock import ServerLock
from highlighter.store.storage_errors import is_disk_full
from highlighter.version import __version__

MANIFEST_NAME, FILES_FOLDER_NAME = "manifest.json", "files"
FORMAT = 1
# A document that is deleted while its files are copied needs a later state of the catalog.
MAX_ATTEMPTS = 5

ProgressCallback = Callable[[int, int], None]  # is called with the documents done and all


class BackupFailed(HighlighterError):
    """The error for a backup that cannot be made or restored; the sentence says why."""

    title = N_("The backup failed")


@dataclass(slots=True)
class BackupReport:
    """What a backup holds. The field names are keys of the JSON that `backup` prints."""

    path: str
    documents: int = 0
    files: int = 0
    bytes: int = 0
    linked: int = 0  # files shared with the previous backup
    missing: list[str] = field(default_factory=list)  # documents whose original is not stored, or was altered
    storage: str = ""  # the address of files that are elsewhere


@dataclass(frozen=True, slots=True)
class _StoredDocument:
    id: str
    name: str
    sha256: str
    is_unfinished: bool


class BackupWriter:
    """Copies the files of documents into the folder of a backup, each document once."""

    def __init__(self, catalog: Catalog, files: FileStore, folder: Path, previous: Path | None, report: BackupReport):
        self.catalog, self.files = catalog, files
        self.folder = folder
        self.previous = previous / FILES_FOLDER_NAME if previous else None
        self.report = report
        self._copied: set[_StoredDocument] = set()

    def copy_document(self, document: _StoredDocument) -> bool:
        """Copy the original and the generated files. Return False when the original is not there as it was uploaded."""
        if document in self._copied:
            return True
        # While a document is read, its files are replaced. One that is being read is not waited for: it is read again
        # where the backup is restored.
        lock = self.files.try_lock_document if document.is_unfinished else self.files.lock_document
        with lock(document.id) as is_locked:
            try:
                if self._copy(self.files.original_path(document.sha256)) != document.sha256:
                    return False
                for path in [] if is_locked is False else self._list_generated_files(document.id):
                    self._copy(path)
            except FileNotFoundError:  # deleted meanwhile
                return False
        if (
            self.catalog.document(document.id) is None
        ):  # its rows go before its files, some of which may be missing here
            return False
        self._copied.add(document)
        return True

    def _list_generated_files(self, document_id: str) -> Iterator[Path]:
        folder = self.files.generated_folder(document_id, 0).parent
        for path in sorted(folder.rglob("*")):
            if path.is_file() and RENDERED_FOLDER_NAME not in path.relative_to(folder).parts:
                yield path

    def _copy(self, source: Path) -> str:
        """Copy a file, or link to the same file of the previous backup, and return its SHA-256."""
        place = source.relative_to(self.files.root)
        target = self.folder / FILES_FOLDER_NAME / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        digest, size = hashlib.sha256(), 0
        earlier = self.previous / place if self.previous else None
        with source.open("rb") as read, target.open("wb") as written:
            while block := read.read(COPY_BUFFER_BYTES):
                digest.update(block)
                size += len(block)
                written.write(block)
            written.flush()
            os.fsync(written.fileno())
        if earlier and _is_same(earlier, size, digest.hexdigest()) and _replace_by_link(target, earlier):
            self.report.linked += 1
        self.report.files, self.report.bytes = self.report.files + 1, self.report.bytes + size
        return digest.hexdigest()


def create_backup(
    catalog: Catalog,
    files: FileStore,
    data_dir: Path,
    target: Path,
    previous: Path | None = None,
    progress: ProgressCallback = lambda done, total: None,
) -> BackupReport:
    """Write a backup to a folder that does not exist yet; it appears there when it is complete."""
    if target.exists():
        raise BackupFailed(N_("{folder} exists already: name a folder that does not.", folder=target))
    if previous and not (previous / MANIFEST_NAME).is_file():
        raise BackupFailed(N_("{folder} is not a backup.", folder=previous))
    partial = target.with_name(f"{target.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)  # of a backup that was interrupted
    with _convert_errors():
        partial.mkdir(parents=True, mode=0o700)  # it holds every document
    try:
        with _convert_errors():
            report = _fill_folder(catalog, files, data_dir, partial, previous, progress)
            os.replace(partial, target)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    fsync_folder(target.parent)
    report.path = str(target)
    return report


def _fill_folder(
    catalog: Catalog, files: FileStore, data_dir: Path, folder: Path, previous: Path | None, progress: ProgressCallback
) -> BackupReport:
    report = BackupReport(str(folder), storage=files.address)
    writer = BackupWriter(catalog, files, folder, previous, report)
    for _ in range(MAX_ATTEMPTS):
        with get_dialect(catalog.engine).copy_catalog(catalog.engine, folder) as connection:
            stored, head = _list_documents(connection), read_head(connection)
        failed = [] if files.address else _copy_documents(writer, stored, progress)
        if not any(_was_changed(catalog, document) for document in failed):
            break
    report.documents, report.missing = len(stored), [document.name for document in failed]
    _remove_deleted_files(folder, stored)
    if (data_dir / KEY_FILE_NAME).is_file():
        shutil.copy2(data_dir / KEY_FILE_NAME, folder / KEY_FILE_NAME)
    manifest = {
        "format": FORMAT,
        "version": __version__,
        "created": current_timestamp(),
        "database": catalog.engine.dialect.name,
        "catalog": _hash_catalog(folder),
        "head": head._asdict() if head else None,
        **{key: value for key, value in asdict(report).items() if key != "path"},
    }
    with (folder / MANIFEST_NAME).open("w", encoding="utf-8") as file:
        file.write(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")
        file.flush()
        os.fsync(file.fileno())
    fsync_folder(folder)
    return report


def _was_changed(catalog: Catalog, document: _StoredDocument) -> bool:
    """Return whether a document was deleted, or replaced by other bytes, since the catalog was copied."""
    now = catalog.document(document.id)
    return now is None or now.sha256 != document.sha256


def restore_backup(source: Path, settings: Settings) -> None:
    """Create the data folder, and the catalog, from a backup. Raises CatalogExists where there is a catalog."""
    with _convert_errors():
        manifest = read_manifest(source)
        stored = _list_files(source)
        _check_manifest(manifest, source, settings)
    if ServerLock(settings.data_dir).is_held():
        raise BackupFailed(N_("A server is using {folder}: stop it first.", folder=settings.data_dir))
    dialect = get_dialect_named(manifest["database"])
    dialect.require_no_catalog(settings.data_dir, settings.database_url)
    existing = set(_list_restored(settings.data_dir))
    try:
        with _convert_errors():
            _copy_files(source, stored, settings.data_dir)
            # Last: without a catalog, an interrupted restoration can be begun again.
            dialect.restore_catalog(source, settings.data_dir, settings.database_url)
            _make_separate(settings)
    except BaseException:  # what is half restored is not served, and takes no space
        for path in set(_list_restored(settings.data_dir)) - existing:
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
        raise


def _check_manifest(manifest: dict[str, Any], source: Path, settings: Settings) -> None:
    """Raise BackupFailed for a backup that was altered, or that belongs to another kind of place."""
    if manifest["catalog"] != _hash_catalog(source):
        raise BackupFailed(
            N_("The catalog in {folder} is not the one that was backed up: it was altered or damaged.", folder=source)
        )
    if manifest["storage"] and manifest["storage"] != settings.files_url:
        raise BackupFailed(
            N_("The files of this backup are at {address}: set FILES_URL to it.", address=manifest["storage"])
        )
    if (manifest["database"] == "postgresql") != bool(settings.database_url):
        if settings.database_url:
            raise BackupFailed(N_("The catalog of this backup is a SQLite file: unset DATABASE_URL."))
        raise BackupFailed(
            N_("The catalog of this backup is a dump of PostgreSQL: set DATABASE_URL to an empty database.")
        )


def _list_restored(data_dir: Path) -> list[Path]:
    """Return what a data folder has of what a restored backup puts there."""
    names = (FILES_FOLDER_NAME, KEY_FILE_NAME, f"{CATALOG_FILE_NAME}*")
    return [path for name in names for path in data_dir.glob(name)]


def _make_separate(settings: Settings) -> None:
    """Make a restored catalog one of its own: it must not remove files or vectors that only the original knows."""
    engine = open_catalog_database(settings.data_dir, settings.database_url)
    try:
        with write_transaction(engine) as connection:
            connection.execute(delete(catalog_identity))
            connection.execute(delete(sign_ins))  # some of them may have ended since
    finally:
        engine.dispose()


def _list_files(folder: Path) -> list[Path]:
    """Return the files and the key of a backup by their path in it.

    Raises BackupFailed for anything but files and folders there: a link could lead to a file that is not of the backup.
    """
    names = [path.name for path in folder.glob("catalog.*")]
    pending = [folder / name for name in (*names, KEY_FILE_NAME, FILES_FOLDER_NAME)]
    found = []
    while pending:
        path = pending.pop()
        if not os.path.lexists(path):
            continue
        mode = path.lstat().st_mode
        if stat.S_ISDIR(mode):
            pending += path.iterdir()
        elif stat.S_ISREG(mode):
            found.append(path.relative_to(folder))
        else:
            raise BackupFailed(
                N_("{path} is neither a file nor a folder, and a backup holds nothing else: it was altered.", path=path)
            )
    return [path for path in sorted(found) if str(path) not in names]


def _copy_files(source: Path, stored: list[Path], data_dir: Path) -> None:
    data_dir.mkdir(parents=True, exist_ok=True)
    for path in stored:
        (data_dir / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source / path, data_dir / path, follow_symlinks=False)


@contextmanager
def _convert_errors() -> Iterator[None]:
    """Let a full disk, and files that cannot be read or written, be reported in a sentence."""
    try:
        yield
    except HighlighterError:
        raise
    except Exception as err:
        if is_disk_full(err):
            raise BackupFailed(N_("The disk is full. Free some space, then try again.")) from err
        if isinstance(err, OSError):
            raise BackupFailed(N_("A file cannot be copied: {reason}", reason=str(err))) from err
        raise


def read_manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest = json.loads((folder / MANIFEST_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError) as err:
        raise BackupFailed(
            N_("{folder} is not a complete backup: it has no {name}.", folder=folder, name=MANIFEST_NAME)
        ) from err
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise BackupFailed(N_("{folder} was written by another release: use that one to restore it.", folder=folder))
    is_whole = isinstance(manifest.get("storage"), str) and manifest.get("database") in DIALECT_NAMES
    if not is_whole or not isinstance(manifest.get("catalog"), dict) or not manifest["catalog"]:
        raise BackupFailed(N_("{name} in {folder} was altered or damaged.", name=MANIFEST_NAME, folder=folder))
    return manifest


def _list_documents(connection: Connection) -> list[_StoredDocument]:
    columns = documents.c
    query = select(columns.id, columns.name, columns.sha256, columns.state).order_by(columns.added, columns.id)
    return [_StoredDocument(row.id, row.name, row.sha256, row.state in UNFINISHED) for row in connection.execute(query)]


def _copy_documents(
    writer: BackupWriter, stored: list[_StoredDocument], progress: ProgressCallback
) -> list[_StoredDocument]:
    """Copy the files of all documents, and return those whose files were not all there."""
    failed = []
    for done, document in enumerate(stored, 1):
        if not writer.copy_document(document):
            failed.append(document)
        progress(done, len(stored))
    return failed


def _remove_deleted_files(folder: Path, stored: list[_StoredDocument]) -> None:
    """Remove the files of documents that were deleted between two attempts."""
    known = {document.sha256 for document in stored} | {document.id for document in stored}
    for kind in ("originals", "documents"):
        for path in (folder / FILES_FOLDER_NAME / kind).glob("*/*"):
            if path.name not in known:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def _hash_catalog(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of the copy of the catalog by the name of its file."""
    hashes = {}
    for path in sorted(folder.glob("catalog.*")):
        if path.suffix in (".sqlite", ".dump"):
            with path.open("rb") as file:
                hashes[path.name] = hashlib.file_digest(file, "sha256").hexdigest()
    return hashes


def _replace_by_link(target: Path, earlier: Path) -> bool:
    """Link to a file of an earlier backup; return False where that is on another disk."""
    link = target.with_name(f"{target.name}.link")
    try:
        os.link(earlier, link)
    except OSError:
        return False
    os.replace(link, target)
    return True


def _is_same(path: Path, size: int, sha256: str) -> bool:
    if not path.is_file() or path.stat().st_size != size:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == sha256
