"""Tests of the MCP server over streamable HTTP: whom it answers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import httpx2
import pytest

from highlighter.access import READ
from highlighter.adapters.library import LocalLibrary
from highlighter.errors import BadRequest
from highlighter.services import Services
from highlighter.settings import Settings
from ingest.pipeline import ingest_file
from tests.browser.serving import free_port
from tests.conftest import NOTE
from tests.highlighter.adapters.conftest import run_in_new_loop

INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}},
}  # fmt: skip
HEADERS = {"Accept": "application/json, text/event-stream"}


@pytest.fixture
def services(tmp_path, embedder):
    opened = Services(Settings(data_dir=tmp_path / "data"), embedder)
    yield opened
    opened.close()


@pytest.fixture
def harbour_key(services, process_pool, tmp_path):
    """A key that may only read one of two collections."""
    for collection in ("harbour", "secret"):
        path = tmp_path / f"{collection}.txt"
        path.write_text(NOTE, encoding="utf-8")
        ingest_file(path, services, process_pool, collection=collection)
    return services.api_keys.create_key("Tests", [READ], ["harbour"])[1]


@pytest.fixture
def address(services, harbour_key, tmp_path):
    """The address of `python -m highlighter mcp --http`, which has to stop without an error."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "highlighter", "mcp", "--http", "--port", str(port)],
        env={**os.environ, "DATA_DIR": str(tmp_path / "data"), "HIGHLIGHTER_URL": ""}, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with process:
        url = process.stdout.readline().removeprefix("The tools are at ").partition(" ")[0]
        assert url == f"http://127.0.0.1:{port}/mcp"
        with httpx2.Client(transport=httpx2.HTTPTransport(retries=8)) as client:  # until it listens
            client.get(f"http://127.0.0.1:{port}/")
        yield url
        process.send_signal(signal.SIGINT)
    assert process.returncode == 0


def test_key_opens_its_collections_over_http_and_nothing_else(address, harbour_key):
    from mcp.client.client import Client
    from mcp.client.streamable_http import streamable_http_client

    authorization = {"Authorization": f"Bearer {harbour_key}"}

    async def talk():
        async with (
            httpx2.AsyncClient(headers=authorization) as http_client,
            Client(streamable_http_client(address, http_client=http_client)) as client,
        ):
            resources = (await client.list_resources()).resources
            return resources, await client.call_tool("ask", {"question": "How much is a ticket?"})

    resources, refused = run_in_new_loop(talk)
    assert [resource.name for resource in resources] == ["harbour.txt"]
    assert refused.content[0].text == "This key cannot do that: it needs the scope answer."

    def initialize(**headers: str) -> int:
        return httpx2.post(address, json=INITIALIZE, headers={**HEADERS, **headers}).status_code

    assert (initialize(), initialize(Authorization="Bearer hk_x")) == (401, 401)
    assert initialize(**authorization) == 200
    assert initialize(**authorization, Host="evil.example") == 421
    assert initialize(**authorization, Origin="https://evil.example") == 403


def test_first_key_closes_open_server(services):
    from mcp.client.client import Client
    from mcp.shared.exceptions import MCPError

    from highlighter.adapters.mcp_http import create_http_server

    async def talk():
        async with Client(create_http_server(LocalLibrary(services), services, "127.0.0.1", 8001)) as client:
            before = (await client.list_resources()).resources
            services.api_keys.create_key("First", [READ])
            with pytest.raises(MCPError, match="Keys are required now"):
                await client.list_resources()
            return before

    assert run_in_new_loop(talk) == []


def test_other_machines_are_refused_without_key(services, tmp_path, embedder):
    from highlighter.adapters.mcp_http import prepare_http_server

    library = LocalLibrary(services)
    with pytest.raises(BadRequest, match="Clients need a key here, and there is none"):
        prepare_http_server(library, services, "0.0.0.0", 8001)
    services.api_keys.create_key("First", [READ])
    with pytest.raises(BadRequest, match="Set TRUSTED_HOSTS"):
        prepare_http_server(library, services, "0.0.0.0", 8001)
    assert prepare_http_server(library, services, "192.0.2.7", 8001)
    remote = Services(Settings(data_dir=tmp_path / "none", service_url="http://papers.example"), embedder)
    with pytest.raises(BadRequest, match="Set HIGHLIGHTER_KEY"):
        prepare_http_server(library, remote, "192.0.2.7", 8001)
    remote.close()
