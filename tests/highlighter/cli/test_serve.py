"""Tests of python -m highlighter serve: errors come before anything is loaded, with advice."""

from __future__ import annotations

import socket
import sys
import urllib.request

import pytest

from highlighter import __main__ as command_line
from tests.browser.serving import free_port, running


@pytest.fixture
def start_server(tmp_path, monkeypatch, capsys):
    def run(host: str, port: int) -> tuple[int, str]:
        for name, value in {"DATA_DIR": tmp_path / "data", "HOST": host, "PORT": port}.items():
            monkeypatch.setenv(name, str(value))
        return command_line.main(["serve"]), capsys.readouterr().err

    return run


def test_taken_port_is_named_with_another_port(start_server):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        status, message = start_server("127.0.0.1", port)
    assert status == 1
    assert f"Port {port} is already in use" in message
    assert f"--port {port + 1} (or PORT={port + 1})" in message


def test_address_of_another_machine_is_refused(start_server):
    status, message = start_server("192.0.2.1", 8000)
    assert status == 1
    assert "192.0.2.1:8000" in message
    assert "HOST and PORT" in message


@pytest.fixture
def ipv6_loopback():
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6 loopback address")
    return "::1"


def test_command_line_overrides_environment(tmp_path, ipv6_loopback):
    port, named, unnamed = free_port(), tmp_path / "named", tmp_path / "unnamed"
    options = ["--host", ipv6_loopback, "--port", str(port), "--data-dir", str(named)]
    environment = {"HOST": "192.0.2.1", "PORT": "1", "DATA_DIR": str(unnamed)}
    address = f"http://[{ipv6_loopback}]:{port}"
    command = [sys.executable, "-m", "highlighter", "serve", *options]
    with running(command, environment, f"{address}/healthz", tmp_path / "log"):
        with urllib.request.urlopen(f"{address}/documents") as page:
            assert page.status == 200
        assert f"Highlighter is at {address} " in (tmp_path / "log").read_text()
    assert (named / "catalog.sqlite").exists()
    assert not unnamed.exists()


@pytest.mark.parametrize(
    "option", [["--port", "0"], ["--port", "70000"], ["--port", "many"], ["--host", "localhost:1"]]
)
def test_invalid_option_exits_with_2(option, capsys):
    with pytest.raises(SystemExit) as exit_info:
        command_line.main(["serve", *option])
    assert exit_info.value.code == 2
    assert f"argument {option[0]}: {option[1]!r} cannot be used" in capsys.readouterr().err
