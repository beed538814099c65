"""python -m bench: prints one table. Ratios are taken side by side in one run; absolute times are this machine's."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from bench.table import Row, print_table


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--only", choices=("highlight", "ingest", "search", "start"), help="one part of the table")
    parser.add_argument("--largest", type=int, default=100_000, help="sentences in the largest store")
    options = parser.parse_args()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="highlighter-bench-") as folder:
        for name, part in _parts(options.largest).items():
            if options.only in (None, name):
                rows.extend(part(Path(folder)))
    print_table(rows)
    return 0


def _parts(largest: int):
    from bench import highlight, ingest, search, start

    return {
        "start": start.rows,
        "ingest": ingest.rows,
        "highlight": lambda folder: highlight.rows(folder, largest),
        "search": lambda folder: search.rows(folder, largest),
    }


if __name__ == "__main__":
    sys.exit(main())
