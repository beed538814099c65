"""Fill a disk while documents are processed, and free it again: `python -m tests.ingest.on_small_disk FOLDER`.

Prints the observations as JSON. It runs in its own process, whose FOLDER is a disk of a few megabytes.
"""

from __future__ import annotations

import json
import shutil
import sys
from contextlib import suppress
from pathlib import Path

from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store.storage_errors import DiskFull

LEFT_BYTES = 3 << 20  # enough to store an upload, but not to process it


def main(disk: Path) -> dict:
    services = Services(Settings(data_dir=disk / "data", workers=1))
    observations = {}
    try:
        enqueue(services, 0)
        services.ingest_queue.finish_unfinished()
        services.index.sync()
        fill_disk(disk / "filler", LEFT_BYTES)
        for number in range(1, 4):
            enqueue(services, number)
            wait_for_jobs(services)  # what an attempt uses of the last megabytes is free again for the next upload
        observations["on a full disk"] = run_maintenance(services)
        fill_disk(disk / "second filler", 0)
        observations["on a disk without any space"] = run_maintenance(services)
        for filler in ("filler", "second filler"):
            (disk / filler).unlink()
        observations["with space again"] = run_maintenance(services)
        shutil.rmtree(services.index.folder)
        observations["after the index was deleted"] = run_maintenance(services)
    finally:
        services.close()
    return observations


def enqueue(services: Services, number: int) -> None:
    path = services.settings.data_dir.parent / "upload.txt"
    path.write_text(f"Ferry number {number} leaves at {number} in the morning. It carries sixty passengers.")
    services.ingest_queue.enqueue_file(path, f"{number}.txt")
    path.unlink()


def wait_for_jobs(services: Services) -> None:
    while services.ingest_queue._pending:
        services.ingest_queue._executor.submit(int).result()


def run_maintenance(services: Services) -> dict:
    """Do a few times what a running server does again and again, and return the resulting state."""
    for _ in range(3):
        services.ingest_queue._pauses.clear()  # a server waits some seconds before it tries a document again
        services.ingest_queue.requeue_waiting()
        wait_for_jobs(services)
        with suppress(DiskFull):
            services.index.sync()
    indexed = services.index.usable_collections()
    documents = services.catalog.documents()
    return {
        "states": sorted(document.state for document in documents),
        "generations": sorted(path.name for path in services.index.folder.iterdir() if path.is_dir()),
        "indexed": indexed[0].count() if indexed else None,
        "sentences": sum(document.sentences for document in documents),
    }


def fill_disk(path: Path, free_bytes: int) -> None:
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1 << 16))
        except OSError:
            file.truncate(max(file.tell() - free_bytes, 0))


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
