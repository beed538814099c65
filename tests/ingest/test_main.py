"""python -m ingest, as a person runs it: exit codes, the table, what is said when it is used wrongly."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.conftest import NOTE, SAMPLES


@pytest.fixture
def ingest(tmp_path):
    def run(*arguments, **environment):
        return subprocess.run(
            [sys.executable, "-m", "ingest", *map(str, arguments)],
            env={**os.environ, "DATA_DIR": str(tmp_path / "data"), **environment},
            capture_output=True,
            text=True,
            timeout=120,
        )

    return run


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "papers" / "more").mkdir(parents=True)
    (tmp_path / "papers" / "note.txt").write_text(NOTE, encoding="utf-8")
    (tmp_path / "papers" / "more" / "other.md").write_text("# Tides\n\nThe tide turns at noon.\n", encoding="utf-8")
    (tmp_path / "papers" / "picture.png").write_bytes(b"not for us")
    return tmp_path / "papers"


def test_all_ready_is_exit_0_and_again_is_nothing_new(ingest, folder):
    first = ingest(folder)
    assert first.returncode == 0, first.stderr
    assert "1 of 1 ready" in first.stdout
    assert "note.txt" in first.stdout
    again = ingest(folder)
    assert again.returncode == 0
    assert "1 known before, nothing new" in again.stdout
    assert ingest("--recursive", folder).stdout.count("ready") == 3  # two rows and the sum


def test_one_bad_file_is_exit_1_and_the_others_go_on(ingest, folder):
    shutil.copy(SAMPLES / "Scanned letter 14 March.pdf", folder)
    run = ingest(folder)
    assert run.returncode == 1
    assert "1 of 2 ready" in run.stdout
    assert "no_text" in run.stdout
    assert "picture" in run.stdout


@pytest.mark.parametrize("arguments", [[], ["no/such/file.pdf"], ["--no-such-option", "x"]])
def test_wrong_usage_is_exit_2(ingest, arguments):
    run = ingest(*arguments)
    assert run.returncode == 2
    assert "python -m ingest" in run.stderr


def test_a_wrong_setting_is_named(ingest, folder):
    run = ingest(folder, HIGHLIGHT_SIMILARITY_THRESHOLD="high")
    assert run.returncode == 2
    assert "HIGHLIGHT_SIMILARITY_THRESHOLD='high' cannot be used" in run.stderr


def test_it_is_quiet_when_nobody_watches(ingest, folder):
    assert ingest(folder).stderr == ""


def test_help_has_examples():
    run = subprocess.run([sys.executable, "-m", "ingest", "--help"], capture_output=True, text=True, check=True)
    assert "examples:" in run.stdout
