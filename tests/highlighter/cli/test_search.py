import json

import pytest

from highlighter.__main__ import _build_parser
from highlighter.cli import search


@pytest.fixture
def command(services):
    def command(*arguments):
        return search.run(services, _build_parser().parse_args(["search", *arguments]))

    return command


def test_hits_are_told_to_people(command, note, capsys):
    assert command("How much is a ticket?") == 0
    told = capsys.readouterr().out
    assert "note.txt" in told
    assert "Tickets cost four pounds and are sold on board." in told
    assert "\x1b" not in told


def test_json_is_the_answer_of_the_api(command, note, client, capsys):
    assert command("How much is a ticket?", "--json", "--k", "1") == 0
    sent = client.post("/api/v1/search", json={"question": "How much is a ticket?", "limit": 1})
    assert json.loads(capsys.readouterr().out) == sent.json


def test_filters_are_given_as_key_value(command, note, services, capsys):
    services.catalog._update_document(note.id, meta={"year": 2024})
    assert command("ticket", "--where", "year=2023", "--where", "year=2024") == 0
    assert command("ticket", "--where", "year=2023") == 1
    assert command("ticket", "--collection", "other") == 1
    assert "No results." in capsys.readouterr().out


@pytest.mark.parametrize("wrong", [[" "], ["a", "--k", "0"], ["a", "--k", "101"], ["a", "--where", "year"]])
def test_wrong_usage_is_told(command, wrong, capsys):
    assert command(*wrong) == 2
    assert capsys.readouterr().err.startswith("python -m highlighter: ")
