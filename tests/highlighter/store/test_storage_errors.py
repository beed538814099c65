"""Tests that a damaged catalog stops all requests, with an error that says what to do."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from highlighter import __main__ as command_line
from highlighter.app import create_app
from highlighter.services import Services
from highlighter.store.storage_errors import find_catalog_damage
from tests.conftest import SQLITE


@pytest.fixture
def database_kind() -> str:
    return SQLITE


@pytest.fixture
def path(services, note):
    """The catalog's file, with all changes moved into it from SQLite's log."""
    path = services.settings.data_dir / "catalog.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


def overwrite(path, start):
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(start)
        file.write(b"\x5a" * (size - start))


def check_refusal(client):
    for address, media_type in (("/documents", "text/html"), ("/api/v1/documents", "application/problem+json")):
        answer = client.get(address)
        assert (answer.status_code, answer.mimetype) == (503, media_type)
        assert "doctor" in answer.text
        assert "restore a backup" in answer.text
    assert client.get("/readyz").status_code == 503
    assert "restore a backup" in client.get("/readyz").text
    assert client.get("/healthz").status_code == 200


def test_sound_catalog_is_ready(client, path):
    assert (find_catalog_damage(path, thorough=False), find_catalog_damage(path, thorough=True)) == ("", "")
    assert (client.get("/readyz").status_code, client.get("/readyz").text) == (200, "ready\n")


@pytest.mark.parametrize("start", [0, 4096])
def test_damage_is_noticed_at_start(services, path, start):
    services.catalog.close()
    overwrite(path, start)
    restarted = Services(services.settings, services.embedder)
    restarted.start()
    try:
        restarted.catalog_health.was_read_whole.wait(60)
        check_refusal(create_app(restarted).test_client())
    finally:
        restarted.close()


def test_damage_is_noticed_by_request(app, client, services, path):
    app.config["TESTING"] = False
    assert client.get("/documents").status_code == 200
    services.catalog.engine.dispose()  # open connections answer from their cache
    overwrite(path, 4096)
    check_refusal(client)


def test_commands_report_damaged_catalog(services, path, monkeypatch, capsys):
    services.catalog.close()
    overwrite(path, 0)
    monkeypatch.setenv("DATA_DIR", str(services.settings.data_dir))
    for command in (["doctor"], ["doctor", "--fix"], ["documents"]):
        assert command_line.main(command) == 1
        out, err = capsys.readouterr()
        assert "damaged" in out + err
        assert "restore a backup" in out + err
