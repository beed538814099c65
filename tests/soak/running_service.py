"""A service that is started, asked, killed and started again on the same data folder."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import psutil

from tests.browser.serving import ROOT, free_port

START_SECONDS, STOP_SECONDS, REQUEST_SECONDS = 120, 60, 120


@dataclass(frozen=True, slots=True)
class Reply:
    """A response, read to its end."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    def json(self) -> Any:
        return json.loads(self.content)


class Connection:
    """A connection to a service that one thread keeps open, as a browser does."""

    def __init__(self, port: int):
        self._http = http.client.HTTPConnection("127.0.0.1", port, timeout=REQUEST_SECONDS)

    def get(self, path: str) -> Reply:
        return self.request("GET", path)

    def post(self, path: str, fields: Mapping[str, Any]) -> Reply:
        return self.request("POST", path, json.dumps(fields).encode(), "application/json")

    def upload(self, name: str, content: bytes) -> Reply:
        boundary = uuid.uuid4().hex
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
        return self.request("POST", "/api/v1/documents", body, f"multipart/form-data; boundary={boundary}")

    def request(self, method: str, path: str, body: bytes | None = None, media_type: str = "") -> Reply:
        is_reused = self._http.sock is not None
        try:
            return self._send(method, path, body, media_type)
        except (ConnectionError, http.client.RemoteDisconnected):
            self._http.close()
            if not is_reused:
                raise
            return self._send(method, path, body, media_type)  # the service has closed the idle connection, as it may
        except Exception:
            self._http.close()
            raise

    def _send(self, method: str, path: str, body: bytes | None, media_type: str) -> Reply:
        self._http.request(method, path, body, {"Content-Type": media_type} if media_type else {})
        response = self._http.getresponse()
        return Reply(response.status, dict(response.getheaders()), response.read())

    def close(self) -> None:
        self._http.close()


class RunningService:
    """One service after the other on a data folder."""

    def __init__(self, data: Path, **settings: str):
        self.data, self.port, self._settings = data, free_port(), settings
        self.log = data.parent / "service.log"
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def connect(self) -> Connection:
        return Connection(self.port)

    def start(self) -> float:
        """Start it, and return the seconds until it answers a request for its state."""
        began = time.monotonic()
        settings = {
            "DATA_DIR": str(self.data), "PORT": str(self.port), "WORKERS": "1",
            **{f"RATE_{scope}": "0" for scope in ("READ", "INGEST", "ANSWER", "LINK")}, **self._settings,
        }  # fmt: skip
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "highlighter", "serve"],
                cwd=ROOT,
                env={**os.environ, **settings},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        while time.monotonic() - began < START_SECONDS:
            if self.process.poll() is not None:
                raise RuntimeError(f"The service ended at once:\n{self.log.read_text(errors='replace')[-4000:]}")
            try:
                connection = self.connect()
                connection.get("/healthz")
                connection.close()
                return time.monotonic() - began
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"The service did not answer within {START_SECONDS} s.")

    def kill(self) -> None:
        """Kill the service with the process that answers, which would otherwise have time to stop in order."""
        assert self.process
        for process in (psutil.Process(self.process.pid), self.find_worker()):
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self.process.wait()

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(STOP_SECONDS)
            finally:
                self.process.kill()

    def is_alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def list_processes(self) -> list[psutil.Process]:
        """Return the processes of the service: itself and those that it started, the dead ones that remain included."""
        assert self.process
        own = psutil.Process(self.process.pid)
        return [own, *own.children(recursive=True)]

    def find_worker(self) -> psutil.Process:
        """Return the process that answers requests: gunicorn starts it, and another when it dies."""
        others = [process for process in self.list_processes()[1:] if not is_reader(process)]
        return max(others, key=lambda process: process.memory_info().rss, default=self.list_processes()[0])

    def list_readers(self) -> list[psutil.Process]:
        return [process for process in self.list_processes() if is_reader(process)]


def is_reader(process: psutil.Process) -> bool:
    """Return whether a process is a child that reads files."""
    try:
        return any("child_main" in argument for argument in process.cmdline())
    except psutil.Error:
        return False
