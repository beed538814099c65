"""Run an example against a service as its first line says."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.browser.serving import ROOT


def run(module: str, *arguments: str, url: str, key: str) -> str:
    """Return what the example printed."""
    environment = {**os.environ, "HIGHLIGHTER_URL": url, "HIGHLIGHTER_KEY": key}
    ended = subprocess.run(
        [sys.executable, "-m", module, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout
