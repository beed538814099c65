"""python -m bench.quotes [--docs FOLDER]: quotes damaged on purpose and quotes of what is not there: how many are found,
how many wrongly, by tier; against exact search and difflib; and how long it takes."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from bench.quotes_found import COLLECTION, shares
from bench.quotes_timed import times
from highlighter.services import Services
from highlighter.settings import Settings

SAMPLES = Path(__file__).resolve().parents[1] / "samples"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.quotes", description=__doc__)
    parser.add_argument("--docs", type=Path, help="a folder of documents, besides samples/")
    parser.add_argument("--data", type=Path, help="keep the library here, and use it again the next time")
    parser.add_argument("--misses", action="store_true", help="print what was missed or found wrongly")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="highlighter-bench-") as folder:
        services = Services(Settings(data_dir=options.data or Path(folder)))
        try:
            taken_in(services, [SAMPLES, *([options.docs] if options.docs else [])])
            shares(services, options.misses)
            times(services)
        finally:
            services.close()
    return 0


def taken_in(services: Services, folders: list[Path]) -> None:
    from highlighter.facade import SUFFIXES

    for folder in folders:
        for path in sorted(p for p in folder.rglob("*") if p.suffix.lower() in SUFFIXES):
            services.ingest_queue.ingest_file(path, COLLECTION)


if __name__ == "__main__":
    sys.exit(main())
