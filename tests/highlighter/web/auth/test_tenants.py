"""Tests of tenant isolation, over every route: a tenant cannot tell that the other tenant exists.

A request for an object of the other tenant gets the same response as a request for an unknown object. A request that names
no object gets the same response as before the other tenant had any documents. Both tenants have one file in common.
"""

from __future__ import annotations

import io
import json
import re

import pytest

from highlighter.app import create_app
from highlighter.outgoing_addresses import AllowedHosts
from highlighter.services import Services
from highlighter.settings import Settings
from ingest.pipeline import ingest_file
from tests.conftest import NOTE, SAMPLES
from tests.highlighter.web.auth.clients import client_with_key

SHARED = SAMPLES / "Tide Tables and Diving Windows.pdf"
HIDDEN = (
    "The sealed tender of Quillfeather Dredging names four hundred and twelve thousand zorkmids. Nobody else offered."
)
QUESTION, NOWHERE = "What does the sealed tender of Quillfeather Dredging name?", "nowhere"
TICKET = "How much is a ticket?"
ASKED = [{"role": "user", "content": TICKET}]
GEMINI_ASKED = {"contents": [{"parts": [{"text": TICKET}]}]}
FIRST_COLLECTION, SECOND_COLLECTION = "alpha", "beta"
ID, ANSWER, COLLECTION = "{document}", "{answer}", "{collection}"


def get(path, **arguments):
    return "GET", path, arguments


def post(path, **arguments):
    return "POST", path, arguments


def build_upload():
    return {"file": (io.BytesIO(b"Words of a new file."), "new.txt"), "collection": COLLECTION}


def build_uploads():
    return {"file": (io.BytesIO(b"Words of another new file."), "other.txt"), "collection": COLLECTION}


