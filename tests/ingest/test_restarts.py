"""A server stopped or replaced at any moment loses and fails no document: the next one continues with the queue."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
import urllib.request
import uuid

import pytest
from sqlalchemy import func, select

from highlighter.models import FAILED, READY, UNREADABLE
from highlighter.store.schema import documents
from tests.browser.serving import ROOT, free_port
from tests.ingest.test_together import wait_until

pytestmark = pytest.mark.slow

# RESTARTS=20 stops each server twenty times in each way.
RESTARTS = int(os.environ.get("RESTARTS", "0"))
WORKERS = "2" if RESTARTS else "1"  # each starts a child process in each server; with one, more jobs wait at the stop
STOPS = ("term", "int", "kill", "rolling")
# Each start of a server takes four to six seconds of processor time. "rolling" stops by SIGTERM, too.
USUAL_STOPS = {"serve": ("kill", "rolling"), "gunicorn": ("int", "rolling")}
UPLOADS = 4

COMMANDS = {
    "serve": [sys.executable, "-m", "highlighter", "serve"],
    "gunicorn": [sys.executable, "-m", "gunicorn", "--workers", "1", "--threads", "8", "wsgi:app"],
}


class Server:
    """A server started in one of the two ways of the README, in its own process group."""

    def __init__(self, way, data, port):
        self.way, self.data, self.port = way, data, port
        self.address = f"http://127.0.0.1:{port}"
        self.start()

    def start(self):
        command = COMMANDS[self.way]
        if self.way == "gunicorn":
            command = [*command, "--bind", f"127.0.0.1:{self.port}", "--no-control-socket"]
        with (self.data.parent / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**os.environ, "DATA_DIR": str(self.data), "PORT": str(self.port), "WORKERS": WORKERS},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def upload(self, name, text):
        boundary = uuid.uuid4().hex
        disposition = f'Content-Disposition: form-data; name="file"; filename="{name}"'
        body = f"--{boundary}\r\n{disposition}\r\nContent-Type: text/plain\r\n\r\n{text}\r\n--{boundary}--\r\n"
        media_type = f"multipart/form-data; boundary={boundary}"
        request = urllib.request.Request(
            f"{self.address}/api/v1/documents", body.encode(), headers={"Content-Type": media_type}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert answer.status == 202
            return json.load(answer)["document_id"]

    def answers(self):
        assert self.process.poll() is None, (self.data.parent / "server.log").read_text()[-8000:]
        try:
            with urllib.request.urlopen(f"{self.address}/healthz", timeout=10):
                return True
        except OSError:
            return False

    def end(self, stop):
        """Stop the server, and leave another in its place that answers, or will."""
        previous = self.process
        if stop == "kill":
            os.killpg(previous.pid, signal.SIGKILL)
        elif stop == "int":
            os.killpg(previous.pid, signal.SIGINT)  # as a terminal does
        elif stop == "term":
            previous.terminate()
        elif self.way == "gunicorn":  # it replaces its worker itself
            previous.send_signal(signal.SIGHUP)
            return
        else:
            previous.terminate()
            self.start()  # while the one before is still stopping
        previous.wait(60)
        if previous is self.process:
            self.start()


@pytest.mark.cluster
@pytest.mark.parametrize("way", COMMANDS)
def test_stopped_server_leaves_jobs_queued_and_the_next_finishes_them(way, services, tmp_path):
    moments = random.Random(way)
    stops = [stop for stop in STOPS for _ in range(RESTARTS)] or list(USUAL_STOPS[way])
    moments.shuffle(stops)
    server = Server(way, services.settings.data_dir, free_port())
    sent = set()
    try:
        for stop in stops:
            wait_until(server.answers, seconds=120)
            for _ in range(UPLOADS):
                number = len(sent)
                sent.add(server.upload(f"{number}.txt", f"Ferry number {number} leaves at seven in the morning. " * 3))
            time.sleep(moments.uniform(0, 1.5))
            server.end(stop)
            assert count_states(services).keys().isdisjoint(UNREADABLE), (stop, count_states(services))
        wait_until(
            lambda: count_states(services) == {READY: len(sent)} or FAILED in count_states(services), seconds=120
        )
        assert count_states(services) == {READY: len(sent)}
        assert {document.id for document in services.catalog.documents()} == sent
        wait_until(server.answers, seconds=120)  # the last server may have had nothing to finish, and still be starting
        with pytest.raises(subprocess.CalledProcessError) as raised:
            start_second_server(way, services.settings.data_dir)
        assert "Another Highlighter server" in raised.value.stderr
        assert server.answers()
    finally:
        server.process.terminate()
        server.process.wait(60)


def test_gunicorn_with_two_workers_is_refused():
    command = [sys.executable, "-m", "gunicorn", "--workers", "2", "--bind", "127.0.0.1:0", "wsgi:app"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert result.returncode == 1
    assert "Set CHROMA_URL to a Chroma server" in result.stderr


def start_second_server(way, data):
    command = COMMANDS[way] + (["--no-control-socket", "--bind", "127.0.0.1:0"] if way == "gunicorn" else [])
    environment = {**os.environ, "DATA_DIR": str(data), "PORT": str(free_port()), "TAKEOVER_SECONDS": "0"}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True, timeout=60)


def count_states(services):
    counts = select(documents.c.state, func.count()).group_by(documents.c.state)
    with services.catalog.engine.connect() as connection:
        return dict(map(tuple, connection.execute(counts)))
