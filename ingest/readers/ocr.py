"""Recognise the text of scanned pages with ocrmypdf where it is installed, and write a searchable copy."""

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
_TIMEOUT_SECONDS = 50.0  # less than the child process has, so that the reason given is this one
_LANGUAGES_TIMEOUT_SECONDS = 10.0  # for listing the installed languages
_ROTATION_THRESHOLD = "2"  # confidence needed to rotate a page: few lines are weak evidence
_NON_LANGUAGE_DATA = ("osd", "equ")  # data for page orientation and for formulas


def is_installed() -> bool:
    """Return whether ocrmypdf is installed."""
    return shutil.which(PROGRAM) is not None


def read_with_ocr(path: Path, copy: Path, seconds: float = _TIMEOUT_SECONDS) -> tuple[ExtractedDocument, Path]:
    """Return the extracted document and the PDF its source map refers to.

    That is the file itself when it has text, else the searchable copy, which is written to `copy`. The meta of a
    recognised scan has "ocr" set to "1" and, where known, "confidence".
    """
    try:
        extracted = read_pdf(path)
        if "pictures" not in extracted.meta or not is_installed():
            return extracted, path
    except UnreadableFile as err:
        if err.state != NO_TEXT or not is_installed():
            raise
        extracted = None
    try:
        return _recognise_and_read(path, copy, seconds), copy
    except UnreadableFile:
        if extracted is None:
            raise
        return extracted, path  # the text beside the pictures is better than nothing


def _recognise_and_read(path: Path, copy: Path, seconds: float) -> ExtractedDocument:
    confidence = write_searchable_copy(path, copy, seconds)
    try:
        extracted = read_pdf(copy)
    except UnreadableFile as err:
        raise UnreadableFile(NO_TEXT, "The pages are scans, and no text was recognised on them.") from err
    confidence_meta = {} if confidence is None else {"confidence": f"{confidence:.2f}"}
    return replace(extracted, meta={**extracted.meta, "ocr": "1", **confidence_meta})


def write_searchable_copy(path: Path, copy: Path, seconds: float = _TIMEOUT_SECONDS) -> float | None:
    """Write the searchable copy and return the confidence of its words from 0 to 1, or None where that is unknown."""
    deadline = time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="ocr-", dir=copy.parent) as folder:
        work = Path(folder)
        config = work / "tesseract.conf"
        config.write_text("tessedit_create_tsv 1\n")
        command = [PROGRAM, "--skip-text", "--output-type", "pdf", "--quiet", "--jobs", "1", "--keep-temporary-files"]
        command += ["--tesseract-config", str(config)]
        languages = _list_languages()
        if "osd" in languages:
            command += ["--rotate-pages", "--rotate-pages-threshold", _ROTATION_THRESHOLD]
        if recognition_languages := [name for name in languages if name not in _NON_LANGUAGE_DATA]:
            command += ["-l", "+".join(recognition_languages)]
        out = work / "recognised.pdf"
        _run_ocrmypdf([*command, str(path.resolve()), str(out)], work, max(deadline - time.monotonic(), 1.0))
        shutil.move(out, copy)
        return _read_confidence(work)


def _run_ocrmypdf(command: list[str], work: Path, seconds: float) -> None:
    environment = {**os.environ, "TMPDIR": str(work), "OMP_THREAD_LIMIT": "1"}
    try:
        status, output = run_program(command, work, environment, seconds, capture_errors=True)
    except OSError as err:
        raise UnreadableFile(NO_TEXT, "The pages are scans, and the OCR program cannot be started.") from err
    except subprocess.TimeoutExpired as err:
        raise UnreadableFile(TIMED_OUT, f"Text recognition took longer than {seconds:.0f} seconds.") from err
    if status or not Path(command[-1]).is_file():
        lines = [line.strip() for line in output.decode("utf-8", "replace").splitlines()]
        reason = next((line for line in lines if line and str(work) not in line and "emporary" not in line), "")
        reason = reason[:200].rstrip(".")
        raise UnreadableFile(
            NO_TEXT,
            f"The pages are scans, and text recognition failed ({reason})."
            if reason
            else "The pages are scans, and text recognition failed.",
        )


def _list_languages() -> list[str]:
    """Return the installed languages, so that a Chinese scan is read as Chinese; none when they cannot be listed."""
    try:
        result = subprocess.run(
            ["tesseract", "--list-langs"],
            capture_output=True,
            text=True,
            timeout=_LANGUAGES_TIMEOUT_SECONDS,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    names = [line.strip() for line in result.stdout.splitlines()[1:]]
    return [name for name in names if name]


def _read_confidence(work: Path) -> float | None:
    """Return the mean word confidence over all letters, from the tables that Tesseract writes beside the pages."""
    letters = weighted = 0.0
    for table in work.rglob("*.tsv"):
        for line in table.read_text(encoding="utf-8", errors="replace").splitlines()[1:]:
            columns = line.split("\t")
            if len(columns) < 12 or not columns[11].strip():
                continue
            try:
                confidence = float(columns[10])
            except ValueError:
                continue
            if confidence >= 0:
                letters += len(columns[11])
                weighted += confidence / 100 * len(columns[11])
    return weighted / letters if letters else None
