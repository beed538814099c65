"""python -m highlighter pack, and the same in Python."""

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


def test_it_is_written_where_it_was_asked_for_and_python_makes_the_same(command, services, answer, tmp_path, capsys):
    out = tmp_path / "delay.zip"
    assert command(answer.id, "-o", out, "--json") == 0
    assert json.loads(capsys.readouterr().out) == {
        "answer_id": answer.id, "file": str(out), "size": out.stat().st_size
    }  # fmt: skip
    h = Highlighter.__new__(Highlighter)
    h.services = services
    assert h.pack(answer.id) == out.read_bytes()
    assert h.answer(answer.id) == answer


def test_without_a_name_it_is_named_after_the_answer(command, answer, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert command(answer.id) == 0
    assert (tmp_path / f"answer-{answer.id}.zip").is_file()


def test_what_cannot_be_made_leaves_nothing_behind(command, note, tmp_path):
    with pytest.raises(NotFound, match="Answer nothing was not found"):
        command("nothing", "-o", tmp_path / "a.zip")
    assert not list(tmp_path.glob("*a.zip*"))


def test_where_nothing_can_be_written_it_says_so(command, answer, tmp_path, capsys):
    assert command(answer.id, "-o", tmp_path / "nowhere" / "a.zip") == 2
    assert "cannot be written" in capsys.readouterr().err
