"""Tests of output on a terminal, on a real one."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from highlighter.__main__ import main
from highlighter.cli.common import has_colors
from highlighter.cli.terminal_text import escape_controls

RESET = "no\x1bc"  # what clears the screen of a terminal
COMMAND = [sys.executable, "-m", "highlighter", "resolve", f"It is so [{RESET}, p.1]."]


def run_on_terminal(command: list[str], data_dir) -> str:
    """Return what a command prints on a terminal."""
    terminal, output = pty.openpty()
    with subprocess.Popen(
        command, stdout=output, stderr=output, env={**os.environ, "DATA_DIR": str(data_dir)}
    ) as process:
        os.close(output)
        parts = []
        while part := _read(terminal):
            parts.append(part)
        process.wait(60)
    os.close(terminal)
    return b"".join(parts).decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 10_000)
    except OSError:  # the other end is closed
        return b""


def test_words_of_others_do_not_command_the_terminal(tmp_path):
    printed = run_on_terminal(COMMAND, tmp_path / "data")
    assert "\x1b" not in printed
    assert "no\\x1bc, p.1" in printed


def test_pipes_get_the_words_unchanged(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    main(COMMAND[3:])
    assert RESET in capsys.readouterr().out


@pytest.mark.parametrize(
    ("variables", "is_colored"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_colours_are_for_terminals_whose_users_want_them(monkeypatch, variables, is_colored):
    for name, value in {"NO_COLOR": "", "TERM": "xterm", **variables}.items():
        monkeypatch.setenv(name, value)
    terminal, output = pty.openpty()
    with os.fdopen(output, "w") as stream, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        assert has_colors() is is_colored
    os.close(terminal)
    assert not has_colors()  # the output of a test is no terminal


def test_own_colours_and_line_ends_stay():
    assert escape_controls("\x1b[1mName\x1b[0m\t1\n\x1b[2m年\x1b[0m") == "\x1b[1mName\x1b[0m\t1\n\x1b[2m年\x1b[0m"
    assert (
        escape_controls("\x1b[30;43mhere\x1b[0m \x1b[2J\x9b1A\r\x08")
        == "\x1b[30;43mhere\x1b[0m \\x1b[2J\\x9b1A\\x0d\\x08"
    )
