"""python -m bench.place [--docs FOLDER]: whether what is lit on paper is the sentence, and how fast pages are drawn."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from bench import place_drawn, place_words
from bench.table import print_table


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.place", description=__doc__)
    parser.add_argument(
        "--docs", type=Path, help="a folder of documents besides samples/, with or without manifest.csv"
    )
    parser.add_argument("--misses", action="store_true", help="print what is not right")
    parser.add_argument("--sentences", type=int, default=place_words.SENTENCES)
    options = parser.parse_args()
    for program in ("pdftotext", "pdftoppm"):
        if not shutil.which(program):
            raise SystemExit(f"{program} is missing: apt-get install poppler-utils")
    words = place_words.rows(options.docs, options.sentences, options.misses)
    print_table([*words, *place_drawn.pictures(), place_drawn.colours()])
    return 0


if __name__ == "__main__":
    sys.exit(main())
