"""Thousands of damaged files: each ends in a typed state, in bounded time and memory, and the service lives."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import psutil

from highlighter.errors import UnreadableFile
from highlighter.models import FAILED, PIPELINE_VERSION
from highlighter.settings import Settings
from highlighter.workers.network_refusal import is_network_refused
from highlighter.workers.process_pool import ProcessPool
from ingest.file_kinds import detect_kind
from ingest.preparation import SourceFile, prepare_document
from tests.browser.serving import ROOT
from tests.soak.damaged_uploads import UNTYPED, upload_all
from tests.soak.goals import GoalResult, judge
from tests.soak.mutations import damage
from tests.soak.options import SoakOptions
from tests.soak.progress import report

SUFFIXES = (".pdf", ".docx", ".txt")
# Of the other kinds there is a file each. LibreOffice converts the last four; where it is not installed, they are refused.
OTHER_SUFFIXES = (".html", ".md", ".eml", ".msg", ".epub", ".xlsx", ".pptx", ".odt", ".rtf")
OTHER_FILES = ROOT / "tests" / "ingest" / "readers" / "files"
MAIN_PER_OTHER = 4  # files of the first three kinds for one of another kind
MAX_SOURCE_BYTES = 400_000  # larger ones are as they are, only slower
READERS = 2
MAX_CHILD_BYTES = 1 << 30
SHARE_FOR_SERVICE = 17  # one in so many files is uploaded to a running service; no multiple of the kinds' turns
READ = "read"


@dataclass(slots=True)
class Observations:
    """What became of the files."""

    states: Counter[str] = field(default_factory=Counter)
    untyped: list[str] = field(default_factory=list)
    longest: tuple[float, str] = (0.0, "")
    peak_bytes: int = 0


def choose_suffix(number: int) -> str:
    """Return the kind of the damaged file of a number: one of the first three mostly, and each of the others in turn."""
    turn, place = divmod(number, MAIN_PER_OTHER + 1)
    if place == MAIN_PER_OTHER:
        return OTHER_SUFFIXES[turn % len(OTHER_SUFFIXES)]
    return SUFFIXES[(turn * MAIN_PER_OTHER + place) % len(SUFFIXES)]


def make_damaged_files(options: SoakOptions, folder: Path) -> Iterator[Path]:
    """Yield damaged files, the same for the same seed and sources: as many as asked for of the first three kinds."""
    sources = [
        path
        for path in [*sorted(options.docs.rglob("*")), *sorted(OTHER_FILES.iterdir())]
        if path.suffix in SUFFIXES + OTHER_SUFFIXES and 0 < path.stat().st_size <= MAX_SOURCE_BYTES
    ]
    contents = {path: path.read_bytes() for path in sources}
    for number in range(options.files * (MAIN_PER_OTHER + 1) // MAIN_PER_OTHER):
        random, suffix = Random(f"{options.seed} {number}"), choose_suffix(number)
        source = random.choice([path for path in sources if path.suffix == suffix])
        damaged = folder / f"{number}{suffix}"
        damaged.write_bytes(damage(contents[source], contents[random.choice(sources)], random))
        yield damaged


def run_damaged_files(options: SoakOptions, work: Path) -> list[GoalResult]:
    files, findings = work / "files", Path(f"soak-files-{options.seed}")
    files.mkdir()
    observations = Observations()
    settings = Settings(data_dir=work)
    pool = ProcessPool(READERS, settings.read_seconds, settings.read_memory_mb)
    shared: list[Path] = []
    try:
        is_refused = pool.run(is_network_refused)
        with watch_memory(observations), ThreadPoolExecutor(READERS) as executor:
            for path in executor.map(
                lambda path: read_file(path, pool, observations, findings), make_damaged_files(options, files)
            ):
                report(f"{observations.states.total()} files, {len(observations.untyped)} ends untyped", passing=True)
                if int(path.stem) % SHARE_FOR_SERVICE == 0:
                    shared.append(path)
                else:
                    path.unlink()
    finally:
        pool.close()
    states = ", ".join(f"{count} {state}" for state, count in observations.states.most_common())
    seconds, slowest = observations.longest
    wall_limit = settings.read_seconds * 2
    return [
        judge(
            "Damaged files: every end is typed",
            f"{observations.states.total()} files: {states}"
            + "".join(f"; {name}" for name in observations.untyped[:3])
            + (f" (in {findings}/)" if observations.untyped else ""),
            not observations.untyped,
        ),
        judge("Damaged files: no hang", f"longest {seconds:.1f} s ({slowest})", seconds <= wall_limit),
        judge(
            "A reading process takes at most 1 GB",
            f"peak {observations.peak_bytes / (1 << 20):.0f} MB resident",
            observations.peak_bytes <= MAX_CHILD_BYTES,
        ),
        judge(
            "Reading processes have no network", "refused by the kernel" if is_refused else "not refused", is_refused
        ),
        *upload_all(shared, work, options.seed),
    ]


def read_file(path: Path, pool: ProcessPool, observations: Observations, findings: Path) -> Path:
    """Read a file as ingestion does, note how it ended, and keep it when that was untyped."""
    work = path.with_name(f"{path.name}-work")
    work.mkdir()
    began = time.monotonic()
    state = detail = ""
    try:
        pool.run(
            prepare_document,
            SourceFile(path, detect_kind(path, path.name), path.name),
            "d" * 32,
            PIPELINE_VERSION,
            work,
        )
        state = READ
    except UnreadableFile as err:
        state, detail = err.state, err.detail
    except Exception as err:
        state, detail = FAILED, repr(err)
    observations.states[state] += 1
    observations.longest = max(observations.longest, (time.monotonic() - began, path.name))
    if state in UNTYPED:
        observations.untyped.append(f"{path.name} {detail}")
        report(f"{path.name}: {detail}")
        findings.mkdir(exist_ok=True)
        (findings / path.name).write_bytes(path.read_bytes())
    for left in sorted(work.rglob("*"), reverse=True):
        left.rmdir() if left.is_dir() else left.unlink()
    work.rmdir()
    return path


@contextmanager
def watch_memory(observations: Observations) -> Iterator[None]:
    """Note the largest resident memory of this process's children while the block runs."""
    stopped = threading.Event()

    def watch() -> None:
        while not stopped.wait(0.1):
            for child in psutil.Process().children(recursive=True):
                observations.peak_bytes = max(observations.peak_bytes, _read_resident_bytes(child))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()


def _read_resident_bytes(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0
