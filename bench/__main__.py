"""python -m bench: print one table. Ratios are measured side by side in one run; absolute times depend on the machine."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from bench.table import Row, print_table

PARTS = ("start", "extraction", "ingest", "highlight", "search", "batch")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--only", choices=PARTS, help="one part of the table")
    parser.add_argument("--largest", type=int, default=100_000, help="sentences in the largest store")
    parser.add_argument("--docs", type=Path, help="a folder of PDFs to read (default: samples/)")
    options = parser.parse_args()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="highlighter-bench-") as folder:
        for name in PARTS:
            if options.only in (None, name):
                rows.extend(_rows(name, Path(folder), options))
    print_table(rows)
    return 0


def _rows(name: str, folder: Path, options: argparse.Namespace) -> list[Row]:
    match name:
        case "start":
            from bench import startup

            return startup.rows(folder)
        case "extraction":
            from bench import extraction

            return extraction.rows(options.docs)
        case "ingest":
            from bench import ingest

            return ingest.rows(folder)
        case "highlight":
            from bench import highlight

            return highlight.rows(folder, options.largest)
        case "search":
            from bench import search

            return search.rows(folder, options.largest)
        case _:
            from bench import batch

            return batch.rows()


if __name__ == "__main__":
    sys.exit(main())
