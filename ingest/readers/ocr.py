"""Letters for pages that are pictures, by ocrmypdf where it is installed: a searchable copy, and how sure it is of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from highlighter.errors import UnreadableFile
from highlighter.models import NO_TEXT, TIMED_OUT
from highlighter.workers.process_control import run_program
from ingest.readers.extracted_document import ExtractedDocument
from ingest.readers.pdf import read as read_pdf

PROGRAM = "ocrmypdf"
_TIMEOUT_SECONDS = 50.0  # less than the reading child has, so that the reason is ours and not its end
_LANGUAGES_TIMEOUT_SECONDS = 10.0  # seconds for asking which languages there are
_ROTATION_THRESHOLD = "2"  # how sure it must be of the way up before it turns a page: few lines tell little
_NON_LANGUAGE_DATA = ("osd", "equ")  # data for the way up and for formulas


def is_installed() -> bool:
    return shutil.which(PROGRAM) is not None


def read_with_ocr(path: Path, copy: Path, seconds: float = _TIMEOUT_SECONDS) -> tuple[ExtractedDocument, Path]:
    """The reading, and the PDF that its map speaks of: the file itself when it has text, else the searchable copy,
    which is written to `copy`. A scan's reading has `meta["ocr"] == "1"` and, where known, `meta["confidence"]`."""
    try:
        reading = read_pdf(path)
        if "pictures" not in reading.meta or not is_installed():
            return reading, path
    except UnreadableFile as refused:
        if refused.state != NO_TEXT or not is_installed():
            raise
        reading = None
    try:
        return _recognise_and_read(path, copy, seconds), copy
    except UnreadableFile:
        if reading is None:
            raise
        return reading, path  # what text there is beside the pictures is better than nothing


def _recognise_and_read(path: Path, copy: Path, seconds: float) -> ExtractedDocument:
    sure = write_searchable_copy(path, copy, seconds)
    try:
        reading = read_pdf(copy)
    except UnreadableFile as err:
        raise UnreadableFile(NO_TEXT, "The pages are scans, and no text was recognised on them.") from err
    told = {} if sure is None else {"confidence": f"{sure:.2f}"}
    return replace(reading, meta={**reading.meta, "ocr": "1", **told})


def write_searchable_copy(path: Path, copy: Path, seconds: float = _TIMEOUT_SECONDS) -> float | None:
    """Writes the searchable copy; how sure the words are from 0 to 1, or None where that is not told."""
    ends = time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="ocr-", dir=copy.parent) as folder:
        work = Path(folder)
        config = work / "tesseract.conf"
        config.write_text("tessedit_create_tsv 1\n")
        command = [PROGRAM, "--skip-text", "--output-type", "pdf", "--quiet", "--jobs", "1", "--keep-temporary-files"]
        command += ["--tesseract-config", str(config)]
        languages = _list_languages()
        if "osd" in languages:
            command += ["--rotate-pages", "--rotate-pages-threshold", _ROTATION_THRESHOLD]
        if letters := [name for name in languages if name not in _NON_LANGUAGE_DATA]:
            command += ["-l", "+".join(letters)]
        out = work / "recognised.pdf"
        _run_ocrmypdf([*command, str(path.resolve()), str(out)], work, max(ends - time.monotonic(), 1.0))
        shutil.move(out, copy)
        return _read_confidence(work)


def _run_ocrmypdf(command: list[str], work: Path, seconds: float) -> None:
    environment = {**os.environ, "TMPDIR": str(work), "OMP_THREAD_LIMIT": "1"}
    try:
        status, said = run_program(command, work, environment, seconds, capture_errors=True)
    except OSError as err:
        raise UnreadableFile(NO_TEXT, "The pages are scans, and the OCR program cannot be started.") from err
    except subprocess.TimeoutExpired as err:
        raise UnreadableFile(TIMED_OUT, f"Text recognition took longer than {seconds:.0f} seconds.") from err
    if status or not Path(command[-1]).is_file():
        lines = [line.strip() for line in said.decode("utf-8", "replace").splitlines()]
        told = next((line for line in lines if line and str(work) not in line and "emporary" not in line), "")
        told = told[:200].rstrip(".")
        raise UnreadableFile(
            NO_TEXT,
            f"The pages are scans, and text recognition failed ({told})."
            if told
            else "The pages are scans, and text recognition failed.",
        )


def _list_languages() -> list[str]:
    """Those that are installed, so that a Chinese scan is read as one; none when that cannot be asked."""
    try:
        told = subprocess.run(
            ["tesseract", "--list-langs"],
            capture_output=True,
            text=True,
            timeout=_LANGUAGES_TIMEOUT_SECONDS,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    names = [line.strip() for line in told.stdout.splitlines()[1:]]
    return [name for name in names if name]


def _read_confidence(work: Path) -> float | None:
    """The mean over all letters of how sure their words are, from the tables kept beside the pages."""
    letters = weighted = 0.0
    for table in work.rglob("*.tsv"):
        for line in table.read_text(encoding="utf-8", errors="replace").splitlines()[1:]:
            columns = line.split("\t")
            if len(columns) < 12 or not columns[11].strip():
                continue
            try:
                sure = float(columns[10])
            except ValueError:
                continue
            if sure >= 0:
                letters += len(columns[11])
                weighted += sure / 100 * len(columns[11])
    return weighted / letters if letters else None
