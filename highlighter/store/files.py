"""Files beside the truth: the users' own bytes, the paged form, one PDF a chunk. No name is the user's."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from cachetools import LRUCache

from highlighter.models import Document

COPY_BUFFER_BYTES = 1 << 20
TYPESET_PDF_NAME = "typeset.pdf"
RENDERED_FOLDER_NAME = "drawn"
_MAX_CACHED_HASHES = 10_000


@dataclass(frozen=True, slots=True)
class StagedOriginal:
    """A complete copy of a file in scratch, with the hash and size of its bytes."""

    path: Path
    sha256: str
    size: int


class FileStore:
    """Under one folder: originals/ (by hash of the bytes), documents/ID/PIPELINE/ (made by us), scratch/, locks/."""

    def __init__(self, root: Path):
        self.root = root.resolve()
        self.scratch = self.root / "scratch"
        self.scratch_prefix = f"{os.getpid()}-"  # of everything this process puts into scratch
        self._hashes: LRUCache[Path, tuple[tuple[int, ...], str]] = LRUCache(_MAX_CACHED_HASHES)
        self._hashes_lock = threading.Lock()
        for folder in ("originals", "documents", "scratch", "locks"):
            (self.root / folder).mkdir(parents=True, exist_ok=True)

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

    def original_path(self, sha256: str) -> Path:
        return self.root / "originals" / sha256[:2] / sha256

    # -- what we make of them ------------------------------------------------------------------------------------

    def generated_folder(self, document_id: str, pipeline: int) -> Path:
        return self.root / "documents" / document_id[:2] / document_id / str(pipeline)

    def chunk_pdf_path(self, document_id: str, pipeline: int, index: int) -> Path:
        return self.generated_folder(document_id, pipeline) / "chunks" / f"{index}.pdf"

    def typeset_pdf_path(self, document_id: str, pipeline: int) -> Path:
        """The paged form that we made: of a DOCX or TXT, or of a scan with its words recognised."""
        return self.generated_folder(document_id, pipeline) / TYPESET_PDF_NAME

    def paged_pdf_path(self, document: Document) -> Path:
        """The PDF whose pages the document's source map speaks of."""
        made = self.typeset_pdf_path(document.id, document.pipeline)
        return self.original_path(document.sha256) if document.kind == "pdf" and not made.is_file() else made

    def rendered_folder(self, document: Document) -> Path:
        """Where pictures and the like are kept, which can be made again at any time."""
        return self.generated_folder(document.id, document.pipeline) / RENDERED_FOLDER_NAME

    def save_generated_folder(self, work: Path, document_id: str, pipeline: int) -> dict[str, str]:
        """Puts a finished folder in its place, and returns the SHA-256 of each of its files by its relative path.

        Killed in between, the next ingestion simply does it again.
        """
        target, hashes = self.generated_folder(document_id, pipeline), {}
        for path in work.rglob("*"):
            if path.is_file():
                with path.open("rb") as file:
                    os.fsync(file.fileno())
                    hashes[str(path.relative_to(work))] = hashlib.file_digest(file, "sha256").hexdigest()
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            os.replace(target, self.create_work_folder() / "replaced")
        os.replace(work, target)
        fsync_folder(target.parent)
        return hashes

    def hash_generated_files(self, document_id: str, pipeline: int) -> dict[str, str]:
        """The same of what lies there now, without the pictures that can be drawn again at any time."""
        made = self.generated_folder(document_id, pipeline)
        paths = sorted(
            path
            for path in made.rglob("*")
            if path.is_file() and path.relative_to(made).parts[0] != RENDERED_FOLDER_NAME
        )
        return {str(path.relative_to(made)): self.compute_sha256(path) for path in paths}

    # -- hashes --------------------------------------------------------------------------------------------------

    def compute_sha256(self, path: Path) -> str:
        """The SHA-256 of a file's bytes as they are now; empty when there is no such file."""
        try:
            with path.open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except (FileNotFoundError, NotADirectoryError):
            return ""

    def compute_sha256_cached(self, path: Path) -> str:
        """The same, hashed anew only when size, times or inode say that the file is another than last time.

        A large original would take seconds at each request, and hashing while it is sent is too late: the wrong bytes
        have left by then. The time of the last change (ctime) cannot be set by a program, so a write is always seen. What
        a failing disk changes under a file that nobody writes is seen after the next start, and by `doctor` and `verify`.
        """
        try:
            facts = path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return ""
        stamp = (facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns, facts.st_ino, facts.st_dev)
        with self._hashes_lock:
            known = self._hashes.get(path)
        if known is None or known[0] != stamp:
            known = stamp, self.compute_sha256(path)
            with self._hashes_lock:
                self._hashes[path] = known
        return known[1]

    def create_work_folder(self) -> Path:
        """An empty folder for work in progress, on the same disk as where the results go."""
        return Path(tempfile.mkdtemp(dir=self.scratch, prefix=self.scratch_prefix))

    def sweep_scratch(self) -> None:
        """Removes what killed processes left in scratch. A living process's folders carry its number and stay."""
        for path in self.scratch.iterdir():
            owner = path.name.partition("-")[0]
            if not (owner.isdigit() and Path(f"/proc/{owner}").exists()):
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)

    # -- what is no longer needed --------------------------------------------------------------------------------

    def remove_generated_files(self, document_id: str) -> None:
        shutil.rmtree(self.generated_folder(document_id, 0).parent, ignore_errors=True)

    def remove_original(self, sha256: str) -> None:
        self.original_path(sha256).unlink(missing_ok=True)

    def list_original_hashes(self) -> Iterator[str]:
        """The hashes of all originals that are kept."""
        yield from (path.name for path in self.root.glob("originals/*/*"))

    def list_document_ids(self) -> Iterator[str]:
        """The ids of all documents that something was made of."""
        yield from (path.name for path in self.root.glob("documents/*/*"))

    # -- one at a time -------------------------------------------------------------------------------------------

    @contextmanager
    def lock_document(self, document_id: str) -> Iterator[None]:
        """Only one process or thread works on a document. The kernel lets go of the lock when its holder is killed."""
        with self._lock(f"{document_id[:2]}", fcntl.LOCK_EX):
            yield

    @contextmanager
    def try_lock_document(self, document_id: str) -> Iterator[bool]:
        """The same, but whoever would have to wait is told so instead."""
        try:
            with self._lock(f"{document_id[:2]}", fcntl.LOCK_EX | fcntl.LOCK_NB):
                yield True
        except BlockingIOError:
            yield False

    @contextmanager
    def lock_original(self, sha256: str) -> Iterator[None]:
        """Between looking whether bytes are kept, or still needed, and saying so in the catalog, nobody else does."""
        with self._lock(f"original-{sha256[:2]}", fcntl.LOCK_EX):
            yield

    @contextmanager
    def _lock(self, name: str, operation: int) -> Iterator[None]:
        # One of 256 lock files: two documents may now and then wait for each other for nothing, and none is left over.
        with (self.root / "locks" / name).open("w") as lock:
            fcntl.flock(lock, operation)
            yield


def fsync_folder(folder: Path) -> None:
    """A rename is on disk only once its folder is."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
