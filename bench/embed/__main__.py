"""python -m bench.embed: one table, of a real server, a real browser, and a host page on another origin."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from bench.embed import in_browser, readers
from bench.table import print_table
from tests.browser.chromium import launch
from tests.browser.hosting import somebody
from tests.browser.serving import ROOT, serving

CONTRACT = "samples/Harbour Works Contract.pdf"


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="highlighter-bench-") as folder:
        data = Path(folder) / "data"
        taking_in = [sys.executable, "-m", "ingest", CONTRACT]
        subprocess.run(taking_in, cwd=ROOT, env={**os.environ, "DATA_DIR": str(data)}, capture_output=True, check=True)
        with serving(data) as site, somebody(site) as chat, sync_playwright() as playwright:
            rows = readers.rows(site)
            browser = launch(playwright)
            rows = in_browser.rows(browser, site, chat) + rows
            browser.close()
    print_table(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
