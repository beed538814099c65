"""The choice of the browser for the tests."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.browser.chromium import NONE_FOUND
from tests.browser.serving import ROOT


def look(**environment: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "tests.browser.chromium"]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True)


def test_missing_chromium_fails_with_instructions(tmp_path):
    looked = look(PATH=str(tmp_path), CHROMIUM="", PLAYWRIGHT_BROWSERS_PATH=str(tmp_path))
    assert (looked.returncode, looked.stderr.strip()) == (1, NONE_FOUND)


def test_named_chromium_is_used(tmp_path):
    named = tmp_path / "my-browser"
    named.touch(0o755)
    assert look(CHROMIUM=str(named)).stdout.strip() == str(named)
    assert look(CHROMIUM=str(tmp_path / "nothing")).returncode == 1
