"""`python -m ingest` as a user runs it: exit codes, the table, and messages about wrong usage."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys

import pytest

from highlighter.store.catalog import Catalog
from highlighter.store.database import open_database
from ingest.__main__ import main
from tests.conftest import NOTE, SAMPLES


@pytest.fixture
def ingest(tmp_path):
    def run_command(*arguments, **environment):
        return subprocess.run(
            [sys.executable, "-m", "ingest", *map(str, arguments)],
            env={**os.environ, "DATA_DIR": str(tmp_path / "data"), **environment},
            capture_output=True,
            text=True,
            timeout=120,
        )

    return run_command


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "papers" / "more").mkdir(parents=True)
    (tmp_path / "papers" / "note.txt").write_text(NOTE, encoding="utf-8")
    (tmp_path / "papers" / "more" / "other.md").write_text("# Tides\n\nThe tide turns at noon.\n", encoding="utf-8")
    return tmp_path / "papers"


def test_missing_arguments_are_exit_2(ingest):
    run = ingest()
    assert run.returncode == 2
    assert "python -m ingest" in run.stderr


@pytest.mark.slow
def test_command_is_quiet_when_it_is_not_on_a_terminal(ingest, folder):
    run = ingest(folder)
    assert (run.returncode, run.stderr) == (0, "")
    assert "1 of 1 ready" in run.stdout


@pytest.fixture
def run_here(tmp_path, monkeypatch, embedder):
    """Run the command in this process and a folder of its own, with the model of all tests."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr("highlighter.services.Embedder", lambda name: embedder)
    previous_handler = signal.getsignal(signal.SIGTERM)
    yield lambda *arguments: main(["--quiet", *map(str, arguments)])
    signal.signal(signal.SIGTERM, previous_handler)


@pytest.mark.parametrize("arguments", [["no/such/file.pdf"], ["--no-such-option", "x"]])
def test_wrong_arguments_are_exit_2(run_here, arguments, capsys):
    assert get_exit_status(run_here, *arguments) == 2
    assert "python -m ingest" in capsys.readouterr().err


def test_a_wrong_setting_is_named(run_here, folder, monkeypatch, capsys):
    monkeypatch.setenv("HIGHLIGHT_SIMILARITY_THRESHOLD", "high")
    assert run_here(folder) == 2
    assert "HIGHLIGHT_SIMILARITY_THRESHOLD='high' cannot be used" in capsys.readouterr().err


def get_exit_status(run, *arguments):
    try:
        return run(*arguments)
    except SystemExit as err:  # argparse
        return err.code


def list_documents(tmp_path):
    catalog = Catalog(open_database(tmp_path / "data" / "catalog.sqlite"))
    documents = catalog.documents()
    catalog.close()
    return documents


def read_json_lines(capsys):
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_all_ready_is_exit_0_and_a_second_run_finds_nothing_new(run_here, folder, capsys):
    assert run_here(folder) == 0
    first = capsys.readouterr().out
    assert "1 of 1 ready" in first
    assert "note.txt" in first
    assert run_here(folder) == 0
    assert "1 already known" in capsys.readouterr().out
    assert run_here("--recursive", folder) == 0
    assert "2 of 2 ready; 1 already known" in capsys.readouterr().out


def test_one_bad_file_is_exit_1_and_the_others_are_read(run_here, folder, capsys):
    shutil.copy(SAMPLES / "Scanned letter 14 March.pdf", folder)
    assert run_here(folder) == 1
    printed = capsys.readouterr().out
    assert "1 of 2 ready" in printed
    assert "no_text" in printed
    assert "scan without selectable text" in printed


@pytest.fixture
def mixed_folder(folder):
    """Add files of kinds that are not read, and files that systems and programs leave in folders."""
    (folder / "song.mp3").write_bytes(b"not for us")
    (folder / "LICENCE").write_text("Any use is allowed.", encoding="utf-8")
    (folder / ".git").mkdir()
    for name in (".DS_Store", "Thumbs.db", "desktop.ini", "~$report.docx", ".git/hooks.txt", ".git/config"):
        (folder / name).write_bytes(b"not a document")
    return folder


def test_files_of_unknown_kinds_in_a_folder_are_reported_as_unsupported(run_here, mixed_folder, tmp_path, capsys):
    assert run_here("--recursive", mixed_folder) == 1
    printed = capsys.readouterr().out
    assert "2 of 4 ready; 2 unsupported" in printed
    assert "Files of this kind (.mp3) are skipped in folders" in printed
    assert "Files of this kind (no extension) are skipped in folders" in printed
    assert {document.name for document in list_documents(tmp_path)} == {"note.txt", "other.md"}
    assert run_here("--json", mixed_folder) == 1
    rows = {row["path"].rpartition("/")[2]: row for row in read_json_lines(capsys)}
    assert {name: row["state"] for name, row in rows.items()} == {
        "note.txt": "ready", "song.mp3": "unsupported", "LICENCE": "unsupported",
    }  # fmt: skip
    assert (rows["LICENCE"]["document_id"], rows["LICENCE"]["known"]) == (None, False)


