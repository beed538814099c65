"""A library on PostgreSQL is recovered to a moment by the commands of docs/how-to/back-up.md, and is whole."""

from __future__ import annotations

import re
import shlex
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from highlighter.__main__ import main
from highlighter.models import READY
from highlighter.secret import Secret
from highlighter.services import Services
from highlighter.settings import Settings
from ingest.pipeline import ingest_file
from tests.browser.serving import ROOT
from tests.postgresql import NOT_INSTALLED, PostgresqlServer, find_programs
from tests.waiting import wait_until

pytestmark = pytest.mark.cluster

PAGE = (ROOT / "docs" / "how-to" / "back-up.md").read_text(encoding="utf-8")
(SECTION,) = re.findall(r"^## Recover to a point in time\n(.*?)^## ", PAGE, re.M | re.S)
QUESTION = "When does the ferry leave?"


def read_settings(names: list[str], replacements: dict[str, str]) -> tuple[str, ...]:
    """Return settings of the page as options of the server, with other paths and times."""
    settings = []
    for name in names:
        (value,) = re.findall(rf"^{name} = (.+)$", SECTION, re.M)
        for old, new in replacements.items():
            value = value.replace(old, new)
        settings.append(f"{name}={value.strip(chr(39))}")
    return tuple(settings)


def read_command(beginning: str, replacements: dict[str, str]) -> list[str]:
    """Return the command of the page that begins so, with other paths."""
    (line,) = re.findall(rf"^(?:sudo -u postgres )?({beginning}.+)$", SECTION, re.M)
    for old, new in replacements.items():
        line = line.replace(old, new)
    return shlex.split(line)


@pytest.fixture
def server():
    """A PostgreSQL server that archives its log, as the page says."""
    programs = find_programs()
    if programs is None:
        pytest.skip(NOT_INSTALLED)
    server = PostgresqlServer(programs, None, is_durable=True)
    archive = server.make_folder("archive")
    server.stop()
    server.settings += read_settings(["archive_mode", "archive_command"], {"/srv/archive": str(archive)})
    server.start()
    yield server
    server.remove()


def recover(server: PostgresqlServer, base: Path, moment: str) -> None:
    """Put the base backup in the place of the database, and start the server as the page says."""
    server.stop()
    (server.folder / "data").rename(server.folder / "damaged")
    base.rename(server.folder / "data")
    (server.folder / "data" / "recovery.signal").touch()
    (example,) = re.findall(r"^recovery_target_time = (.+)$", SECTION, re.M)
    server.settings += read_settings(
        ["restore_command", "recovery_target_time", "recovery_target_action"],
        {"/srv/archive": str(server.folder / "archive"), example: moment},
    )
    server.start()
    wait_until(lambda: server.execute("SELECT pg_is_in_recovery()") == [(False,)])


def archive_log(server: PostgresqlServer) -> None:
    """Wait until everything that was written is in the archive."""
    ((last,),) = server.execute("SELECT pg_walfile_name(pg_switch_wal())")
    wait_until(lambda: (server.folder / "archive" / last).exists())


def copy_files(data: Path, copy: Path) -> None:
    """Copy the files as the page says: what a document had stays in the copy when the document is deleted."""
    copy.mkdir(exist_ok=True)
    command = read_command("cp --archive --update", {"/srv/highlighter": str(data), "/srv/kept-files": str(copy)})
    subprocess.run(command, check=True)


def test_library_at_an_earlier_moment_is_whole(server, embedder, process_pool, tmp_path, monkeypatch, capsys):
    address = server.address(server.create_database())
    data, copied = tmp_path / "data", tmp_path / "copied"

    def open_library(folder: Path) -> Services:
        return Services(Settings(data_dir=folder, database_url=Secret(address.reveal()), ocr=False), embedder)

    def ingest(services: Services, name: str, text: str) -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return ingest_file(path, services, process_pool).document.id

    with closing(open_library(data)) as services:
        first = ingest(services, "ferry.txt", "The ferry leaves the quay at seven. It rains at night.")
        base = server.folder / "base"
        server.run_program(
            *read_command("pg_basebackup", {"/srv/base": str(base)}), "-h", str(server.folder), "-U", "highlighter"
        )
        second = ingest(services, "gate.txt", "The gate is shut at nine. Nobody waits.")
        services.index.sync()
        copy_files(data, copied)
        ((moment,),) = server.execute("SELECT clock_timestamp()::text")
        services.delete_document(first)
        ingest(services, "crane.txt", "The crane is closed for repairs. It opens in May.")
        services.index.sync()
        copy_files(data, copied)
        archive_log(server)
    recover(server, base, moment)
    recovered = tmp_path / "recovered"
    (recovered / "files").mkdir(parents=True)
    command = read_command("cp --archive /", {"/srv/kept-files": str(copied), "/srv/recovered": str(recovered)})
    subprocess.run(command, check=True)
    with closing(open_library(recovered)) as services:
        assert {(one.id, one.state) for one in services.catalog.documents()} == {(first, READY), (second, READY)}
        services.index.sync()
        assert next(hit.document.id for hit in services.search.find(QUESTION).hits) == first
    monkeypatch.setenv("DATABASE_URL", address.reveal())
    monkeypatch.setenv("DATA_DIR", str(recovered))
    assert main(["doctor", "--fix"]) == 0  # removes the files of what was written later
    assert main(["verify"]) == 0
    assert "All is as it was written." in capsys.readouterr().out
    originals = [path for path in (recovered / "files" / "originals").rglob("*") if path.is_file()]
    assert len(originals) == 2
