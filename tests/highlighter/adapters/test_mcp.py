"""Tests of the MCP server, started by the SDK's client on standard input and output."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from highlighter.access import LOCAL_OPERATOR
from highlighter.adapters.library import Library
from highlighter.notes.note_book import NoteContent, TextSelection
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.version import __version__
from ingest.pipeline import ingest_file
from tests.conftest import NOTE
from tests.highlighter.adapters.conftest import SENTENCE, TICKET, run_in_new_loop


def talk_to_server(environment: dict[str, str], talk: Callable[[Any], Awaitable[Any]]) -> Any:
    """Return what a function returns that talks to a new server as its client."""
    from mcp import StdioServerParameters, stdio_client  # takes a second, and every process collects this file
    from mcp.client.client import Client

    server = StdioServerParameters(
        command=sys.executable, args=["-m", "highlighter", "mcp"], env={**os.environ, **environment}
    )

    async def start_and_talk():
        async with Client(stdio_client(server)) as client:
            return await talk(client)

    return run_in_new_loop(start_and_talk)


def call_tools(environment: dict[str, str], *calls: tuple[str, dict]) -> tuple[list, list]:
    """Return the tools, and the result of each call."""

    async def talk(client):
        return (await client.list_tools()).tools, [await client.call_tool(*call) for call in calls]

    return talk_to_server(environment, talk)


def run_in_memory(library: Library, talk: Callable[[Any], Awaitable[Any]]) -> Any:
    """Return what a function returns that talks to a server in this process as its client."""
    from mcp.client.client import Client

    from highlighter.adapters.mcp import create_server

    async def connect_and_talk():
        async with Client(create_server(library)) as client:
            return await talk(client)

    return run_in_new_loop(connect_and_talk)


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
    tools, (search, in_chunk, in_text, located, not_found, opened, false_citation, noted, answered, checked, text) = (
        call_tools(
            {"DATA_DIR": data, "PORT": "8123", "HIGHLIGHTER_URL": ""},
            ("search", {"question": TICKET, "limit": 1}),
            ("highlight", {"question": TICKET, "document_id": document_id, "chunk_index": 0}),
            ("highlight", {"question": TICKET, "text": NOTE}),
            ("locate", {"quote": "Tickets cost four ponds and are sold on board"}),
            ("locate", {"quote": "Tickets cost nine pounds and are sold on the pier by the harbour master."}),
            (
                "open_citations",
                {"response": f"{SENTENCE} [1]", "sources": [{"filename": "note.txt", "text": SENTENCE}]},
            ),
            (
                "open_citations",
                {"response": "Tickets cost nine pounds [1].", "sources": [{"filename": "note.txt", "text": SENTENCE}]},
            ),
            ("notes", {"document_id": document_id}),
            ("ask", {"question": TICKET}),
            ("check", {"answer": f"{SENTENCE} Tickets cost nine pounds.", "sources": [{"document_id": document_id}]}),
            ("check", {"answer": SENTENCE, "sources": [NOTE]}),
        )
    )
    assert [tool.name for tool in tools] == ["search", "highlight", "locate", "open_citations", "notes", "ask", "check"]
    assert all(tool.description and "  " not in tool.description and tool.output_schema for tool in tools)
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
    (contradicted,) = false_citation.structured_content["citations"]
    assert (citation["why"], contradicted["verdict"]) == (None, "contradicted")
    assert "nine" in contradicted["why"]
    assert (located.structured_content["tier"], located.structured_content["place"]["text"]) == ("fuzzy", SENTENCE[:-1])
    assert (not_found.structured_content["tier"], not_found.structured_content["place"]) == ("none", None)
    answer = answered.structured_content
    assert "four pounds" in answer["text"]
    assert answer["citations"][0]["quote"] == SENTENCE
    assert answer["citations"][0]["links"]["view"].startswith(f"http://127.0.0.1:8123/documents/{document_id}/")
    assert [item["verdict"] for item in answer["claims"]] == ["supported"]
    true, false = checked.structured_content["claims"]
    assert (true["verdict"], true["evidence"][0]["text"]) == ("supported", SENTENCE)
    assert text.structured_content["grounded"]
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


def test_server_lists_and_reads_documents_and_has_prompts_and_version(library):
    async def talk(client):
        (listed,) = (await client.list_resources()).resources
        texts = [(await client.read_resource(f"{listed.uri}{path}")).contents[0].text for path in ("", "/chunks/0")]
        prompts = (await client.list_prompts()).prompts
        question = await client.get_prompt("answer_with_citations", {"question": TICKET})
        return client.server_info.version, listed.name, texts, prompts, question.messages[0].content.text

    version, name, (text, chunk), prompts, question = run_in_memory(library, talk)
    assert (version, name, TICKET in question) == (__version__, "note.txt", True)
    assert SENTENCE in text
    assert chunk in text
    assert [prompt.name for prompt in prompts] == ["answer_with_citations", "check_answer"]


def test_wrong_calls_are_answered_with_one_plain_sentence(library, note):
    from mcp.shared.exceptions import MCPError

    async def talk(client):
        async def read_error(request):
            with pytest.raises(MCPError) as raised:
                await request
            return str(raised.value)

        calls = [
            {"answer": "x", "source": ["a"]}, {"answer": "x"}, {"answer": "x", "sources": [3]},
            {"answer": "x", "sources": [{}]}, {"answer": "x", "sources": "a"}, {"answer": "x", "sources": [{"txt": "a"}]},
        ]  # fmt: skip
        called = [await client.call_tool("check", call) for call in calls]
        uri = f"highlighter://documents/{note.id}/chunks/"
        requests = [
            client.read_resource(f"{uri}9"), client.read_resource(f"{uri}x"), client.get_prompt("check_answer", {}),
            client.get_prompt("nosuch", {}), client.list_resources(cursor="x"),
        ]  # fmt: skip
        return [result.content[0].text for result in called], [await read_error(request) for request in requests]

    called, (no_chunk, no_number, missing, no_prompt, wrong_cursor) = run_in_memory(library, talk)
    assert called == [
        "check has no argument 'source': it has answer, sources.",
        "sources is missing.",
        "sources.0: give a text, or an object with text or document_id.",
        "sources.0: give either text, or document_id (and chunk_index).",
        "sources: input should be a valid list.",
        "sources.0.txt is unknown.",
    ]
    assert "has no chunk 9" in no_chunk
    assert "The index of a chunk is a number: the first is 0." in no_number
    assert "answer is missing." in missing
    assert "There is no prompt 'nosuch': there are answer_with_citations, check_answer." in no_prompt
    assert "cursor" in wrong_cursor


def test_documents_are_listed_page_by_page(library, monkeypatch, tmp_path, remote_service, process_pool):
    path = tmp_path / "second.txt"
    path.write_text("The lighthouse was built in 1870.", encoding="utf-8")
    second = ingest_file(path, remote_service[1], process_pool).document
    from highlighter.adapters import mcp_resources

    monkeypatch.setattr(mcp_resources, "RESOURCES_PER_PAGE", 1)

    async def talk(client):
        first = await client.list_resources()
        return first, await client.list_resources(cursor=first.next_cursor)

    try:
        first, last = run_in_memory(library, talk)
    finally:
        remote_service[1].delete_document(second.id)
    assert [resource.name for resource in [*first.resources, *last.resources]] == ["second.txt", "note.txt"]
    assert (len(first.resources), last.next_cursor) == (1, None)
