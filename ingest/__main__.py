"""python -m ingest PATH...: takes files and folders in, with a bar for files and one for sentences."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from highlighter.errors import HighlighterError
from highlighter.models import READY
from highlighter.settings import Settings

EXAMPLES = """examples:
  python -m ingest contract.pdf            one file
  python -m ingest samples/                every PDF, DOCX, TXT and MD file of a folder
  DATA_DIR=/srv/highlighter python -m ingest --recursive /srv/papers

exit status: 0 every file is ready, 1 some are not (the table says why), 2 wrong usage.
Stopped at any moment and started again, it goes on where it was; files already in are not read again."""


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    # A plain `kill` ends like Ctrl-C: children are told, and nothing half-done is left to see.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        settings = Settings.from_environment()
    except HighlighterError as err:
        return _usage(err.detail)
    paths, missing = _files(options.paths, options.recursive)
    if missing:
        return _usage(f"There is no such file or folder: {', '.join(missing)}")
    if not paths:
        return _usage("There is nothing to read: no PDF, DOCX, TXT or MD file in what was named (try --recursive).")
    return _ingest(paths, settings, options)


def _ingest(paths: list[Path], settings: Settings, options: argparse.Namespace) -> int:
    from highlighter.services import Services
    from ingest.jail import Jail
    from ingest.pipeline import ingest_file
    from ingest.report import Bars, table

    services = Services(settings)
    services.files.sweep()
    jail = Jail(min(settings.workers, len(paths)), settings.read_seconds, settings.read_memory_mb)
    outcomes = {}
    following = _Following(services)
    try:
        with Bars(len(paths), quiet=options.quiet) as bars, ThreadPoolExecutor(settings.workers) as clerks:
            begun = {
                clerks.submit(ingest_file, path, services, jail, options.collection, bars.teller()): path
                for path in paths
            }
            try:
                for future in as_completed(begun):
                    outcomes[begun[future]] = outcome = _outcome_of(future)
                    bars.file_done(begun[future], outcome)
            except BaseException:
                clerks.shutdown(wait=False, cancel_futures=True)
                jail.close()
                raise
        following.end()
    finally:
        jail.close()
        services.close()
    print(table([(path, outcomes[path]) for path in paths]))
    all_ready = all(not isinstance(o, Exception) and o.document.state == READY for o in outcomes.values())
    return 0 if all_ready else 1


def _outcome_of(future):
    """An outcome, or the error that one file met: the others go on."""
    try:
        return future.result()
    except Exception as err:
        return err


class _Following:
    """Keeps the index up to the catalog while files are read, if no service does so already."""

    def __init__(self, services):
        self._services = services
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="follow", daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(2.0):
            self._services.index.follow()
        self._services.index.follow()


def _files(named: Iterable[str], recursive: bool) -> tuple[list[Path], list[str]]:
    found: dict[Path, None] = {}
    missing = []
    for name in named:
        path = Path(name)
        if path.is_dir():
            found.update(dict.fromkeys(_within(path, recursive)))
        elif path.is_file():
            found[path] = None
        else:
            missing.append(name)
    return list(found), missing


def _within(folder: Path, recursive: bool) -> Iterator[Path]:
    from ingest.kinds import SUFFIXES

    for path in sorted(folder.rglob("*") if recursive else folder.iterdir()):
        if path.is_file() and path.suffix.lower() in SUFFIXES and not path.name.startswith("."):
            yield path


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m ingest",
        description="Takes documents in: text, sentences, vectors and one PDF a chunk.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, or a folder")
    parser.add_argument("--recursive", action="store_true", help="folders within folders, too")
    parser.add_argument("--collection", default="default", help="where to keep them (default: %(default)s)")
    parser.add_argument("--quiet", action="store_true", help="no bars, only the table")
    return parser


def _usage(sentence: str) -> int:
    print(f"python -m ingest: {sentence}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