D, A = f"/documents/{ID}", f"/api/v1/documents/{ID}"
SOURCE = [{"document_id": ID}]
VERDICT = {"question": "Who bids?", "verdict": "wrong"}
FEEDBACK, NOTE_ID, WEBHOOK_ID = "the-feedback", "the-note", "the-webhook"
WEBHOOK_URL = "http://127.0.0.1:9/hook"  # nobody listens there
WORDS = {"target": {"selector": {"type": "TextPositionSelector", "start": 0, "end": 9}}}
# The requests of each route about an object of a tenant: (method, path, arguments).
REQUESTS_BY_ID = {
    "ask_pages.start": [get(f"/?doc={ID}")],
    "ask_pages.answer": [
        post("/", data={"question": QUESTION, "collection": COLLECTION}),
        post("/", data={"question": QUESTION, "doc": ID}),
    ],
    "library.list_documents": [get(f"/documents?document={ID}"), get(f"/documents?collection={COLLECTION}")],
    "library.confirm_deletion": [get(f"{D}/delete")],
    "library.delete": [post(f"{D}/delete")],
    "library.restore": [post(f"{D}/restore")],
    "library.retry": [post(f"{D}/retry")],
    "library.upload_states": [get(f"/documents/states?doc={ID}")],
    "library.change_tags": [post("/documents/tags", data={"doc": ID, "tags": "urgent"})],
    "search_pages.search": [get(f"/search?q=sealed+tender&collection={COLLECTION}")],
    "quote_pages.open_quote": [get(f"/open?in={ID}&quote=The+sealed+tender+of+Quillfeather")],
    "check_pages.show_form": [get(f"/check?in={ID}")],
    "check_pages.check": [post("/check", data={"answer": "It names a sum of money.", "in": ID})],
    "quote_pages.find_in_document": [get(f"{D}/find?find=the")],
    "navigation_pages.outline": [get(f"{D}/outline"), get(f"{D}/outline?view=page")],
    "navigation_pages.go_to_page": [get(f"{D}/pages?page=1"), get(f"{D}/pages?page=1&view=page")],
    "navigation_pages.list_finds": [get(f"{D}/finds?find=tender")],
    "document_pages.document": [get(D), get(f"{D}?q=tender"), get(f"{D}?page=1")],
    "document_pages.chunk": [get(f"{D}/chunks/0"), get(f"{D}/chunks/0?q=tender&view=page"), get(f"{D}/chunks/99")],
    "files.original": [get(f"{D}/original")],
    "files.pdf": [get(f"{D}/pdf"), get(f"{D}/pdf?sub_question=tender"), get(f"{D}/pdf?at=0-9")],
    "files.chunk_pdf": [get(f"{D}/chunks/0.pdf"), get(f"{D}/chunks/0.pdf?sub_question=tender")],
    "files.picture": [get(f"{D}/pages/1.png"), get(f"{D}/pages/1.webp?v=2")],
    "files.words": [get(f"{D}/pages/1.json"), get(f"{D}/pages/1.json?v=1")],
    "files.page_view": [get(f"{D}/pages/1"), get(f"{D}/pages/99")],
    "api.chunk_highlight": [get(f"/api/v1/chunks/highlight?document_id={ID}&chunk_index=0&sub_question=tender")],
    "api.highlight": [post("/api/v1/highlight", json={"question": "tender", "document_id": ID, "chunk_index": 0})],
    "api.search": [
        post("/api/v1/search", json={"question": QUESTION, "collection": COLLECTION}),
        post("/api/v1/search", json={"question": QUESTION, "where": {"collection": [COLLECTION]}}),
    ],
    "external_knowledge_api.retrieve": [
        post("/retrieval", json={"knowledge_id": COLLECTION, "query": QUESTION, "retrieval_setting": {"top_k": 5}})
    ],
    "documents_api.document_list": [get(f"/api/v1/documents?collection={COLLECTION}")],
    "documents_api.upload": [post("/api/v1/documents", data=build_upload)],
    "documents_api.upload_several": [post("/api/v1/documents/bulk", data=build_uploads)],
    "documents_api.document_state": [get(A)],
    "documents_api.document_update": [("PATCH", A, {"json": {"metadata": {"tags": ["urgent"]}}})],
    "documents_api.document_delete": [("DELETE", A, {})],
    "documents_api.document_retry": [post(f"{A}/retry")],
    "documents_api.document_text": [get(f"{A}/text")],
    "documents_api.document_chunks": [get(f"{A}/chunks")],
    "documents_api.document_sentences": [get(f"{A}/sentences")],
    "documents_api.document_events": [get(f"{A}/events")],
    "rectangles_api.document_rectangles": [get(f"{A}/rectangles?start=0&end=9")],
    "documents_api.document_figures": [get(f"{A}/figures")],
    "documents_api.document_tables": [get(f"{A}/tables")],
    "quotes_api.locate": [post("/api/v1/locate", json={"quote": "The sealed tender of", "document_id": ID})],
    "quotes_api.later": [get(f"{A}/later?start=0&end=9"), get(f"{A}/later?start=0&end=9&into={ID}")],
    "quotes_api.list_annotations": [
        get(f"{A}/annotations?start=0&end=9"),
        get(f"{A}/annotations?chunk_index=0&sub_question=tender"),
    ],
    "quotes_api.find": [get(f"{A}/find?q=the"), get(f"{A}/find?q=tender&by=meaning")],
    "answers_api.answer": [
        post("/api/v1/answers", json={"question": QUESTION, "sources": SOURCE}),
        post("/api/v1/answers", json={"question": QUESTION, "sources": SOURCE, "stream": True}),
        post("/api/v1/answers", json={"question": QUESTION, "collection": COLLECTION}),
    ],
    "checks_api.check": [post("/api/v1/check", json={"answer": "It names zorkmids.", "sources": SOURCE})],
    "citations_api.resolve": [
        post(
            "/api/v1/citations/resolve", json={"text": "So [1].", "sources": [{"filename": "x.pdf", "document_id": ID}]}
        )
    ],
    "citations_api.open_native_citations": [
        post("/api/v1/citations/native", json={"response": "So it is [1].", "sources": [source]})
        for source in ({"document_id": ID}, {"url": f"/documents/{ID}/chunks/0?at=0-9"}, {"filename": "hidden.txt"})
    ],
    "model_api.show_model": [get(f"/v1/models/highlighter/{COLLECTION}")],
    "model_api.complete_chat": [
        post("/v1/chat/completions", json={"model": f"highlighter/{COLLECTION}", "messages": ASKED})
    ],
    "embed_api.links": [
        post("/api/v1/embed/links", json={"document_id": ID, "question": "tender"}),
        post("/api/v1/embed/links", json={"collection": COLLECTION}),
    ],
    "oembed_pages.oembed": [get(f"/oembed?url=http://localhost{D}/chunks/0")],
    "feedback_api.create_feedback": [
        post("/api/v1/feedback", json={**VERDICT, "document_id": ID, "chunk_index": 0, "start": 0, "end": 9})
    ],
    "feedback_api.delete_feedback": [("DELETE", f"/api/v1/feedback/{FEEDBACK}", {})],
    "feedback_pages.submit_feedback": [
        post("/feedback", data={**VERDICT, "document": ID, "chunk": "0", "span": "0-9"})
    ],
    "feedback_pages.undo": [post(f"/feedback/{FEEDBACK}/undo")],
    "notes_api.list_document_notes": [get(f"{A}/notes")],
    "notes_api.create_note": [post(f"{A}/notes", json=WORDS)],
    "notes_api.get_note": [get(f"/api/v1/notes/{NOTE_ID}")],
    "notes_api.update_note": [("PUT", f"/api/v1/notes/{NOTE_ID}", {"json": {"body": "Dear."}})],
    "notes_api.delete_note": [("DELETE", f"/api/v1/notes/{NOTE_ID}", {})],
    "notes_api.restore_note": [post(f"/api/v1/notes/{NOTE_ID}/restore")],
    "webhooks_api.create_webhook": [post("/api/v1/webhooks", json={"url": WEBHOOK_URL, "collections": [COLLECTION]})],
    "webhooks_api.get_webhook": [get(f"/api/v1/webhooks/{WEBHOOK_ID}")],
    "webhooks_api.ping_webhook": [post(f"/api/v1/webhooks/{WEBHOOK_ID}/ping")],
    "webhooks_api.list_deliveries": [get(f"/api/v1/webhooks/{WEBHOOK_ID}/deliveries")],
    "webhooks_api.delete_webhook": [("DELETE", f"/api/v1/webhooks/{WEBHOOK_ID}", {})],
    "note_pages.list_document_notes": [get(f"{D}/notes"), get(f"{D}/notes?view=page")],
    "note_pages.export_document_notes": [get(f"{D}/notes.md"), get(f"{D}/notes.jsonld")],
    "note_pages.export_document_pdf": [get(f"{D}/notes.pdf")],
    "note_pages.create_note": [post(f"{D}/notes", data={"start": "0", "end": "9"})],
    "note_pages.update_note": [post(f"/notes/{NOTE_ID}", data={"text": "Dear.", "document": ID})],
    "note_pages.delete_note": [post(f"/notes/{NOTE_ID}/delete")],
    "note_pages.restore_note": [post(f"/notes/{NOTE_ID}/restore")],
    "answer_records_api.answer_record": [get(f"/api/v1/answers/{ANSWER}")],
    "answer_records_api.answer_pack": [get(f"/api/v1/answers/{ANSWER}/pack")],
    "answer_record_pages.answer_page": [get(f"/answers/{ANSWER}")],
    "history_pages.pin": [post(f"/answers/{ANSWER}/pin", data={"pinned": "1"})],
    "history_pages.hide": [post(f"/answers/{ANSWER}/hide", data={"hidden": "0"})],
}
# The requests of each route that name no object.
REQUESTS_WITHOUT_ID = {
    "ask_pages.start": [get("/"), get(f"/?q={TICKET}")],
    "ask_pages.answer": [post("/", data={"question": QUESTION}), post("/", data={"question": TICKET})],
    "library.rename": [post("/documents/tags/rename", data={"tag": "sealed", "name": "open"})],
    "library.list_documents": [
        get("/documents"),
        get("/documents?tag=sealed"),
        get("/documents?name=hidden"),
        get("/documents?state=ready"),
    ],
    "search_pages.search": [get(f"/search?q={QUESTION}"), get(f"/search?q={TICKET}")],
    "quote_pages.open_quote": [
        get("/open"),
        get("/open?quote=The sealed tender of Quillfeather Dredging names four hundred and twelve thousand zorkmids"),
        get("/open?document={hidden}&start=0&end=20&quote=The sealed tender of Quillfeather Dredging"),
        get("/open?document={shared}&start=0&end=20"),
    ],
    "check_pages.show_form": [get("/check")],
    "check_pages.check": [post("/check", data={"answer": f"{HIDDEN} A ticket costs four pounds."})],
    "notes_api.list_own_notes": [get("/api/v1/notes"), get("/api/v1/notes?q=sealed")],
    "note_pages.list_own_notes": [get("/notes"), get("/notes?q=zorkmids")],
    "note_pages.export_own_notes": [get("/notes.md"), get("/notes.jsonld")],
    "history_pages.list_history": [get("/answers?q=zorkmids")],
    "answer_records_api.list_answers": [get("/api/v1/answers?q=zorkmids")],
    "webhooks_api.list_webhooks": [get("/api/v1/webhooks")],
    "api.openapi": [get("/api/v1/openapi.json")],
    "api.reference": [get("/api/v1/")],
    "api.highlight": [post("/api/v1/highlight", json={"question": TICKET, "text": NOTE})],
    "api.search": [
        post("/api/v1/search", json={"question": QUESTION, "limit": 50}),
        post("/api/v1/search", json={"question": "When may divers dive?", "limit": 50, "min_score": 0}),
        post("/api/v1/search", json={"question": QUESTION, "where": {"name": "hidden.txt"}}),
    ],
    "external_knowledge_api.retrieve": [
        post("/retrieval", json={"knowledge_id": "all", "query": QUESTION, "retrieval_setting": {"top_k": 50}})
    ],
    "documents_api.document_list": [get("/api/v1/documents"), get("/api/v1/documents?superseded=true&name=h")],
    "quotes_api.locate": [
        post("/api/v1/locate", json={"quote": "The sealed tender of Quillfeather Dredging names four hundred"})
    ],
    "embed_api.links": [
        post("/api/v1/embed/links", json={"quote": "The sealed tender of Quillfeather Dredging names four hundred"})
    ],
    "answers_api.answer": [
        post("/api/v1/answers", json={"question": QUESTION}),
        post("/api/v1/answers", json={"question": TICKET, "stream": True}),
    ],
    "checks_api.check": [post("/api/v1/check", json={"answer": HIDDEN, "sources": [{"text": NOTE}]})],
    "citations_api.resolve": [
        post(
            "/api/v1/citations/resolve",
            json={"text": "It is so [hidden.txt, p.1] [Tide Tables and Diving Windows, p.1]."},
        )
    ],
    "citations_api.open_native_citations": [
        post("/api/v1/citations/native", json={"response": f"{HIDDEN} [1]", "sources": ["hidden.txt"]}),
        post("/api/v1/citations/native", json={"response": [{"page_content": HIDDEN}]}),
    ],
    "model_api.list_models": [get("/v1/models")],
    "model_api.show_model": [get("/v1/models/highlighter")],
    "model_api.complete_chat": [post("/v1/chat/completions", json={"model": "highlighter", "messages": ASKED})],
    "model_api.create_response": [post("/v1/responses", json={"model": "highlighter", "input": TICKET})],
    "model_api.create_message": [post("/v1/messages", json={"model": "highlighter", "messages": ASKED})],
    "gemini_api.generate_content": [post("/v1beta/models/highlighter:generateContent", json=GEMINI_ASKED)],
    "gemini_api.stream_content": [post("/v1beta/models/highlighter:streamGenerateContent", json=GEMINI_ASKED)],
    "static": [get("/static/favicon.svg")],
    "assets.file": [get("/static/~0/favicon.svg")],
    "monitoring.health": [get("/healthz")],
    "monitoring.ready": [get("/readyz")],
    "sign_in_pages.show": [get("/sign-in?next=/documents")],
    "sign_in_pages.start": [get("/sign-in/start")],
    "sign_in_pages.finish": [get("/sign-in/callback?code=x&state=y")],
    "sign_in_pages.use_key": [get("/use-key?next=/documents")],
    "sign_in_pages.sign_out": [post("/sign-out")],
    "sign_in_pages.show_signed_out": [get("/signed-out")],
    "monitoring.metrics": [get("/metrics")],
}
# Routes that store files in the caller's collection; a test below covers them.
UPLOADS = {"library.upload", "ask_pages.add_samples"}
# Routes that a signed link authorizes; a test below and tests/highlighter/web/embed/ cover them.
SIGNED_LINK_ROUTES = {
    "embed.start", "embed.chunk_page", "embed.chunk_pdf", "embed.pdf", "embed.original", "embed.picture", "embed.words",
    "embed.page_view", "embed.oembed", "embed.style",
}  # fmt: skip


