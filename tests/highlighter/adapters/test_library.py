"""Tests that a local and a remote library give equal results, with equal links."""

from __future__ import annotations

import pytest

from highlighter.adapters.library import LocalLibrary, convert_to_library, make_links_absolute
from highlighter.client import Client
from highlighter.facade import Highlighter
from highlighter.settings import Settings
from tests.conftest import NOTE
from tests.highlighter.adapters.conftest import SENTENCE, TICKET


def test_local_and_remote_library_give_equal_results(remote_service, key, note):
    address, services = remote_service
    local = LocalLibrary(services, address)
    with Client(address, key) as remote:
        for call in (
            lambda library: library.search(TICKET, limit=2),
            lambda library: library.search(TICKET, collection="none"),
            lambda library: library.highlight(TICKET, NOTE),
            lambda library: library.highlight(TICKET, document_id=note.id, chunk_index=0),
        ):
            assert _dump(call(local), local) == _dump(call(remote), remote)
        for sources in (["Tickets cost nine pounds."], [{"document_id": note.id, "chunk_index": 0}]):
            assert local.check(SENTENCE, sources) == remote.check(SENTENCE, sources)
        expected, actual = local.locate(SENTENCE, note.id), remote.locate(SENTENCE, note.id)
        assert (expected.tier, expected.start, make_links_absolute(expected.place.links, local)) == (
            actual.tier,
            actual.start,
            make_links_absolute(actual.place.links, remote),
        )
        assert local.ask(TICKET).text == remote.ask(TICKET, collection="default").text


def _dump(value, library):
    """Return a result as plain values with whole URLs."""
    fields = value.model_dump()
    for item in [fields, *fields.get("hits", [])]:
        item["links"] = make_links_absolute(item.get("links") or {}, library)
    return fields


def test_links_of_highlighter_lead_to_its_configured_address(tmp_path, monkeypatch):
    monkeypatch.setenv("HOST", "0.0.0.0")
    monkeypatch.setenv("PORT", "8124")
    with Highlighter(tmp_path) as h:
        library = convert_to_library(h)
        assert convert_to_library(library) is library
        assert library._links.library() == "http://127.0.0.1:8124/documents"


@pytest.mark.parametrize(("host", "host_in_url"), [("::", "127.0.0.1"), ("::1", "[::1]"), ("10.0.0.7", "10.0.0.7")])
def test_default_address_is_valid_in_browsers(host, host_in_url, services):
    services.settings = Settings(host=host, port=80)
    assert LocalLibrary(services)._links.root == f"http://{host_in_url}:80"
    services.settings = Settings(host=host, port=80, public_url="https://example.org/papers")
    assert LocalLibrary(services)._links.root == "https://example.org/papers"
