"""Whoever hangs up while a model is silent is not waited for: over a real connection, with a model that never answers."""

from __future__ import annotations

import json
import socket
import time

import pytest

from tests.highlighter.web.auth.clients import listening, served
from tests.scripted.plays import Slow

SOON = 20  # seconds: far less than the model is waited for


@pytest.fixture
def running(scripted, tmp_path, embedder):
    scripted.play("m", Slow())
    settings = {**scripted.settings("openai/m"), "llm_deadline_seconds": 600}
    with served(tmp_path, embedder, **settings) as app, listening(app) as at:
        yield app, at.removeprefix("http://")


@pytest.mark.parametrize("stream", [True, False])
def test_a_model_is_left_when_whoever_asked_has_hung_up(running, scripted, stream):
    app, address = running
    asked = {"question": "When does it leave?", "sources": [{"text": "It leaves at seven."}], "stream": stream}
    body = json.dumps(asked).encode()
    head = f"POST /api/v1/answers HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n"
    host, port = address.split(":")
    with socket.create_connection((host, int(port))) as asker:
        asker.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        _wait_for(lambda: scripted.requests)
        assert not scripted.hung_up.is_set()
    assert scripted.hung_up.wait(SOON)
    _wait_for(lambda: app.stream_slots.in_use == 0)


def _wait_for(it) -> None:
    end = time.monotonic() + SOON
    while not it() and time.monotonic() < end:
        time.sleep(0.05)
    assert it()