class Tenant:
    """A client with its own collection, documents, an answer, feedback and a shared note."""

    def __init__(self, app, collection, services, process_pool, files):
        self.client = client_with_key(app, "admin", collections=[collection], name=collection)
        self.collection = collection
        self.documents = [ingest_file(path, services, process_pool, collection).document for path in files]
        answer = self.client.post("/api/v1/answers", json={"question": "When may divers dive?"})
        self.names = {ID: self.documents[-1].id, ANSWER: answer.json["id"], COLLECTION: collection}
        feedback = {**VERDICT, "document_id": self.names[ID], "chunk_index": 0, "start": 0, "end": 9}
        self.names[FEEDBACK] = self.client.post("/api/v1/feedback", json=feedback).json["id"]
        note = {**WORDS, "body": "The tender.", "shared": True}
        self.names[NOTE_ID] = self.client.post(f"/api/v1/documents/{self.names[ID]}/notes", json=note).json["note_id"]
        self.names[WEBHOOK_ID] = self.client.post("/api/v1/webhooks", json={"url": WEBHOOK_URL}).json["id"]


class TenantPair:
    """Two tenants. The responses to the first are recorded before the second has documents."""

    def __init__(self, services, process_pool, folder):
        self.app = create_app(services)
        note, hidden = folder / "note.txt", folder / "hidden.txt"
        note.write_text(NOTE, encoding="utf-8")
        hidden.write_text(f"{HIDDEN}\n\n{NOTE}", encoding="utf-8")
        self.first = Tenant(self.app, FIRST_COLLECTION, services, process_pool, [note, SHARED])
        self.hashes = {"{shared}": self.first.documents[1].sha256, "{hidden}": "0" * 64}
        self.before = {
            name: [respond(self.first, request, self.hashes) for request in requests]
            for name, requests in REQUESTS_WITHOUT_ID.items()
        }
        self.second = Tenant(self.app, SECOND_COLLECTION, services, process_pool, [SHARED, hidden])
        self.hashes["{hidden}"] = self.second.documents[1].sha256
        services.index.sync()


