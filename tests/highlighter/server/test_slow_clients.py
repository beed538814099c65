"""Tests of clients that stop in the middle of a request or response, with gunicorn started as documented."""

from __future__ import annotations

import socket
import sys
import urllib.request
from contextlib import ExitStack

import pytest

from tests.browser.serving import free_port, running

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


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    folder, port = tmp_path_factory.mktemp("served"), free_port()
    command = [sys.executable, "-m", "gunicorn", "--workers", "1", "--threads", "2", "--worker-connections", "100"]
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


def _connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_SECONDS)


def _health(port: int) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=TIMEOUT_SECONDS) as answer:
        return answer.read()
