"""The folder in which the processes of one server count together, so that `/metrics` of each shows the figures of all."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from highlighter.settings import METRICS_FOLDER_VARIABLE, Settings

FOLDER_PREFIX = "highlighter-metrics-"  # then the id of the process that starts the others


def prepare_metrics_folder(settings: Settings, process_count: int) -> Path | None:
    """Return an empty folder for several processes, or the one that the settings name; None where each counts by itself.

    prometheus_client looks for it when it is imported: call this before, in the process that starts the others.
    """
    folder = settings.metrics_folder
    if folder is None or _was_made_by_previous_server(folder):
        os.environ.pop(METRICS_FOLDER_VARIABLE, None)
        if process_count == 1:
            return None
        folder = Path(tempfile.mkdtemp(prefix=_get_own_prefix()))
        os.environ[METRICS_FOLDER_VARIABLE] = str(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for counts in folder.glob("*.db"):  # of the processes of an earlier start, whose ids may come again
        counts.unlink()
    return folder


def mark_process_dead(server: Any, worker: Any) -> None:
    """Leave a process that has ended out of what only living processes measure: gunicorn's hook `child_exit`."""
    if os.environ.get(METRICS_FOLDER_VARIABLE):
        from prometheus_client import multiprocess

        multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]  # of the library


def remove_metrics_folder(server: Any) -> None:
    """Remove the folder that this server made: gunicorn's hook `on_exit`."""
    folder = os.environ.get(METRICS_FOLDER_VARIABLE, "")
    if Path(folder).name.startswith(_get_own_prefix()):
        shutil.rmtree(folder, ignore_errors=True)


def _get_own_prefix() -> str:
    return f"{FOLDER_PREFIX}{os.getpid()}-"


def _was_made_by_previous_server(folder: Path) -> bool:
    """Return whether the server that this one replaces (USR2) made a folder, and still counts in it."""
    return folder.name.startswith(FOLDER_PREFIX) and not folder.name.startswith(_get_own_prefix())
