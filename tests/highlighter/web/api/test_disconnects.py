"""Tests of clients that disconnect while a model is called, over a real connection, with a model that never answers."""

from __future__ import annotations

import json
import socket
import time

import pytest

from tests.highlighter.web.auth.clients import running_app, running_server
from tests.scripted.fake_replies import Slow

TIMEOUT_SECONDS = 20  # far less than the deadline of the model


@pytest.fixture
def running(scripted, tmp_path, embedder):
    scripted.play("m", Slow())
    settings = {**scripted.settings("openai/m"), "llm_deadline_seconds": 600}
    with running_app(tmp_path, embedder, **settings) as app, running_server(app) as url:
        yield app, url.removeprefix("http://")


@pytest.mark.parametrize("stream", [True, False])
def test_disconnect_of_client_ends_call_of_model(running, scripted, stream):
    app, address = running
    request = {"question": "When does it leave?", "sources": [{"text": "It leaves at seven."}], "stream": stream}
    body = json.dumps(request).encode()
    head = f"POST /api/v1/answers HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n"
    host, port = address.split(":")
    with socket.create_connection((host, int(port))) as client:
        client.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        _wait_for(lambda: scripted.requests)
        assert not scripted.hung_up.is_set()
    assert scripted.hung_up.wait(TIMEOUT_SECONDS)
    _wait_for(lambda: app.stream_slots.in_use == 0)


def _wait_for(is_reached) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not is_reached() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert is_reached()
