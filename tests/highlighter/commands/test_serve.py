"""What is said where the service cannot be: before anything is loaded, and with what helps."""

from __future__ import annotations

import socket

import pytest

from highlighter import __main__ as front


@pytest.fixture
def started(tmp_path, monkeypatch, capsys):
    def run(host: str, port: int) -> tuple[int, str]:
        for name, value in {"DATA_DIR": tmp_path / "data", "HOST": host, "PORT": port}.items():
            monkeypatch.setenv(name, str(value))
        return front.main(["serve"]), capsys.readouterr().err

    return run


def test_a_port_that_is_taken_is_named_with_another(started):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        status, said = started("127.0.0.1", port)
    assert status == 1
    assert f"Something answers on port {port} already" in said
    assert f"PORT={port + 1}" in said


def test_an_address_that_is_not_this_machine_s_is_said_to_be_so(started):
    status, said = started("192.0.2.1", 8000)
    assert status == 1
    assert "192.0.2.1:8000" in said
    assert "HOST and PORT" in said
