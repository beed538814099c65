"""python -m bench.embed: print one table, measured with a real server and browser and a host page on another origin."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from bench.embed import browser_timing, concurrent_readers
from bench.table import print_table
from tests.browser.chromium import launch
from tests.browser.host_pages import serve_host_pages
from tests.browser.serving import ROOT, serving

CONTRACT = "samples/Harbour Works Contract.pdf"


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="highlighter-bench-") as folder:
        data_dir = Path(folder) / "data"
        ingestion = [sys.executable, "-m", "ingest", CONTRACT]
        subprocess.run(
            ingestion, cwd=ROOT, env={**os.environ, "DATA_DIR": str(data_dir)}, capture_output=True, check=True
        )
        with serving(data_dir) as site, serve_host_pages(site) as chat, sync_playwright() as playwright:
            rows = concurrent_readers.rows(site)
            browser = launch(playwright)
            rows = browser_timing.rows(browser, site, chat) + rows
            browser.close()
    print_table(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