@pytest.fixture(scope="module")
def tenants(tmp_path_factory, embedder, process_pool):
    allowed = AllowedHosts(frozenset({"127.0.0.1"}))
    services = Services(Settings(data_dir=tmp_path_factory.mktemp("tenants"), webhook_hosts=allowed), embedder)
    yield TenantPair(services, process_pool, tmp_path_factory.mktemp("files"))
    services.close()


def respond(tenant, request, names):
    """Return the response to a request without what differs each time, with placeholders for the values in `names`."""
    method, path, arguments = request
    filled_arguments = {}
    for kind, argument in arguments.items():
        body = argument() if callable(argument) else argument
        filled_arguments[kind] = {
            key: _fill_placeholders(value, names) if isinstance(value, str | list) else value
            for key, value in body.items()
        }
    with tenant.client.open(
        _fill_placeholders(path, names), method=method, headers={"X-Request-Id": "same"}, **filled_arguments
    ) as response:
        body, headers = response.get_data().decode("utf-8", "replace"), response.headers
    stable_headers = {
        name: headers.get(name, "") for name in ("Content-Type", "Location", "WWW-Authenticate", "Cache-Control")
    }
    return (
        response.status_code,
        _normalise(body, names),
        {name: _normalise(value, names) for name, value in stable_headers.items()},
    )


