import json

import pytest

from highlighter.__main__ import _build_parser
from highlighter.cli import search


@pytest.fixture
def command(services):
    """A function that runs the command and returns its exit status."""

    def run(*arguments):
        return search.run(services, _build_parser().parse_args(["search", *arguments]))

    return run


def test_hits_are_printed(command, note, capsys):
    assert command("How much is a ticket?") == 0
    output = capsys.readouterr().out
    assert "note.txt" in output
    assert "Tickets cost four pounds and are sold on board." in output
    assert "\x1b" not in output


def test_json_equals_api_response(command, note, client, capsys):
    assert command("How much is a ticket?", "--json", "--k", "1") == 0
    response = client.post("/api/v1/search", json={"question": "How much is a ticket?", "limit": 1})
    assert json.loads(capsys.readouterr().out) == response.json


def test_where_option_filters_by_metadata(command, note, services, capsys):
    services.catalog._update_document(note.id, meta={"year": 2024})
    assert command("ticket", "--where", "year=2023", "--where", "year=2024") == 0
    assert command("ticket", "--where", "year=2023") == 1
    assert command("ticket", "--collection", "other") == 1
    assert "No results." in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[" "], ["a", "--k", "0"], ["a", "--k", "101"], ["a", "--where", "year"]])
def test_wrong_usage_exits_with_2_and_message(command, arguments, capsys):
    assert command(*arguments) == 2
    assert capsys.readouterr().err.startswith("python -m highlighter: ")
