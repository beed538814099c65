"""Files beside the truth: the users' own bytes, the paged form, one PDF a chunk. No name is the user's."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from highlighter.models import Document

PIECE = 1 << 20
TYPESET = "typeset.pdf"


class Files:
    """Under one folder: originals/ (by hash of the bytes), documents/ID/PIPELINE/ (made by us), scratch/, locks/."""

    def __init__(self, root: Path):
        self.root = root.resolve()
        self.scratch = self.root / "scratch"
        self.prefix = f"{os.getpid()}-"  # of everything this process puts into scratch
        for folder in ("originals", "documents", "scratch", "locks"):
            (self.root / folder).mkdir(parents=True, exist_ok=True)

    # -- originals -----------------------------------------------------------------------------------------------

    def keep_original(self, source: BinaryIO) -> tuple[str, int]:
        """Copies the bytes in, whole or not at all, and returns their SHA-256 and size."""
        digest, size = hashlib.sha256(), 0
        with tempfile.NamedTemporaryFile(dir=self.scratch, prefix=self.prefix, delete=False) as copy:
            try:
                while piece := source.read(PIECE):
                    digest.update(piece)
                    size += len(piece)
                    copy.write(piece)
                copy.flush()
                os.fsync(copy.fileno())
            except BaseException:
                Path(copy.name).unlink(missing_ok=True)
                raise
        target = self.original(digest.hexdigest())
        target.parent.mkdir(exist_ok=True)
        os.replace(copy.name, target)
        flush_folder(target.parent)
        return digest.hexdigest(), size

    def original(self, sha256: str) -> Path:
        return self.root / "originals" / sha256[:2] / sha256

    # -- what we make of them ------------------------------------------------------------------------------------

    def made(self, document_id: str, pipeline: int) -> Path:
        return self.root / "documents" / document_id[:2] / document_id / str(pipeline)

    def chunk_pdf(self, document_id: str, pipeline: int, index: int) -> Path:
        return self.made(document_id, pipeline) / "chunks" / f"{index}.pdf"

    def typeset_pdf(self, document_id: str, pipeline: int) -> Path:
        """The paged form that we made: of a DOCX or TXT, or of a scan with its words recognised."""
        return self.made(document_id, pipeline) / TYPESET

    def paged(self, document: Document) -> Path:
        """The PDF whose pages the document's source map speaks of."""
        made = self.typeset_pdf(document.id, document.pipeline)
        return self.original(document.sha256) if document.kind == "pdf" and not made.is_file() else made

    def drawn(self, document: Document) -> Path:
        """Where pictures and the like are kept, which can be made again at any time."""
        return self.made(document.id, document.pipeline) / "drawn"

    def keep_made(self, work: Path, document_id: str, pipeline: int) -> None:
        """Puts a finished folder in its place. Killed in between, the next ingestion simply does it again."""
        target = self.made(document_id, pipeline)
        for path in work.rglob("*"):
            if path.is_file():
                with path.open("rb") as file:
                    os.fsync(file.fileno())
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            os.replace(target, self.workplace() / "replaced")
        os.replace(work, target)
        flush_folder(target.parent)

    def workplace(self) -> Path:
        """An empty folder for work in progress, on the same disk as where the results go."""
        return Path(tempfile.mkdtemp(dir=self.scratch, prefix=self.prefix))

    def sweep(self) -> None:
        """Removes what killed processes left in scratch. A living process's folders carry its number and stay."""
        for path in self.scratch.iterdir():
            owner = path.name.partition("-")[0]
            if not (owner.isdigit() and Path(f"/proc/{owner}").exists()):
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)

    # -- what is no longer needed --------------------------------------------------------------------------------

    def remove_made(self, document_id: str) -> None:
        shutil.rmtree(self.made(document_id, 0).parent, ignore_errors=True)

    def remove_original(self, sha256: str) -> None:
        self.original(sha256).unlink(missing_ok=True)

    def originals(self) -> Iterator[str]:
        """The hashes of all originals that are kept."""
        yield from (path.name for path in self.root.glob("originals/*/*"))

    def documents(self) -> Iterator[str]:
        """The ids of all documents that something was made of."""
        yield from (path.name for path in self.root.glob("documents/*/*"))

    # -- one at a time -------------------------------------------------------------------------------------------

    @contextmanager
    def claim(self, document_id: str) -> Iterator[None]:
        """Only one process or thread works on a document. The kernel lets go of the lock when its holder is killed."""
        with self._lock(f"{document_id[:2]}", fcntl.LOCK_EX):
            yield

    @contextmanager
    def claim_if_free(self, document_id: str) -> Iterator[bool]:
        """The same, but whoever would have to wait is told so instead."""
        try:
            with self._lock(f"{document_id[:2]}", fcntl.LOCK_EX | fcntl.LOCK_NB):
                yield True
        except BlockingIOError:
            yield False

    @contextmanager
    def claim_original(self, sha256: str) -> Iterator[None]:
        """Between looking whether bytes are kept, or still needed, and saying so in the catalog, nobody else does."""
        with self._lock(f"original-{sha256[:2]}", fcntl.LOCK_EX):
            yield

    @contextmanager
    def _lock(self, name: str, how: int) -> Iterator[None]:
        # One of 256 lock files: two documents may now and then wait for each other for nothing, and none is left over.
        with (self.root / "locks" / name).open("w") as lock:
            fcntl.flock(lock, how)
            yield


def flush_folder(folder: Path) -> None:
    """A rename is on disk only once its folder is."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
