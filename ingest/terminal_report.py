"""Report on a terminal: two progress bars while files are ingested, and a table at the end."""

from __future__ import annotations

import json
import sys
import threading
import unicodedata
from collections.abc import Callable, Iterator

from tqdm import tqdm

from highlighter.errors import HighlighterError, UnreadableFile
from highlighter.models import FAILED, READABLE, READY, RECOGNISING, UNSUPPORTED_KIND
from ingest.input_objects import InputFile
from ingest.pipeline import IngestOutcome

NAME_COLUMNS = 48


class ProgressBars:
    """A progress bar of files above a bar of sentences with rate and time left. Silent when not on a terminal."""

    def __init__(self, files: int, quiet: bool = False):
        is_silent = quiet or not sys.stderr.isatty()
        self._files = tqdm(total=files, desc="files    ", unit="file", disable=is_silent, position=0)
        self._sentences = tqdm(total=0, desc="sentences", unit="sent", disable=is_silent, position=1)
        self._lock = threading.Lock()

    def __enter__(self) -> ProgressBars:
        return self

    def __exit__(self, *_: object) -> None:
        self._sentences.close()
        self._files.close()

    def make_progress_callback(self) -> Callable[[str, int, int], None]:
        """Return a progress callback for one file, which adds its share to the sentence bar."""
        reported = {"done": 0, "total": 0}

        def report_progress(stage: str, done: int, total: int) -> None:
            if stage == RECOGNISING:
                self._files.set_postfix_str(f"recognising text: page {done + 1} of {total}")
            if stage != "embedding":
                return
            with self._lock:
                self._sentences.total += total - reported["total"]
                self._sentences.update(done - reported["done"])
                reported.update(done=done, total=total)

        return report_progress

    def advance_files(self, path: InputFile, outcome: IngestOutcome | Exception) -> None:
        self._files.set_postfix_str(path.name[:30], refresh=False)
        self._files.update()


class FileProgressBar:
    """A bar of the files that a cluster reads, with files a second and failures. Silent when not on a terminal."""

    def __init__(self, files: int, quiet: bool = False):
        self._bar = tqdm(total=files, unit="file", disable=quiet or not sys.stderr.isatty())
        self._failures = 0

    def __enter__(self) -> FileProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def make_progress_callback(self) -> Callable[[str, int, int], None]:
        """Return a progress callback for one file, which shows nothing: many files are read at once."""
        return lambda stage, done, total: None

    def advance_files(self, path: InputFile, outcome: IngestOutcome | Exception) -> None:
        self._failures += _outcome_state(outcome) not in READABLE
        self._bar.set_postfix_str(f"{self._failures} failed", refresh=False)
        self._bar.update()


def outcome_to_json(path: InputFile, outcome: IngestOutcome | Exception) -> str:
    """Return one line of ASCII JSON, from which any file name can be restored, even one that is not Unicode."""
    if isinstance(outcome, Exception):
        row = {
            "path": str(path),
            "document_id": None,
            "state": _outcome_state(outcome),
            "reason": _format_error(outcome),
            "known": False,
        }
        return json.dumps(row)
    document = outcome.document
    return json.dumps(
        {
            "path": str(path), "document_id": document.id, "state": document.state, "pages": document.pages,
            "chunks": document.chunks, "sentences": document.sentences, "seconds": round(outcome.seconds, 3),
            "reason": document.reason or None, "known": outcome.was_known, "version": document.version,
            "new_version": outcome.new_version, "metadata_updated": outcome.was_known and outcome.metadata_updated,
        }
    )  # fmt: skip


def format_table(outcomes: list[tuple[InputFile, IngestOutcome | Exception]]) -> str:
    """Return a row for each file, with the reason under each file that is not ready, and a summary."""
    lines = [
        f"{_fit_to_width('file', NAME_COLUMNS)}  {'state':10} {'pages':>5} {'chunks':>6} {'sentences':>9} {'seconds':>7}"
    ]
    for path, outcome in outcomes:
        lines.extend(_format_row(path, outcome))
    ready = sum(_outcome_state(outcome) == READY for _, outcome in outcomes)
    unsupported = sum(_outcome_state(outcome) == UNSUPPORTED_KIND for _, outcome in outcomes)
    known = sum(
        not isinstance(outcome, Exception)
        and outcome.was_known
        and not (outcome.new_version or outcome.metadata_updated)
        for _, outcome in outcomes
    )
    lines.append(
        f"{ready} of {len(outcomes)} ready"
        + (f"; {unsupported} unsupported" if unsupported else "")
        + (f"; {known} already known" if known else "")
    )
    return "\n".join(lines)


def _outcome_state(outcome: IngestOutcome | Exception) -> str:
    if isinstance(outcome, UnreadableFile):
        return outcome.state
    return FAILED if isinstance(outcome, Exception) else outcome.document.state


def _format_row(path: InputFile, outcome: IngestOutcome | Exception) -> list[str]:
    if isinstance(outcome, Exception):
        return [f"{_fit_to_width(path.name, NAME_COLUMNS)}  {_outcome_state(outcome)}", f"    {_format_error(outcome)}"]
    document = outcome.document
    numbers = f"{document.pages:>5} {document.chunks:>6} {document.sentences:>9} {outcome.seconds:>7.1f}"
    row = f"{_fit_to_width(path.name, NAME_COLUMNS)}  {document.state:10} {numbers}"
    return [row, *(f"    {note}" for note in _list_notes(outcome))]


def _list_notes(outcome: IngestOutcome) -> Iterator[str]:
    document = outcome.document
    if document.reason:
        yield document.reason
    if outcome.new_version and document.version > 1:
        prefix = "An earlier version, now current again: " if outcome.was_known else ""
        suffix = "" if document.current else "; the one before it stays current, as this one cannot be read"
        yield f"{prefix}version {document.version} of {document.path}{suffix}."
    if outcome.was_known and outcome.metadata_updated:
        yield "Already known; its metadata was updated."


def _format_error(err: Exception) -> str:
    """Return one line, even where a library's error message has several."""
    if isinstance(err, HighlighterError):
        return err.detail
    return f"The file could not be added: {(str(err).splitlines() or [type(err).__name__])[0]}"


def _fit_to_width(name: str, width: int) -> str:
    """Return the name cut or padded to `width` terminal columns; a Chinese character takes two."""
    name = "".join(c if c.isprintable() else "?" for c in name)
    if sum(map(_count_columns, name)) > width:
        while sum(map(_count_columns, name)) > width - 1:
            name = name[:-1]
        name += "…"
    return name + " " * (width - sum(map(_count_columns, name)))


def _count_columns(character: str) -> int:
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
