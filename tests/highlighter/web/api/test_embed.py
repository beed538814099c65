"""Links for other people's pages, over HTTP: what they are made of, and what is refused."""

from __future__ import annotations

import time
from datetime import datetime

import pytest

from highlighter.app import create_app
from highlighter.services import Services
from highlighter.settings import Settings
from tests.conftest import NOTE
from tests.highlighter.web.pages.test_document_routes import TICKET

SAID = "Tickets cost four pounds and are sold on board."


@pytest.fixture
def ask(client, services):
    """Asks for a link, and reads what it grants."""

    def asked(status: int = 200, **what):
        answer = client.post("/api/v1/embed/links", json=what)
        assert answer.status_code == status, answer.json
        return (
            (answer.json, services.link_keys.verify(answer.json["token"])) if status == 200 else answer.json["detail"]
        )

    return asked


def test_a_document_and_a_question_open_at_what_answers(ask, note):
    made, grant = ask(document_id=note.id, question=TICKET)
    assert made["url"] == f"http://localhost{made['path']}"
    assert made["path"] == f"/embed/{made['token']}"
    assert (made["scope"], made["document_id"], made["filename"], made["chunk_index"], made["tier"]) == (
        "document", note.id, "note.txt", 0, None,
    )  # fmt: skip
    assert (grant.question, grant.span, grant.permissions, grant.origins) == (
        TICKET,
        None,
        ("view", "page", "download"),
        (),
    )


def test_a_link_is_good_for_ten_minutes_or_as_long_as_is_said(ask, note):
    for seconds, what in ((600, {}), (5, {"expires_in": 5})):
        made, grant = ask(document_id=note.id, **what)
        assert datetime.fromisoformat(made["expires"]).timestamp() == grant.expires
        assert abs(grant.expires - time.time() - seconds) < 60


def test_a_quote_is_located_in_one_document_or_in_all(ask, note):
    start = NOTE.index(SAID)
    for where in ({"document_id": note.id}, {}, {"collection": "default"}):
        made, grant = ask(quote=SAID, **where)
        assert (made["tier"], made["document_id"]) == ("exact", note.id)
        assert (grant.span, grant.quote) == ((start, start + len(SAID)), "")


def test_a_quote_with_a_slip_is_taken_along_to_be_held_against_the_passage(ask, note):
    slip = SAID.replace("pounds", "punds")
    made, grant = ask(document_id=note.id, quote=slip, question=TICKET)
    assert (made["tier"], grant.quote, grant.question) == ("fuzzy", slip, "")


def test_a_quote_that_nobody_says_gets_no_link(ask, note):
    said = ask(404, document_id=note.id, quote="The ferry carries forty cars and a helicopter on Sundays.")
    assert "The quote was not found" in said


def test_a_span_opens_lit(ask, note):
    start = NOTE.index(SAID)
    _, grant = ask(document_id=note.id, start=start, end=start + len(SAID))
    assert grant.span == (start, start + len(SAID))
    assert "beyond the text" in ask(400, document_id=note.id, start=5, end=10**6)


def test_a_collection_opens_at_its_best_answer_and_tells_of_no_other(ask, note):
    _, grant = ask(collection="default", question=TICKET)
    assert (grant.scope, grant.collection, grant.document_id) == ("collection", "default", note.id)
    assert ask(404, collection="secret") == "No collection is called secret."


def test_a_cited_page_opens_at_the_part_of_it_that_answers(sampled):
    contract = next(one for one in sampled.catalog.documents() if one.name == "Harbour Works Contract.pdf")
    client = create_app(sampled).test_client()
    question = "How much does the Contractor pay for each day of delay?"
    free = client.post("/api/v1/embed/links", json={"document_id": contract.id, "question": question}).json
    page = sampled.catalog.chunk(contract, free["chunk_index"]).first_page
    held = client.post(
        "/api/v1/embed/links", json={"document_id": contract.id, "question": question, "page": page}
    ).json
    assert held["chunk_index"] == free["chunk_index"]
    other = client.post("/api/v1/embed/links", json={"document_id": contract.id, "question": question, "page": 1}).json
    assert sampled.catalog.chunk(contract, other["chunk_index"]).first_page == 1


def test_a_claim_in_the_document_s_own_words_opens_at_them_whatever_page_is_cited(sampled):
    council = next(one for one in sampled.catalog.documents() if one.name.startswith("南灣"))
    claim = "整項工程預計在二〇二七年十二月完成"
    client = create_app(sampled).test_client()
    made = client.post(
        "/api/v1/embed/links", json={"document_id": council.id, "question": f". {claim} 🏗️", "page": 2}
    ).json
    grant = sampled.link_keys.verify(made["token"])
    assert sampled.catalog.text(council)[slice(*grant.span)].replace("\n", "") == claim
    assert claim in client.get(made["path"]).get_data(as_text=True).split("<mark", 1)[1]


@pytest.mark.parametrize(
    ("what", "said"),
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
def test_what_makes_no_link_is_said(ask, what, said):
    assert said in ask(400, **what)


def test_an_origin_may_be_written_as_people_write_it(ask, note):
    _, grant = ask(document_id=note.id, origins=["https://Chat.Example/", "http://localhost:5500"])
    assert grant.origins == ("https://chat.example", "http://localhost:5500")
    said = ask(400, document_id=note.id, origins=["chat.example"])
    assert "'chat.example' is not an origin" in said
    assert "scheme://host:port" in said


def test_what_is_not_there_gets_no_link(ask, note):
    assert "Document nothing was not found" in ask(404, document_id="nothing")
    assert "has no chunk 99" in ask(404, document_id=note.id, chunk_index=99)
    assert "has no page 99" in ask(404, document_id=note.id, page=99, question=TICKET)
    _, grant = ask(document_id=note.id, page=99, quote=SAID)  # a quote says better where
    assert grant.page == 0


def test_where_the_installation_names_who_may_frame_links_name_no_others(services, note, embedder):
    settings = Settings(
        data_dir=services.settings.data_dir, embed_origins=("https://chat.example", "http://localhost:1")
    )
    app = create_app(Services(settings, embedder))
    client = app.test_client()
    for asked, held in (([], settings.embed_origins), (["http://localhost:1"], ("http://localhost:1",))):
        made = client.post("/api/v1/embed/links", json={"document_id": note.id, "origins": asked}).json
        assert app.services.link_keys.verify(made["token"]).origins == held
    refused = client.post("/api/v1/embed/links", json={"document_id": note.id, "origins": ["https://evil.example"]})
    assert (refused.status_code, "EMBED_ORIGINS" in refused.json["detail"]) == (400, True)
    app.services.close()
