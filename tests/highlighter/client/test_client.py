"""Tests of the client with a real server."""

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
from tests.highlighter.web.auth.clients import running_app, running_server

TICKET, SENTENCE = "How much is a ticket?", "Tickets cost four pounds and are sold on board."


@pytest.fixture
def client(remote_service, key):
    with Client(remote_service[0], key) as client:
        yield client


@pytest.fixture
def note(remote_service):
    return next(document for document in remote_service[1].catalog.documents() if document.name == "note.txt")


def test_documents_are_listed_page_by_page(client, note):
    assert client.documents(name="note").total == 1
    assert [document.document_id for document in client.every_document(name="note", state=["ready"])] == [note.id]
    assert client.documents(collection="none").documents == []
    assert client.document(note.id).sentences == note.sentences


def test_metadata_is_changed_and_filters(client, note):
    changed = client.update_metadata(note.id, {"tags": ["signed"], "year": 2024})
    assert changed.metadata == {"tags": ["signed"], "year": 2024}
    assert client.documents(where={"tags": ["other", "signed"], "year": 2024}).total == 1
    assert client.documents(where={"tags": "signed", "year": 2023}).total == 0
    assert client.update_metadata(note.id, {"tags": None, "year": None}).metadata == {}


def test_file_is_uploaded_awaited_and_deleted(client, tmp_path):
    path = tmp_path / "方案.txt"
    path.write_text("The harbour closes at nine.", encoding="utf-8")
    polled = []
    uploaded = client.upload(path, collection="plans", metadata={"tags": ["signed"], "year": 2024})
    assert uploaded.metadata == {"tags": ["signed"], "year": 2024}
    document = client.wait(uploaded.document_id, on_poll=polled.append)
    assert (document.name, document.collection, document.state) == ("方案.txt", "plans", "ready")
    assert client.upload(io.BytesIO(path.read_bytes()), "again.txt", "plans").document_id == document.document_id
    client.delete(document.document_id)
    with pytest.raises(ApiError, match="was not found"):
        client.document(document.document_id)


def test_documents_can_be_deleted_while_listed(client, remote_service, monkeypatch):
    monkeypatch.setattr("highlighter.client.client.DOCUMENTS_PER_PAGE", 2)
    for number in range(5):
        uploaded = client.upload(io.BytesIO(f"Berth {number} is free.".encode()), f"berth {number}.txt", "berths")
        client.wait(uploaded.document_id)
    for document in client.every_document(collection="berths"):
        client.delete(document.document_id)
    assert client.documents(collection="berths").total == 0


def test_older_versions_are_listed_on_request(client):
    for tons in ("four", "five"):
        client.wait(client.upload(io.BytesIO(f"It lifts {tons} tons.".encode()), "crane.txt", "cranes").document_id)
    assert client.documents(collection="cranes").total == 1
    assert [document.version for document in client.every_document(collection="cranes", superseded=True)] == [2, 1]
    for document in client.every_document(collection="cranes", superseded=True):
        client.delete(document.document_id)


def test_links_include_mount_path_of_service(remote_service, key, note):
    mounted = DispatcherMiddleware(create_app(remote_service[1]), {"/papers": create_app(remote_service[1])})
    with running_server(mounted) as host, Client(f"{host}/papers", key) as client:
        link = client.document(note.id).links["self"]
        assert link.startswith("/papers/")
        assert client.address(link) == f"{host}{link}"
        assert (
            client.address("/documents/1") == f"{host}/papers/documents/1"
        )  # a link of a service that does not know its prefix


def test_other_server_is_reported_as_not_highlighter(remote_service):
    login_page = Response("<h1>Log in</h1>", mimetype="text/html")
    with (
        running_server(login_page) as elsewhere,
        Client(elsewhere) as client,
        pytest.raises(ApiError, match="not Highlighter"),
    ):
        client.documents()


