"""Tests of what ingestion shows on a terminal."""

from __future__ import annotations

import io
from pathlib import Path

from highlighter.errors import UnreadableFile
from highlighter.models import DAMAGED
from ingest.terminal_report import FileProgressBar


class Terminal(io.StringIO):
    """Standard error that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_bar_of_a_cluster_shows_files_a_second_and_failures(monkeypatch):
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    with FileProgressBar(3) as bar:
        for number in range(2):
            bar.advance_files(Path(f"{number}.pdf"), UnreadableFile(DAMAGED, "It is damaged."))
    shown = terminal.getvalue().split("\r")[-1]
    assert "2/3" in shown
    assert "file/s" in shown or "s/file" in shown
    assert "2 failed" in shown
