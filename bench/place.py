"""python -m bench.place [--docs FOLDER]: whether highlights on pages cover their sentences, and how fast pages are drawn."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from bench import page_drawing, rectangle_accuracy
from bench.table import print_table


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.place", description=__doc__)
    parser.add_argument(
        "--docs", type=Path, help="a folder of documents besides samples/, with or without manifest.csv"
    )
    parser.add_argument("--misses", action="store_true", help="print the sentences with wrong rectangles")
    parser.add_argument("--sentences", type=int, default=rectangle_accuracy.MAX_SENTENCES)
    options = parser.parse_args()
    for program in ("pdftotext", "pdftoppm"):
        if not shutil.which(program):
            raise SystemExit(f"{program} is missing: apt-get install poppler-utils")
    accuracy = rectangle_accuracy.rows(options.docs, options.sentences, options.misses)
    print_table([*accuracy, *page_drawing.time_pictures(), page_drawing.check_colours()])
    return 0


if __name__ == "__main__":
    sys.exit(main())
