"""The client, against a real server: what it asks is answered as values, and what is refused says why."""

from __future__ import annotations

import io
import zipfile

import httpx2
import pytest
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.wrappers import Response

from highlighter.app import create_app
from highlighter.client import ApiError, Client
from tests.conftest import NOTE
from tests.highlighter.web.auth.clients import listening, served

TICKET, SENTENCE = "How much is a ticket?", "Tickets cost four pounds and are sold on board."


@pytest.fixture
def client(far_away, key):
    with Client(far_away[0], key) as made:
        yield made


@pytest.fixture
def note(far_away):
    return next(one for one in far_away[1].catalog.documents() if one.name == "note.txt")


def test_documents_are_listed_page_by_page(client, note):
    assert client.documents(name="note").total == 1
    assert [one.document_id for one in client.every_document(name="note", state=["ready"])] == [note.id]
    assert client.documents(collection="none").documents == []
    assert client.document(note.id).sentences == note.sentences


def test_a_file_is_handed_in_waited_for_and_removed(client, tmp_path):
    path = tmp_path / "方案.txt"
    path.write_text("The harbour closes at nine.", encoding="utf-8")
    told = []
    handed_in = client.upload(path, collection="plans")
    document = client.wait(handed_in.document_id, told=told.append)
    assert (document.name, document.collection, document.state) == ("方案.txt", "plans", "ready")
    assert client.upload(io.BytesIO(path.read_bytes()), "again.txt", "plans").document_id == document.document_id
    client.delete(document.document_id)
    with pytest.raises(ApiError, match="was not found"):
        client.document(document.document_id)


def test_every_document_may_be_deleted_as_it_comes(client, far_away, monkeypatch):
    monkeypatch.setattr("highlighter.client.client.DOCUMENTS_PER_PAGE", 2)
    for number in range(5):
        handed_in = client.upload(io.BytesIO(f"Berth {number} is free.".encode()), f"berth {number}.txt", "berths")
        client.wait(handed_in.document_id)
    for one in client.every_document(collection="berths"):
        client.delete(one.document_id)
    assert client.documents(collection="berths").total == 0


def test_older_versions_are_told_where_they_are_asked_for(client):
    for tons in ("four", "five"):
        client.wait(client.upload(io.BytesIO(f"It lifts {tons} tons.".encode()), "crane.txt", "cranes").document_id)
    assert client.documents(collection="cranes").total == 1
    assert [one.version for one in client.every_document(collection="cranes", superseded=True)] == [2, 1]
    for one in client.every_document(collection="cranes", superseded=True):
        client.delete(one.document_id)


def test_links_lead_to_where_the_service_is_mounted(far_away, key, note):
    mounted = DispatcherMiddleware(create_app(far_away[1]), {"/papers": create_app(far_away[1])})
    with listening(mounted) as host, Client(f"{host}/papers", key) as client:
        link = client.document(note.id).links["self"]
        assert link.startswith("/papers/")
        assert client.address(link) == f"{host}{link}"
        assert client.address("/documents/1") == f"{host}/papers/documents/1"  # of a service that is not told of it


def test_what_is_not_highlighter_is_said_to_be_something_else(far_away):
    log_in = Response("<h1>Log in</h1>", mimetype="text/html")
    with listening(log_in) as elsewhere, Client(elsewhere) as client, pytest.raises(ApiError, match="not Highlighter"):
        client.documents()


def test_evidence_is_found_and_lit(client, note):
    (hit,) = client.search(TICKET, limit=1).hits
    assert (hit.document_id, hit.sentences[0].text) == (note.id, SENTENCE)
    assert client.search(TICKET, collection="none").hits == []
    assert client.search(TICKET, min_score=1).hits == []
    of_text = client.highlight(TICKET, NOTE, explain=True)
    assert [one.text for one in of_text.sentences if one.highlighted] == [SENTENCE]
    assert of_text.sentences[2].because
    of_chunk = client.highlight(TICKET, document_id=note.id, chunk_index=0)
    assert (of_text.links, of_text.sentences[2].page, of_chunk.sentences[2].page) == ({}, None, 1)
    assert hit.links["self"].startswith(of_chunk.links["self"].removesuffix("#mark-1") + "&cited=")  # its sentence
    assert [one.text for one in of_chunk.sentences if one.highlighted] == [SENTENCE]
    assert not any(one.highlighted for one in client.highlight(TICKET, NOTE, threshold=1, method="cosine").sentences)


