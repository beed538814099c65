"""The pages over HTTP, without a browser."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from highlighter.app import create_app
from highlighter.embedding.embedder import COLD, Embedder
from highlighter.services import Services
from highlighter.urls import Links, format_span
from ingest.pipeline import ingest_file
from tests.conftest import NOTE, SAMPLES

TICKET = "How much is a ticket?"
HOSTILE = '<script>alert(1)</script> costs {{7*7}} & "><img src=x onerror=alert(2)>. Safe words follow here.\n'


def text(response):
    assert response.status_code == 200, response.get_data(as_text=True)
    return response.get_data(as_text=True)


def marks(page):
    return re.findall(r"<mark[^>]*>(.*?)</mark>", page, re.S)


def test_a_question_leads_to_its_lit_sentence(client, note):
    moved = client.get(f"/documents/{note.id}", query_string={"q": TICKET, "view": "text"})
    assert moved.status_code == 302
    assert moved.location.endswith("#mark-1")
    page = text(client.get(moved.location))
    assert marks(page) == ["Tickets cost four pounds and are sold on board."]
    assert "note.txt" in page


def test_every_view_of_a_chunk_shows_every_word_of_it(client, services, note):
    for chunk in services.catalog.chunks(note):
        page = text(client.get(f"/documents/{note.id}/chunks/{chunk.index}", query_string={"q": TICKET}))
        shown = re.sub(r"<[^>]*>", " ", page[page.index('class="text"') :])
        assert [word for word in chunk.text.split() if word not in shown] == []


def test_hostile_text_is_shown_as_text(client, services, process_pool, tmp_path):
    path = tmp_path / "hostile.txt"
    path.write_text(HOSTILE, encoding="utf-8")
    document = ingest_file(path, services, process_pool).document
    for question in ("", HOSTILE):
        page = text(client.get(f"/documents/{document.id}/chunks/0", query_string={"q": question}))
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "{{7*7}}" in page


def test_an_unknown_document_is_a_page_that_says_which(client):
    answer = client.get("/documents/0123abc/chunks/0")
    assert answer.status_code == 404
    assert "Document 0123abc was not found" in answer.get_data(as_text=True)


def test_an_unknown_chunk_is_a_page_that_says_which(client, note):
    answer = client.get(f"/documents/{note.id}/chunks/77")
    assert answer.status_code == 404
    assert "has no chunk 77" in answer.get_data(as_text=True)


def test_an_over_long_question_is_refused_by_name(client, note):
    answer = client.get(f"/documents/{note.id}/chunks/0", query_string={"q": "x" * 2001})
    assert answer.status_code == 400
    assert "The question is longer than 2,000 characters" in answer.get_data(as_text=True)


def test_nothing_above_the_threshold_is_said(client, note):
    page = text(client.get(f"/documents/{note.id}/chunks/0", query_string={"q": "Who discovered penicillin?"}))
    assert marks(page) == []
    assert "No strong match in this section" in page


def test_files_are_served_for_what_they_are(client, services, note):
    with client.get(f"/documents/{note.id}/original") as original:
        assert original.get_data(as_text=True) == NOTE
        assert original.mimetype == "text/plain"
        assert original.headers["X-Content-Type-Options"] == "nosniff"
    for path in ("pdf", "chunks/0.pdf"):
        with client.get(f"/documents/{note.id}/{path}") as paged:
            assert paged.data[:5] == b"%PDF-"
            assert paged.mimetype == "application/pdf"


def test_a_pdf_s_paged_form_is_the_original(client, services, process_pool):
    document = ingest_file(SAMPLES / "Tide Tables and Diving Windows.pdf", services, process_pool).document
    with client.get(f"/documents/{document.id}/pdf") as paged:
        assert paged.data == (SAMPLES / "Tide Tables and Diving Windows.pdf").read_bytes()


def test_the_library_names_states_and_reasons(client, services, process_pool, note):
    ingest_file(SAMPLES / "Scanned letter 14 March.pdf", services, process_pool)
    page = text(client.get("/documents"))
    assert "note.txt" in page
    assert "no text" in page
    assert "scan without selectable text" in page


def test_the_library_opens_a_named_document(client, note):
    assert client.get(f"/documents?document={note.id}").location == f"/documents/{note.id}"


def test_an_empty_library_invites(client):
    page = text(client.get("/documents"))
    assert "No documents yet" in page
    assert "try the sample documents" in page


def test_the_form_takes_a_file_and_leads_to_it(client, services):
    sent = client.post("/documents", data={"file": (io.BytesIO(NOTE.encode()), "<b>note</b>.txt")})
    assert sent.status_code == 303
    services.ingest_queue._executor.shutdown(wait=True)
    page = text(client.get(sent.location))
    assert "&lt;b&gt;note&lt;/b&gt;.txt" in page
    assert "ready" in page


def test_a_form_without_a_file_is_told_so(client):
    assert "No file was chosen" in client.post("/documents", data={}).get_data(as_text=True)


def test_a_name_is_never_a_path(client, services, tmp_path):
    before = {path for path in tmp_path.rglob("*") if "data" not in path.parts}
    for name in ("../../evil.txt", "/etc/evil.txt", "a\nb.txt", "n" * 4096 + ".txt", "CON", ".."):
        answer = client.post("/documents", data={"file": (io.BytesIO(name.encode() + b" some words."), name)})
        assert answer.status_code in (303, 400)
    services.ingest_queue._executor.shutdown(wait=True)
    assert {path for path in tmp_path.rglob("*") if "data" not in path.parts} == before
    assert not [path for path in tmp_path.rglob("*") if "evil" in path.name]


def test_while_the_model_loads_the_site_says_so_and_the_text_is_there(services, note):
    cold = Embedder()
    assert cold.state == COLD
    client = create_app(Services(services.settings, cold)).test_client()
    page = text(client.get(f"/documents/{note.id}/chunks/0", query_string={"q": TICKET}))
    assert "The language model is loading" in page
    assert "data-warming" in page
    assert "The ferry leaves" in page
    assert marks(page) == []


def test_without_a_model_the_plain_chunk_and_a_notice(services, note):
    broken = Embedder("/no/such/model")
    broken.wait_until_loaded(60)
    client = create_app(Services(services.settings, broken)).test_client()
    page = text(client.get(f"/documents/{note.id}/chunks/0", query_string={"q": TICKET}))
    assert "The embedding model is not available" in page
    assert "The ferry leaves" in page


def test_a_link_of_an_earlier_pipeline_still_leads_to_its_place(client, services, note):
    start = NOTE.index("The captain")
    page = text(client.get(f"/documents/{note.id}/chunks/9?start={start}&end={start + 9}&v=99"))
    assert "The captain may cancel" in page


@pytest.mark.parametrize("path", ["/documents", "/nowhere", "/documents/x"])
def test_scripts_carry_the_nonce_of_their_own_answer(client, path):
    nonces = set()
    for _ in range(20):
        answer = client.get(path)
        policy = answer.headers["Content-Security-Policy"]
        (nonce,) = re.findall(r"script-src 'nonce-([\w-]+)'", policy)
        assert "unsafe" not in policy
        assert all(f'nonce="{nonce}"' in tag for tag in re.findall(r"<script[^>]*>", answer.get_data(as_text=True)))
        nonces.add(nonce)
    assert len(nonces) == 20


def test_templates_have_no_inline_handlers_or_styles():
    for path in (Path(__file__).parents[4] / "templates").glob("*.html"):
        assert not re.search(r"<[^>{]*\s(on\w+|style)\s*=", path.read_text(encoding="utf-8")), path.name


@pytest.mark.parametrize("view", ["text", "page"])
@pytest.mark.parametrize("said", ["Children under five travel free of charge.", "Tickets cost four pounds"])
def test_a_cited_sentence_is_lit_besides_the_evidence_and_opened_at(client, services, note, said, view):
    """Also where it is no evidence by itself, as with what a language model cites."""
    start = services.catalog.text(note).index(said)
    (chunk,) = services.catalog.chunks(note)
    link = Links().highlight(chunk, TICKET, view, cited=format_span(start, start + len(said)))
    page = text(client.get(link))
    assert page.count("autofocus") == page.count("data-current") == 1
    plain = text(client.get(Links().highlight(chunk, TICKET, view)))
    assert page.count("data-n=") - plain.count("data-n=") == (1 if said.startswith("Children") else 0)
    if view == "text":
        assert re.search(r"<mark[^>]*data-current[^>]*>([^<]*)", page)[1].startswith(said)


@pytest.mark.parametrize("span", ["9-3", "x", "-", "5", "999999-9999999"])
def test_a_cited_span_that_is_none_changes_nothing(client, note, span):
    asked = {"q": TICKET}
    page = text(client.get(f"/documents/{note.id}/chunks/0", query_string={**asked, "cited": span}))
    assert marks(page) == marks(text(client.get(f"/documents/{note.id}/chunks/0", query_string=asked)))


def test_what_nothing_is_lit_for_is_said_to_be_asked(client, note):
    address = f"/documents/{note.id}/chunks/0"
    nothing = text(client.get(address, query_string={"q": "Who discovered penicillin?"}))
    assert "Highlighted for:" not in nothing
    assert re.search(r"Question:\s*<b>Who discovered penicillin\?</b>", nothing)
    assert re.search(r"Highlighted for:\s*<b>", text(client.get(address, query_string={"q": TICKET})))


STEPS = re.compile(r'<a class="btn ghost"[^>]*data-(?:step|turn)="[^"]*"[^>]*>')


@pytest.mark.parametrize(
    ("query", "only"),
    [
        ({"q": TICKET}, True),
        ({"find": "passengers", "hit": "1"}, True),
        ({"find": "ticket", "hit": "1"}, False),
    ],
)
def test_there_is_no_step_from_the_only_one(client, note, query, only):
    steps = STEPS.findall(text(client.get(f"/documents/{note.id}/chunks/0", query_string=query)))
    assert len(steps) == 2
    for step in steps:
        assert ('aria-disabled="true"' in step) == only
        assert (" href=" in step) != only


def test_dots_and_figures_beside_what_is_lit_are_explained(client, note):
    address = f"/documents/{note.id}/chunks/0"
    page = text(client.get(address, query_string={"q": TICKET}))
    assert "Match strength, 0–1" in page
    assert 'title="Match strength: 0.' in page
    assert "Match strength" not in text(client.get(address))
    assert "Match strength" not in text(client.get(address, query_string={"at": "0-40"}))
