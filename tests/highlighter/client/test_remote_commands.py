"""Tests of commands with HIGHLIGHTER_URL: they use that service, and store nothing where they run."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from highlighter.__main__ import main
from ingest.__main__ import main as ingest
from tests.conftest import NOTE

TICKET, SENTENCE = "How much is a ticket?", "Tickets cost four pounds and are sold on board."


@pytest.fixture
def run(remote_service, key, tmp_path, monkeypatch, capsys):
    data = tmp_path / "nothing-is-here"
    for name, value in (("HIGHLIGHTER_URL", remote_service[0]), ("HIGHLIGHTER_KEY", key), ("DATA_DIR", str(data))):
        monkeypatch.setenv(name, value)

    def call(*arguments):
        status = main(list(arguments))
        return status, *capsys.readouterr()

    yield call
    assert not data.exists()


@pytest.fixture
def texts(tmp_path):
    (tmp_path / "note.txt").write_text(NOTE, encoding="utf-8")
    (tmp_path / "answer.txt").write_text(f"{SENTENCE} Tickets cost five pounds.", encoding="utf-8")
    return str(tmp_path / "note.txt"), str(tmp_path / "answer.txt")


def test_documents_search_locate_and_resolve_use_remote_service(run):
    status, out, _ = run("documents")
    assert status == 0
    assert "note.txt" in out
    document_id = json.loads(run("documents", "--json", "--state", "ready")[1])["document_id"]
    assert SENTENCE in run("search", TICKET)[1]
    assert json.loads(run("search", TICKET, "--json", "-k", "1")[1])["hits"][0]["document_id"] == document_id
    assert run("search", "ticket", "--collection", "none")[0] == 1
    assert run("locate", SENTENCE, "--document", document_id)[1].startswith("exact 1.00  note.txt, page 1")
    assert run("locate", SENTENCE.replace("four", "five"))[0] == 1
    assert run("locate", SENTENCE, "--filename", "note.txt")[0] == 0
    assert ": note.txt, page 1" in run("resolve", "So it is [note, p.1].")[1]


def test_highlight_and_check_use_remote_service(run, texts):
    note, answer = texts
    assert f"⟦{SENTENCE}⟧" in run("highlight", "--question", TICKET, note)[1]
    status, out, _ = run("check", answer, "--source", note)
    assert status == 1
    assert out.startswith("supported")
    assert f"note.txt: {SENTENCE}" in out
    assert json.loads(run("check", answer, "--source", note, "--json")[1])["grounded"] is False


def test_ask_and_pack_use_remote_service(run, texts, tmp_path):
    answer = json.loads(run("ask", TICKET, "--json")[1])
    assert "four pounds" in run("ask", TICKET)[1]
    assert "four pounds" in run("ask", TICKET, "--source", texts[0], "--style", "footnote")[1]
    status, _, _ = run("pack", answer["id"], "-o", str(tmp_path / "pack.zip"))
    assert (status, (tmp_path / "pack.zip").read_bytes()[:2]) == (0, b"PK")


def test_ingest_uploads_to_remote_service(run, tmp_path, capsys):
    path, empty = tmp_path / "closing.txt", tmp_path / "empty.txt"
    path.write_text("The harbour closes at nine.", encoding="utf-8")
    empty.touch()
    assert ingest([str(path), "--collection", "plans"]) == 0
    assert "closing.txt: ready, 1 pages, 1 chunks, 1 sentences" in capsys.readouterr().out
    assert ingest([str(path), str(empty), "--collection", "plans", "--json"]) == 1
    states = [json.loads(line)["state"] for line in capsys.readouterr().out.splitlines()]
    assert states == ["ready", "empty"]
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "plan.dwg").write_bytes(b"AC1032")
    assert ingest([str(tmp_path / "folder"), "--collection", "plans"]) == 1
    printed = capsys.readouterr().out
    assert "plan.dwg: unsupported. Files of this kind (.dwg) are skipped in folders" in printed
    assert "0 of 1 ready; 1 unsupported" in printed
    assert ingest([str(path), "--collection", "plans", "--meta", "year=2024"]) == 0
    capsys.readouterr()
    known = json.loads(run("documents", "--json", "--where", "year=2024", "--state", "ready")[1])
    assert known["metadata"] == {"year": "2024"}
    assert run("delete", known["document_id"][:8], "--yes")[0] == 0


def test_commands_ask_a_service_from_windows(run, texts):
    """Python has nothing there that is POSIX's alone."""
    for arguments in (["highlighter", "search", TICKET], ["ingest", texts[0], "--quiet"]):
        command = [sys.executable, "-m", "tests.highlighter.without_posix", *arguments]
        result = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert (result.returncode, result.stderr) == (0, ""), arguments
        assert "four pounds" in result.stdout or "note.txt: ready" in result.stdout


@pytest.mark.parametrize("command", [["keys", "make", "Mine"], ["verify"], ["doctor"]])
def test_administration_commands_refer_to_remote_machine(run, command):
    status, _, err = run(*command)
    assert (status, "on the machine of the service" in err) == (2, True)


def test_errors_of_remote_service_are_printed(run, monkeypatch):
    assert run("locate", SENTENCE, "--document", "nobody-s")[0] == 1
    assert run("delete", "abcdef123456", "--yes")[0] == 2
    monkeypatch.setenv("HIGHLIGHTER_KEY", "hk_wrong")
    status, _, err = run("documents")
    assert (status, "unknown" in err) == (1, True)
