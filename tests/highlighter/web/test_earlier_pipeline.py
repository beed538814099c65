"""A document read again by a later pipeline: citations made before keep showing what they showed."""

from __future__ import annotations

import io
import re

import pytest
from pypdf import PdfReader

from highlighter.diagnostics import run_diagnostics
from highlighter.models import PIPELINE_VERSION
from highlighter.urls import Links
from ingest.pipeline import ingest_file
from tests.conftest import NOTE
from tests.highlighter.web.pages.test_document_routes import marks, text

TICKET = "Tickets cost four pounds and are sold on board."
ASKED = "What do tickets cost?"
# What the earlier pipeline read, and this one leaves out; with its pages, every place moves.
LEFT_OUT = "".join(f"A line of the head that stands on every sheet, {n}.\n\n" for n in range(60))
KEEPING = ("ingest.pipeline", "highlighter.store.catalog", "highlighter.store.documents")


@pytest.fixture
def read_before(services, process_pool, tmp_path, monkeypatch):
    """A note as an earlier pipeline read it: from the same bytes, another text."""
    path = tmp_path / "note.txt"
    path.write_text(NOTE, encoding="utf-8")
    with monkeypatch.context() as patch:
        for module in KEEPING:
            patch.setattr(f"{module}.PIPELINE_VERSION", PIPELINE_VERSION - 1)
        longer = tmp_path / "longer.txt"
        longer.write_text(LEFT_OUT + NOTE, encoding="utf-8")
        patch.setattr("ingest.pipeline.get_verified_original", lambda files, document: longer)
        before = ingest_file(path, services, process_pool).document
    assert before.pipeline == PIPELINE_VERSION - 1
    assert before.pages > 1
    return path, before


@pytest.fixture
def links(client, services, read_before):
    """Made while the earlier reading was the current one."""
    _, before = read_before
    start = services.catalog.text(before).index(TICKET)
    chunk = services.catalog.chunk_at(before, start)
    place = services.citation_reopener.make_anchor(before, start, start + len(TICKET))[1]
    made = Links()
    return {
        "evidence": made.chunk(chunk, ASKED),
        "page": made.chunk(chunk, ASKED, "page"),
        "span": made.place(place),
        "quote": made.place(place, TICKET),
        "open": client.get(f"/api/v1/documents/{before.id}/annotations?start={start}&end={start + len(TICKET)}").json[
            "items"
        ][0]["id"],
        "pdf": made.lit_pdf(chunk, ASKED),
        "picture": made.picture(chunk, before.pages),
    }


@pytest.fixture
def read_again(links, read_before, services, process_pool):
    path, before = read_before
    outcome = ingest_file(path, services, process_pool)
    assert not outcome.was_known
    assert (outcome.document.id, outcome.document.pipeline) == (before.id, PIPELINE_VERSION)
    assert outcome.document.pages < before.pages
    return outcome.document


@pytest.mark.parametrize("which", ["evidence", "span", "quote", "open"])
def test_citations_still_light_their_sentence(which, links, read_again, client):
    assert marks(text(client.get(links[which], follow_redirects=True))) == [TICKET]


def test_the_pages_are_those_that_were_cited(links, read_before, read_again, client):
    before = read_before[1]
    page = text(client.get(links["page"]))
    assert page.count("<figure") == before.pages
    assert f"of {before.pages}" in page
    assert page.count("<rect") == 1
    assert client.get(links["picture"]).status_code == 200
    with client.get(links["pdf"]) as pdf:
        pages = PdfReader(io.BytesIO(pdf.data)).pages
        assert [bool(one.get("/Annots")) for one in pages] == [False] * (before.pages - 1) + [True]


def test_a_link_into_a_reading_that_was_never_kept_here_opens_where_the_words_are(client, note):
    start = NOTE.index(TICKET)
    at = f"at={start}-{start + len(TICKET)}"
    assert marks(text(client.get(f"/documents/{note.id}/chunks/7?{at}&v={PIPELINE_VERSION + 9}"))) == [TICKET]


def test_the_current_reading_alone_is_searched(links, read_again, client, services):
    found = client.post("/api/v1/search", json={"question": TICKET}).json["hits"]
    assert len(found) == 1
    page = text(client.get(f"/documents/{read_again.id}/chunks/0?find=ticket"))
    assert len(re.findall("<mark", page)) == 2


def test_the_doctor_tells_of_documents_that_may_be_read_again(read_before, services, process_pool):
    services.index.sync()
    services.index.close()
    found = run_diagnostics(services)
    assert found.ill == []
    assert any("1 document processed by an earlier version" in said for said in found.notes)
    ingest_file(read_before[0], services, process_pool)
    assert not any("earlier version" in said for said in run_diagnostics(services).notes)