def test_a_link_for_a_page_of_ones_own(client, note):
    link = client.embed_link(note.id, question=TICKET, origins=["https://chat.example"], expires_in=60)
    assert (link.document_id, link.chunk_index, link.scope) == (note.id, 0, "document")
    assert f">{SENTENCE}</mark>" in httpx2.get(link.url).text.replace("\n", "")
    with pytest.raises(ApiError, match="was not found"):
        client.embed_link("nobody-s")


def test_quotes_references_and_claims_are_held_against_it(client, note):
    assert client.locate("Tickets cost four ponds and are sold on board").tier == "fuzzy"
    assert client.locate(SENTENCE, note.id, page=1, prefix="cars.").place.text == SENTENCE
    assert client.resolve("It is so [note, p.1].").citations[0].document_id == note.id
    assert client.resolve("It is so [2].", ["a.pdf", "b.pdf"]).citations[0].filename == "b.pdf"
    checked = client.check("Tickets cost five pounds.", [NOTE], append_warnings=True)
    assert [one.verdict for one in checked.claims] == ["contradicted"]
    assert checked.text
    assert client.check(SENTENCE, [{"document_id": note.id, "chunk_index": 0}]).grounded


def test_an_answer_comes_at_once_or_step_by_step_and_again(client):
    answer = client.ask(TICKET, citation_style="footnote")
    assert "four pounds" in answer.text
    assert client.answer(answer.id) == answer
    told = list(client.stream(TICKET))
    assert [told[0].name, told[-1].name] == ["sub_questions", "done"]
    assert told[-1].body["text"].startswith("".join(step.body["text"] for step in told if step.name == "token")[:20])
    out = io.BytesIO()
    client.pack(answer.id, out)
    assert "answer.html" in zipfile.ZipFile(out).namelist()
    assert client.address(answer.citations[0].links["view"]).startswith("http://127.0.0.1:")


def test_whoever_stops_listening_stops_the_answer(client):
    steps = client.stream(TICKET)
    assert next(steps).name == "sub_questions"
    steps.close()
    assert client.ask(TICKET).text


def test_a_refusal_carries_the_problem(client, far_away):
    with pytest.raises(ApiError) as refused:
        client.search("")
    err = refused.value
    assert (err.status, err.problem["errors"][0]["parameter"]) == (400, "question")
    assert err.request_id == err.problem["request_id"] != ""
    assert err.retry_after is None
    with pytest.raises(ApiError, match="was not found"):
        list(client.stream("Who?", sources=[{"document_id": "nobody-s"}]))
    with pytest.raises(ApiError, match="no page"):
        client.document("../../healthz?x=#")  # no way out of the documents
    with Client(far_away[0]) as stranger, pytest.raises(ApiError, match="A key is needed") as refused:
        stranger.documents()
    assert refused.value.status == 401


def test_a_measure_that_is_full_says_when_to_come_again(tmp_path, embedder):
    with served(tmp_path, embedder, rate_answer="1/hour") as app, listening(app) as address, Client(address) as client:
        assert client.ask("Who?", sources=[]).refused
        with pytest.raises(ApiError, match="Try again in") as refused:
            client.ask("Who?", sources=[])
    assert (refused.value.status, 3500 < refused.value.retry_after <= 3600) == (429, True)


def test_nobody_there_is_said_too():
    with (
        Client("http://127.0.0.1:9", "hk_x", seconds=5) as client,
        pytest.raises(ApiError, match="cannot be reached") as err,
    ):
        client.documents()
    assert (err.value.status, err.value.problem["detail"]) == (0, err.value.detail)


def test_a_retry_reads_a_document_again_that_could_not_be_read(client, far_away, note):
    far_away[1].catalog.set_state(note.id, "failed", "Its reader failed.")
    waiting = client.retry(note.id)
    assert (waiting.state, waiting.reason) == ("queued", None)
    assert client.wait(note.id).state == "ready"
    assert client.retry(note.id).state == "ready"
    with pytest.raises(ApiError, match="was not found"):
        client.retry("nothing")
