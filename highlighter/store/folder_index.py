"""The vector index in a folder of this machine, by embedded Chroma."""

from __future__ import annotations

import logging
import os
import shutil
from pathlib import Path
from typing import IO

from highlighter.store.catalog import Catalog
from highlighter.store.chroma import (
    IndexGeneration,
    create_next_generation,
    find_newest_generation,
    list_other_generations,
)
from highlighter.store.file_locks import lock_file
from highlighter.store.index import OpenGeneration, VectorIndex
from highlighter.store.index_health import IndexCheckStopped, find_index_problem
from highlighter.store.storage_errors import convert_disk_error, find_disk_problem

log = logging.getLogger(__name__)

# While Chroma writes rows into a folder, no other thread of the process runs, and so no request is answered: 50 rows take some 35 ms.
MAX_ROWS_PER_UPSERT = 50
SEARCHED_ROWS = 800  # of 100 rows, three in a hundred of the nearest ten were others among 100,000 sentences


class FolderIndex(VectorIndex):
    """An index whose generations are folders of Chroma's files. A lock on a file makes one process its owner.

    Opening a damaged index can crash the process, so a child process checks a generation before it is used.
    """

    max_rows_per_upsert = MAX_ROWS_PER_UPSERT
    searched_rows = SEARCHED_ROWS

    def __init__(self, folder: Path, catalog: Catalog, model: str):
        super().__init__(catalog, model)
        self.folder = folder
        self._owner_lock_file: IO[str] | None = None
        self._opened_files: frozenset[tuple[int, int]] = frozenset()

    def acquire_ownership(self) -> bool:
        if self._owner_lock_file is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = (self.folder / "owner.lock").open("a+")
            try:
                lock_file(lock, waits=False)
            except BlockingIOError:
                lock.close()
                return False
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
            self._owner_lock_file = lock
        return True

    def find_owner_process(self) -> int:
        if self._owner_lock_file is not None:
            return os.getpid()
        try:
            with (self.folder / "owner.lock").open() as lock:
                lock_file(lock, is_shared=True, waits=False)
        except FileNotFoundError:
            return 0
        except BlockingIOError:
            owner = (self.folder / "owner.lock").read_text()
            return int(owner) if owner.isdigit() else -1
        return 0

    def find_problem(self) -> str:
        """Return what a child process finds wrong with the newest generation; only the owner may call this."""
        generation = find_newest_generation(self.folder)
        return find_index_problem(generation, self.catalog, self.model) if generation else ""

    def _find_newest_generation(self) -> IndexGeneration | None:
        return find_newest_generation(self.folder)

    def _remove_other_generations(self, opened: OpenGeneration) -> None:
        for old in list_other_generations(self.folder, opened.generation.number):
            shutil.rmtree(old.folder, ignore_errors=True)

    def _convert_error(self, err: Exception) -> Exception:
        return convert_disk_error(err) or find_disk_problem(self.folder) or err

    def _release_ownership(self) -> None:
        if self._owner_lock_file is not None:
            self._owner_lock_file.close()
            self._owner_lock_file = None

    def _close_if_deleted(self) -> None:
        opened = IndexGeneration(self.folder / str(self._opened.generation.number)) if self._opened else None
        if opened and not opened.has_same_files(self._opened_files):
            log.warning("The index in %s was deleted; it is made again from the catalog", self.folder)
            self._close_generation()
        if self._owner_lock_file is not None and not _is_same_file(self._owner_lock_file, self.folder / "owner.lock"):
            self._close_generation()
            self._release_ownership()

    def _open_generation(self) -> OpenGeneration:
        # On a full disk a healthy generation can look damaged, and a new one could not be written either.
        if disk_problem := find_disk_problem(self.folder):
            raise disk_problem
        generation = find_newest_generation(self.folder)
        problem = find_index_problem(generation, self.catalog, self.model) if generation else ""
        if problem and self._closing.is_set():  # what a service that ends finds wrong may be its end
            raise IndexCheckStopped
        if problem and (disk_problem := find_disk_problem(self.folder)):
            raise disk_problem
        if generation and problem:
            log.warning("The index in %s is made again from the catalog: %s", generation.folder, problem)
        if problem or generation is None:
            generation = create_next_generation(generation, self.folder, self.model, problem)
        client, sentences, chunks = generation.open()
        self._opened_files = generation.read_file_ids()
        return OpenGeneration(generation, client, sentences, chunks)


def _is_same_file(file: IO[str], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False
