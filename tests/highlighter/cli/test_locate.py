import io
import json

import pytest

from highlighter import Highlighter
from highlighter.__main__ import _build_parser
from highlighter.cli import locate

TICKET = "Tickets cost four pounds and are sold on board."


@pytest.fixture
def command(services):
    def command(*arguments):
        return locate.run(services, _build_parser().parse_args(["locate", *arguments]))

    return command


def test_a_place_is_told_to_people(command, note, capsys):
    assert command(TICKET.replace("pounds", "ponds")) == 0
    told = capsys.readouterr().out
    assert told.startswith("fuzzy 0.")
    assert TICKET in told
    assert "[ponds] in the quote, [pounds] in the text" in told


def test_a_miss_is_told_with_what_is_nearest(command, note, capsys):
    assert command(TICKET.replace("four", "five"), "--document", note.id) == 1
    told = capsys.readouterr().out
    assert told.startswith("none: The text says “four” where the quote says “five”.")
    assert "Nearest:" in told


def test_json_is_the_answer_of_the_api(command, note, client, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(TICKET + "\n"))
    assert command("-", "--json") == 0
    sent = client.post("/api/v1/locate", json={"quote": TICKET})
    assert json.loads(capsys.readouterr().out) == sent.json


@pytest.mark.parametrize("wrong", [[" "], ["a", "--page", "2"], ["a", "--page", "-1", "--document", "x"]])
def test_wrong_usage_is_told(command, wrong, capsys):
    assert command(*wrong) == 2
    assert capsys.readouterr().err.startswith("python -m highlighter: ")


def test_python_says_the_same(services, note):
    h = Highlighter.__new__(Highlighter)
    h.services = services
    assert h.locate(TICKET).tier == "exact"
    assert h.locate(TICKET, note.id, page=1).place.document.id == note.id
