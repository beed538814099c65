"""What is said where the service cannot be: before anything is loaded, and with what helps."""

from __future__ import annotations

import socket
import sys
import urllib.request

import pytest

from highlighter import __main__ as front
from tests.browser.serving import free_port, running


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
    assert f"Port {port} is already in use" in said
    assert f"--port {port + 1} (or PORT={port + 1})" in said


def test_an_address_that_is_not_this_machine_s_is_said_to_be_so(started):
    status, said = started("192.0.2.1", 8000)
    assert status == 1
    assert "192.0.2.1:8000" in said
    assert "HOST and PORT" in said


@pytest.fixture
def ipv6_loopback():
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6 loopback address")
    return "::1"


def test_command_line_comes_before_the_environment(tmp_path, ipv6_loopback):
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


@pytest.mark.parametrize("wrong", [["--port", "0"], ["--port", "70000"], ["--port", "many"], ["--host", "localhost:1"]])
def test_option_that_cannot_be_used_is_wrong_usage(wrong, capsys):
    with pytest.raises(SystemExit) as ended:
        front.main(["serve", *wrong])
    assert ended.value.code == 2
    assert f"argument {wrong[0]}: {wrong[1]!r} cannot be used" in capsys.readouterr().err
