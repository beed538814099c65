"""python -m ingest, as a person runs it: exit codes, the table, what is said when it is used wrongly."""

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
from tests.conftest import NOTE, SAMPLES, BorrowedProcessPool


@pytest.fixture
def ingest(tmp_path):
    def run(*arguments, **environment):
        return subprocess.run(
            [sys.executable, "-m", "ingest", *map(str, arguments)],
            env={**os.environ, "DATA_DIR": str(tmp_path / "data"), **environment},
            capture_output=True,
            text=True,
            timeout=120,
        )

    return run


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "papers" / "more").mkdir(parents=True)
    (tmp_path / "papers" / "note.txt").write_text(NOTE, encoding="utf-8")
    (tmp_path / "papers" / "more" / "other.md").write_text("# Tides\n\nThe tide turns at noon.\n", encoding="utf-8")
    return tmp_path / "papers"


def test_wrong_usage_is_exit_2(ingest):
    run = ingest()
    assert run.returncode == 2
    assert "python -m ingest" in run.stderr


@pytest.mark.slow
def test_as_a_process_of_its_own_it_is_quiet_when_nobody_watches(ingest, folder):
    run = ingest(folder)
    assert (run.returncode, run.stderr) == (0, "")
    assert "1 of 1 ready" in run.stdout


