"""Tests of python -m highlighter pack, and of the Python interface."""

import json

import pytest

from highlighter import Highlighter
from highlighter.__main__ import _build_parser
from highlighter.answering.request import QuestionRequest
from highlighter.cli import pack
from highlighter.errors import NotFound


@pytest.fixture
def answer(services, note):
    return services.answer_pipeline.answer(QuestionRequest("How much is a ticket?"))


@pytest.fixture
def command(services):
    return lambda *arguments: pack.run(services, _build_parser().parse_args(["pack", *map(str, arguments)]))


def test_pack_is_written_to_given_file_and_equals_pack_of_python_interface(command, services, answer, tmp_path, capsys):
    out = tmp_path / "delay.zip"
    assert command(answer.id, "-o", out, "--json") == 0
    assert json.loads(capsys.readouterr().out) == {
        "answer_id": answer.id, "file": str(out), "size": out.stat().st_size
    }  # fmt: skip
    highlighter = Highlighter.__new__(Highlighter)
    highlighter.services = services
    assert highlighter.pack(answer.id) == out.read_bytes()
    assert highlighter.answer(answer.id) == answer


def test_pack_without_file_name_is_named_after_answer(command, answer, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert command(answer.id) == 0
    assert (tmp_path / f"answer-{answer.id}.zip").is_file()


def test_failed_pack_leaves_no_file(command, note, tmp_path):
    with pytest.raises(NotFound, match="Answer nothing was not found"):
        command("nothing", "-o", tmp_path / "a.zip")
    assert not list(tmp_path.glob("*a.zip*"))


def test_unwritable_file_exits_with_2_and_message(command, answer, tmp_path, capsys):
    assert command(answer.id, "-o", tmp_path / "nowhere" / "a.zip") == 2
    assert "cannot be written" in capsys.readouterr().err