def test_search_and_highlight_return_evidence(client, note):
    (hit,) = client.search(TICKET, limit=1).hits
    assert (hit.document_id, hit.sentences[0].text) == (note.id, SENTENCE)
    assert client.search(TICKET, collection="none").hits == []
    assert client.search(TICKET, min_score=1).hits == []
    of_text = client.highlight(TICKET, NOTE, explain=True)
    assert [sentence.text for sentence in of_text.sentences if sentence.highlighted] == [SENTENCE]
    assert of_text.sentences[2].explanation
    of_chunk = client.highlight(TICKET, document_id=note.id, chunk_index=0)
    assert (of_text.links, of_text.sentences[2].page, of_chunk.sentences[2].page) == ({}, None, 1)
    assert hit.links["self"].startswith(
        of_chunk.links["self"].removesuffix("#mark-1") + "&cited="
    )  # of its best sentence
    assert [sentence.text for sentence in of_chunk.sentences if sentence.highlighted] == [SENTENCE]
    assert not any(
        sentence.highlighted for sentence in client.highlight(TICKET, NOTE, threshold=1, method="cosine").sentences
    )


def test_embed_link_opens_highlighted_chunk(client, note):
    link = client.embed_link(note.id, question=TICKET, origins=["https://chat.example"], expires_in=60)
    assert (link.document_id, link.chunk_index, link.scope) == (note.id, 0, "document")
    assert f">{SENTENCE}</mark>" in httpx2.get(link.url).text.replace("\n", "")
    with pytest.raises(ApiError, match="was not found"):
        client.embed_link("nobody-s")


def test_quotes_references_and_claims_are_checked(client, note):
    assert client.locate("Tickets cost four ponds and are sold on board").tier == "fuzzy"
    assert client.locate(SENTENCE, note.id, page=1, prefix="cars.").place.text == SENTENCE
    assert client.locate(SENTENCE, filename="note.txt", page=1).place.document_id == note.id
    text = f"It costs four pounds ([note.txt](/documents/{note.id}))."
    (opened,) = client.open_citations(responses=[text], sources=["note.txt"], check=False).responses
    assert [one.place.document_id for one in opened.citations if one.place] == [note.id]
    assert client.resolve("It is so [note, p.1].").citations[0].document_id == note.id
    assert client.resolve("It is so [2].", ["a.pdf", "b.pdf"]).citations[0].filename == "b.pdf"
    checked = client.check("Tickets cost five pounds.", [NOTE], append_warnings=True)
    assert [claim.verdict for claim in checked.claims] == ["contradicted"]
    assert checked.text
    assert client.check(SENTENCE, [{"document_id": note.id, "chunk_index": 0}]).grounded


def test_answer_is_returned_whole_streamed_and_stored(client):
    answer = client.ask(TICKET, citation_style="footnote")
    assert "four pounds" in answer.text
    assert client.answer(answer.id) == answer
    steps = list(client.stream(TICKET))
    assert [steps[0].name, steps[-1].name] == ["sub_questions", "done"]
    assert steps[-1].body["text"].startswith("".join(step.body["text"] for step in steps if step.name == "token")[:20])
    out = io.BytesIO()
    client.pack(answer.id, out)
    assert "answer.html" in zipfile.ZipFile(out).namelist()
    assert client.address(answer.citations[0].links["view"]).startswith("http://127.0.0.1:")


def test_closing_stream_ends_answer(client):
    steps = client.stream(TICKET)
    assert next(steps).name == "sub_questions"
    steps.close()
    assert client.ask(TICKET).text


def test_error_carries_problem_details(client, remote_service):
    with pytest.raises(ApiError) as refused:
        client.search("")
    err = refused.value
    assert (err.status, err.problem["errors"][0]["parameter"]) == (400, "question")
    assert err.request_id == err.problem["request_id"] != ""
    assert err.retry_after is None
    with pytest.raises(ApiError, match="was not found"):
        list(client.stream("Who?", sources=[{"document_id": "nobody-s"}]))
    with pytest.raises(ApiError, match="no page"):
        client.document("../../healthz?x=#")  # the id stays one segment of the path
    with Client(remote_service[0]) as stranger, pytest.raises(ApiError, match="A key is needed") as refused:
        stranger.documents()
    assert refused.value.status == 401


