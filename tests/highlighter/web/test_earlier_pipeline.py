"""A document ingested again by a later pipeline: earlier links still show what they showed."""

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
QUESTION = "What do tickets cost?"
# Text that only the earlier pipeline reads: without it, all offsets and pages move.
OMITTED_TEXT = "".join(f"A line of the head that stands on every sheet, {n}.\n\n" for n in range(60))
MODULES_WITH_PIPELINE_VERSION = (
    "ingest.pipeline",
    "ingest.registration",
    "highlighter.store.catalog",
    "highlighter.store.documents",
)


@pytest.fixture
def earlier_document(services, process_pool, tmp_path, monkeypatch):
    """Return a note ingested by an earlier pipeline, which reads more text from the same bytes."""
    path = tmp_path / "note.txt"
    path.write_text(NOTE, encoding="utf-8")
    with monkeypatch.context() as patch:
        for module in MODULES_WITH_PIPELINE_VERSION:
            patch.setattr(f"{module}.PIPELINE_VERSION", PIPELINE_VERSION - 1)
        longer_file = tmp_path / "longer.txt"
        longer_file.write_text(OMITTED_TEXT + NOTE, encoding="utf-8")
        patch.setattr("ingest.pipeline.get_verified_original", lambda files, document: longer_file)
        before = ingest_file(path, services, process_pool).document
    assert before.pipeline == PIPELINE_VERSION - 1
    assert before.pages > 1
    return path, before


@pytest.fixture
def links(client, services, earlier_document):
    """Return links made while the earlier pipeline was current."""
    _, before = earlier_document
    start = services.catalog.text(before).index(TICKET)
    chunk = services.catalog.chunk_at(before, start)
    match = services.citation_reopener.make_anchor(before, start, start + len(TICKET))[1]
    urls = Links()
    return {
        "evidence": urls.chunk(chunk, QUESTION),
        "page": urls.chunk(chunk, QUESTION, "page"),
        "span": urls.quote_match(match),
        "quote": urls.quote_match(match, TICKET),
        "open": client.get(f"/api/v1/documents/{before.id}/annotations?start={start}&end={start + len(TICKET)}").json[
            "items"
        ][0]["id"],
        "pdf": urls.highlighted_pdf(chunk, QUESTION),
        "picture": urls.picture(chunk, before.pages),
    }


@pytest.fixture
def current_document(links, earlier_document, services, process_pool):
    path, before = earlier_document
    outcome = ingest_file(path, services, process_pool)
    assert not outcome.was_known
    assert (outcome.document.id, outcome.document.pipeline) == (before.id, PIPELINE_VERSION)
    assert outcome.document.pages < before.pages
    return outcome.document


@pytest.mark.parametrize("name", ["evidence", "span", "quote", "open"])
def test_links_still_highlight_their_sentence(name, links, current_document, client):
    assert marks(text(client.get(links[name], follow_redirects=True))) == [TICKET]


def test_page_view_and_pdf_show_cited_pages(links, earlier_document, current_document, client):
    before = earlier_document[1]
    page = text(client.get(links["page"]))
    assert page.count("<figure") == before.pages
    assert f"of {before.pages}" in page
    assert page.count("<rect") == 1
    assert client.get(links["picture"]).status_code == 200
    with client.get(links["pdf"]) as pdf:
        pages = PdfReader(io.BytesIO(pdf.data)).pages
        assert [bool(page.get("/Annots")) for page in pages] == [False] * (before.pages - 1) + [True]


def test_link_of_unknown_pipeline_opens_at_its_span(client, note):
    start = NOTE.index(TICKET)
    span = f"at={start}-{start + len(TICKET)}"
    assert marks(text(client.get(f"/documents/{note.id}/chunks/7?{span}&v={PIPELINE_VERSION + 9}"))) == [TICKET]


def test_search_reads_current_pipeline_alone(links, current_document, client, services):
    hits = client.post("/api/v1/search", json={"question": TICKET}).json["hits"]
    assert len(hits) == 1
    page = text(client.get(f"/documents/{current_document.id}/chunks/0?find=ticket"))
    assert len(re.findall("<mark", page)) == 2


def test_diagnostics_count_documents_of_earlier_pipeline(earlier_document, services, process_pool):
    services.index.sync()
    services.index.close()
    report = run_diagnostics(services)
    assert report.problems == []
    assert any("1 document processed by an earlier version" in note for note in report.notes)
    ingest_file(earlier_document[0], services, process_pool)
    assert not any("earlier version" in note for note in run_diagnostics(services).notes)
