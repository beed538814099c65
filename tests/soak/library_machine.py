"""A library to which Hypothesis does everything in any order: ingest, replace, delete, undo, search, kill."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from pathlib import Path
from typing import Any

from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from sqlalchemy import event

from highlighter.embedding.embedder import Embedder
from highlighter.models import READY
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store.deletion import cancel_deletion, list_pending_deletions
from highlighter.workers.process_pool import ProcessPool
from ingest.pipeline import ingest_file
from tests.conftest import BorrowedProcessPool
from tests.properties import st
from tests.soak.library_state import list_document_inconsistencies

PATHS = ("first.txt", "second.txt")
WORDS = ("Anchor", "Beacon", "Compass", "Dinghy")  # each content has its own
CHILD_SECONDS = 120
MAX_STATEMENTS = 60  # an ingestion sends about so many to the catalog

contents, paths = st.sampled_from(WORDS), st.sampled_from(PATHS)


class LibraryMachine(RuleBasedStateMachine):
    """The library, and what must be in it: by path the contents in the order of their uploads."""

    embedder: Embedder
    process_pool: Any
    parent_folder: Path | None = None

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="machine-", dir=self.parent_folder))
        self.services = self.open_services()
        self.versions: dict[str, list[str]] = {path: [] for path in PATHS}
        self.ids: dict[str, str] = {}
        self.pending: set[str] = set()

    def open_services(self, embedder: Embedder | None = None) -> Services:
        settings = Settings(data_dir=self.folder / "data", ocr=False, undo_seconds=3600)
        services = Services(settings, embedder or self.embedder)
        services.process_pool = BorrowedProcessPool(self.process_pool)
        return services

    def write_file(self, path: str, word: str) -> Path:
        file = self.folder / path
        file.write_text(f"The {word} belongs to the harbour master. Nobody may take the {word} away.", encoding="utf-8")
        return file

    @rule(path=paths, word=contents)
    def ingest(self, path: str, word: str) -> None:
        outcome = ingest_file(self.write_file(path, word), self.services, self.process_pool)
        assert outcome.document.state == READY
        assert self.ids.setdefault(word, outcome.document.id) == outcome.document.id
        self.add_version(path, word)

    def add_version(self, path: str, word: str) -> None:
        self.pending.discard(word)  # what is uploaded again stays
        if self.versions[path][-1:] != [word]:
            self.versions[path].append(word)

    @precondition(lambda self: self.ids)
    @rule(word=contents)
    def delete_later(self, word: str) -> None:
        is_scheduled = word in self.ids and self.services.soft_delete(self.ids[word])
        assert is_scheduled == (word in self.ids.keys() - self.pending)
        self.pending |= {word} & self.ids.keys()

    @precondition(lambda self: self.pending)
    @rule(word=contents)
    def undo(self, word: str) -> None:
        assert cancel_deletion(self.services.catalog.engine, self.ids.get(word, "")) == (word in self.pending)
        self.pending.discard(word)

    @precondition(lambda self: self.ids)
    @rule(word=contents)
    def delete(self, word: str) -> None:
        removed = self.services.delete_document(self.ids.get(word, "0" * 32))
        assert (removed is not None) == (word in self.ids)
        self.forget(word)

    def forget(self, word: str) -> None:
        self.ids.pop(word, None)
        self.pending.discard(word)
        for path, words in self.versions.items():
            self.versions[path] = [other for other in words if other != word]

    @rule(path=paths, word=contents, statements=st.integers(1, MAX_STATEMENTS))
    def ingest_and_kill(self, path: str, word: str, statements: int) -> None:
        """Kill a process at one of its statements to the catalog, while it takes a file in; then take the file in again."""
        file = self.write_file(path, word)
        child = os.fork()
        if child == 0:
            # A copy of a process waits for ever for a lock that a thread held which was not copied: then this is the kill.
            signal.alarm(CHILD_SECONDS)
            self.ingest_until_killed(file, statements)
        os.waitpid(child, 0)
        self.services.ingest_queue.finish_unfinished()
        self.ingest(path, word)

    def ingest_until_killed(self, file: Path, statements: int) -> None:
        try:
            # Connections, threads and child processes of its own: those of the process that this is a copy of are not its.
            services, left = self.open_services(Embedder()), [statements]
            services.process_pool = ProcessPool(1, 60, 1024)

            def count(*_: object) -> None:
                left[0] -= 1
                if left[0] <= 0:
                    os.kill(os.getpid(), signal.SIGKILL)

            event.listen(services.catalog.engine, "before_cursor_execute", count)
            ingest_file(file, services, services.process_pool)
        finally:
            os._exit(0)

    @rule()
    def restart(self) -> None:
        self.services.close()
        self.services = self.open_services()

    @invariant()
    def catalog_has_what_was_accepted(self) -> None:
        catalog = self.services.catalog
        visible = {document.id for document in catalog.documents()}
        assert visible == {self.ids[word] for word in self.ids.keys() - self.pending}
        assert {document.id for document in list_pending_deletions(catalog.engine)} == {
            self.ids[w] for w in self.pending
        }
        assert list(list_document_inconsistencies(self.services)) == []

    @rule(word=contents)
    def search(self, word: str) -> None:
        """Search finds a content exactly when it is visible and the current version of one of its paths."""
        self.services.index.sync()
        hits = self.services.search.find(f"To whom does the {word} belong?").hits
        found = {hit.document.id for hit in hits}
        current = {words[-1] for words in self.versions.values() if words} - self.pending
        assert found <= {self.ids[other] for other in current}
        assert (self.ids.get(word) in found) == (word in current)

    def teardown(self) -> None:
        self.services.close()
        shutil.rmtree(self.folder, ignore_errors=True)
