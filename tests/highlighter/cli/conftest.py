from __future__ import annotations

import pytest

from highlighter import __main__ as front


@pytest.fixture
def run(services, monkeypatch, capsys):
    """The command with these services; what it printed, and its exit status."""
    monkeypatch.setattr("highlighter.services.Services", lambda settings: services)
    monkeypatch.setattr(services, "close", lambda: None)

    def call(*arguments):
        status = front.main(list(arguments))
        out, err = capsys.readouterr()
        return status, out, err

    return call
