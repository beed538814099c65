"""Ingest files and folders from the command line: `python -m ingest PATH...`."""

from __future__ import annotations

import argparse
import signal
import sys
from dataclasses import replace
from typing import Any

from highlighter.access import validate_collection_name
from highlighter.cli.closed_pipe import run_main
from highlighter.cli.common import translate_commands
from highlighter.errors import BadRequest, HighlighterError
from highlighter.lean_imports import skip_unneeded_imports
from highlighter.metadata import TAGS, check_metadata_values, parse_tags
from highlighter.models import READY
from highlighter.settings import Settings
from highlighter.version import __version__
from ingest.input_files import InputFiles, find_input_files
from ingest.input_objects import SCHEME, InputFile, find_inputs

SUMMARY = "take files and folders in"
EXAMPLES = """examples:
  python -m ingest contract.pdf            one file
  python -m ingest samples/                every file of a folder that is of a known kind
  python -m ingest --collection tenders --meta project=A12 --meta doc_url=https://dms.example/77 tender.docx
  python -m ingest --recursive --workers 4 --json papers/ > ended.jsonl
  DATA_DIR=/srv/highlighter python -m ingest --recursive /srv/papers
  python -m ingest --cluster tcp://scheduler:8786 --recursive s3://archive/papers/    # read by a Dask cluster

Other bytes under a path that is known are a new version: it takes over once it is read, and the old one stays readable.
In a folder, a file of another kind is reported as unsupported and not read; named itself, any file is tried. Left out
without a word: hidden files and folders (.git, .DS_Store), Thumbs.db, desktop.ini, and lock files of Office (~$...).
exit status: 0 every file is ready, 1 some are not (the table says why), 2 wrong usage.
Stopped at any moment and started again, it goes on where it was; files already in are not read again."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    options = _build_parser().parse_args(arguments)
    # A plain `kill` ends like Ctrl-C: child processes are stopped, and no half-finished document stays visible.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        settings = Settings.from_environment()
        if options.cluster:
            given = Settings.from_environment({"DASK_SCHEDULER": options.cluster})
            settings = replace(settings, dask_scheduler=given.dask_scheduler)
        validate_collection_name(options.collection)
    except HighlighterError as err:
        return _print_usage_error(err.detail)
    if settings.service_url:
        return _upload(settings, options)
    try:
        input_files = find_inputs(options.paths, options.recursive, settings)
    except HighlighterError as err:  # the storage does not answer, or refuses access
        return _print_usage_error(err.detail)
    if error := _find_input_error(input_files):
        return _print_usage_error(error)
    try:
        return _ingest_here(input_files, settings, options)
    except HighlighterError as err:  # the catalog is damaged, or cannot be reached
        print(f"{translate_commands('python -m ingest')}: {err.detail}", file=sys.stderr)
        return 1


def _upload(settings: Settings, options: argparse.Namespace) -> int:
    """Send the files to the service at HIGHLIGHTER_URL."""
    from ingest.remote_upload import upload_files

    if options.cluster or any(path.startswith(SCHEME) for path in options.paths):
        return _print_usage_error("--cluster and s3:// are for the machine of the service: unset HIGHLIGHTER_URL.")
    input_files = find_input_files(options.paths, options.recursive)
    if error := _find_input_error(input_files):
        return _print_usage_error(error)
    return upload_files(input_files, settings, options.collection, dict(options.meta), options.json)


def _find_input_error(input_files: InputFiles[Any]) -> str:
    if input_files.missing:
        return f"No such file or folder: {', '.join(input_files.missing)}"
    return "" if input_files.paths else "No file found in the given paths (try --recursive)."


def _ingest_here(input_files: InputFiles[InputFile], settings: Settings, options: argparse.Namespace) -> int:
    """Ingest the files in this process, show progress and print the outcomes."""
    from highlighter.services import Services
    from ingest.batch import ingest_files
    from ingest.pipeline import IngestOutcome
    from ingest.terminal_report import FileProgressBar, ProgressBars, format_table, outcome_to_json

    services = Services(settings)
    try:
        workers = options.workers or settings.workers
        if services.cluster:
            services.cluster.require_answer()
            # One more than its workers read at once: while a result is stored, the next file is read.
            workers = options.workers or services.cluster.count_threads() + 1
        create_bars = FileProgressBar if services.cluster else ProgressBars
        with create_bars(len(input_files.paths), quiet=options.quiet) as bars:

            def report_outcome(path: InputFile, outcome: IngestOutcome | Exception) -> None:
                bars.advance_files(path, outcome)
                if options.json:
                    print(outcome_to_json(path, outcome), flush=True)

            for path, err in input_files.unsupported.items():
                report_outcome(path, err)
            outcomes: dict[InputFile, IngestOutcome | Exception] = {**input_files.unsupported}
            outcomes |= ingest_files(
                input_files.to_read,
                services,
                options.collection,
                dict(options.meta),
                workers,
                bars.make_progress_callback,
                report_outcome,
            )
    finally:
        services.close()
    if not options.json:
        print(format_table([(path, outcomes[path]) for path in input_files.paths]))
    all_ready = all(
        not isinstance(outcome, Exception) and outcome.document.state == READY for outcome in outcomes.values()
    )
    return 0 if all_ready else 1


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=translate_commands("python -m ingest"),
        description="Add documents: text, sentences, vectors and one PDF per chunk.",
        epilog=translate_commands(EXAMPLES),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"Highlighter {__version__}")
    add_arguments(parser)
    return parser


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a folder, or s3://BUCKET/FOLDER/")
    parser.add_argument("--recursive", action="store_true", help="folders within folders, too")
    parser.add_argument("--collection", default="default", help="where to keep them (default: %(default)s)")
    parser.add_argument(
        "--meta",
        type=_parse_metadata,
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="kept with each document; repeatable",
    )
    parser.add_argument(
        "--workers", type=_parse_positive_number, metavar="N", help="files read at once (default: WORKERS, or 2)"
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="tcp://HOST:PORT of a Dask scheduler, whose workers read (default: DASK_SCHEDULER)",
    )
    parser.add_argument("--json", action="store_true", help="instead of the table, a JSON object a file as it ends")
    parser.add_argument("--quiet", action="store_true", help="no bars, only the table")


def _parse_metadata(text: str) -> tuple[str, str | list[str]]:
    """Return a field of metadata; of tags, the list that commas separate."""
    key, equals, value = text.encode("utf-8", "backslashreplace").decode().partition("=")
    if not equals or not key.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not KEY=VALUE")
    try:
        field = key.strip(), parse_tags(value) if key.strip() == TAGS else value
        check_metadata_values(dict([field]))
    except BadRequest as err:
        raise argparse.ArgumentTypeError(err.detail) from err
    return field


def _parse_positive_number(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return int(text)


def _print_usage_error(message: str) -> int:
    print(
        translate_commands(f"python -m ingest: {message}").encode("utf-8", "backslashreplace").decode(),
        file=sys.stderr,
    )
    return 2


if __name__ == "__main__":
    skip_unneeded_imports()
    sys.exit(run_main(main))
