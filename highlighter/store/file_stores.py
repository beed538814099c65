"""The choice of where files are stored."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from sqlalchemy import Engine

from highlighter.errors import Unavailable
from highlighter.locale import N_
from highlighter.settings import Settings
from highlighter.store.catalog import Catalog
from highlighter.store.catalog_identity import read_catalog_id
from highlighter.store.dialects.postgresql.session_locks import SessionLocks
from highlighter.store.files import FileStore
from highlighter.store.object_storage import ObjectStorage, StorageAccess
from highlighter.store.remote_files import RemoteFileStore

MAX_ORIGINALS_LOOKED_FOR = 1_000  # of the newest documents, and of the oldest


class FilesElsewhere(Unavailable):
    """The error for a server whose data folder is not that of its database: uploads and files would be in two places."""

    def __init__(self, folder: Path):
        super().__init__(
            N_(
                "None of the files of the documents in the database is in {folder}. Set the DATA_DIR that has them, or "
                "FILES_URL where several machines share a database. If they are lost, add one again with python -m ingest.",
                folder=folder,
            )
        )


def open_file_store(settings: Settings, get_engine: Callable[[], Engine]) -> FileStore:
    """Return the file store of the settings: in the data folder, or in the storage at FILES_URL.

    The catalog is opened only when files elsewhere are first used.
    """
    locks = SessionLocks(get_engine) if settings.database_url else None
    if not settings.files_url:
        return FileStore(settings.data_dir / "files", locks)
    access = StorageAccess(
        settings.files_url,
        settings.aws_endpoint_url,
        settings.aws_region or settings.aws_default_region,
        settings.aws_access_key_id,
        settings.aws_secret_access_key,
        settings.aws_session_token,
        settings.files_public_url,
    )
    # Beside the folder of a local store, whose files are no copies and must not be evicted.
    root, max_cache_bytes = settings.data_dir / "file-cache", settings.files_cache_mb << 20
    get_catalog_id = cache(lambda: read_catalog_id(get_engine()))
    return RemoteFileStore(root, ObjectStorage(access), max_cache_bytes, get_catalog_id, locks)


def has_files_elsewhere(settings: Settings, catalog: Catalog, files: FileStore) -> bool:
    """Return whether a database on a server has documents, and the data folder the original of none of them."""
    if not settings.database_url or settings.files_url:
        return False
    hashes = catalog.list_hashes(MAX_ORIGINALS_LOOKED_FOR)
    return bool(hashes) and not any(map(files.has_original, hashes))
