"""Real servers on free ports, started as users start them; Highlighter gets its own data folder."""

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
START_TIMEOUT_SECONDS = 300  # other servers load a lot, and the machine may do much besides
STOP_TIMEOUT_SECONDS = 120  # running requests get up to 30


@contextmanager
def serving(data_dir: Path, **environment: str) -> Iterator[str]:
    """Yield the URL of a running Highlighter server. If it dies or ends with an error, its log is shown."""
    port = int(environment.get("PORT") or free_port())
    log = data_dir / "server.log"
    data_dir.mkdir(parents=True, exist_ok=True)
    given = {"DATA_DIR": str(data_dir), "HOST": "127.0.0.1", "PORT": str(port), **environment}
    address = f"http://127.0.0.1:{port}"
    # A static file: a page would already start work whose beginning a test may want to see.
    with running([sys.executable, "-m", "highlighter", "serve"], given, f"{address}/static/favicon.svg", log):
        yield address


@contextmanager
def running(
    command: list[str], environment: dict[str, str], answers: str, log: Path, folder: Path = ROOT
) -> Iterator[None]:
    """Run a server until the block ends, from when its URL `answers` responds; its child processes end with it."""
    with log.open("wb") as output:
        server = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **environment},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        _wait(server, answers, log)
        yield
        if server.poll() is not None:
            raise RuntimeError(f"The server died with {server.returncode}:\n{_read_log(log)}")
    finally:
        server.terminate()
        try:
            server.wait(STOP_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            raise RuntimeError(f"The server did not end within {STOP_TIMEOUT_SECONDS} s:\n{_read_log(log)}") from None
        finally:
            with suppress(ProcessLookupError):  # its children too, should any be left
                os.killpg(server.pid, signal.SIGKILL)
            server.wait()


def _wait(server: subprocess.Popen, address: str, log: Path) -> None:
    end = time.monotonic() + START_TIMEOUT_SECONDS
    while time.monotonic() < end:
        if server.poll() is not None:
            raise RuntimeError(f"The server ended at once with {server.returncode}:\n{_read_log(log)}")
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    raise RuntimeError(f"The server did not answer within {START_TIMEOUT_SECONDS} s:\n{_read_log(log)}")


def _read_log(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")[-8000:]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
