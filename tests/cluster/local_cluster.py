"""A cluster on this machine: PostgreSQL, Chroma, a storage, Dask, and several servers with data folders of their own.

`make cluster` starts it, has the samples read, asks the same question of each server, and stops everything.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx2

from tests.browser.serving import ROOT, free_port
from tests.chroma_server import RunningChroma
from tests.dask_cluster import RunningDask
from tests.postgresql import NOT_INSTALLED, PostgresqlServer, find_programs
from tests.s3_server import S3Server
from tests.waiting import wait_until

LINK_KEYS = "cluster:" + "0123456789abcdef" * 4
QUESTION = "Who pays for a delay of the harbour works?"


class ClusterServer:
    """One server of the cluster, with a data folder and a port of its own, as on a machine of its own."""

    def __init__(self, folder: Path, settings: dict[str, str]):
        self.folder, self._settings = folder, settings
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        folder.mkdir()
        self.start()

    def start(self) -> None:
        given = {"DATA_DIR": str(self.folder / "data"), "HOST": "127.0.0.1", "PORT": str(self.port), **self._settings}
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "highlighter", "serve"],
                env={**os.environ, **given}, cwd=ROOT, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip

    def kill(self) -> None:
        """Kill the server with all its processes, as when the machine dies."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait(60)

    def send(self, method: str, path: str, **options: Any) -> httpx2.Response:
        return httpx2.request(method, f"{self.url}{path}", timeout=120, **options)

    def find_status(self, path: str) -> int:
        """Return the status of a request; 0 when nothing answers."""
        try:
            return self.send("GET", path).status_code
        except httpx2.HTTPError:
            return 0

    def is_ready(self) -> bool:
        return self.find_status("/readyz") == 200

    def list_documents(self, offset: int = 0) -> list[dict[str, Any]]:
        return self.send("GET", "/api/v1/documents", params={"limit": 200, "offset": offset}).json()["documents"]

    def upload(self, name: str, content: bytes) -> str:
        response = self.send("POST", "/api/v1/documents", files={"file": (name, content)})
        assert response.status_code == 202, response.text
        return response.json()["document_id"]

    def read_log(self) -> str:
        return (self.folder / "server.log").read_text(encoding="utf-8", errors="replace")


class LocalCluster:
    """The parts of a running cluster."""

    def __init__(self, folder: Path, postgresql: PostgresqlServer, server_count: int):
        self.postgresql, self.storage = postgresql, S3Server()
        self.chroma = RunningChroma(folder / "chroma")
        self.dask = RunningDask(folder / "dask")
        storage = self.storage.settings()
        self.settings = {
            "DATABASE_URL": postgresql.address(postgresql.create_database()).reveal(),
            "CHROMA_URL": self.chroma.url,
            "DASK_SCHEDULER": self.dask.url,
            "FILES_URL": str(storage["files_url"]),
            "AWS_ENDPOINT_URL": str(storage["aws_endpoint_url"]),
            "AWS_REGION": str(storage["aws_region"]),
            "AWS_ACCESS_KEY_ID": str(storage["aws_access_key_id"]),
            "AWS_SECRET_ACCESS_KEY": storage["aws_secret_access_key"].reveal(),
            "LINK_KEYS": LINK_KEYS,
            "OCR": "0",
            "UNDO_SECONDS": "1",
        }
        self.servers = []
        with ExitStack() as stack:
            stack.callback(self.storage.stop)
            stack.callback(self.chroma.stop)
            stack.callback(self.dask.close)
            for number in range(server_count):
                server = ClusterServer(folder / f"server{number}", self.settings)
                stack.callback(server.stop)
                self.servers.append(server)
            for server in self.servers:
                wait_until(server.is_ready, seconds=120)
            self.stop = stack.pop_all().close


@contextmanager
def running_cluster(folder: Path, server_count: int = 2) -> Iterator[LocalCluster]:
    programs = find_programs()
    if programs is None:
        raise RuntimeError(NOT_INSTALLED)
    postgresql = PostgresqlServer(programs, None)
    try:
        cluster = LocalCluster(folder, postgresql, server_count)
        try:
            yield cluster
        finally:
            cluster.stop()
    finally:
        postgresql.remove()


def main() -> None:
    began = time.monotonic()

    def say(text: str) -> None:
        print(f"{time.monotonic() - began:5.1f} s  {text}", flush=True)

    with tempfile.TemporaryDirectory() as folder, running_cluster(Path(folder)) as cluster:
        for server in cluster.servers:
            say(f"a server is at {server.url}")
        files = sorted(path for path in (ROOT / "samples").iterdir() if path.is_file())
        for number, path in enumerate(files):
            cluster.servers[number % len(cluster.servers)].upload(path.name, path.read_bytes())
        say(f"{len(files)} samples are uploaded, to one server and the other in turn")
        first = cluster.servers[0]
        wait_until(lambda: not {"queued", "reading"} & {one["state"] for one in first.list_documents()}, seconds=300)
        states = [one["state"] for one in first.list_documents()]
        say(
            f"they are read by {cluster.dask.worker_count} Dask workers: {', '.join(f'{states.count(state)} {state}' for state in sorted(set(states)))}"
        )
        for server in cluster.servers:
            answer = server.send("POST", "/api/v1/answers", json={"question": QUESTION}).json()
            say(f"{server.url} answers: {' '.join(answer['text'].split())[:100]}")
    say("everything is stopped")


if __name__ == "__main__":
    main()
