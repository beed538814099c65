"""The library machine, with operations that are killed at one of their writes: what was begun is whole, or did not happen."""

from __future__ import annotations

from hypothesis.stateful import precondition, rule
from sqlalchemy import func, select

from highlighter.answering.request import QuestionRequest
from highlighter.store.deletion import cancel_deletion
from highlighter.store.schema import answers
from tests.properties import st
from tests.soak.killed_operations import KilledOperations
from tests.soak.library_machine import LibraryMachine, contents

# About as many writes as each operation has.
DELETION_WRITES, UNDO_WRITES, SYNC_WRITES, ANSWER_WRITES = 120, 12, 250, 70


class KilledLibraryMachine(LibraryMachine):
    """A library in which deletions, undoing, the index and answers are interrupted, too, and done again."""

    operations: KilledOperations

    def __init__(self) -> None:
        self.parent_folder = self.operations.folder
        super().__init__()
        self.answer_count = 0

    def kill(self, operation: str, argument: str, write: int) -> None:
        """Run an operation in another process that is killed at one of its writes, and do what a server does at its start."""
        self.operations.run(self.services.settings.data_dir, operation, argument, write)
        self.services.ingest_queue.finish_unfinished()

    @precondition(lambda self: self.ids)
    @rule(word=contents, write=st.integers(1, DELETION_WRITES))
    def delete_and_kill(self, word: str, write: int) -> None:
        if word not in self.ids:
            return
        self.kill("delete", self.ids[word], write)
        if self.services.catalog.document(self.ids[word]) is None:
            self.forget(word)
        else:
            self.delete(word)

    @precondition(lambda self: self.pending)
    @rule(word=contents, write=st.integers(1, UNDO_WRITES))
    def undo_and_kill(self, word: str, write: int) -> None:
        if word not in self.pending:
            return
        self.kill("undo", self.ids[word], write)
        cancel_deletion(self.services.catalog.engine, self.ids[word])
        self.pending.discard(word)

    @rule(write=st.integers(1, SYNC_WRITES), word=contents)
    def sync_index_and_kill(self, write: int, word: str) -> None:
        self.services.index.close()  # its owner is the process that is killed
        self.kill("sync_index", "", write)
        self.search(word)

    @rule(word=contents, write=st.integers(1, ANSWER_WRITES))
    def answer_and_kill(self, word: str, write: int) -> None:
        """An answer that was interrupted is stored or not; the next one is stored, whatever happened before."""
        question = f"To whom does the {word} belong?"
        self.kill("answer", question, write)
        assert self.count_answers() - self.answer_count in (0, 1)
        self.answer_count = self.count_answers() + 1
        assert self.services.answer_pipeline.answer(QuestionRequest(question)).is_stored
        assert self.count_answers() == self.answer_count

    def count_answers(self) -> int:
        with self.services.catalog.engine.connect() as connection:
            return connection.execute(select(func.count()).select_from(answers)).scalar_one()
