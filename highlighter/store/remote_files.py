"""Files in an S3-compatible storage, with local copies of those in use.

Keys are the paths of the local store, so a folder becomes a storage by copying it. The storage decides what exists; a local
copy is used as long as its hash is right, and can be removed at any time.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from cachetools import LRUCache

from highlighter.locale import N_
from highlighter.models import Document
from highlighter.store.file_cache import FileCache
from highlighter.store.files import RENDERED_FOLDER_NAME, FileStore, StagedOriginal
from highlighter.store.locks import Locks
from highlighter.store.object_storage import ObjectStorage, compute_entity_tag
from highlighter.store.presigned_urls import sign_url
from highlighter.store.storage_errors import FilesUnavailable, is_disk_full

OWNER_KEY = "catalog"
SEAL_BYTES = 32
MIN_SIGNED_BYTES = 4 << 20  # smaller originals are sent sooner than a browser has followed a redirect
SIGNED_SECONDS = 300  # for a download to begin
# An original is stored before its document is recorded, perhaps by another machine: a new one is no orphan yet.
MIN_ORPHAN_AGE_SECONDS = 3600.0
_MAX_REMEMBERED = 10_000


class RemoteFileStore(FileStore):
    """The files of a catalog in a storage. `root` holds local copies, scratch/ and locks/."""

    def __init__(
        self,
        root: Path,
        storage: ObjectStorage,
        max_cache_bytes: int,
        get_catalog_id: Callable[[], str],
        locks: Locks | None = None,
    ):
        super().__init__(root, locks)
        self.address = storage.access.url
        self.min_orphan_age_seconds = MIN_ORPHAN_AGE_SECONDS
        self.cache = FileCache([self.root / "originals", self.root / "documents"], max_cache_bytes)
        self.storage = storage
        self._get_catalog_id, self._is_owned = get_catalog_id, False
        self._typeset: LRUCache[str, bool] = LRUCache(_MAX_REMEMBERED)  # whether there is an object, by key
        self._entity_tags: LRUCache[str, str] = LRUCache(_MAX_REMEMBERED)  # of right bytes, by SHA-256
        self._remembered_lock = threading.Lock()

    @property
    def problem(self) -> str:
        return self.storage.problem

    def check_available(self) -> None:
        self._check_owner()
        self.storage.check()

    def read_owner(self) -> str:
        return ""  # the owner is recorded in the storage, and _check_owner compares it before each change

    def set_owner(self, catalog_id: str) -> None:
        """Do nothing: `_check_owner` does it."""

    # -- originals -----------------------------------------------------------------------------------------------

    def save_staged_original(self, staged: StagedOriginal) -> None:
        """Store a staged file; it is in the storage, as a whole, when this returns."""
        self._check_owner()
        self.storage.put_file(self._key(self.original_path(staged.sha256)), staged.path)
        super().save_staged_original(staged)
        self.cache.note_new_bytes(staged.size)

    def has_intact_original(self, sha256: str, copy: Path) -> bool:
        """Return whether the storage has the bytes of `copy`, as it describes them; if in doubt, they are sent again."""
        entity_tag = self.storage.read_entity_tag(self._key(self.original_path(sha256)))
        return bool(entity_tag) and entity_tag == compute_entity_tag(copy)

    def compute_original_sha256(self, sha256: str) -> str:
        return self.storage.compute_sha256(self._key(self.original_path(sha256)))

    def has_original(self, sha256: str) -> bool:
        return self.storage.exists(self._key(self.original_path(sha256)))

    def remove_original(self, sha256: str) -> None:
        super().remove_original(sha256)
        self._check_owner()
        self.storage.delete([self._key(self.original_path(sha256))])

    def list_original_hashes(self) -> Iterator[str]:
        for key in self.storage.list_keys("originals", self.min_orphan_age_seconds):
            yield key.rpartition("/")[2]

    # -- generated files -----------------------------------------------------------------------------------------

    def save_generated_folder(self, work: Path, document_id: str, pipeline: int) -> dict[str, str]:
        """Store the files of a finished folder, then remove those of an earlier one, and return their hashes."""
        self._check_owner()
        folder = self._key(self.generated_folder(document_id, pipeline))
        paths = {f"{folder}/{path.relative_to(work).as_posix()}": path for path in work.rglob("*") if path.is_file()}
        size = sum(path.stat().st_size for path in paths.values())
        self.storage.put_files(paths)
        self.storage.delete([key for key in self.storage.list_keys(folder) if key not in paths])
        with self._remembered_lock:
            self._typeset.pop(self._key(self.typeset_pdf_path(document_id, pipeline)), None)
        hashes = super().save_generated_folder(work, document_id, pipeline)
        self.cache.note_new_bytes(size)
        return hashes

    def hash_generated_files(self, document_id: str, pipeline: int) -> dict[str, str]:
        folder = self._key(self.generated_folder(document_id, pipeline))
        keys = sorted(key for key in self.storage.list_keys(folder) if not _is_rendered(key, folder))
        return {key.removeprefix(f"{folder}/"): sha256 for key, sha256 in self.storage.compute_sha256s(keys).items()}

    def has_typeset_pdf(self, document_id: str, pipeline: int) -> bool:
        # Remembered, as every page of a PDF is shown after this question. A pipeline gives the same answer each time.
        path = self.typeset_pdf_path(document_id, pipeline)
        key = self._key(path)
        with self._remembered_lock:
            answer = self._typeset.get(key)
        if answer is None:
            answer = path.is_file() or self.storage.exists(key)
            with self._remembered_lock:
                self._typeset[key] = answer
        return answer

    def count_chunk_pdfs(self, document_id: str, pipeline: int) -> int:
        folder = self.generated_folder(document_id, pipeline) / "chunks"
        return sum(key.endswith(".pdf") for key in self.storage.list_keys(self._key(folder)))

    def rendered_folder(self, document: Document) -> Path:
        folder = super().rendered_folder(document)
        folder.parent.mkdir(parents=True, exist_ok=True)  # the PDF of its pages may be an original, elsewhere
        return folder

    def recognition_folder(self, document_id: str) -> Path:
        """Return the folder of the pages recognised so far: local, and no copy of anything, so it is not evicted."""
        return self.root / "recognised" / document_id

    def remove_generated_files(self, document_id: str) -> None:
        self.remove_generated_copies(document_id)
        self._check_owner()
        self.storage.delete(list(self.storage.list_keys(self._key(self.generated_folder(document_id, 0).parent))))

    def list_copies(self) -> tuple[list[str], list[str]]:
        """Return the hashes of originals, and the ids of documents, of which there are local copies."""
        recognised = (path.name for path in self.root.glob("recognised/*"))
        return list(super().list_original_hashes()), [*super().list_document_ids(), *recognised]

    def remove_original_copy(self, sha256: str) -> None:
        super().remove_original(sha256)

    def remove_generated_copies(self, document_id: str) -> None:
        super().remove_generated_files(document_id)
        shutil.rmtree(self.recognition_folder(document_id), ignore_errors=True)

    def list_document_ids(self) -> Iterator[str]:
        for folder in self.storage.list_folders("documents"):
            yield from (path.rpartition("/")[2] for path in self.storage.list_folders(folder))

    # -- reading -------------------------------------------------------------------------------------------------

    def fetch(self, path: Path, is_expected: Callable[[str], bool]) -> bool:
        """Provide a local copy of a file with the expected hash, and return whether that is what the storage has."""
        self.cache.note_use(path)
        if path.is_file() and super().fetch(path, is_expected):
            return True
        key = self._key(path)
        # One download for all requests that wait for it.
        with self.folder_locks.lock("download-", hashlib.sha256(key.encode()).hexdigest()):
            if path.is_file() and super().fetch(path, is_expected):
                return True
            path.unlink(missing_ok=True)  # altered, or of an earlier reading of the document
            self._download(key, path)
            if super().fetch(path, is_expected):
                return True
            path.unlink(missing_ok=True)
            return False

    def read_rendered(self, document: Document, name: str) -> bytes | None:
        """Return what another machine rendered, or None: also when it was altered, or while the storage does not answer."""
        key = self._key(self.rendered_folder(document) / name)
        with suppress(FilesUnavailable):
            sealed = self.storage.read_bytes(key) or b""
            data, seal = sealed[:-SEAL_BYTES], sealed[-SEAL_BYTES:]
            if hmac.compare_digest(seal, self._seal(key, data)):
                return data
        return None

    def save_rendered(self, document: Document, name: str, data: bytes) -> None:
        key = self._key(self.rendered_folder(document) / name)
        with suppress(FilesUnavailable):
            self._check_owner()
            self.storage.put_bytes(key, data + self._seal(key, data))

    def _seal(self, key: str, data: bytes) -> bytes:
        """Return a code that only this catalog can compute: no hash of what is rendered is recorded anywhere."""
        return hmac.digest(self._get_catalog_id().encode(), key.encode() + b"\0" + data, "sha256")

    def sign_original_url(self, document: Document, media_type: str, disposition: str) -> str:
        """Return an address for a large original whose bytes in the storage are known to be right; otherwise nothing."""
        access = self.storage.access
        if not access.public_endpoint or not access.access_key_id or document.size < MIN_SIGNED_BYTES:
            return ""
        path = self.original_path(document.sha256)
        expected = self._find_entity_tag(document.sha256, path)
        if not expected:
            return ""
        entity_tag, version = self.storage.read_version(self._key(path))
        if entity_tag != expected:
            return ""
        parameters = {"response-content-type": media_type, "response-content-disposition": disposition}
        if version not in ("", "null"):
            parameters["versionId"] = version
        return sign_url(access, access.public_endpoint, self._key(path), parameters, SIGNED_SECONDS)

    def _find_entity_tag(self, sha256: str, path: Path) -> str:
        """Return the entity tag of an original's right bytes; empty as long as there is no local copy of them."""
        with self._remembered_lock:
            entity_tag = self._entity_tags.get(sha256, "")
        if not entity_tag and self.compute_sha256_cached(path) == sha256:
            entity_tag = compute_entity_tag(path)
            with self._remembered_lock:
                self._entity_tags[sha256] = entity_tag
        return entity_tag

    def _download(self, key: str, path: Path) -> None:
        """Copy an object to a path, whole or not at all; nothing if there is no such object."""
        try:
            self._download_once(key, path)
        except OSError as err:
            if not is_disk_full(err):
                raise
            self.cache.evict()
            self._download_once(key, path)

    def _download_once(self, key: str, path: Path) -> None:
        blocks = self.storage.stream(key)
        if blocks is None:
            return
        handle, name = tempfile.mkstemp(dir=self.scratch, prefix=self.scratch_prefix)
        draft = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                for block in blocks:
                    file.write(block)
                size = file.tell()
            path.parent.mkdir(parents=True, exist_ok=True)
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)
        self.cache.note_new_bytes(size)

    # -- ownership -----------------------------------------------------------------------------------------------

    def _check_owner(self) -> None:
        """Raise FilesUnavailable when another catalog uses the storage: what has no row here may have one there."""
        if self._is_owned:
            return
        # Hashed, as the id itself is the key of the seals.
        expected = hashlib.sha256(self._get_catalog_id().encode()).hexdigest().encode()
        owner = self.storage.read_bytes(OWNER_KEY)
        if owner is None:
            with suppress(FileExistsError):  # another catalog was faster
                self.storage.put_bytes(OWNER_KEY, expected, only_new=True)
            owner = self.storage.read_bytes(OWNER_KEY)
        if owner != expected:
            raise FilesUnavailable(
                N_(
                    "The files in {address} belong to another catalog, so nothing is changed there. Administrator: set "
                    "another FILES_URL.",
                    address=self.address,
                )
            )
        self._is_owned = True

    def _key(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()


def _is_rendered(key: str, folder: str) -> bool:
    return key.startswith(f"{folder}/{RENDERED_FOLDER_NAME}/")
