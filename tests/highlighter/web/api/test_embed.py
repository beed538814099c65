"""Tests of POST /api/v1/embed/links: the grants of links, and refused requests."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import datetime

import pytest

from highlighter.app import create_app
from highlighter.services import Services
from ingest.pipeline import ingest_file
from tests.conftest import NOTE
from tests.highlighter.web.pages.test_document_routes import TICKET

SENTENCE = "Tickets cost four pounds and are sold on board."


@pytest.fixture
def request_link(client, services):
    """Return a function that requests a link, and returns the response with its grant, or the error's detail."""

    def send(status: int = 200, **fields):
        answer = client.post("/api/v1/embed/links", json=fields)
        assert answer.status_code == status, answer.json
        return (
            (answer.json, services.link_keys.verify(answer.json["token"])) if status == 200 else answer.json["detail"]
        )

    return send


def test_link_for_document_and_question_opens_at_the_answer(request_link, note):
    link, grant = request_link(document_id=note.id, question=TICKET)
    assert link["url"] == f"http://localhost{link['path']}"
    assert link["path"] == f"/embed/{link['token']}"
    assert (link["scope"], link["document_id"], link["filename"], link["chunk_index"], link["tier"]) == (
        "document", note.id, "note.txt", 0, None,
    )  # fmt: skip
    assert (grant.question, grant.span, grant.permissions, grant.origins) == (
        TICKET,
        None,
        ("view", "page", "download"),
        (),
    )


def test_link_expires_after_ten_minutes_or_requested_time(request_link, note):
    for seconds, fields in ((600, {}), (5, {"expires_in": 5})):
        link, grant = request_link(document_id=note.id, **fields)
        assert datetime.fromisoformat(link["expires"]).timestamp() == grant.expires
        assert abs(grant.expires - time.time() - seconds) < 60


def test_quote_is_located_in_one_document_or_in_all(request_link, note):
    start = NOTE.index(SENTENCE)
    for where in ({"document_id": note.id}, {}, {"collection": "default"}):
        link, grant = request_link(quote=SENTENCE, **where)
        assert (link["tier"], link["document_id"]) == ("exact", note.id)
        assert (grant.span, grant.quote) == ((start, start + len(SENTENCE)), "")


def test_link_for_inexact_quote_keeps_the_quote(request_link, note):
    inexact_quote = SENTENCE.replace("pounds", "punds")
    link, grant = request_link(document_id=note.id, quote=inexact_quote, question=TICKET)
    assert (link["tier"], grant.quote, grant.question) == ("fuzzy", inexact_quote, "")


@pytest.mark.parametrize(
    ("text", "words", "misspelt"),
    [(SENTENCE + " ", "board", "borad"), ("船票四英鎊，全部都在渡輪甲板上發售。", "渡輪", "渡船")],
)
def test_link_takes_a_whole_chunk_as_quote_and_keeps_its_beginning(
    client, services, text, words, misspelt, process_pool, tmp_path
):
    """A long quote that is not exact would not fit into the link as a whole."""
    path = tmp_path / "long.txt"
    sentences = "".join(f"{number}. {text}" for number in range(2_000))[:2_600]
    path.write_text(sentences, encoding="utf-8")
    ingest_file(path, services, process_pool)
    quote = sentences.replace(words, misspelt, 1)
    link = client.post("/api/v1/embed/links", json={"quote": quote}).json
    grant = services.link_keys.verify(link["token"])
    assert (link["tier"], grant.span) == ("fuzzy", (0, len(sentences.rstrip())))
    assert quote.startswith(grant.quote)
    assert len(grant.quote) >= 300
    with client.get(link["path"]) as page:
        assert page.status_code == 200
        assert "<mark" in page.text


def test_unknown_quote_gets_no_link(request_link, note):
    message = request_link(404, document_id=note.id, quote="The ferry carries forty cars and a helicopter on Sundays.")
    assert "The quote was not found" in message


def test_link_for_span_highlights_span(request_link, note):
    start = NOTE.index(SENTENCE)
    _, grant = request_link(document_id=note.id, start=start, end=start + len(SENTENCE))
    assert grant.span == (start, start + len(SENTENCE))
    assert "beyond the text" in request_link(400, document_id=note.id, start=5, end=10**6)


def test_link_for_collection_opens_at_its_best_answer(request_link, note):
    _, grant = request_link(collection="default", question=TICKET)
    assert (grant.scope, grant.collection, grant.document_id) == ("collection", "default", note.id)
    assert request_link(404, collection="secret") == "No collection is called secret."


