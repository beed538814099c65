"""A process that is killed at a moment that is set by what it has written."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import time
from contextlib import closing, suppress


def run_and_kill(command, data, rows, seconds):
    """Kill the process some seconds after it added rows to the catalog, unless it ends before."""
    rows_before = count_rows(data, rows)
    environment = {**os.environ, "DATA_DIR": str(data)}
    process = subprocess.Popen(command, env=environment, start_new_session=True, stderr=subprocess.DEVNULL)
    while process.poll() is None and count_rows(data, rows) == rows_before:
        time.sleep(0.01)
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def count_rows(data, rows):
    with closing(sqlite3.connect(data / "catalog.sqlite")) as catalog:
        try:
            return catalog.execute(f"SELECT count(*) FROM {rows}").fetchone()[0]
        except sqlite3.OperationalError:  # the tables are not made yet
            return 0
