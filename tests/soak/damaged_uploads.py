"""Damaged files and bombs, uploaded to a running service: it lives, and who asks for highlights meanwhile hardly waits longer."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from highlighter.models import FAILED, QUARANTINED, UNFINISHED
from tests.ingest.bad_files import billion_laughs, endless_nesting, flate_bomb, page_tree_cycle, zip_bomb
from tests.soak.goals import GoalResult, judge
from tests.soak.load import DOCUMENTS, Crowd, Library, Measurements, start_library
from tests.soak.progress import report
from tests.waiting import wait_until

UNTYPED = (FAILED, QUARANTINED)  # an error of ours, or a death without a reason
TOO_LARGE, UNSUPPORTED, UNPROCESSABLE = 413, 415, 422
READERS = 4
PAUSE_SECONDS = (0.5, 1.5)  # between two requests of a reader: together they use a part of one core
WARM_UP_SECONDS, BEFORE_SECONDS = 5.0, 60.0
MAX_SLOWDOWN = 1.2


def make_bombs(folder: Path) -> list[Path]:
    """Write small files that would take much memory or time, and return their paths."""
    contents = {
        "drawing.pdf": flate_bomb(),
        "cycle.pdf": page_tree_cycle(),
        "nesting.pdf": endless_nesting(),
        "unpacked.docx": zip_bomb(folder),
        "entities.docx": billion_laughs(folder),
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in contents]


def upload_all(paths: Sequence[Path], work: Path, seed: int) -> list[GoalResult]:
    """Upload files to a service, wait until it has read them all, and compare the readers' waits with those before."""
    folder = work / "bombs"
    folder.mkdir()
    paths = [*paths, *make_bombs(folder)]
    with start_library(work, WORKERS="2") as library:
        ask(library, Measurements(), seed, WARM_UP_SECONDS)
        before = ask(library, Measurements(), seed, BEFORE_SECONDS)
        meanwhile = Measurements()
        with gather(library, meanwhile, seed + 1).working():
            refused, states = upload(library, paths)
        lives = library.service.is_alive()
    figure = f"{len(paths)} uploads, {sum(refused.values())} refused: " + ", ".join(
        f"{count} {state}" for state, count in states.most_common()
    )
    is_expected = not refused.keys() - {TOO_LARGE, UNSUPPORTED, UNPROCESSABLE} and not states.keys() & set(UNTYPED)
    return [judge("Damaged files: the service lives", figure, lives and is_expected), compare(before, meanwhile)]


def upload(library: Library, paths: Sequence[Path]) -> tuple[Counter[int], Counter[str]]:
    """Upload files and wait until they are read. Return the statuses of those refused and the states of the others."""
    with closing(library.service.connect()) as connection:
        statuses = Counter(connection.upload(path.name, path.read_bytes()).status for path in paths)

        def list_states() -> Counter[str]:
            documents = connection.get("/api/v1/documents?limit=500").json()["documents"]
            return Counter(document["state"] for document in documents if document["name"] not in DOCUMENTS)

        def are_read() -> bool:
            time.sleep(1)  # or the list of hundreds of documents would be what the readers wait for
            return not list_states().keys() & set(UNFINISHED)

        wait_until(are_read, seconds=3600)
        return Counter({status: count for status, count in statuses.items() if status != 202}), list_states()


def gather(library: Library, measurements: Measurements, seed: int) -> Crowd:
    crowd = Crowd(library.service, seed)
    crowd.add(READERS, library.highlight_anew, measurements, PAUSE_SECONDS)
    return crowd


def ask(library: Library, measurements: Measurements, seed: int, seconds: float) -> Measurements:
    """Let the readers ask for so long, and return what was measured."""
    report(f"{READERS} readers for {seconds:g} s")
    gather(library, measurements, seed).run(seconds)
    return measurements


def compare(before: Measurements, meanwhile: Measurements) -> GoalResult:
    """Judge the waits of the readers while damaged files are read against those before."""
    slowdown = meanwhile.percentile(0.99) / before.percentile(0.99)
    medians = [f"{kind.percentile(0.5) * 1000:.0f} ms" for kind in (before, meanwhile)]
    return judge(
        "Damaged files: p99 of others' highlights within 20 %",
        f"p99 {before.percentile(0.99) * 1000:.0f} ms of {len(before.seconds)} before, "
        f"{meanwhile.percentile(0.99) * 1000:.0f} ms of {len(meanwhile.seconds)} meanwhile ({slowdown:.2f} times; "
        f"median {medians[0]}, then {medians[1]}); {meanwhile.count_failures()} errors",
        slowdown <= MAX_SLOWDOWN and not meanwhile.count_failures(),
    )
