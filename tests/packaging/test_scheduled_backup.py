"""Tests of the scheduled backup of `deploy/`: each shares files with the one before, and the oldest are deleted."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.browser.serving import ROOT

SCRIPT = ROOT / "deploy" / "backup.sh"


@pytest.fixture
def run_backup(services, note, tmp_path):
    """A function that runs the script as the timer does, with one backup to keep."""
    programs, backups = tmp_path / "bin", tmp_path / "backups"
    programs.mkdir()
    backups.mkdir()
    command = programs / "highlighter"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m highlighter "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    environment = {
        **os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT),
        "DATA_DIR": str(services.settings.data_dir), "BACKUPS": str(backups), "KEEP": "1",
    }  # fmt: skip

    def run(**variables: str):
        given = environment | variables
        return subprocess.run([SCRIPT], env=given, cwd=tmp_path, capture_output=True, text=True), backups

    return run


def test_backup_shares_files_with_the_previous_one_and_replaces_it(run_backup):
    process, backups = run_backup()
    assert (process.returncode, "All is as it was written." in process.stdout) == (0, True), process.stderr
    (first,) = backups.iterdir()
    process, _ = run_backup()
    assert process.returncode == 0, process.stderr
    (second,) = backups.iterdir()
    assert second.name > first.name
    manifest = json.loads((second / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["linked"] == manifest["files"] > 0


def test_prometheus_is_told_of_the_schedule_once_and_of_each_complete_backup(run_backup, services, note, tmp_path):
    (metrics := tmp_path / "metrics").mkdir()

    def read_times():
        return {path.name: path.read_text(encoding="utf-8") for path in sorted(metrics.iterdir())}

    original = services.files.original_path(note.sha256)
    content = original.read_bytes()
    original.write_bytes(b"altered")
    process, _ = run_backup(METRICS=str(metrics))
    scheduled = read_times()
    assert (process.returncode != 0, list(scheduled)) == (True, ["highlighter-backup-scheduled.prom"])
    original.write_bytes(content)
    process, _ = run_backup(METRICS=str(metrics))
    assert process.returncode == 0, process.stderr
    written = read_times()
    assert scheduled.items() <= written.items()
    families = [*text_string_to_metric_families("".join(written.values()))]
    assert [family.name for family in families] == [
        f"highlighter_backup_{event}_seconds" for event in ("completed", "scheduled")
    ]


def test_no_backup_is_deleted_after_one_that_is_not_whole(run_backup, services, note):
    _, backups = run_backup()
    services.files.original_path(note.sha256).write_bytes(b"altered")
    process, _ = run_backup()
    assert process.returncode != 0
    assert len(list(backups.iterdir())) == 2
