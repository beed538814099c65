from __future__ import annotations

import pytest

from highlighter import __main__ as command_line


@pytest.fixture
def run(services, monkeypatch, capsys):
    """A function that runs a command with these services, and returns its exit status and output."""
    monkeypatch.setattr("highlighter.services.Services", lambda settings: services)
    monkeypatch.setattr(services, "close", lambda: None)

    def run_command(*arguments):
        status = command_line.main(list(arguments))
        out, err = capsys.readouterr()
        return status, out, err

    return run_command
