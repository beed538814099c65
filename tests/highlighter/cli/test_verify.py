"""Tests of python -m highlighter verify: it verifies the chain, or names broken rows."""

import json
from dataclasses import replace

import pytest

from highlighter.__main__ import _build_parser
from highlighter.answering.request import QuestionRequest
from highlighter.cli import verify
from highlighter.secret import Secret
from tests.highlighter.store.test_audit_verification import tamper

KEY = "a key that nobody knows"


@pytest.fixture
def command(services):
    """A function that runs the command and returns its exit status."""

    def run(*arguments, key=""):
        services.settings = replace(services.settings, audit_key=Secret(key))
        return verify.run(services, _build_parser().parse_args(["verify", *map(str, arguments)]))

    return run


@pytest.fixture
def head(command, capsys, tmp_path, services, note):
    """The file of a head that was exported and signed between two answers."""
    services.answer_pipeline.answer(QuestionRequest("How much is a ticket?"))
    assert command("--head", key=KEY) == 0
    path = tmp_path / "head.json"
    path.write_text(capsys.readouterr().out)
    services.answer_pipeline.answer(QuestionRequest("When does the ferry leave?"))
    return path


def test_unchanged_audit_is_verified(command, head, capsys):
    assert command() == 0
    output = capsys.readouterr().out
    assert "3 rows, 2 answers, 0 of them redacted" in output
    assert output.endswith("All is as it was written.\n")


def test_changed_row_is_named(command, head, services, capsys):
    tamper(services.settings.data_dir / "catalog.sqlite", "UPDATE answer_parts SET words = '1' WHERE name = 'question'")
    assert command("--json") == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["proven"], [row["seq"] for row in report["broken"]]) == (False, [2, 3])
    assert command() == 1
    assert "!! row 2: answer" in capsys.readouterr().out


def test_exported_head_is_part_of_later_chain(command, head, capsys):
    exported = json.loads(head.read_text())
    assert (exported["seq"], set(exported)) == (2, {"seq", "hash", "at", "signature"})
    assert command("--against", head, key=KEY) == 0
    assert "The signature is valid." in capsys.readouterr().out
    assert command("--against", head) == 0
    assert "AUDIT_KEY is not set" in capsys.readouterr().out


def test_head_beyond_chain_fails_verification(command, head, capsys):
    exported = json.loads(head.read_text())
    head.write_text(json.dumps({**exported, "seq": 9}))
    assert command("--against", head) == 1
    assert "the end was cut off" in capsys.readouterr().out


@pytest.mark.parametrize("change", [{"signature": "é" * 64}, {"at": "2020-01-01T00:00:00+00:00"}])
def test_head_with_wrong_signature_fails_verification(command, head, capsys, change):
    head.write_text(json.dumps({**json.loads(head.read_text()), **change}))
    assert command("--against", head, key=KEY) == 1
    assert "was not made with this AUDIT_KEY" in capsys.readouterr().out


@pytest.mark.parametrize("written", ["", "[]", '{"seq": "2"}'])
def test_invalid_head_file_exits_with_2(command, note, tmp_path, written, capsys):
    (tmp_path / "no.json").write_text(written)
    assert command("--against", tmp_path / "no.json") == 2
    assert command("--against", tmp_path / "nowhere.json") == 2


def test_audit_key_is_never_printed(command, head, services, capsys):
    command("--head", key=KEY)
    command("--against", head, key=KEY)
    output = capsys.readouterr()
    assert KEY not in output.out + output.err + repr(services.settings)


def test_empty_head_is_part_of_every_chain(command, services, tmp_path, capsys):
    assert command("--head") == 0
    (tmp_path / "head.json").write_text(capsys.readouterr().out)
    services.answer_pipeline.answer(QuestionRequest("How much is a ticket?"))
    assert command("--against", tmp_path / "head.json") == 0
