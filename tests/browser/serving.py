"""The real server, as its users start it, on a free port and with a data folder of its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
UP_WITHIN_SECONDS = 30
DOWN_WITHIN_SECONDS = 40  # it gives requests that are being answered up to 30


@contextmanager
def serving(data_dir: Path, **environment: str) -> Iterator[str]:
    """The address of a server that answers. If it dies, or ends badly, what it said is shown."""
    port = _free_port()
    log = data_dir / "server.log"
    data_dir.mkdir(parents=True, exist_ok=True)
    given = {**os.environ, "DATA_DIR": str(data_dir), "HOST": "127.0.0.1", "PORT": str(port), **environment}
    with log.open("wb") as output:
        command = [sys.executable, "-m", "highlighter", "serve"]
        server = subprocess.Popen(
            command, cwd=ROOT, env=given, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait(server, address, log)
        yield address
        if server.poll() is not None:
            raise RuntimeError(f"The server died with {server.returncode}:\n{_said(log)}")
    finally:
        server.terminate()
        try:
            server.wait(DOWN_WITHIN_SECONDS)
        except subprocess.TimeoutExpired:
            raise RuntimeError(f"The server did not end within {DOWN_WITHIN_SECONDS} s:\n{_said(log)}") from None
        finally:
            with suppress(ProcessLookupError):  # its children too, should any be left
                os.killpg(server.pid, signal.SIGKILL)
            server.wait()


def _wait(server: subprocess.Popen, address: str, log: Path) -> None:
    """Until the static stylesheet is served: a page would already start work that a test may want to see begin."""
    end = time.monotonic() + UP_WITHIN_SECONDS
    while time.monotonic() < end:
        if server.poll() is not None:
            raise RuntimeError(f"The server ended at once with {server.returncode}:\n{_said(log)}")
        try:
            with urllib.request.urlopen(f"{address}/static/favicon.svg", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    raise RuntimeError(f"The server did not answer within {UP_WITHIN_SECONDS} s:\n{_said(log)}")


def _said(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")[-8000:]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
