"""Commands whose output nobody reads any more, over a real pipe."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from highlighter.cli.closed_pipe import run_main

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    "command",
    [
        ["highlighter", "--help"],
        ["highlighter", "documents"],
        ["ingest", "--json", "note.txt"],
    ],
    ids=" ".join,
)
def test_closed_pipe_ends_a_command_without_a_word(command, tmp_path):
    (tmp_path / "note.txt").write_bytes(b"")  # its end is told at once
    environment = {**os.environ, "DATA_DIR": str(tmp_path / "data"), "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": ""}
    with subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as started:
        started.stdout.close()
        assert started.stderr.read() == ""
    assert started.returncode == 141


def test_pipe_to_anything_but_the_output_still_fails():
    reading, writing = os.pipe()
    os.close(reading)
    try:
        with pytest.raises(BrokenPipeError):
            run_main(lambda: os.write(writing, b"to a child process that has died"))
    finally:
        os.close(writing)
