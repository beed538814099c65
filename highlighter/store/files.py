"""The files beside the catalog: originals, typeset PDFs, chunk PDFs. No file name comes from a user."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from cachetools import LRUCache

from highlighter.models import Document
from highlighter.operating_system import is_process_running
from highlighter.store.locks import FolderLocks, Locks

COPY_BUFFER_BYTES = 1 << 20
TYPESET_PDF_NAME = "typeset.pdf"
RENDERED_FOLDER_NAME = "drawn"
OWNER_FILE_NAME = "owner"
_MAX_CACHED_HASHES = 10_000


@dataclass(frozen=True, slots=True)
class StagedOriginal:
    """A complete copy of a file in scratch, with the hash and size of its bytes."""

    path: Path
    sha256: str
    size: int


class FileStore:
    """The folder with originals/ (named by SHA-256), documents/ID/PIPELINE/ (generated files), scratch/, locks/ and the id
    of the catalog that owns it.

    `highlighter.store.remote_files.RemoteFileStore` stores the same files elsewhere; a path is then that of a local copy,
    which `fetch` provides.
    """

    address = ""  # where the files are, if elsewhere

    def __init__(self, root: Path, locks: Locks | None = None):
        self.root = root.resolve()
        self.folder_locks = FolderLocks(self.root / "locks")
        self.locks = locks or self.folder_locks  # the processes that share the files have the same
        self.scratch = self.root / "scratch"
        self.scratch_prefix = f"{os.getpid()}-"  # of everything this process puts into scratch
        # (document id, SHA-256) of deleted documents whose files could not be removed, and are tried again.
        self.removals: set[tuple[str, str]] = set()
        self._hashes: LRUCache[Path, tuple[tuple[int, ...], str]] = LRUCache(_MAX_CACHED_HASHES)
        self._hashes_lock = threading.Lock()
        for folder in ("originals", "documents", "scratch", "locks"):
            (self.root / folder).mkdir(parents=True, exist_ok=True)

    def read_owner(self) -> str:
        """Return the id of the catalog that owns the folder; empty as long as none does."""
        path = self.root / OWNER_FILE_NAME
        return path.read_text(encoding="ascii") if path.is_file() else ""

    def set_owner(self, catalog_id: str) -> None:
        """Record whose files these are, by which another catalog knows that it must not remove any."""
        if self.read_owner() != catalog_id:
            (self.root / OWNER_FILE_NAME).write_text(catalog_id, encoding="ascii")

    # -- originals -----------------------------------------------------------------------------------------------

    def save_original(self, source: BinaryIO) -> tuple[str, int]:
        """Store the bytes of a file, whole or not at all, and return their SHA-256 and size."""
        with self.stage_original(source) as staged:
            self.save_staged_original(staged)
        return staged.sha256, staged.size

    @contextmanager
    def stage_original(self, source: BinaryIO) -> Iterator[StagedOriginal]:
        """Copy the bytes of a file into scratch, hash them on the way, and remove a copy that is not saved."""
        digest, size = hashlib.sha256(), 0
        copy = tempfile.NamedTemporaryFile(dir=self.scratch, prefix=self.scratch_prefix, delete=False)  # noqa: SIM115
        path = Path(copy.name)
        try:
            with copy:
                while block := source.read(COPY_BUFFER_BYTES):
                    digest.update(block)
                    size += len(block)
                    copy.write(block)
            yield StagedOriginal(path, digest.hexdigest(), size)
        finally:
            path.unlink(missing_ok=True)

    def save_staged_original(self, staged: StagedOriginal) -> None:
        """Move a staged file to its place among the originals; it is on disk when this returns."""
        with staged.path.open("rb") as file:
            os.fsync(file.fileno())
        target = self.original_path(staged.sha256)
        target.parent.mkdir(exist_ok=True)
        os.replace(staged.path, target)
        fsync_folder(target.parent)

    def has_intact_original(self, sha256: str, copy: Path) -> bool:
        """Return whether the original of a hash is stored and undamaged. `copy` is a file with the same bytes."""
        return self.compute_sha256_cached(self.original_path(sha256)) == sha256

    def compute_original_sha256(self, sha256: str) -> str:
        """Return the SHA-256 of the bytes that are stored under a hash now; empty when there are none."""
        return self.compute_sha256(self.original_path(sha256))

    def has_original(self, sha256: str) -> bool:
        return self.original_path(sha256).is_file()

    def original_path(self, sha256: str) -> Path:
        return self.root / "originals" / sha256[:2] / sha256

    # -- generated files -----------------------------------------------------------------------------------------

    def generated_folder(self, document_id: str, pipeline: int) -> Path:
        return self.root / "documents" / document_id[:2] / document_id / str(pipeline)

    def chunk_pdf_path(self, document_id: str, pipeline: int, index: int) -> Path:
        return self.generated_folder(document_id, pipeline) / "chunks" / f"{index}.pdf"

    def typeset_pdf_path(self, document_id: str, pipeline: int) -> Path:
        """Return the path of the typeset pages: of a DOCX or TXT, or of a scan with recognised text."""
        return self.generated_folder(document_id, pipeline) / TYPESET_PDF_NAME

    def paged_pdf_path(self, document: Document) -> Path:
        """Return the path of the PDF whose pages the document's source map refers to."""
        if document.kind == "pdf" and not self.has_typeset_pdf(document.id, document.pipeline):
            return self.original_path(document.sha256)
        return self.typeset_pdf_path(document.id, document.pipeline)

    def has_typeset_pdf(self, document_id: str, pipeline: int) -> bool:
        return self.typeset_pdf_path(document_id, pipeline).is_file()

    def count_chunk_pdfs(self, document_id: str, pipeline: int) -> int:
        return sum(1 for _ in self.generated_folder(document_id, pipeline).glob("chunks/*.pdf"))

    def rendered_folder(self, document: Document) -> Path:
        """Return the folder of rendered page images, which can be rendered again at any time."""
        return self.generated_folder(document.id, document.pipeline) / RENDERED_FOLDER_NAME

    def save_generated_folder(self, work: Path, document_id: str, pipeline: int) -> dict[str, str]:
        """Move a finished folder into its place, and return the SHA-256 of each of its files by relative path.

        If the process is killed in between, the next ingestion does it again.
        """
        target, hashes = self.generated_folder(document_id, pipeline), {}
        for path in work.rglob("*"):
            if path.is_file():
                with path.open("rb") as file:
                    os.fsync(file.fileno())
                    hashes[str(path.relative_to(work))] = hashlib.file_digest(file, "sha256").hexdigest()
        target.parent.mkdir(parents=True, exist_ok=True)
        replaced = self.create_work_folder() if target.exists() else None
        if replaced:
            os.replace(target, replaced / "replaced")
        os.replace(work, target)
        fsync_folder(target.parent)
        if replaced:
            shutil.rmtree(replaced, ignore_errors=True)
        return hashes

    def hash_generated_files(self, document_id: str, pipeline: int) -> dict[str, str]:
        """Return the SHA-256 of each stored generated file by relative path, without the rendered images."""
        folder = self.generated_folder(document_id, pipeline)
        paths = sorted(
            path
            for path in folder.rglob("*")
            if path.is_file() and path.relative_to(folder).parts[0] != RENDERED_FOLDER_NAME
        )
        return {str(path.relative_to(folder)): self.compute_sha256(path) for path in paths}

    # -- reading -------------------------------------------------------------------------------------------------

    def fetch(self, path: Path, is_expected: Callable[[str], bool]) -> bool:
        """Provide the file of a path, and return whether its SHA-256 is as expected; True as well when there is no file."""
        sha256 = self.compute_sha256_cached(path)
        return not sha256 or is_expected(sha256)

    def read_rendered(self, document: Document, name: str) -> bytes | None:
        """Return what another machine rendered, or None."""
        return None

    def save_rendered(self, document: Document, name: str, data: bytes) -> None:
        """Save what was rendered for other machines, if possible."""

    def sign_original_url(self, document: Document, media_type: str, disposition: str) -> str:
        """Return an address at which a browser may read the original for a while; empty: only here."""
        return ""

    @property
    def problem(self) -> str:
        """Return why files cannot be read, in words; empty while they can be."""
        return ""

    def check_available(self) -> None:
        """Raise FilesUnavailable when files cannot be read or removed now."""

    # -- hashes --------------------------------------------------------------------------------------------------

    def compute_sha256(self, path: Path) -> str:
        """Return the SHA-256 of a file as it is now; empty when there is no such file."""
        try:
            with path.open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except (FileNotFoundError, NotADirectoryError):
            return ""

    def compute_sha256_cached(self, path: Path) -> str:
        """Return the SHA-256 of a file, hashing it again only when its size, times or inode changed.

        Hashing a large original would take seconds at each request, and hashing it while it is sent would be too late.
        Programs cannot set the time of the last change (ctime), so every write is noticed. Bytes that a failing disk
        changes without a write are noticed after the next start, and by `doctor` and `verify`.
        """
        try:
            status = path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return ""
        stamp = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_dev)
        with self._hashes_lock:
            cached = self._hashes.get(path)
        if cached is None or cached[0] != stamp:
            cached = stamp, self.compute_sha256(path)
            with self._hashes_lock:
                self._hashes[path] = cached
        return cached[1]

    def create_work_folder(self) -> Path:
        """Create an empty folder for work in progress, on the same disk as the results."""
        return Path(tempfile.mkdtemp(dir=self.scratch, prefix=self.scratch_prefix))

    def sweep_scratch(self) -> None:
        """Remove what killed processes left in scratch. Names begin with the process id; those of running processes stay."""
        for path in self.scratch.iterdir():
            owner = path.name.partition("-")[0]
            if not (owner.isdigit() and is_process_running(int(owner))):
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)

    def recognition_folder(self, document_id: str) -> Path:
        """Return the folder of the pages recognised so far: it outlives a restart, and goes with the document."""
        return self.generated_folder(document_id, 0).parent / "recognised"

    # -- removal -------------------------------------------------------------------------------------------------

    def remove_generated_files(self, document_id: str) -> None:
        shutil.rmtree(self.generated_folder(document_id, 0).parent, ignore_errors=True)

    def remove_original(self, sha256: str) -> None:
        self.original_path(sha256).unlink(missing_ok=True)

    def list_original_hashes(self) -> Iterator[str]:
        """Yield the hashes of all stored originals."""
        yield from (path.name for path in self.root.glob("originals/*/*"))

    def list_document_ids(self) -> Iterator[str]:
        """Yield the ids of all documents with generated files."""
        yield from (path.name for path in self.root.glob("documents/*/*"))

    # -- locks ---------------------------------------------------------------------------------------------------

    def lock_document(self, document_id: str) -> AbstractContextManager[None]:
        """Lock a document for one process or thread, until it is done or killed."""
        return self.locks.lock(_DOCUMENT, document_id)

    def try_lock_document(self, document_id: str) -> AbstractContextManager[bool]:
        """Lock a document without waiting. Yields False when another holds the lock."""
        return self.locks.try_lock(_DOCUMENT, document_id)

    def try_lock_recognition(self, document_id: str) -> AbstractContextManager[bool]:
        """Lock the recognition of a document, which takes long, without waiting. Yields False when another holds it."""
        return self.locks.try_lock(_RECOGNITION, document_id)

    def lock_original(self, sha256: str) -> AbstractContextManager[None]:
        """Lock an original between checking whether it is stored or needed and recording so in the catalog."""
        return self.locks.lock(_ORIGINAL, sha256)


# The kinds of locks, by which the files of locks in a folder begin.
_DOCUMENT, _RECOGNITION, _ORIGINAL = "", "recognition-", "original-"


def fsync_folder(folder: Path) -> None:
    """Flush a folder to disk. A rename is durable only after its folder is flushed."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
