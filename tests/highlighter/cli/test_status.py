"""Tests of python -m highlighter status, against a real server."""

from __future__ import annotations

import json
import threading

import pytest
from werkzeug.serving import make_server

from highlighter.__main__ import main
from highlighter.access import READ


@pytest.fixture
def address(app):
    server = make_server("127.0.0.1", 0, app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def test_service_says_what_it_is_doing(address, note, services, capsys):
    services.index.sync()
    assert main(["status", address]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{address} answers requests."
    assert [line.split()[:2] for line in lines[1:7]] == [
        [name, "ok"] for name in ("catalog", "files", "model", "index", "disk", "queue")
    ]
    assert "documents  1 ready; 0 waiting" in lines
    assert main(["status", "--json", address]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["ready"], report["figures"]["documents"]) == (True, {"ready": 1})


def test_damage_is_exit_status_1_with_what_helps(address, services, capsys):
    services.mark_catalog_damaged("page 7 is torn")
    assert main(["status", address]) == 1
    assert "restore a backup" in capsys.readouterr().out


def test_figures_need_a_key(address, services, capsys, monkeypatch):
    monkeypatch.setenv("HIGHLIGHTER_KEY", services.api_keys.create_key("reader", (READ,))[1])
    assert main(["status", address]) == 0
    assert "need a key with the scope admin" in capsys.readouterr().out


@pytest.mark.parametrize("address", ["http://127.0.0.1:9", "nonsense"])
def test_without_service_it_says_so(address, capsys):
    assert main(["status", address]) == 1
    assert f"No Highlighter answers at {address}" in capsys.readouterr().err
