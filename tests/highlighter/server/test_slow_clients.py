"""Tests of clients that stop in the middle of a request or response, with gunicorn started as documented."""

from __future__ import annotations

import socket
import sys
import time
import urllib.request
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.browser.serving import ROOT, free_port, running
from tests.waiting import wait_until

TIMEOUT_SECONDS = 30  # for a busy machine
CONNECTIONS = 100  # as set for gunicorn below

QUESTION = b'{"text": "The ferry leaves at seven [Timetable, p.1]."}'  # needs no model
HEAD = b"POST /api/v1/citations/resolve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
UPLOAD = b"POST /api/v1/documents HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\n"
HALF_SENT = {
    "nothing": b"",
    "half a head": b"GET / HTTP/1.1\r\nHost: local",
    "half a body": HEAD + b"Content-Length: %d\r\n\r\n" % len(QUESTION) + QUESTION[:9],
    "half an upload": UPLOAD + b"Content-Length: 1000\r\n\r\n--b\r\n",
    "a chunk of 2^64 bytes": HEAD + b"Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n{",
    "a body that nobody reads": b"POST /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
    "no end": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
}


# The timeout of the documented server is ten minutes: a download may pause for a while.
SEND_TIMEOUT_SECONDS = 2
PROGRAM = f"""
from pathlib import Path
import highlighter.server.worker

highlighter.server.worker.SEND_TIMEOUT_SECONDS = {SEND_TIMEOUT_SECONDS}
exec(Path({str(ROOT / "gunicorn.conf.py")!r}).read_text())
"""


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    folder, port = tmp_path_factory.mktemp("served"), free_port()
    (folder / "gunicorn.conf.py").write_text(PROGRAM, encoding="utf-8")
    command = [sys.executable, "-m", "gunicorn", "--workers", "1", "--threads", "2", "--worker-connections", "100"]
    command += ["--config", str(folder / "gunicorn.conf.py")]
    environment = {"DATA_DIR": str(folder / "data"), "HOST": "127.0.0.1", "PORT": str(port)}
    address = f"http://127.0.0.1:{port}/healthz"
    with running([*command, "wsgi:app"], environment, address, folder / "log"):
        yield port


@pytest.mark.parametrize("sent", HALF_SENT.values(), ids=HALF_SENT)
def test_unfinished_requests_do_not_block_other_requests(port, sent):
    with ExitStack() as clients:
        for _ in range(40):
            clients.enter_context(_connected(port)).sendall(sent)
        assert _health(port) == b"well\n"


def test_unfinished_requests_are_closed_when_connections_run_out(port):
    with ExitStack() as clients:
        for _ in range(CONNECTIONS + 10):
            clients.enter_context(_connected(port)).sendall(HALF_SENT["half a head"])
        assert _health(port) == b"well\n"


def test_late_body_is_read_to_its_end(port):
    with _connected(port) as client:
        client.sendall(HALF_SENT["half a body"])
        assert _health(port) == b"well\n"
        client.sendall(QUESTION[9:])
        assert b" 200 OK\r\n" in client.recv(100)


MANY_REQUESTS = 200 * b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"  # some 50 MB of responses


def test_clients_that_read_nothing_do_not_block_other_requests(port):
    with ExitStack() as clients:
        for _ in range(20):
            clients.enter_context(_connected(port, receive_bytes=4096)).sendall(MANY_REQUESTS)
        for _ in range(5):
            assert _health(port) == b"well\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux ends such a connection")
def test_client_that_reads_nothing_is_closed(port):
    with _connected(port, receive_bytes=4096) as client:
        client.sendall(MANY_REQUESTS)
        wait_until(lambda: not _is_open_at_server(port, client))
        responses = 0
        with suppress(ConnectionError):
            while received := client.recv(1 << 20):
                responses += received.count(b"HTTP/1.1 200")
    assert 0 < responses < 200


def test_client_that_reads_slowly_gets_everything(port):
    with _connected(port, receive_bytes=4096) as client:
        client.sendall(MANY_REQUESTS[: len(MANY_REQUESTS) // 20] + HALF_SENT["no end"])
        text = b""
        while received := client.recv(1 << 16):
            text += received
            time.sleep(0.01)
    assert text.count(b"HTTP/1.1 200") == 11


@pytest.mark.parametrize(
    ("body", "message"),
    [(b"zz\r\n{", "not encoded as its headers say"), (b"5\r\n{", "ended before it was complete")],
    ids=["no chunk", "half a chunk"],
)
def test_malformed_chunked_body_gets_400(port, body, message):
    with _connected(port) as client:
        client.sendall(HEAD + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
        client.shutdown(socket.SHUT_WR)
        answer = client.makefile("rb").read().decode()
    assert " 400 BAD REQUEST" in answer
    assert message in answer


def _connected(port: int, receive_bytes: int = 0) -> socket.socket:
    client = socket.socket()
    client.settimeout(TIMEOUT_SECONDS)
    if receive_bytes:  # what the operating system takes for a client that reads nothing
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    client.connect(("127.0.0.1", port))
    return client


def _is_open_at_server(port: int, client: socket.socket) -> bool:
    """Return whether the system still has the server's end of a client's connection: the client cannot notice its end."""
    ends = [f":{number:04X}" for number in (port, client.getsockname()[1])]
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()]
    return any([row[1][-5:], row[2][-5:]] == ends for row in rows)


def _health(port: int) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=TIMEOUT_SECONDS) as answer:
        return answer.read()
