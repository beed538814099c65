"""The pages of documents and chunks over HTTP, without a browser."""

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


def test_question_leads_to_highlighted_sentence(client, note):
    moved = client.get(f"/documents/{note.id}", query_string={"q": TICKET, "view": "text"})
    assert moved.status_code == 302
    assert moved.location.endswith("#mark-1")
    page = text(client.get(moved.location))
    assert marks(page) == ["Tickets cost four pounds and are sold on board."]
    assert "note.txt" in page


def test_text_view_shows_every_word_of_chunk(client, services, note):
    for chunk in services.catalog.chunks(note):
        page = text(client.get(f"/documents/{note.id}/chunks/{chunk.index}", query_string={"q": TICKET}))
        shown = re.sub(r"<[^>]*>", " ", page[page.index('class="text"') :])
        assert [word for word in chunk.text.split() if word not in shown] == []


def test_hostile_text_is_escaped(client, services, process_pool, tmp_path):
    path = tmp_path / "hostile.txt"
    path.write_text(HOSTILE, encoding="utf-8")
    document = ingest_file(path, services, process_pool).document
    for question in ("", HOSTILE):
        page = text(client.get(f"/documents/{document.id}/chunks/0", query_string={"q": question}))
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "{{7*7}}" in page


def test_unknown_document_is_named_on_error_page(client):
    answer = client.get("/documents/0123abc/chunks/0")
    assert answer.status_code == 404
    assert "Document 0123abc was not found" in answer.get_data(as_text=True)


def test_unknown_chunk_is_named_on_error_page(client, note):
    answer = client.get(f"/documents/{note.id}/chunks/77")
    assert answer.status_code == 404
    assert "note.txt has no section 78: it has one section." in answer.get_data(as_text=True)
    api = client.get(f"/api/v1/documents/{note.id}/annotations?chunk_index=77&sub_question=x")
    assert "has no chunk 77: it has one chunk, number 0." in api.get_json()["detail"]


def test_question_that_is_too_long_is_refused(client, note):
    answer = client.get(f"/documents/{note.id}/chunks/0", query_string={"q": "x" * 2001})
    assert answer.status_code == 400
    assert "The question is longer than 2,000 characters" in answer.get_data(as_text=True)


def test_page_says_that_no_sentence_is_above_threshold(client, note):
    page = text(client.get(f"/documents/{note.id}/chunks/0", query_string={"q": "Who discovered penicillin?"}))
    assert marks(page) == []
    assert "No strong match in this section" in page


def test_files_are_served_with_their_media_types(client, services, note):
    with client.get(f"/documents/{note.id}/original") as original:
        assert original.get_data(as_text=True) == NOTE
        assert original.mimetype == "text/plain"
        assert original.headers["X-Content-Type-Options"] == "nosniff"
    for path in ("pdf", "chunks/0.pdf"):
        with client.get(f"/documents/{note.id}/{path}") as paged:
            assert paged.data[:5] == b"%PDF-"
            assert paged.mimetype == "application/pdf"


def test_pdf_of_pdf_document_is_the_original(client, services, process_pool):
    document = ingest_file(SAMPLES / "Tide Tables and Diving Windows.pdf", services, process_pool).document
    with client.get(f"/documents/{document.id}/pdf") as paged:
        assert paged.data == (SAMPLES / "Tide Tables and Diving Windows.pdf").read_bytes()


def test_library_shows_states_and_reasons(client, services, process_pool, note):
    ingest_file(SAMPLES / "Scanned letter 14 March.pdf", services, process_pool)
    page = text(client.get("/documents"))
    assert "note.txt" in page
    assert "no text" in page
    assert "scan without selectable text" in page


def test_library_redirects_to_named_document(client, note):
    assert client.get(f"/documents?document={note.id}").location == f"/documents/{note.id}"


def test_empty_library_offers_samples(client):
    page = text(client.get("/documents"))
    assert "No documents yet" in page
    assert "try the sample documents" in page


def test_form_uploads_file_and_redirects_to_document(client, services):
    sent = client.post("/documents", data={"file": (io.BytesIO(NOTE.encode()), "<b>note</b>.txt")})
    assert sent.status_code == 303
    services.ingest_queue._executor.shutdown(wait=True)
    page = text(client.get(sent.location))
    assert "&lt;b&gt;note&lt;/b&gt;.txt" in page
    assert "ready" in page


def test_form_without_file_is_refused(client):
    assert "No file was chosen" in client.post("/documents", data={}).get_data(as_text=True)


def test_file_name_is_never_used_as_path(client, services, tmp_path):
    before = {path for path in tmp_path.rglob("*") if "data" not in path.parts}
    for name in ("../../evil.txt", "/etc/evil.txt", "a\nb.txt", "n" * 4096 + ".txt", "CON", ".."):
        answer = client.post("/documents", data={"file": (io.BytesIO(name.encode() + b" some words."), name)})
        assert answer.status_code in (303, 400)
    services.ingest_queue._executor.shutdown(wait=True)
    assert {path for path in tmp_path.rglob("*") if "data" not in path.parts} == before
    assert not [path for path in tmp_path.rglob("*") if "evil" in path.name]


