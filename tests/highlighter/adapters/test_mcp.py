"""The tool server as an assistant meets it: started by the SDK's own client, on standard input and output."""

from __future__ import annotations

import os
import sys

import pytest

from highlighter.services import Services
from highlighter.settings import Settings
from ingest.pipeline import ingest_file
from tests.conftest import NOTE
from tests.highlighter.adapters.conftest import SENTENCE, TICKET, awaited


def called(environment: dict[str, str], *calls: tuple[str, dict]) -> tuple[list, list]:
    """The tools, and what became of each call."""
    from mcp import StdioServerParameters, stdio_client  # takes a second, and every process collects this file
    from mcp.client.client import Client

    server = StdioServerParameters(
        command=sys.executable, args=["-m", "highlighter", "mcp"], env={**os.environ, **environment}
    )

    async def talk():
        async with Client(stdio_client(server)) as client:
            return (await client.list_tools()).tools, [await client.call_tool(*call) for call in calls]

    return awaited(talk)


@pytest.fixture
def kept(tmp_path, embedder, process_pool):
    """(DATA_DIR, id of a note that is in it)."""
    with_note = Services(Settings(data_dir=tmp_path / "data"), embedder)
    (tmp_path / "note.txt").write_text(NOTE, encoding="utf-8")
    document = ingest_file(tmp_path / "note.txt", with_note, process_pool).document
    with_note.close()
    return str(tmp_path / "data"), document.id


def test_an_assistant_searches_lights_locates_and_asks_a_library_of_its_own_machine(kept):
    data, document_id = kept
    tools, (search, lit, own, located, nowhere, answered) = called(
        {"DATA_DIR": data, "PORT": "8123", "HIGHLIGHTER_URL": ""},
        ("search", {"question": TICKET, "limit": 1}),
        ("highlight", {"question": TICKET, "document_id": document_id, "chunk_index": 0}),
        ("highlight", {"question": TICKET, "text": NOTE}),
        ("locate", {"quote": "Tickets cost four ponds and are sold on board"}),
        ("locate", {"quote": "Tickets cost nine pounds and are sold on the pier by the harbour master."}),
        ("ask", {"question": TICKET}),
    )
    assert [tool.name for tool in tools] == ["search", "highlight", "locate", "ask"]
    assert all(tool.description and tool.output_schema for tool in tools)
    (passage,) = search.structured_content["passages"]
    best = passage["sentences"][0]
    assert (passage["document_id"], best["text"], best["lit"], best["page"]) == (document_id, SENTENCE, True, 1)
    assert passage["links"]["self"].startswith(f"http://127.0.0.1:8123/documents/{document_id}/chunks/0?q=How")
    assert [one["text"] for one in lit.structured_content["sentences"]] == [SENTENCE]
    section = lit.structured_content["links"]["self"].removesuffix("#mark-1")
    assert passage["links"]["self"].startswith(f"{section}&cited=")  # the best sentence of it
    assert [one["text"] for one in own.structured_content["sentences"]] == [SENTENCE]
    assert (own.structured_content["looked_at"], own.structured_content["links"]) == (6, {})
    assert (located.structured_content["tier"], located.structured_content["place"]["text"]) == ("fuzzy", SENTENCE[:-1])
    assert (nowhere.structured_content["tier"], nowhere.structured_content["place"]) == ("none", None)
    answer = answered.structured_content
    assert "four pounds" in answer["text"]
    assert answer["citations"][0]["quote"] == SENTENCE
    assert answer["citations"][0]["links"]["view"].startswith(f"http://127.0.0.1:8123/documents/{document_id}/")
    assert [one["verdict"] for one in answer["claims"]] == ["supported"]


def test_it_asks_a_service_elsewhere_and_tells_its_refusals(far_away, key, opens, tmp_path):
    data = tmp_path / "nothing-is-here"
    environment = {"HIGHLIGHTER_URL": far_away[0], "HIGHLIGHTER_KEY": key, "DATA_DIR": str(data)}
    _, (search, answered, unknown, both, empty) = called(
        environment,
        ("search", {"question": TICKET, "limit": 1}),
        ("ask", {"question": TICKET, "collection": "default"}),
        ("locate", {"quote": SENTENCE, "document_id": "nobody-s"}),
        ("highlight", {"question": TICKET, "text": NOTE, "document_id": "x", "chunk_index": 0}),
        ("search", {"question": "  "}),
    )
    (passage,) = search.structured_content["passages"]
    assert f">{SENTENCE}</mark>" in opens(passage["links"]["self"].replace("view=page&", "")).replace("\n", "")
    assert opens(answered.structured_content["citations"][0]["links"]["view"])
    assert "was not found" in unknown.content[0].text
    assert "Give either text, or document_id and chunk_index." in both.content[0].text
    assert (unknown.is_error, both.is_error, empty.is_error) == (True, True, True)
    assert not data.exists()