def _fill_placeholders(value, names):
    text = json.dumps(value)
    for placeholder, actual in names.items():
        text = text.replace(placeholder, actual)
    return json.loads(text)


_VARIABLE_PARTS = re.compile(
    r'nonce="[^"]+"|"(id|asked_at|responseId)":\s*"[^"]+"|"latency_ms":\s*\d+|"created(_at)?":\s*\d+|answers/[0-9a-f]{32}|data-(answer|turn)="[^"]+"|name="previous" value="[^"]+"|(question|source)-[0-9a-f]{32}|\d+\.\d s\b'
)


def _normalise(text, names):
    for placeholder, actual in names.items():
        text = text.replace(actual, placeholder)
    return _VARIABLE_PARTS.sub("", text)


def make_unknown_names(names):
    """Return names of the same shape that belong to no tenant."""
    return {
        ID: "e" * len(names[ID]),
        ANSWER: "f" * len(names[ANSWER]),
        COLLECTION: NOWHERE,
        FEEDBACK: "d" * 32,
        NOTE_ID: "c" * 32,
        WEBHOOK_ID: "b" * 16,
    }


def test_every_route_is_covered(tenants):
    routes = {rule.endpoint for rule in tenants.app.url_map.iter_rules()}
    assert {*REQUESTS_BY_ID, *REQUESTS_WITHOUT_ID, *UPLOADS, *SIGNED_LINK_ROUTES} == routes


