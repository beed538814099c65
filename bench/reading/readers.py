"""Read PDFs with each reader in a process of its own, so that a peer may live in an environment of its own.

This file also runs as a script under the peers' Python, where nothing of Highlighter is installed: it imports only the
standard library at the top.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ReadText = Callable[[str], str]
NAMES = ("Highlighter", "poppler", "liteparse", "kreuzberg", "pdfplumber", "pypdf")
PEERS = ("liteparse", "kreuzberg", "pdfplumber", "pypdf")  # not dependencies, except where tests need them


def load_reader(name: str) -> ReadText:
    """Return the function that reads a file's text; raises ImportError when the reader is not installed."""
    return {
        "Highlighter": _load_highlighter,
        "poppler": lambda: _read_with_poppler,
        "liteparse": _load_liteparse,
        "kreuzberg": _load_kreuzberg,
        "pdfplumber": _load_pdfplumber,
        "pypdf": _load_pypdf,
    }[name]()


def _load_highlighter() -> ReadText:
    from ingest.readers import read_document

    return lambda path: read_document(Path(path), "pdf").text


def _read_with_poppler(path: str) -> str:
    result = subprocess.run(["pdftotext", path, "-"], capture_output=True, check=False)
    return result.stdout.decode("utf-8", "replace")


def _load_liteparse() -> ReadText:
    from liteparse import LiteParse  # type: ignore[import-not-found, unused-ignore]

    parser = LiteParse(ocr_enabled=False, output_format="markdown", extract_links=False, quiet=True, num_workers=1)
    return lambda path: str(parser.parse(path).text)


def _load_kreuzberg() -> ReadText:
    from kreuzberg import extract_file_sync  # type: ignore[import-not-found, unused-ignore]

    return lambda path: str(extract_file_sync(path).content)


def _load_pdfplumber() -> ReadText:
    import pdfplumber

    def read(path: str) -> str:
        with pdfplumber.open(path) as document:
            return "\n".join(page.extract_text() or "" for page in document.pages)

    return read


def _load_pypdf() -> ReadText:
    from pypdf import PdfReader

    return lambda path: "\n".join(page.extract_text() for page in PdfReader(path).pages)


def read_files(name: str, paths: list[Path], python: str = sys.executable) -> list[tuple[str | None, float]] | None:
    """Return the text (None: failed) and the CPU seconds of each file, or None when the reader is not installed."""
    command = [python, "-m", "bench.reading.readers"] if name in ("Highlighter", "poppler") else [python, __file__]
    result = subprocess.run(
        [*command, name], input="\n".join(map(str, paths)), capture_output=True, text=True, check=False
    )
    if result.returncode == _NOT_INSTALLED:
        return None
    outcomes: list[tuple[str | None, float]] = []
    for line in result.stdout.splitlines():
        if line.startswith(_MARK):  # a reader may print
            text, seconds = json.loads(line[len(_MARK) :])
            outcomes.append((text, seconds))
    return outcomes + [(None, 0.0)] * (len(paths) - len(outcomes))


_NOT_INSTALLED = 3
_MARK = "read: "


def _read_all(name: str, paths: list[str]) -> Iterator[tuple[str | None, float]]:
    read = load_reader(name)
    read(paths[0])  # the first call imports and warms up
    for path in paths:
        start = _count_cpu_seconds()
        text: str | None
        try:
            text = read(path)
        except Exception:  # a reader that fails on a file has read nothing of it
            text = None
        yield text, _count_cpu_seconds() - start


def _count_cpu_seconds() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def main() -> int:
    try:
        for outcome in _read_all(sys.argv[1], sys.stdin.read().splitlines()):
            print(_MARK + json.dumps(outcome), flush=True)
    except ImportError:
        return _NOT_INSTALLED
    return 0


if __name__ == "__main__":
    sys.exit(main())
