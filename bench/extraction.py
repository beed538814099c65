"""Reading PDFs: pages a second against pypdf and pdfplumber on the same files, and how much of poppler's text we have."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pypdf
from rapidfuzz.distance import LCSseq

from bench.table import Row
from highlighter.errors import UnreadableFile
from ingest.readers import read_document

SAMPLES = Path(__file__).resolve().parents[1] / "samples"


def rows(docs: Path | None = None) -> list[Row]:
    files = sorted((docs or SAMPLES).rglob("*.pdf"))
    readable = [(path, pages) for path in files if (pages := _pages(path))]
    pages = sum(count for _, count in readable)
    paths = [path for path, _ in readable]
    for reader in (_ours, _pypdf):  # what is imported on the first file is not the file's time
        reader(paths[0])
    ours = _timed(_ours, paths)
    found = [
        Row(
            f"extraction of {len(paths)} PDFs, {pages} pages",
            _speed(pages, ours),
            f"{name} {_speed(pages, taken)}",
            f"{taken / ours:.1f}x faster",
            "-",
        )
        for name, taken in (("pypdf", _timed(_pypdf, paths)), ("pdfplumber", _timed(_pdfplumber, paths)))
    ]
    return [*found, _against_poppler(paths)]


def _against_poppler(paths: list[Path]) -> Row:
    if not shutil.which("pdftotext"):
        raise SystemExit("pdftotext is missing: apt-get install poppler-utils")
    have = there = in_order = 0
    for path in paths:
        theirs = "".join(
            subprocess.run(["pdftotext", str(path), "-"], capture_output=True, check=False).stdout.decode().split()
        )
        own = "".join(_ours(path).split())
        there += len(theirs)
        have += (Counter(own) & Counter(theirs)).total()
        in_order += LCSseq.similarity(theirs, own)
    return Row(
        "... of poppler's characters",
        f"{have / there:.1%} there",
        f"{in_order / there:.1%} in poppler's order",
        "-",
        "-",
    )


def _pages(path: Path) -> int:
    """The pages of a file that all of us can read; 0 for the others."""
    try:
        text = read_document(path, "pdf")
        for other in (_pypdf, _pdfplumber):
            other(path)
        return len(text.pages)
    except (UnreadableFile, Exception):
        return 0


def _ours(path: Path) -> str:
    return read_document(path, "pdf").text


def _pypdf(path: Path) -> str:
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(path).pages)


def _pdfplumber(path: Path) -> str:
    import pdfplumber

    with pdfplumber.open(path) as opened:
        return "\n".join(page.extract_text() or "" for page in opened.pages)


def _timed(reader: Callable[[Path], str], paths: list[Path]) -> float:
    began = time.perf_counter()
    for path in paths:
        reader(path)
    return time.perf_counter() - began


def _speed(pages: int, seconds: float) -> str:
    return f"{pages / seconds:.0f} pages/s"
