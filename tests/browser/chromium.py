"""The Chromium that the tests drive: the one named by CHROMIUM, one on the machine, or Playwright's own.

`python -m tests.browser.chromium` prints where it is, or fails with the sentence that mends it.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import Browser, Playwright, sync_playwright

NONE_FOUND = "No Chromium found. Install one: apt-get install chromium, or python -m playwright install chromium."
NAMES = ("chromium", "chromium-browser", "google-chrome")
# A page in it costs a fifth of the CPU time that one in the whole browser costs, but it has no viewer for PDFs.
SHELL = "chromium-headless-shell"

# Nothing of its own reaches out, and it runs as root inside a container without a graphics card.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Scripts of tests leave much garbage: collected in larger pieces, it takes a tenth less of a page's CPU time.
    "--js-flags=--min-semi-space-size=64",
]


def executable(playwright: Playwright) -> str:
    """Return the path of Chromium; without one, raise an error that says what to do."""
    named = os.environ.get("CHROMIUM")
    found = next(filter(None, map(shutil.which, [named] if named else NAMES)), None)
    own = playwright.chromium.executable_path
    if found is None and not named and Path(own).is_file():
        found = own
    if found is None:
        raise FileNotFoundError(f"CHROMIUM={named} is no program. {NONE_FOUND}" if named else NONE_FOUND)
    return found


def launch(playwright: Playwright, whole: bool = False) -> Browser:
    """Start the headless shell if this machine has it and the whole browser is not asked for, else the whole browser."""
    shell = None if whole or os.environ.get("CHROMIUM") else shutil.which(SHELL)
    return playwright.chromium.launch(executable_path=shell or executable(playwright), args=FLAGS)


def main() -> int:
    with sync_playwright() as playwright:
        try:
            print(executable(playwright))
        except FileNotFoundError as err:
            print(err, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
