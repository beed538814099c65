"""Tests that transactions in PostgreSQL read and write as those of SQLite do, and that a lost server is named and returns."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import insert, select, text
from sqlalchemy.exc import DBAPIError

from highlighter import __main__ as command_line
from highlighter.app import create_app
from highlighter.background_worker import BackgroundWorker
from highlighter.errors import Unavailable
from highlighter.services import Services
from highlighter.store.catalog import Catalog
from highlighter.store.database import open_database, write_transaction
from highlighter.store.file_stores import has_files_elsewhere
from highlighter.store.listing import DocumentFilter, list_documents
from highlighter.store.schema import changes, documents
from highlighter.store.storage_errors import CatalogUnreachable
from ingest.__main__ import main as ingest_main


def add_change(connection, name):
    connection.execute(insert(changes), {"document_id": name, "pipeline": 1})


def test_reader_of_changes_skips_none_of_writers_that_commit_late(engine):
    """A writer takes its number, and commits after one that began later."""
    catalog, seen, cursor = Catalog(engine), [], 0
    has_number, may_commit = threading.Event(), threading.Event()

    def write_slowly():
        with write_transaction(engine) as connection:
            add_change(connection, "slow")
            has_number.set()
            may_commit.wait(30)

    def write_at_once():
        with write_transaction(engine) as connection:
            add_change(connection, "fast")

    with ThreadPoolExecutor(2) as threads:
        slow = threads.submit(write_slowly)
        assert has_number.wait(30)
        fast = threads.submit(write_at_once)
        wait_for_lock_or_end(engine, fast)
        for finish in (lambda: None, lambda: (may_commit.set(), slow.result(), fast.result())):
            finish()
            for seq, name, _ in catalog.changes_after(cursor):
                seen.append(name)
                cursor = seq
    assert seen == ["slow", "fast"]


def wait_for_lock_or_end(engine, future):
    """Wait until a writer waits for another, or has ended."""
    query = text(
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    )
    while not future.done():
        with engine.connect() as connection:
            if connection.scalar(query):
                return


def test_every_committed_write_is_seen_at_once_by_another_process(engine, catalog_address):
    """The number may not change before the write can be read, or a reader would store what was there before under it."""
    writer, reader = Catalog(engine), Catalog(open_database(catalog_address))
    before = reader.data_version()
    with write_transaction(engine) as connection:
        add_change(connection, "a")
        assert reader.data_version() == before
    after = reader.data_version()
    assert after != before
    assert reader.data_version() == after == writer.data_version()
    with write_transaction(engine) as connection:
        add_change(connection, "b")
        connection.get_transaction().rollback()
    assert reader.data_version() == after
    reader.close()


def test_reader_sees_one_state_and_cannot_write(engine):
    with engine.connect() as reader:
        assert reader.execute(select(changes)).all() == []
        with write_transaction(engine) as writer:
            add_change(writer, "a")
        assert reader.execute(select(changes)).all() == []
        with pytest.raises(DBAPIError, match="read-only"):
            add_change(reader, "b")


@pytest.mark.parametrize(
    "name", ["nul \0 in it", "\ufdd0", "half \ud800 of it", "\ufdd00\0\ufdd01", "中文 é \U0001f600"]
)
def test_text_and_metadata_with_any_character_come_back(services, name):
    document = services.catalog.register("default", "0" * 64, name, "txt", 1, {"by": name, name: [name]})
    assert (document.name, document.meta) == (name, {"by": name, name: [name]})
    assert services.catalog.document(document.id) == document
    with_value = DocumentFilter(where=(("by", (name,)),))
    assert list_documents(services.catalog.engine, with_value, 5) == [document]


def test_numbers_have_64_bits(services):
    document = services.catalog.register("default", "0" * 64, "large.pdf", "pdf", 1 << 40)
    assert services.catalog.document(document.id).size == 1 << 40
    assert services.catalog.chunk(document, 1 << 40) is None


def test_password_is_in_no_error_and_no_description(engine, postgresql_server, caplog):
    from highlighter.secret import Secret
    from highlighter.store.dialects import get_dialect

    address = Secret(postgresql_server.address("nowhere").reveal().replace("@", "@localhost:1"))
    assert "geheim" in address.reveal()
    with pytest.raises(CatalogUnreachable) as raised:
        open_database(address)
    texts = [str(raised.value), repr(raised.value.__cause__), str(raised.value.__cause__), repr(address), caplog.text]
    assert not any("geheim" in text for text in (*texts, get_dialect(engine).describe(engine), repr(engine)))


@pytest.mark.parametrize("command", [["highlighter", "documents"], ["highlighter", "doctor"], ["ingest", "README.md"]])
def test_commands_say_in_one_sentence_that_no_server_answers(postgresql_server, command, tmp_path, monkeypatch, capsys):
    address = postgresql_server.address("nowhere").reveal().replace("@", "@localhost:1")
    monkeypatch.setenv("DATABASE_URL", address)
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    main = {"highlighter": command_line.main, "ingest": ingest_main}[command[0]]
    assert main(command[1:]) == 1
    output = "".join(capsys.readouterr())
    assert "The database cannot be reached right now" in output
    assert "geheim" not in output
    assert "Traceback" not in output


def test_service_names_lost_server_and_goes_on_when_it_is_back(data_settings, embedder, postgresql_server):
    services = Services(data_settings, embedder)
    client = create_app(services).test_client()
    assert client.get("/documents").status_code == 200
    assert client.get("/readyz").text == "ready\n"
    postgresql_server.stop()
    try:
        for address, media_type in (("/documents", "text/html"), ("/api/v1/documents", "application/problem+json")):
            answer = client.get(address)
            assert (answer.status_code, answer.mimetype) == (503, media_type)
            assert answer.headers["Retry-After"] == "5"
            assert "The database cannot be reached right now" in answer.text
        assert client.get("/readyz").status_code == 503
        assert "DATABASE_URL" in client.get("/readyz").text
        assert client.get("/healthz").status_code == 200
    finally:
        postgresql_server.start()
    assert client.get("/documents").status_code == 200
    assert client.get("/readyz").text == "ready\n"
    services.close()


def test_texts_are_ordered_by_their_bytes_as_in_sqlite(services):
    """The database itself orders texts as in English."""
    names = ["a", "B", "b", "Z", "é", "e", "_", "中", "ä", "a b", "a-b", "ab", "\U0001f600", "\uffee"]
    for number, name in enumerate(names):
        services.catalog.register("default", f"{number:064}", name, "txt", 1)
    with services.catalog.engine.connect() as connection:
        query = select(documents.c.name).order_by(documents.c.name)
        assert connection.scalars(query).all() == sorted(names)
        assert connection.scalar(text("SELECT 'a' < 'B'"))


def test_server_refuses_a_data_folder_that_holds_none_of_the_files_of_its_database(services, note, tmp_path):
    other = Services(replace(services.settings, data_dir=tmp_path / "other"), services.embedder)
    try:
        with pytest.raises(
            Unavailable, match=r"None of the files of the documents in the database is in .*/other/files"
        ):
            other.start()
        with pytest.raises(Unavailable, match="None of the files"):  # nor does one whose database did not answer then
            BackgroundWorker(other)._resume_ingestion()
        copy_original = other.files.original_path(note.sha256)
        copy_original.parent.mkdir(parents=True)
        copy_original.write_bytes(services.files.original_path(note.sha256).read_bytes())
        assert not has_files_elsewhere(other.settings, other.catalog, other.files)
    finally:
        other.close()


def test_empty_database_and_an_empty_data_folder_belong_together(services):
    assert not has_files_elsewhere(services.settings, services.catalog, services.files)
