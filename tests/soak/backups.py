"""Backups while readers, uploads and deletions go on, each restored into an empty folder and compared with the library."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from highlighter.embedding.embedder import Embedder
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store.audit_log import read_head
from highlighter.store.audit_verification import verify_audit
from tests.browser.serving import ROOT
from tests.soak.goals import GoalResult, judge
from tests.soak.library_state import list_inconsistencies
from tests.soak.load import THINK_SECONDS, Crowd, Library, Measurements, read_in, start_library
from tests.soak.options import SoakOptions
from tests.soak.progress import report
from tests.soak.running_service import Connection, Reply

READERS, FEEDBACK_WRITERS, UPLOADERS = 4, 2, 2
MAX_DOCUMENTS = 40  # from then on an upload is followed by a deletion
BETWEEN_SECONDS = (0.0, 3.0)  # from one backup to the next


@dataclass(slots=True)
class Uploads:
    """The documents that were read in and not deleted since, and those whose deletion was confirmed."""

    stored: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)

    def change(self, connection: Connection, random: Random) -> Reply | None:
        """Upload a file and wait until it is read; of many documents, delete another one."""
        number = random.randrange(1 << 40)
        text = f"Berth {number} is for pilots. Its lamp is lit at noon."
        self.stored |= {id for id, _ in read_in(connection, f"{number}.txt", text.encode())}
        if len(self.stored) <= MAX_DOCUMENTS and random.random() < 0.6:
            return None
        try:
            document_id = self.stored.pop()
        except KeyError:  # the other thread was faster
            return None
        reply = connection.request("DELETE", f"/api/v1/documents/{document_id}")
        if reply.status == 204:
            self.deleted.add(document_id)
        return reply


def run_backups(options: SoakOptions, work: Path) -> list[GoalResult]:
    kinds = {name: Measurements() for name in ("reads", "feedback", "changes")}
    faults: Counter[int] = Counter()
    examples, seconds, random = [], [], Random(options.seed)
    with start_library(work, WORKERS="2") as library:
        uploads = Uploads()
        crowd = gather(library, uploads, kinds, options.seed)
        with crowd.working():
            for number in range(options.backups):
                time.sleep(random.uniform(*BETWEEN_SECONDS))
                began = time.monotonic()
                found = back_up_and_restore(library.service.data, work / str(number), uploads)
                seconds.append(time.monotonic() - began)
                faults[number] = len(found)
                examples += [f"backup {number + 1}: {fault}" for fault in found]
                report(f"backup {number + 1}: {len(found)} faults, {len(uploads.stored)} documents", passing=not found)
    equal = sum(not count for count in faults.values())
    figure = f"{equal} of {options.backups} equal, each made and restored within {max(seconds, default=0):.0f} s, "
    figure += f"beside {len(uploads.stored) + len(uploads.deleted)} uploads and {len(uploads.deleted)} deletions"
    failures = sum(kind.count_failures() for kind in kinds.values())
    return [
        judge(
            "Backup under write load, restored into an empty folder and verified: equal",
            figure + "".join(f"; {example}" for example in examples[:3]),
            equal == options.backups,
        ),
        judge(
            "Backup: no errors for readers and writers meanwhile",
            "; ".join(f"{name} {kind.describe()}" for name, kind in kinds.items()),
            failures == 0,
        ),
    ]


def gather(library: Library, uploads: Uploads, kinds: dict[str, Measurements], seed: int) -> Crowd:
    """Return the readers and writers of a library that is backed up."""
    crowd = Crowd(library.service, seed)
    crowd.add(READERS, library.read, kinds["reads"], THINK_SECONDS)
    crowd.add(FEEDBACK_WRITERS, library.write, kinds["feedback"], THINK_SECONDS)
    crowd.add(UPLOADERS, uploads.change, kinds["changes"])
    return crowd


def back_up_and_restore(data: Path, folder: Path, uploads: Uploads) -> list[str]:
    """Make a backup and restore it into an empty folder with the commands, and return what is not as it was."""
    stored, deleted = set(uploads.stored), set(uploads.deleted)
    failed = run_command("backup", str(folder / "backup"), data=data)
    stored &= set(uploads.stored)  # a document that was deleted meanwhile may be in it or not
    failed += run_command("restore", str(folder / "backup"), data=folder / "data")  # it verifies what it restored
    if failed:
        return failed
    with closing(open_services(folder / "data")) as restored, closing(open_services(data)) as live:
        return [*compare(restored, live, stored, deleted)]


def run_command(name: str, target: str, data: Path) -> list[str]:
    """Run a command of Highlighter on a data folder, and return what it said if it failed."""
    result = subprocess.run(
        [sys.executable, "-m", "highlighter", name, "--json", target],
        env={**os.environ, "DATA_DIR": str(data)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode == 0:
        return []
    broken = json.loads(result.stdout or "{}").get("broken") or result.stderr.strip().splitlines()[-1:]
    return [f"{name} ended with {result.returncode}: {broken[:2]}"]


def open_services(data: Path) -> Services:
    return Services(Settings(data_dir=data, ocr=False), Embedder())


def compare(restored: Services, live: Services, stored: set[str], deleted: set[str]) -> Iterator[str]:
    """Yield what of the restored library is not what the other had when it was backed up."""
    with restored.catalog.engine.connect() as connection:
        head = read_head(connection)
    with live.catalog.engine.connect() as connection:  # the chain of the one goes on from that of the other
        yield from (str(item) for item in verify_audit(connection, head).discrepancies)
    ids = {document.id for document in restored.catalog.documents()}
    yield from (f"document {id} is missing" for id in stored - ids)
    yield from (f"document {id} was deleted before" for id in deleted & ids)
    restored.ingest_queue.finish_unfinished()
    restored.index.sync()
    yield from list_inconsistencies(restored)
