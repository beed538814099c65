"""python -m bench.answers: print one table. Without --data, the parts that need judged data are left out with a message."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from bench.table import Row, print_table

PARTS = ("labels", "quotes", "lies", "cited", "speed")
NEED_DATA = {"cited"}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.answers", description=__doc__)
    parser.add_argument("--data", type=Path, help="a folder with evidence/dev")
    parser.add_argument("--only", choices=PARTS, help="one part of the table")
    parser.add_argument("--largest", type=int, default=100_000, help="sentences in the largest store")
    options = parser.parse_args()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="highlighter-bench-") as folder:
        for name in PARTS:
            if options.only in (None, name):
                rows.extend(_rows(name, Path(folder), options))
    print_table(rows)
    return 0


def _rows(name: str, folder: Path, options: argparse.Namespace) -> list[Row]:
    if name in NEED_DATA and options.data is None:
        print(f"{name}: needs --data", file=sys.stderr)
        return []
    match name:
        case "labels":
            from bench.answers import labels

            return labels.rows()
        case "quotes":
            from bench.answers import quote_checks

            return quote_checks.rows(folder)
        case "lies":
            from bench.answers import lies

            return lies.rows(folder)
        case "cited":
            from bench.answers import citation_accuracy

            return citation_accuracy.rows(folder, options.data)
        case _:
            from bench.answers import speed

            return speed.rows(folder, options.largest)


if __name__ == "__main__":
    sys.exit(main())
