"""python -m highlighter verify: proves the chain, or says which row is broken."""

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
    def command(*arguments, key=""):
        services.settings = replace(services.settings, audit_key=Secret(key))
        return verify.run(services, _build_parser().parse_args(["verify", *map(str, arguments)]))

    return command


@pytest.fixture
def head(command, capsys, tmp_path, services, note):
    """Exported and signed after one answer; another came after."""
    services.answer_pipeline.answer(QuestionRequest("How much is a ticket?"))
    assert command("--head", key=KEY) == 0
    path = tmp_path / "head.json"
    path.write_text(capsys.readouterr().out)
    services.answer_pipeline.answer(QuestionRequest("When does the ferry leave?"))
    return path


def test_what_is_as_it_was_written_is_proven(command, head, capsys):
    assert command() == 0
    told = capsys.readouterr().out
    assert "3 rows, 2 answers, 0 of them redacted" in told
    assert told.endswith("All is as it was written.\n")


def test_a_broken_row_is_named(command, head, services, capsys):
    tamper(services.settings.data_dir / "catalog.sqlite", "UPDATE answer_parts SET words = '1' WHERE name = 'question'")
    assert command("--json") == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["proven"], [one["seq"] for one in told["broken"]]) == (False, [2, 3])
    assert command() == 1
    assert "!! row 2: answer" in capsys.readouterr().out


def test_a_head_is_a_part_of_what_came_after(command, head, capsys):
    exported = json.loads(head.read_text())
    assert (exported["seq"], set(exported)) == (2, {"seq", "hash", "at", "signature"})
    assert command("--against", head, key=KEY) == 0
    assert "The signature is valid." in capsys.readouterr().out
    assert command("--against", head) == 0
    assert "AUDIT_KEY is not set" in capsys.readouterr().out


def test_a_head_that_is_no_part_of_it_breaks_the_proof(command, head, capsys):
    exported = json.loads(head.read_text())
    head.write_text(json.dumps({**exported, "seq": 9}))
    assert command("--against", head) == 1
    assert "the end was cut off" in capsys.readouterr().out


@pytest.mark.parametrize("change", [{"signature": "é" * 64}, {"at": "2020-01-01T00:00:00+00:00"}])
def test_a_head_that_was_signed_with_another_key_or_changed_is_told(command, head, capsys, change):
    head.write_text(json.dumps({**json.loads(head.read_text()), **change}))
    assert command("--against", head, key=KEY) == 1
    assert "was not made with this AUDIT_KEY" in capsys.readouterr().out


@pytest.mark.parametrize("written", ["", "[]", '{"seq": "2"}'])
def test_what_is_no_head_is_wrong_usage(command, note, tmp_path, written, capsys):
    (tmp_path / "no.json").write_text(written)
    assert command("--against", tmp_path / "no.json") == 2
    assert command("--against", tmp_path / "nowhere.json") == 2


def test_the_key_is_never_shown(command, head, services, capsys):
    command("--head", key=KEY)
    command("--against", head, key=KEY)
    told = capsys.readouterr()
    assert KEY not in told.out + told.err + repr(services.settings)


def test_a_head_of_nothing_is_a_part_of_everything(command, services, tmp_path, capsys):
    assert command("--head") == 0
    (tmp_path / "head.json").write_text(capsys.readouterr().out)
    services.answer_pipeline.answer(QuestionRequest("How much is a ticket?"))
    assert command("--against", tmp_path / "head.json") == 0
