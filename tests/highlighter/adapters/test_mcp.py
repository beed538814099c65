"""Tests of the MCP server, started by the SDK's client on standard input and output."""

from __future__ import annotations

import os
import sys

import pytest

from highlighter.access import LOCAL_OPERATOR
from highlighter.notes.note_book import NoteContent, TextSelection
from highlighter.services import Services
from highlighter.settings import Settings
from ingest.pipeline import ingest_file
from tests.conftest import NOTE
from tests.highlighter.adapters.conftest import SENTENCE, TICKET, run_in_new_loop


def call_tools(environment: dict[str, str], *calls: tuple[str, dict]) -> tuple[list, list]:
    """Return the tools, and the result of each call."""
    from mcp import StdioServerParameters, stdio_client  # takes a second, and every process collects this file
    from mcp.client.client import Client

    server = StdioServerParameters(
        command=sys.executable, args=["-m", "highlighter", "mcp"], env={**os.environ, **environment}
    )

    async def talk():
        async with Client(stdio_client(server)) as client:
            return (await client.list_tools()).tools, [await client.call_tool(*call) for call in calls]

    return run_in_new_loop(talk)


@pytest.fixture
def local_library(tmp_path, embedder, process_pool):
    """A data folder, and the id of a note in it."""
    services = Services(Settings(data_dir=tmp_path / "data"), embedder)
    (tmp_path / "note.txt").write_text(NOTE, encoding="utf-8")
    document = ingest_file(tmp_path / "note.txt", services, process_pool).document
    services.note_book.create(LOCAL_OPERATOR, document.id, TextSelection(exact=SENTENCE), NoteContent(text="Dear."))
    services.close()
    return str(tmp_path / "data"), document.id


def test_tools_use_local_library(local_library):
    data, document_id = local_library
    tools, (search, in_chunk, in_text, located, not_found, opened, noted, answered, checked) = call_tools(
        {"DATA_DIR": data, "PORT": "8123", "HIGHLIGHTER_URL": ""},
        ("search", {"question": TICKET, "limit": 1}),
        ("highlight", {"question": TICKET, "document_id": document_id, "chunk_index": 0}),
        ("highlight", {"question": TICKET, "text": NOTE}),
        ("locate", {"quote": "Tickets cost four ponds and are sold on board"}),
        ("locate", {"quote": "Tickets cost nine pounds and are sold on the pier by the harbour master."}),
        ("open_citations", {"response": f"{SENTENCE} [1]", "sources": [{"filename": "note.txt", "text": SENTENCE}]}),
        ("notes", {"document_id": document_id}),
        ("ask", {"question": TICKET}),
        ("check", {"answer": f"{SENTENCE} Tickets cost nine pounds.", "sources": [{"document_id": document_id}]}),
    )
    assert [tool.name for tool in tools] == ["search", "highlight", "locate", "open_citations", "notes", "ask", "check"]
    assert all(tool.description and tool.output_schema for tool in tools)
    (note,) = noted.structured_content["notes"]
    assert (note["quote"], note["text"], note["outcome"]) == (SENTENCE, "Dear.", "same")
    assert note["link"].startswith(f"http://127.0.0.1:8123/documents/{document_id}/chunks/0?v=")
    (passage,) = search.structured_content["passages"]
    best = passage["sentences"][0]
    assert (passage["document_id"], best["text"], best["lit"], best["page"]) == (document_id, SENTENCE, True, 1)
    assert passage["links"]["self"].startswith(f"http://127.0.0.1:8123/documents/{document_id}/chunks/0?q=How")
    assert [item["text"] for item in in_chunk.structured_content["sentences"]] == [SENTENCE]
    chunk_url = in_chunk.structured_content["links"]["self"].removesuffix("#mark-1")
    assert passage["links"]["self"].startswith(f"{chunk_url}&cited=")  # its best sentence
    assert [item["text"] for item in in_text.structured_content["sentences"]] == [SENTENCE]
    assert (in_text.structured_content["looked_at"], in_text.structured_content["links"]) == (6, {})
    (citation,) = opened.structured_content["citations"]
    assert (citation["tier"], citation["sentences"], citation["verdict"]) == ("exact", [SENTENCE], "supported")
    assert citation["links"]["view"].startswith(f"http://127.0.0.1:8123/documents/{document_id}/chunks/0?at=")
    assert (located.structured_content["tier"], located.structured_content["place"]["text"]) == ("fuzzy", SENTENCE[:-1])
    assert (not_found.structured_content["tier"], not_found.structured_content["place"]) == ("none", None)
    answer = answered.structured_content
    assert "four pounds" in answer["text"]
    assert answer["citations"][0]["quote"] == SENTENCE
    assert answer["citations"][0]["links"]["view"].startswith(f"http://127.0.0.1:8123/documents/{document_id}/")
    assert [item["verdict"] for item in answer["claims"]] == ["supported"]
    true, false = checked.structured_content["claims"]
    assert (true["verdict"], true["evidence"][0]["text"]) == ("supported", SENTENCE)
    assert (false["verdict"], checked.structured_content["grounded"]) == ("contradicted", False)


def test_tools_use_remote_service_and_report_its_errors(remote_service, key, open_link, tmp_path):
    data = tmp_path / "nothing-is-here"
    environment = {"HIGHLIGHTER_URL": remote_service[0], "HIGHLIGHTER_KEY": key, "DATA_DIR": str(data)}
    _, (search, answered, unknown, both, empty) = call_tools(
        environment,
        ("search", {"question": TICKET, "limit": 1}),
        ("ask", {"question": TICKET, "collection": "default"}),
        ("locate", {"quote": SENTENCE, "document_id": "nobody-s"}),
        ("highlight", {"question": TICKET, "text": NOTE, "document_id": "x", "chunk_index": 0}),
        ("search", {"question": "  "}),
    )
    (passage,) = search.structured_content["passages"]
    assert f">{SENTENCE}</mark>" in open_link(passage["links"]["self"].replace("view=page&", "")).replace("\n", "")
    assert open_link(answered.structured_content["citations"][0]["links"]["view"])
    assert "was not found" in unknown.content[0].text
    assert "Give either text, or document_id and chunk_index." in both.content[0].text
    assert (unknown.is_error, both.is_error, empty.is_error) == (True, True, True)
    assert not data.exists()
