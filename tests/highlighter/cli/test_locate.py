import io
import json
from dataclasses import replace

import pytest

from highlighter import Highlighter
from highlighter.__main__ import _build_parser
from highlighter.cli import locate
from highlighter.errors import NotFound

TICKET = "Tickets cost four pounds and are sold on board."


@pytest.fixture
def command(services):
    """A function that runs the command and returns its exit status."""

    def run(*arguments):
        return locate.run(services, _build_parser().parse_args(["locate", *arguments]))

    return run


def test_location_is_printed(command, note, capsys):
    assert command(TICKET.replace("pounds", "ponds")) == 0
    output = capsys.readouterr().out
    assert output.startswith("fuzzy 0.")
    assert TICKET in output
    assert "[ponds] in the quote, [pounds] in the text" in output


def test_missing_quote_prints_nearest_match(command, note, capsys):
    assert command(TICKET.replace("four", "five"), "--document", note.id) == 1
    output = capsys.readouterr().out
    assert output.startswith("none: The text says “four pounds” where the quote says “five pounds”.")
    assert "Nearest:" in output


def test_file_name_limits_the_search_to_its_document(command, note, capsys):
    assert command(TICKET, "--filename", "note.txt", "--page", "1") == 0
    assert note.id in capsys.readouterr().out
    with pytest.raises(NotFound, match=r"No document is called other.txt\."):
        command(TICKET, "--filename", "other.txt")


def test_json_equals_api_response(command, note, client, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(TICKET + "\n"))
    assert command("-", "--json") == 0
    response = client.post("/api/v1/locate", json={"quote": TICKET})
    assert json.loads(capsys.readouterr().out) == response.json


@pytest.mark.parametrize("arguments", [[" "], ["a", "--page", "2"], ["a", "--page", "-1", "--document", "x"]])
def test_wrong_usage_exits_with_2_and_message(command, arguments, capsys):
    assert command(*arguments) == 2
    assert capsys.readouterr().err.startswith("python -m highlighter: ")


def test_python_interface_locates_quote(services, note):
    highlighter = Highlighter.__new__(Highlighter)
    highlighter.services = services
    assert highlighter.locate(TICKET).tier == "exact"
    assert highlighter.locate(TICKET, note.id, page=1).place.document.id == note.id


def test_links_begin_with_the_public_address(command, note, services, capsys):
    services.settings = replace(services.settings, public_url="https://example.org/papers")
    assert command(TICKET, "--json") == 0
    links = json.loads(capsys.readouterr().out)["place"]["links"]
    assert all(link.startswith("https://example.org/papers/") for link in links.values() if link)
