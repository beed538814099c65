"""python -m bench.pages: print one row for each page, measured in Chromium with a real server on real documents."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import ViewportSize, sync_playwright

from bench.pages.measurement import measure_page, print_measurements
from bench.pages.site import list_pages, prepare_library
from tests.browser.chromium import launch
from tests.browser.serving import serving

WIDTHS = {"phone": 360, "desk": 1440}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.pages", description=__doc__)
    parser.add_argument("--docs", type=Path, help="a folder with documents of your own, besides the samples")
    parser.add_argument("--rounds", type=int, default=3, help="loads of each page, of which the median counts")
    parser.add_argument("--window", choices=WIDTHS, default="desk")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="highlighter-bench-") as folder:
        prepare_library(Path(folder), options.docs)
        with serving(Path(folder)) as site, sync_playwright() as playwright:
            browser = launch(playwright, whole=True)
            viewport: ViewportSize = {"width": WIDTHS[options.window], "height": 800}
            pages = list_pages(site)
            print_measurements(
                {name: measure_page(browser, page, viewport, options.rounds) for name, page in pages.items()}
            )
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