def test_link_for_page_opens_at_best_chunk_of_page(sampled):
    contract = next(
        document for document in sampled.catalog.documents() if document.name == "Harbour Works Contract.pdf"
    )
    client = create_app(sampled).test_client()
    question = "How much does the Contractor pay for each day of delay?"
    without_page = client.post("/api/v1/embed/links", json={"document_id": contract.id, "question": question}).json
    page = sampled.catalog.chunk(contract, without_page["chunk_index"]).first_page
    with_page = client.post(
        "/api/v1/embed/links", json={"document_id": contract.id, "question": question, "page": page}
    ).json
    assert with_page["chunk_index"] == without_page["chunk_index"]
    other = client.post("/api/v1/embed/links", json={"document_id": contract.id, "question": question, "page": 1}).json
    assert sampled.catalog.chunk(contract, other["chunk_index"]).first_page == 1


def test_verbatim_claim_opens_at_its_words_whatever_page_is_cited(sampled):
    council = next(document for document in sampled.catalog.documents() if document.name.startswith("南灣"))
    claim = "整項工程預計在二〇二七年十二月完成"
    client = create_app(sampled).test_client()
    link = client.post(
        "/api/v1/embed/links", json={"document_id": council.id, "question": f". {claim} 🏗️", "page": 2}
    ).json
    grant = sampled.link_keys.verify(link["token"])
    assert sampled.catalog.text(council)[slice(*grant.span)].replace("\n", "") == claim
    assert claim in client.get(link["path"]).get_data(as_text=True).split("<mark", 1)[1]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "give a document_id, a collection, or a quote"),
        ({"document_id": "x", "collection": "y"}, "not both"),
        ({"document_id": "x", "start": 1}, "start and end"),
        ({"collection": "y", "page": 2}, "need a document_id"),
        ({"document_id": "x", "may": ["download"]}, "may must hold view"),
        ({"document_id": "x", "may": []}, "may"),
        ({"document_id": "x", "expires_in": 86_401}, "expires_in"),
        ({"document_id": "x", "scope": "everything"}, "scope"),
        ({"document_id": "x", "origins": ["https://a.example/path"]}, "origins"),
        ({"document_id": "x", "origins": ["https://a.example; script-src *"]}, "origins"),
        ({"document_id": "x", "origins": ["*"]}, "origins"),
        ({"document_id": "x", "origins": ["null"]}, "origins"),
        ({"document_id": "x", "origins": ["https://a.example\n"]}, "origins"),
        ({"document_id": "x", "key": "y"}, "key"),
    ],
)
def test_invalid_request_is_explained(request_link, fields, message):
    assert message in request_link(400, **fields)


def test_origins_are_normalised(request_link, note):
    _, grant = request_link(document_id=note.id, origins=["https://Chat.Example/", "http://localhost:5500"])
    assert grant.origins == ("https://chat.example", "http://localhost:5500")
    message = request_link(400, document_id=note.id, origins=["chat.example"])
    assert "'chat.example' is not an origin" in message
    assert "scheme://host:port" in message


def test_missing_document_chunk_or_page_gets_no_link(request_link, note):
    assert "Document nothing was not found" in request_link(404, document_id="nothing")
    assert "has no chunk 99" in request_link(404, document_id=note.id, chunk_index=99)
    assert "has no page 99" in request_link(404, document_id=note.id, page=99, question=TICKET)
    _, grant = request_link(document_id=note.id, page=99, quote=SENTENCE)  # the quote is more precise than the page
    assert grant.page == 0


def test_link_cannot_allow_origins_that_settings_do_not(services, note, embedder):
    settings = replace(services.settings, embed_origins=("https://chat.example", "http://localhost:1"))
    app = create_app(Services(settings, embedder))
    client = app.test_client()
    for requested, expected in (([], settings.embed_origins), (["http://localhost:1"], ("http://localhost:1",))):
        link = client.post("/api/v1/embed/links", json={"document_id": note.id, "origins": requested}).json
        assert app.services.link_keys.verify(link["token"]).origins == expected
    refused = client.post("/api/v1/embed/links", json={"document_id": note.id, "origins": ["https://evil.example"]})
    assert (refused.status_code, "EMBED_ORIGINS" in refused.json["detail"]) == (400, True)
    app.services.close()
