"""A failing test is a failure among others: it never ends a parallel run of the suite, whatever its text or a plugin."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.browser.serving import ROOT

PLUGIN = """
import pytest

from tests.conftest import pytest_report_to_serializable


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call():
    outcome = yield
    outcome.get_result()  # raised in an old-style wrapper, of which pluggy warns
"""
CASES = r"""
import warnings

import pytest


@pytest.mark.parametrize("text", ["plain", "\ud800", "\x00"])
def test_failure(text):
    raise ValueError(text)


def test_warning():
    warnings.warn("of a library")


def test_passing():
    pass
"""


def test_failures_and_warnings_leave_the_other_tests_of_a_parallel_run(tmp_path):
    (tmp_path / "conftest.py").write_text(PLUGIN, encoding="utf-8")
    (tmp_path / "test_cases.py").write_text(CASES, encoding="utf-8")
    options = ["-q", "-n", "1", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tmp_path)]
    command = [sys.executable, "-m", "pytest", *options, "-p", "no:cacheprovider", str(tmp_path)]
    wide = {**os.environ, "COLUMNS": "300"}  # the summary is cut to the width
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=wide)
    assert "INTERNALERROR" not in run.stdout
    assert "test_failure[plain] - ValueError: plain" in run.stdout
    assert "4 failed, 1 passed" in run.stdout
    assert run.returncode == 1
