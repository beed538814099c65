"""Commands whose output pipe is closed, over a real pipe."""

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
def test_closed_pipe_ends_command_without_message(command, tmp_path):
    (tmp_path / "note.txt").write_bytes(b"")  # an empty file is reported at once
    environment = {**os.environ, "DATA_DIR": str(tmp_path / "data"), "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": ""}
    with subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


def test_closed_pipe_other_than_output_still_raises():
    reading, writing = os.pipe()
    os.close(reading)
    try:
        with pytest.raises(BrokenPipeError):
            run_main(lambda: os.write(writing, b"to a child process that has died"))
    finally:
        os.close(writing)