def test_rate_limit_error_has_retry_time(tmp_path, embedder):
    with (
        running_app(tmp_path, embedder, rate_answer="1/hour") as app,
        running_server(app) as address,
        Client(address) as client,
    ):
        assert client.ask("Who?", sources=[]).refused
        with pytest.raises(ApiError, match="Try again in") as refused:
            client.ask("Who?", sources=[])
    assert (refused.value.status, 3500 < refused.value.retry_after <= 3600) == (429, True)


def test_unreachable_service_raises_api_error():
    with (
        Client("http://127.0.0.1:9", "hk_x", seconds=5) as client,
        pytest.raises(ApiError, match="cannot be reached") as err,
    ):
        client.documents()
    assert (err.value.status, err.value.problem["detail"]) == (0, err.value.detail)


def test_retry_processes_failed_document_again(client, remote_service, note):
    remote_service[1].catalog.set_state(note.id, "failed", "Its reader failed.")
    queued = client.retry(note.id)
    assert (queued.state, queued.reason) == ("queued", None)
    assert client.wait(note.id).state == "ready"
    assert client.retry(note.id).state == "ready"
    with pytest.raises(ApiError, match="was not found"):
        client.retry("nothing")


def test_note_is_made_changed_deleted_and_restored(client, note):
    made = client.add_note(note.id, SENTENCE, "Dear.", colour="blue", page=1)
    assert (made.quote, made.text, made.target.styleClass, made.own, made.creator) == (
        SENTENCE, "Dear.", "blue", True, {"type": "Person", "name": "Tests"},
    )  # fmt: skip
    assert client.update_note(made.note_id, text="Too dear.", shared=True).target.styleClass == "blue"
    for page in (client.notes(note.id), client.notes(words="TOO")):
        assert [(item.text, item.shared) for item in page.items] == [("Too dear.", True)]
    client.delete_note(made.note_id)
    assert client.notes().total == 0
    assert client.restore_note(made.note_id).text == "Too dear."
    with pytest.raises(ApiError, match="were not found in"):
        client.add_note(note.id, "Tickets cost nine pounds.")


def test_request_sent_again_with_its_key_has_no_second_effect(client, note):
    first, again = (client.add_note(note.id, "Tickets cost four pounds", idempotency_key="k-1") for _ in range(2))
    assert first == again
    client.delete_note(first.note_id)


def test_several_files_are_uploaded_at_once(client, tmp_path):
    paths = []
    for name in ("tide.txt", "bar.txt"):
        paths.append(tmp_path / name)
        paths[-1].write_text(f"Words of {name}.", encoding="utf-8")
    uploaded = client.upload_several(paths, "plans", {"year": 2024})
    assert [result.document.name for result in uploaded.results] == ["tide.txt", "bar.txt"]
    for result in uploaded.results:
        client.wait(result.document.document_id)
        client.delete(result.document.document_id)


def test_pages_are_followed_by_cursors(client, note, tmp_path):
    first = client.documents(limit=1)
    assert (len(first.documents), first.next_cursor) == (1, None)
    ids = [client.ask(TICKET, sources=[{"text": SENTENCE}]).id for _ in range(2)]
    page = client.answers(limit=1)
    assert [page.answers[0].id, client.answers(limit=1, cursor=page.next_cursor).answers[0].id] == ids[::-1]


def test_webhooks_are_created_listed_and_deleted(client):
    webhook = client.create_webhook("https://hooks.example.com/", ["document.ready"], description="Intranet")
    assert [found.id for found in client.webhooks().webhooks] == [webhook.id]
    assert client.webhook_deliveries(webhook.id).deliveries == []
    client.delete_webhook(webhook.id)
    with pytest.raises(ApiError, match="no such webhook"):
        client.ping_webhook(webhook.id)
