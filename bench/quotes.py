"""python -m bench.quotes [--docs FOLDER]: how many damaged quotes are located, and how many that no document contains.

Compares with exact search and difflib, and measures the time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from bench.quote_accuracy import COLLECTION, print_accuracy
from bench.quote_latency import print_latency
from highlighter.models import DOCUMENT_SUFFIXES
from highlighter.services import Services
from highlighter.settings import Settings

SAMPLES = Path(__file__).resolve().parents[1] / "samples"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.quotes", description=__doc__)
    parser.add_argument("--docs", type=Path, help="a folder of documents, besides samples/")
    parser.add_argument("--data", type=Path, help="keep the library here, and use it again the next time")
    parser.add_argument("--misses", action="store_true", help="print quotes that were missed or located wrongly")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="highlighter-bench-") as folder:
        services = Services(Settings(data_dir=options.data or Path(folder)))
        try:
            ingest_folders(services, [SAMPLES, *([options.docs] if options.docs else [])])
            print_accuracy(services, options.misses)
            print_latency(services)
        finally:
            services.close()
    return 0


def ingest_folders(services: Services, folders: list[Path]) -> None:
    for folder in folders:
        for path in sorted(p for p in folder.rglob("*") if p.suffix.lower() in DOCUMENT_SUFFIXES):
            services.ingest_queue.ingest_file(path, COLLECTION)


if __name__ == "__main__":
    sys.exit(main())
