"""Four operations, each with one write that fails: `python -m tests.soak.interruption FOLDER`.

`failing_writes.py` starts it on a failing disk. It imports everything and loads the model once, and forks for each case,
which is much cheaper than to start a process for each. Cases come as lines of JSON on standard input, outcomes go as lines
of JSON to standard output.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import chromadb  # noqa: F401 - so that it is imported before the forks, and not in each
from sqlalchemy import select

from highlighter.access import VisibleCollections
from highlighter.answering.request import QuestionRequest
from highlighter.embedding.embedder import Embedder
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store.chroma import CHROMA_FILE_NAME
from highlighter.store.deletion import remove_overdue_documents
from highlighter.store.schema import answers
from ingest.pipeline import ingest_file
from tests.conftest import NOTE
from tests.soak.failing_disk import FailingDisk
from tests.soak.library_state import list_inconsistencies, read_state

QUESTION = "When does the ferry leave?"
OLD_NAME, NEW_NAME = "note.txt", "new.txt"
NEW_TEXT = "The harbour master closes the gate at nine. Nobody may moor at the eastern quay after that.\n\n" * 3
CASE_SECONDS = 240  # then the case hangs


def ingest(services: Services) -> None:
    """Take a file in."""
    ingest_file(services.settings.data_dir.parent / NEW_NAME, services, services.process_pool)
    services.index.sync()


def answer(services: Services) -> None:
    """Answer a question, and store the answer."""
    if not services.answer_pipeline.answer(QuestionRequest(QUESTION)).is_stored:
        raise RuntimeError("The answer says that it was not stored.")


def delete(services: Services) -> None:
    """Delete a document with its files and vectors."""
    for document in services.catalog.documents():
        if document.name == OLD_NAME:
            services.soft_delete(document.id)
    remove_overdue_documents(services.catalog, services.files)
    services.index.sync()


def swap_index(services: Services) -> None:
    """Replace a damaged index by a new one."""
    services.index.sync()


OPERATIONS: dict[str, Callable[[Services], None]] = {
    operation.__name__: operation for operation in (ingest, answer, delete, swap_index)
}


def make_template(folder: Path) -> None:
    """Make the data folder with which every case begins, and the file that is taken in."""
    (folder / OLD_NAME).write_text(NOTE, encoding="utf-8")
    (folder / NEW_NAME).write_text(NEW_TEXT, encoding="utf-8")
    services = _open_services(folder / "template", Embedder())
    ingest_file(folder / OLD_NAME, services, services.process_pool)
    services.index.sync()
    services.close()


class Interrupter:
    """It runs one operation at a time on a copy of the template, with one write that fails."""

    def __init__(self, folder: Path):
        self.folder, self.data = folder, folder / "data"
        self.disk = FailingDisk(folder, self.data)
        self.embedder = Embedder()
        self.embedder.load()

    def run(self, operation: str, number: int, fault: int) -> dict[str, Any]:
        """Return how the first attempt ended and what was there after the next one; `number` 0: no write fails."""
        shutil.rmtree(self.data, ignore_errors=True)
        shutil.copytree(self.folder / "template", self.data)
        if operation == swap_index.__name__:
            for path in self.data.glob(f"index/*/{CHROMA_FILE_NAME}"):
                os.truncate(path, path.stat().st_size // 2)
        outcome = self._fork(lambda: self._attempt(operation, number, fault))
        if outcome.get("signal") == signal.SIGKILL:
            self.disk.fail_write(0, 0)
            outcome = {"attempt": "killed", **self._fork(lambda: self._recover(operation, self._open(), is_done=False))}
        return outcome

    def _attempt(self, operation: str, number: int, fault: int) -> dict[str, Any]:
        services, attempt = self._open(), "done"
        services.catalog.documents()  # what fails is the operation, not the opening of the catalog
        self.disk.fail_write(number, fault)
        try:
            OPERATIONS[operation](services)
        except Exception as err:
            attempt = type(err).__name__
        writes = self.disk.count_writes()
        self.disk.fail_write(0, 0)
        return {"attempt": attempt, "writes": writes, **self._recover(operation, services, attempt == "done")}

    def _recover(self, operation: str, services: Services, is_done: bool) -> dict[str, Any]:
        """Do what a server does at its start and its client at an error, and return the state."""
        services.ingest_queue.finish_unfinished()
        remove_overdue_documents(services.catalog, services.files)
        if not is_done:
            OPERATIONS[operation](services)
        services.index.sync()
        with services.catalog.engine.connect() as connection:
            ids = connection.execute(select(answers.c.id)).scalars().all()
        stored = [services.answer_records.load(id, VisibleCollections()).answer for id in ids]
        state = {**read_state(services), "answers": sorted({answer.text for answer in stored})}
        problems = list(list_inconsistencies(services))
        if len(ids) > 1 + (not is_done):
            problems.append(f"There are {len(ids)} answers to one question.")
        services.close()
        return {"state": state, "problems": problems}

    def _open(self) -> Services:
        return _open_services(self.data, self.embedder)

    def _fork(self, task: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Run a task in a copy of this process, and return its result or the signal that ended it."""
        result_path = self.folder / "result.json"
        result_path.unlink(missing_ok=True)
        child = os.fork()
        if child == 0:
            signal.alarm(CASE_SECONDS)
            try:
                result = task()
            except BaseException:
                result = {"crash": traceback.format_exc()}
            with suppress(BaseException):
                result_path.write_text(json.dumps(result))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            return {"signal": os.WTERMSIG(status)}
        result: dict[str, Any] = json.loads(result_path.read_text())
        return result


def _open_services(data: Path, embedder: Embedder) -> Services:
    return Services(Settings(data_dir=data, ocr=False, workers=1, undo_seconds=0), embedder)


def main(folder: Path) -> None:
    interrupter = Interrupter(folder)
    for line in sys.stdin:
        print(json.dumps(interrupter.run(*json.loads(line))), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
