"""Operations on a library, each killed at one of its writes: `python -m tests.soak.killed_operations FOLDER`.

Whoever uses it asks through `KilledOperations`. It runs on a failing disk and forks for each operation, before which it has
opened nothing: Chroma cannot be used in the copy of a process that has used it. Orders come as lines of JSON on standard
input, how each ended goes as a line of JSON to standard output.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import chromadb  # noqa: F401 - so that it is imported before the forks, and not in each

from highlighter.answering.request import QuestionRequest
from highlighter.embedding.embedder import Embedder
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store.deletion import cancel_deletion
from tests.soak.failing_disk import KILL, FailingDisk

DONE, KILLED = "done", "killed"
OPERATION_SECONDS = 240  # then it hangs

OPERATIONS: dict[str, Callable[[Services, str], object]] = {
    "delete": lambda services, document_id: services.delete_document(document_id),
    "undo": lambda services, document_id: cancel_deletion(services.catalog.engine, document_id),
    "sync_index": lambda services, _: services.index.sync(),
    "answer": lambda services, question: services.answer_pipeline.answer(QuestionRequest(question)),
}


class KilledOperations:
    """A process that runs operations on the libraries below a folder, and how to talk to it."""

    def __init__(self, folder: Path, process: subprocess.Popen[str]):
        self.folder, self._process = folder, process

    def run(self, data: Path, operation: str, argument: str, write: int) -> str:
        """Run an operation that is killed at its write of that number, and return DONE if it has fewer writes, else KILLED."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps([str(data), operation, argument, write]) + "\n")
        self._process.stdin.flush()
        end = str(json.loads(self._process.stdout.readline()))
        assert end in (DONE, KILLED), f"{operation} ended by {end}: see {self.folder}/operations.log"
        return end


@contextmanager
def start_killed_operations(folder: Path) -> Iterator[KilledOperations]:
    disk = FailingDisk(folder.parent, folder)
    command = [sys.executable, "-m", "tests.soak.killed_operations", str(folder)]
    with (
        (folder / "operations.log").open("w") as log,
        subprocess.Popen(
            command,
            env={**os.environ, **disk.environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        ) as process,
    ):
        yield KilledOperations(folder, process)
        assert process.stdin
        process.stdin.close()


def run_until_killed(
    disk: FailingDisk, embedder: Embedder, data: Path, operation: str, argument: str, write: int
) -> str:
    child = os.fork()
    if child == 0:
        status = 1
        try:
            signal.alarm(OPERATION_SECONDS)
            services = Services(Settings(data_dir=data, ocr=False, workers=1), embedder)
            services.catalog.documents()  # what is killed is the operation, not the opening of the catalog
            disk.fail_write(write, KILL)
            OPERATIONS[operation](services, argument)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    disk.fail_write(0, 0)
    if os.WIFSIGNALED(status):
        return KILLED if os.WTERMSIG(status) == signal.SIGKILL else f"signal {os.WTERMSIG(status)}"
    return "an error" if os.WEXITSTATUS(status) else DONE


def main(folder: Path) -> None:
    disk, embedder = FailingDisk(folder.parent, folder), Embedder()
    embedder.load()
    for line in sys.stdin:
        data, operation, argument, write = json.loads(line)
        print(json.dumps(run_until_killed(disk, embedder, Path(data), operation, argument, write)), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