def test_page_shows_text_and_notice_while_model_loads(services, note):
    cold = Embedder()
    assert cold.state == COLD
    client = create_app(Services(services.settings, cold)).test_client()
    page = text(client.get(f"/documents/{note.id}/chunks/0", query_string={"q": TICKET}))
    assert "The language model is loading" in page
    assert "data-warming" in page
    assert "The ferry leaves" in page
    assert marks(page) == []


def test_page_shows_text_and_notice_without_model(services, note):
    broken = Embedder("/no/such/model")
    broken.wait_until_loaded(60)
    client = create_app(Services(services.settings, broken)).test_client()
    page = text(client.get(f"/documents/{note.id}/chunks/0", query_string={"q": TICKET}))
    assert "The embedding model is not available" in page
    assert "The ferry leaves" in page


def test_link_of_other_pipeline_leads_to_its_span(client, services, note):
    start = NOTE.index("The captain")
    page = text(client.get(f"/documents/{note.id}/chunks/9?start={start}&end={start + 9}&v=99"))
    assert "The captain may cancel" in page


@pytest.mark.parametrize("path", ["/documents", "/nowhere", "/documents/x"])
def test_scripts_carry_nonce_of_their_response(client, path):
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
@pytest.mark.parametrize("sentence", ["Children under five travel free of charge.", "Tickets cost four pounds"])
def test_cited_sentence_is_highlighted_beside_evidence_and_opened(client, services, note, sentence, view):
    """A language model may cite a sentence that is no evidence by itself."""
    start = services.catalog.text(note).index(sentence)
    (chunk,) = services.catalog.chunks(note)
    link = Links().highlight(chunk, TICKET, view, cited=format_span(start, start + len(sentence)))
    page = text(client.get(link))
    assert page.count("autofocus") == page.count("data-current") == 1
    plain = text(client.get(Links().highlight(chunk, TICKET, view)))
    assert page.count("data-n=") - plain.count("data-n=") == (1 if sentence.startswith("Children") else 0)
    if view == "text":
        assert re.search(r"<mark[^>]*data-current[^>]*>([^<]*)", page)[1].startswith(sentence)


@pytest.mark.parametrize("span", ["9-3", "x", "-", "5", "999999-9999999"])
def test_malformed_cited_span_is_ignored(client, note, span):
    query = {"q": TICKET}
    page = text(client.get(f"/documents/{note.id}/chunks/0", query_string={**query, "cited": span}))
    assert marks(page) == marks(text(client.get(f"/documents/{note.id}/chunks/0", query_string=query)))


def test_question_without_highlights_is_labelled_as_asked(client, note):
    url = f"/documents/{note.id}/chunks/0"
    page = text(client.get(url, query_string={"q": "Who discovered penicillin?"}))
    assert "Highlighted for:" not in page
    assert re.search(r"Question:\s*<b>Who discovered penicillin\?</b>", page)
    assert re.search(r"Highlighted for:\s*<b>", text(client.get(url, query_string={"q": TICKET})))


STEPS = re.compile(r'<a class="btn ghost"[^>]*data-(?:step|find-step)="[^"]*"[^>]*>')


@pytest.mark.parametrize(
    ("query", "only"),
    [
        ({"q": TICKET}, True),
        ({"find": "passengers", "hit": "1"}, True),
        ({"find": "ticket", "hit": "1"}, False),
    ],
)
def test_steps_are_disabled_for_a_single_highlight_or_find(client, note, query, only):
    steps = STEPS.findall(text(client.get(f"/documents/{note.id}/chunks/0", query_string=query)))
    assert len(steps) == 2
    for step in steps:
        assert ('aria-disabled="true"' in step) == only
        assert (" href=" in step) != only


def test_legend_explains_dots_and_scores(client, note):
    url = f"/documents/{note.id}/chunks/0"
    page = text(client.get(url, query_string={"q": TICKET}))
    assert "Match strength, 0–1" in page
    assert 'title="Match strength: 0.' in page
    assert "Match strength" not in text(client.get(url))
    assert "Match strength" not in text(client.get(url, query_string={"at": "0-40"}))


def test_page_view_of_generated_pages_says_what_they_cannot_show(client, services, process_pool, tmp_path):
    path = tmp_path / "scheme.txt"
    path.write_text("यह योजना केवल किसानों के लिए है।\n", encoding="utf-8")
    document = ingest_file(path, services, process_pool).document
    page = text(client.get(f"/documents/{document.id}/chunks/0?view=page"))
    assert "have no font in the generated PDF and are shown as question marks" in page
    assert "the letters are correct" not in page
