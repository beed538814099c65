"""The time from the start of the process to its first page, with documents in the library."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from bench.stores import fill_store
from bench.table import Row, percentile
from highlighter.services import Services
from highlighter.settings import Settings

STARTS = 5


def rows(folder: Path) -> list[Row]:
    services = Services(Settings(data_dir=folder / "start"))
    fill_store(services, 2_000)
    services.close()
    seconds = sorted(_time_first_page(folder / "start") for _ in range(STARTS))
    median = percentile(seconds, 0.5)
    return [
        Row(
            f"process start to first page (median of {STARTS})",
            f"{median:.2f} s",
            f"slowest {seconds[-1]:.2f} s",
            "-",
            "≤ 2.5 s",
        )
    ]


def _time_first_page(data_dir: Path) -> float:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "DATA_DIR": str(data_dir), "PORT": str(port), "HOST": "127.0.0.1"}
    start = time.perf_counter()
    server = subprocess.Popen(
        [sys.executable, "-m", "highlighter", "serve"], env=environment, stdout=subprocess.DEVNULL
    )
    try:
        while time.perf_counter() - start < 60:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/documents", timeout=5) as page:
                    assert page.status == 200
                    return time.perf_counter() - start
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.01)
        raise SystemExit("The service did not come up within a minute.")
    finally:
        server.terminate()
        server.wait()
