"""A library here and the same one elsewhere are asked alike and answer alike, to the last link."""

from __future__ import annotations

import pytest

from highlighter.adapters.library import Here, convert_to_library, make_links_absolute
from highlighter.client import Client
from highlighter.facade import Highlighter
from highlighter.settings import Settings
from tests.conftest import NOTE
from tests.highlighter.adapters.conftest import SENTENCE, TICKET


def test_both_ways_answer_alike(far_away, key, note):
    address, services = far_away
    here = Here(services, address)
    with Client(address, key) as there:
        for ask in (
            lambda at: at.search(TICKET, limit=2),
            lambda at: at.search(TICKET, collection="none"),
            lambda at: at.highlight(TICKET, NOTE),
            lambda at: at.highlight(TICKET, document_id=note.id, chunk_index=0),
        ):
            assert _whole(ask(here), here) == _whole(ask(there), there)
        one, other = here.locate(SENTENCE, note.id), there.locate(SENTENCE, note.id)
        assert (one.tier, one.start, make_links_absolute(one.place.links, here)) == (
            other.tier,
            other.start,
            make_links_absolute(other.place.links, there),
        )
        assert here.ask(TICKET).text == there.ask(TICKET, collection="default").text


def _whole(value, library):
    """The value with whole addresses."""
    told = value.model_dump()
    for one in [told, *told.get("hits", [])]:
        one["links"] = make_links_absolute(one.get("links") or {}, library)
    return told


def test_a_library_of_the_python_class_leads_to_where_it_would_be_served(tmp_path, monkeypatch):
    monkeypatch.setenv("HOST", "0.0.0.0")
    monkeypatch.setenv("PORT", "8124")
    with Highlighter(tmp_path) as h:
        library = convert_to_library(h)
        assert convert_to_library(library) is library
        assert library._links.library() == "http://127.0.0.1:8124/documents"


@pytest.mark.parametrize(("host", "shown"), [("::", "127.0.0.1"), ("::1", "[::1]"), ("10.0.0.7", "10.0.0.7")])
def test_an_address_is_one_that_a_browser_takes(host, shown, services):
    services.settings = Settings(host=host, port=80)
    assert Here(services)._links.root == f"http://{shown}:80"
