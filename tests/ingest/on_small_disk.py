"""Fills a disk while documents are processed, and frees it again: python -m tests.ingest.on_small_disk FOLDER.

Prints what was seen, as JSON. It runs in a process of its own, whose FOLDER is a disk of a few megabytes.
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

LEFT_BYTES = 3 << 20  # enough to take an upload in, and not to process it


def main(disk: Path) -> dict:
    services = Services(Settings(data_dir=disk / "data", workers=1))
    seen = {}
    try:
        hand_in(services, 0)
        services.ingest_queue.finish_unfinished()
        services.index.sync()
        fill(disk / "filler", LEFT_BYTES)
        for number in range(1, 4):
            hand_in(services, number)
            wait_for_jobs(services)  # what an attempt uses of the last megabytes is free again for the next upload
        seen["on a full disk"] = settle(services)
        fill(disk / "second filler", 0)
        seen["on a disk without any space"] = settle(services)
        for filler in ("filler", "second filler"):
            (disk / filler).unlink()
        seen["with space again"] = settle(services)
        shutil.rmtree(services.index.folder)
        seen["after the index was deleted"] = settle(services)
    finally:
        services.close()
    return seen


def hand_in(services: Services, number: int) -> None:
    path = services.settings.data_dir.parent / "upload.txt"
    path.write_text(f"Ferry number {number} leaves at {number} in the morning. It carries sixty passengers.")
    services.ingest_queue.enqueue_file(path, f"{number}.txt")
    path.unlink()


def wait_for_jobs(services: Services) -> None:
    while services.ingest_queue._pending:
        services.ingest_queue._executor.submit(int).result()


def settle(services: Services) -> dict:
    """What a running server does again and again, a few times; and what it comes to."""
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


def fill(path: Path, left: int) -> None:
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1 << 16))
        except OSError:
            file.truncate(max(file.tell() - left, 0))


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