@pytest.fixture
def here(tmp_path, monkeypatch, embedder, process_pool):
    """The same command in this process, with the model and the child process of all tests; run in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr("highlighter.services.Embedder", lambda name: embedder)
    monkeypatch.setattr("ingest.batch.ProcessPool", lambda *_: BorrowedProcessPool(process_pool))
    usual = signal.getsignal(signal.SIGTERM)
    yield lambda *arguments: main(["--quiet", *map(str, arguments)])
    signal.signal(signal.SIGTERM, usual)


@pytest.mark.parametrize("arguments", [["no/such/file.pdf"], ["--no-such-option", "x"]])
def test_wrong_arguments_are_exit_2(here, arguments, capsys):
    assert status_of(here, *arguments) == 2
    assert "python -m ingest" in capsys.readouterr().err


def test_a_wrong_setting_is_named(here, folder, monkeypatch, capsys):
    monkeypatch.setenv("HIGHLIGHT_SIMILARITY_THRESHOLD", "high")
    assert here(folder) == 2
    assert "HIGHLIGHT_SIMILARITY_THRESHOLD='high' cannot be used" in capsys.readouterr().err


def status_of(run, *arguments):
    try:
        return run(*arguments)
    except SystemExit as ended:  # argparse
        return ended.code


def kept(tmp_path):
    catalog = Catalog(open_database(tmp_path / "data" / "catalog.sqlite"))
    found = catalog.documents()
    catalog.close()
    return found


def told(capsys):
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_all_ready_is_exit_0_and_again_is_nothing_new(here, folder, capsys):
    assert here(folder) == 0
    first = capsys.readouterr().out
    assert "1 of 1 ready" in first
    assert "note.txt" in first
    assert here(folder) == 0
    assert "1 known before, nothing new" in capsys.readouterr().out
    assert here("--recursive", folder) == 0
    assert "2 of 2 ready; 1 known before" in capsys.readouterr().out


def test_one_bad_file_is_exit_1_and_the_others_go_on(here, folder, capsys):
    shutil.copy(SAMPLES / "Scanned letter 14 March.pdf", folder)
    assert here(folder) == 1
    said = capsys.readouterr().out
    assert "1 of 2 ready" in said
    assert "no_text" in said
    assert "picture" in said


@pytest.fixture
def mixed_folder(folder):
    """A folder with files of kinds that are not read, and with what systems and programs leave in folders."""
    (folder / "picture.png").write_bytes(b"not for us")
    (folder / "LICENCE").write_text("Any use is allowed.", encoding="utf-8")
    (folder / ".git").mkdir()
    for name in (".DS_Store", "Thumbs.db", "desktop.ini", "~$report.docx", ".git/hooks.txt", ".git/config"):
        (folder / name).write_bytes(b"not a document")
    return folder


def test_files_of_unknown_kinds_in_a_folder_are_reported_as_unsupported(here, mixed_folder, tmp_path, capsys):
    assert here("--recursive", mixed_folder) == 1
    printed = capsys.readouterr().out
    assert "2 of 4 ready; 2 unsupported" in printed
    assert "Files of this kind (.png) are not read from folders" in printed
    assert "Files of this kind (no extension) are not read from folders" in printed
    assert {document.name for document in kept(tmp_path)} == {"note.txt", "other.md"}
    assert here("--json", mixed_folder) == 1
    rows = {row["path"].rpartition("/")[2]: row for row in told(capsys)}
    assert {name: row["state"] for name, row in rows.items()} == {
        "note.txt": "ready", "picture.png": "unsupported", "LICENCE": "unsupported",
    }  # fmt: skip
    assert (rows["LICENCE"]["document_id"], rows["LICENCE"]["known"]) == (None, False)


def test_a_file_of_an_unknown_kind_is_tried_when_it_is_named_itself(here, mixed_folder, capsys):
    assert here(mixed_folder / "LICENCE") == 0
    assert "1 of 1 ready" in capsys.readouterr().out


def test_a_folder_of_unknown_kinds_alone_is_exit_1_and_of_system_files_alone_is_wrong_usage(here, tmp_path, capsys):
    (tmp_path / "scans").mkdir()
    (tmp_path / "scans" / "Thumbs.db").write_bytes(b"not a document")
    assert here("scans") == 2
    assert "There is nothing to read" in capsys.readouterr().err
    (tmp_path / "scans" / "page.tiff").write_bytes(b"II*\0")
    assert here("scans") == 1
    assert "0 of 1 ready; 1 unsupported" in capsys.readouterr().out


def test_metadata_collection_and_path_are_kept_and_each_file_is_told_as_json(here, folder, tmp_path, capsys):
    assert (
        here("--json", "--collection", "tenders", "--meta", "project=A12", "--meta", "doc_url=https://x/?a=b", "papers")
        == 0
    )
    (document,) = kept(tmp_path)
    assert document.meta == {"project": "A12", "doc_url": "https://x/?a=b"}
    assert (document.collection, document.path, document.name) == ("tenders", "papers/note.txt", "note.txt")
    (line,) = told(capsys)
    assert line.pop("seconds") > 0
    assert line == {
        "path": "papers/note.txt", "document_id": document.id, "state": "ready", "pages": 1, "chunks": document.chunks,
        "sentences": document.sentences, "reason": None, "known": False, "version": 1, "new_version": True,
        "metadata_updated": False,
    }  # fmt: skip


def test_a_file_that_cannot_be_read_is_told_as_json_too(here, folder, capsys):
    (folder / "empty.txt").touch()
    assert here("--json", "--workers", 2, folder) == 1
    assert {(line["state"], line["reason"]) for line in told(capsys)} == {
        ("ready", None),
        ("empty", "The file is empty."),
    }


def test_metadata_given_again_are_updated_and_that_is_said(here, folder, tmp_path, capsys):
    here("--meta", "project=A12", "papers")
    assert "metadata" not in capsys.readouterr().out
    here("--meta", "project=B7", "papers")
    assert "Known before; its metadata were updated." in capsys.readouterr().out
    assert kept(tmp_path)[0].meta == {"project": "B7"}


def test_new_bytes_under_a_path_are_a_new_version_and_that_is_said(here, folder, tmp_path, capsys):
    here("papers")
    (folder / "note.txt").write_text("The ferry does not leave any more.", encoding="utf-8")
    here("papers")
    assert "version 2 of papers/note.txt." in capsys.readouterr().out
    assert sorted((d.version, d.current) for d in kept(tmp_path)) == [(1, False), (2, True)]
    (folder / "note.txt").write_bytes(b"")
    here("papers")
    assert "the one before it stays current" in capsys.readouterr().out
    (folder / "note.txt").write_text(NOTE, encoding="utf-8")
    here("papers")
    assert "An earlier version again, current once more: version 4 of papers/note.txt." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--collection", "../x"], "A collection cannot be called"),
        (["--meta", "novalue"], "is not KEY=VALUE"),
        (["--meta", "=value"], "is not KEY=VALUE"),
        (["--workers", "0"], "is not a number from 1 on"),
        (["--workers", "many"], "is not a number from 1 on"),
    ],
)
def test_wrong_options_are_named(here, folder, arguments, says, capsys):
    assert status_of(here, *arguments, "papers") == 2
    assert says in capsys.readouterr().err


def test_help_has_examples(here, capsys):
    assert status_of(here, "--help") == 0
    assert "examples:" in capsys.readouterr().out