@pytest.mark.parametrize("endpoint", REQUESTS_BY_ID)
def test_objects_of_other_tenant_look_like_unknown_objects(tenants, endpoint):
    for request in REQUESTS_BY_ID[endpoint]:
        foreign = respond(tenants.first, request, tenants.second.names)
        unknown = respond(tenants.first, request, make_unknown_names(tenants.second.names))
        assert foreign == unknown, request
        assert "zorkmids" not in foreign[1]


def test_objects_of_first_tenant_look_unknown_to_second_tenant(tenants):
    for endpoint, requests in REQUESTS_BY_ID.items():
        for request in requests:
            foreign = respond(tenants.second, request, tenants.first.names)
            assert foreign == respond(tenants.second, request, make_unknown_names(tenants.first.names)), (
                endpoint,
                request,
            )


DELETIONS = ("library.delete", "library.restore", "documents_api.document_delete", "webhooks_api.delete_webhook")


@pytest.mark.parametrize("endpoint", [name for name in REQUESTS_BY_ID if name not in DELETIONS])
def test_owner_gets_own_objects(tenants, endpoint):
    """Otherwise the tests above would prove nothing."""
    for request in REQUESTS_BY_ID[endpoint]:
        if not request[1].endswith("/99"):
            status, body, _ = respond(tenants.second, request, tenants.second.names)
            assert status < 400, (request, body)


@pytest.mark.parametrize("endpoint", REQUESTS_WITHOUT_ID)
def test_other_tenant_does_not_change_responses(tenants, endpoint):
    for request, before in zip(REQUESTS_WITHOUT_ID[endpoint], tenants.before[endpoint], strict=True):
        now = respond(tenants.first, request, tenants.hashes)
        assert now == before, request
        assert not any(document.id in now[1] for document in tenants.second.documents)


def test_deleted_and_restored_document_is_hidden_from_other_tenant(tenants, tmp_path, process_pool):
    path = tmp_path / "passing.txt"
    path.write_text("The passing words of a file that goes again.", encoding="utf-8")
    temporary = ingest_file(path, tenants.app.services, process_pool, SECOND_COLLECTION).document
    before = respond(tenants.first, get("/documents"), {})
    assert tenants.second.client.post(f"/documents/{temporary.id}/delete").status_code == 303
    assert "passing.txt" in tenants.second.client.get("/documents").text  # it can be restored
    assert respond(tenants.first, get("/documents"), {}) == before
    names = {ID: temporary.id}
    for endpoint in ("library.restore", "document_pages.document", "documents_api.document_state"):
        for request in REQUESTS_BY_ID[endpoint]:
            assert respond(tenants.first, request, names) == respond(tenants.first, request, {ID: "f" * 32})
    assert tenants.second.client.post(f"/documents/{temporary.id}/restore").status_code == 303
    assert tenants.second.client.delete(f"/api/v1/documents/{temporary.id}").status_code == 204


@pytest.mark.parametrize("rest", ["0", "0.pdf", "pdf", "original", "pages/1", "pages/1.webp", "pages/1.json"])
def test_signed_link_opens_nothing_of_other_tenant(tenants, rest):
    for target in ({"collection": FIRST_COLLECTION}, {"document_id": tenants.first.names[ID]}):
        link = tenants.first.client.post("/api/v1/embed/links", json=target).json
        request = get(f"{link['path']}/{ID}/{rest}")
        foreign = respond(tenants.first, request, tenants.second.names)
        assert foreign == respond(tenants.first, request, make_unknown_names(tenants.second.names))
        assert foreign[0] in (403, 404)


def test_uploads_go_into_collection_of_uploader(tenants):
    services = tenants.app.services
    earlier = {document.id for document in services.catalog.documents() if document.collection == FIRST_COLLECTION}
    assert tenants.first.client.post("/documents", data={"file": (io.BytesIO(b"Form."), "f.txt")}).status_code == 303
    assert tenants.first.client.post("/samples").status_code == 303
    services.ingest_queue.close()  # not processed: the collection is known at once
    uploaded = [document for document in services.catalog.documents() if document.name in ("f.txt", SAMPLE_NAME)]
    assert {document.collection for document in uploaded} == {FIRST_COLLECTION}
    assert not earlier & {document.id for document in uploaded}


SAMPLE_NAME = "Laboratory Safety Note.txt"