def test_a_file_of_an_unknown_kind_is_read_when_it_is_named_directly(run_here, mixed_folder, capsys):
    assert run_here(mixed_folder / "LICENCE") == 0
    assert "1 of 1 ready" in capsys.readouterr().out


def test_a_folder_of_unknown_kinds_alone_is_exit_1_and_of_system_files_alone_is_wrong_usage(run_here, tmp_path, capsys):
    (tmp_path / "scans").mkdir()
    (tmp_path / "scans" / "Thumbs.db").write_bytes(b"not a document")
    assert run_here("scans") == 2
    assert "No file found in the given paths" in capsys.readouterr().err
    (tmp_path / "scans" / "song.mp3").write_bytes(b"ID3")
    assert run_here("scans") == 1
    assert "0 of 1 ready; 1 unsupported" in capsys.readouterr().out


def test_metadata_collection_and_path_are_stored_and_printed_as_json(run_here, folder, tmp_path, capsys):
    assert (
        run_here(
            "--json", "--collection", "tenders", "--meta", "project=A12", "--meta", "doc_url=https://x/?a=b", "papers"
        )
        == 0
    )
    (document,) = list_documents(tmp_path)
    assert document.meta == {"project": "A12", "doc_url": "https://x/?a=b"}
    assert (document.collection, document.path, document.name) == ("tenders", "papers/note.txt", "note.txt")
    (line,) = read_json_lines(capsys)
    assert line.pop("seconds") > 0
    assert line == {
        "path": "papers/note.txt", "document_id": document.id, "state": "ready", "pages": 1, "chunks": document.chunks,
        "sentences": document.sentences, "reason": None, "known": False, "version": 1, "new_version": True,
        "metadata_updated": False,
    }  # fmt: skip


def test_tags_are_a_list_and_wrong_metadata_is_refused_at_once(run_here, folder, tmp_path, capsys):
    assert run_here("--meta", "tags=signed, late", "papers") == 0
    (document,) = list_documents(tmp_path)
    assert document.meta == {"tags": ["signed", "late"]}
    for wrong in ("doc_url=javascript:alert(1)", f"tags={'x' * 61}", "=7"):
        with pytest.raises(SystemExit):
            run_here("--meta", wrong, "papers")
    assert "must begin with https://" in capsys.readouterr().err


def test_an_unreadable_file_is_printed_as_json(run_here, folder, capsys):
    (folder / "empty.txt").touch()
    assert run_here("--json", "--workers", 2, folder) == 1
    assert {(line["state"], line["reason"]) for line in read_json_lines(capsys)} == {
        ("ready", None),
        ("empty", "The file is empty."),
    }


def test_metadata_given_again_are_updated_and_reported(run_here, folder, tmp_path, capsys):
    run_here("--meta", "project=A12", "papers")
    assert "metadata" not in capsys.readouterr().out
    run_here("--meta", "project=B7", "papers")
    assert "Already known; its metadata was updated." in capsys.readouterr().out
    assert list_documents(tmp_path)[0].meta == {"project": "B7"}


def test_new_bytes_under_a_path_are_a_new_version_and_reported(run_here, folder, tmp_path, capsys):
    run_here("papers")
    (folder / "note.txt").write_text("The ferry does not leave any more.", encoding="utf-8")
    run_here("papers")
    assert "version 2 of papers/note.txt." in capsys.readouterr().out
    assert sorted((d.version, d.current) for d in list_documents(tmp_path)) == [(1, False), (2, True)]
    (folder / "note.txt").write_bytes(b"")
    run_here("papers")
    assert "the one before it stays current" in capsys.readouterr().out
    (folder / "note.txt").write_text(NOTE, encoding="utf-8")
    run_here("papers")
    assert "An earlier version, now current again: version 4 of papers/note.txt." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--collection", "../x"], "is not a valid collection name"),
        (["--meta", "novalue"], "is not KEY=VALUE"),
        (["--meta", "=value"], "is not KEY=VALUE"),
        (["--workers", "0"], "is not a number from 1 on"),
        (["--workers", "many"], "is not a number from 1 on"),
    ],
)
def test_wrong_options_are_named(run_here, folder, arguments, message, capsys):
    assert get_exit_status(run_here, *arguments, "papers") == 2
    assert message in capsys.readouterr().err


def test_help_has_examples(run_here, capsys):
    assert get_exit_status(run_here, "--help") == 0
    assert "examples:" in capsys.readouterr().out
