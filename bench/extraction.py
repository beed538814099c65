"""Reading PDFs: pages per second compared with pypdf and pdfplumber, and the share of poppler's text that is found."""

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
    readable = [(path, pages) for path in files if (pages := _count_readable_pages(path))]
    pages = sum(count for _, count in readable)
    paths = [path for path, _ in readable]
    for reader in (_read_with_highlighter, _read_with_pypdf):  # imports on the first call are not measured
        reader(paths[0])
    our_seconds = _measure_seconds(_read_with_highlighter, paths)
    rows_of_readers = [
        Row(
            f"extraction of {len(paths)} PDFs, {pages} pages",
            _format_speed(pages, our_seconds),
            f"{name} {_format_speed(pages, their_seconds)}",
            f"{their_seconds / our_seconds:.1f}x faster",
            "-",
        )
        for name, their_seconds in (
            ("pypdf", _measure_seconds(_read_with_pypdf, paths)),
            ("pdfplumber", _measure_seconds(_read_with_pdfplumber, paths)),
        )
    ]
    return [*rows_of_readers, _compare_with_poppler(paths)]


def _compare_with_poppler(paths: list[Path]) -> Row:
    if not shutil.which("pdftotext"):
        raise SystemExit("pdftotext is missing: apt-get install poppler-utils")
    common_count = poppler_count = in_order = 0
    for path in paths:
        poppler_text = "".join(
            subprocess.run(["pdftotext", str(path), "-"], capture_output=True, check=False).stdout.decode().split()
        )
        our_text = "".join(_read_with_highlighter(path).split())
        poppler_count += len(poppler_text)
        common_count += (Counter(our_text) & Counter(poppler_text)).total()
        in_order += LCSseq.similarity(poppler_text, our_text)
    return Row(
        "... of poppler's characters",
        f"{common_count / poppler_count:.1%} there",
        f"{in_order / poppler_count:.1%} in poppler's order",
        "-",
        "-",
    )


def _count_readable_pages(path: Path) -> int:
    """Return the number of pages of a file that all readers can read; 0 for other files."""
    try:
        text = read_document(path, "pdf")
        for read_text in (_read_with_pypdf, _read_with_pdfplumber):
            read_text(path)
        return len(text.pages)
    except (UnreadableFile, Exception):
        return 0


def _read_with_highlighter(path: Path) -> str:
    return read_document(path, "pdf").text


def _read_with_pypdf(path: Path) -> str:
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(path).pages)


def _read_with_pdfplumber(path: Path) -> str:
    import pdfplumber

    with pdfplumber.open(path) as document:
        return "\n".join(page.extract_text() or "" for page in document.pages)


def _measure_seconds(reader: Callable[[Path], str], paths: list[Path]) -> float:
    start = time.perf_counter()
    for path in paths:
        reader(path)
    return time.perf_counter() - start


def _format_speed(pages: int, seconds: float) -> str:
    return f"{pages / seconds:.0f} pages/s"
