"""Two tenants, the same file in both, over every route: to each the other is not there, and never was.

What is asked for by an id is answered for another's as for one that nobody has: the same status, the same words. What is
asked without one is answered as it was before the other tenant had anything.
"""

from __future__ import annotations

import io
import json
import re

import pytest

from highlighter.app import create_app
from highlighter.services import Services
from highlighter.settings import Settings
from ingest.pipeline import ingest_file
from tests.conftest import NOTE, SAMPLES
from tests.highlighter.web.auth.clients import with_key

SHARED = SAMPLES / "Tide Tables and Diving Windows.pdf"
HIDDEN = (
    "The sealed tender of Quillfeather Dredging names four hundred and twelve thousand zorkmids. Nobody else offered."
)
QUESTION, NOWHERE = "What does the sealed tender of Quillfeather Dredging name?", "nowhere"
TICKET = "How much is a ticket?"
MINE, OTHERS = "alpha", "beta"
ID, ANSWER, COLLECTION = "{document}", "{answer}", "{collection}"


def get(path, **how):
    return "GET", path, how


def post(path, **how):
    return "POST", path, how


def filed():
    return {"file": (io.BytesIO(b"Words of a new file."), "new.txt"), "collection": COLLECTION}


D, A = f"/documents/{ID}", f"/api/v1/documents/{ID}"
SOURCE = [{"document_id": ID}]
VERDICT = {"question": "Who bids?", "verdict": "wrong"}
FEEDBACK = "the-feedback"
# Each route, as it is asked about something of somebody's: (method, path, what is sent).
BY_NAME = {
    "ask_pages.answer": [post("/", data={"question": QUESTION, "collection": COLLECTION})],
    "library.list_documents": [get(f"/documents?document={ID}"), get(f"/documents?collection={COLLECTION}")],
    "library.confirm_deletion": [get(f"{D}/delete")],
    "library.delete": [post(f"{D}/delete")],
    "library.restore": [post(f"{D}/restore")],
    "library.retry": [post(f"{D}/retry")],
    "search_pages.search": [get(f"/search?q=sealed+tender&collection={COLLECTION}")],
    "quote_pages.open_quote": [get(f"/open?in={ID}&quote=The+sealed+tender+of+Quillfeather")],
    "quote_pages.find_in_document": [get(f"{D}/find?find=the")],
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
    "documents_api.document_list": [get(f"/api/v1/documents?collection={COLLECTION}")],
    "documents_api.upload": [post("/api/v1/documents", data=filed)],
    "documents_api.document_state": [get(A)],
    "documents_api.document_delete": [("DELETE", A, {})],
    "documents_api.document_retry": [post(f"{A}/retry")],
    "documents_api.document_text": [get(f"{A}/text")],
    "documents_api.document_chunks": [get(f"{A}/chunks")],
    "documents_api.document_sentences": [get(f"{A}/sentences")],
    "documents_api.document_events": [get(f"{A}/events")],
    "rectangles_api.document_rectangles": [get(f"{A}/rectangles?start=0&end=9")],
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
    "answer_records_api.answer_record": [get(f"/api/v1/answers/{ANSWER}")],
    "answer_records_api.answer_pack": [get(f"/api/v1/answers/{ANSWER}/pack")],
    "answer_record_pages.answer_page": [get(f"/answers/{ANSWER}")],
}
# Each route that answers something when nothing is named.
UNNAMED = {
    "ask_pages.start": [get("/"), get(f"/?q={TICKET}")],
    "ask_pages.answer": [post("/", data={"question": QUESTION}), post("/", data={"question": TICKET})],
    "library.list_documents": [get("/documents"), get("/documents?name=hidden"), get("/documents?state=ready")],
    "search_pages.search": [get(f"/search?q={QUESTION}"), get(f"/search?q={TICKET}")],
    "quote_pages.open_quote": [
        get("/open"),
        get("/open?quote=The sealed tender of Quillfeather Dredging names four hundred and twelve thousand zorkmids"),
        get("/open?document={hidden}&start=0&end=20&quote=The sealed tender of Quillfeather Dredging"),
        get("/open?document={shared}&start=0&end=20"),
    ],
    "api.openapi": [get("/api/v1/openapi.json")],
    "api.reference": [get("/api/v1/")],
    "api.highlight": [post("/api/v1/highlight", json={"question": TICKET, "text": NOTE})],
    "api.search": [
        post("/api/v1/search", json={"question": QUESTION, "limit": 50}),
        post("/api/v1/search", json={"question": "When may divers dive?", "limit": 50, "min_score": 0}),
        post("/api/v1/search", json={"question": QUESTION, "where": {"name": "hidden.txt"}}),
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
    "static": [get("/static/favicon.svg")],
    "assets.file": [get("/static/~0/favicon.svg")],
    "health": [get("/healthz")],
    "ready": [get("/readyz")],
}
# Takes files in, where its asker's go: by a test of its own below.
TAKES_IN = {"library.upload", "ask_pages.add_samples"}
# Let in by a signed link, which says what may be seen: by a test of its own below, and tests/highlighter/embed/.
SIGNED = {
    "embed.start", "embed.chunk_page", "embed.chunk_pdf", "embed.pdf", "embed.original", "embed.picture", "embed.words",
    "embed.page_view", "embed.oembed", "embed.style",
}  # fmt: skip


class Tenant:
    def __init__(self, app, collection, services, process_pool, files):
        self.client = with_key(app, "admin", collections=[collection], name=collection)
        self.collection = collection
        self.documents = [ingest_file(path, services, process_pool, collection).document for path in files]
        asked = self.client.post("/api/v1/answers", json={"question": "When may divers dive?"})
        self.names = {ID: self.documents[-1].id, ANSWER: asked.json["id"], COLLECTION: collection}
        said = {**VERDICT, "document_id": self.names[ID], "chunk_index": 0, "start": 0, "end": 9}
        self.names[FEEDBACK] = self.client.post("/api/v1/feedback", json=said).json["id"]


class World:
    """Alpha was asked about everything before beta came, and is asked again after."""

    def __init__(self, services, process_pool, folder):
        self.app = create_app(services)
        note, hidden = folder / "note.txt", folder / "hidden.txt"
        note.write_text(NOTE, encoding="utf-8")
        hidden.write_text(f"{HIDDEN}\n\n{NOTE}", encoding="utf-8")
        self.mine = Tenant(self.app, MINE, services, process_pool, [note, SHARED])
        self.hashes = {"{shared}": self.mine.documents[1].sha256, "{hidden}": "0" * 64}
        self.before = {name: [told(self.mine, one, self.hashes) for one in asked] for name, asked in UNNAMED.items()}
        self.others = Tenant(self.app, OTHERS, services, process_pool, [SHARED, hidden])
        self.hashes["{hidden}"] = self.others.documents[1].sha256
        services.index.sync()


@pytest.fixture(scope="module")
def world(tmp_path_factory, embedder, process_pool):
    services = Services(Settings(data_dir=tmp_path_factory.mktemp("tenants")), embedder)
    yield World(services, process_pool, tmp_path_factory.mktemp("files"))
    services.close()


def told(tenant, asked, names):
    """What a tenant is answered, less what differs each time, with names in place of what they stand for."""
    method, path, how = asked
    sent = {}
    for kind, given in how.items():
        body = given() if callable(given) else given
        sent[kind] = {
            key: _named(value, names) if isinstance(value, str | list) else value for key, value in body.items()
        }
    with tenant.client.open(_named(path, names), method=method, headers={"X-Request-Id": "same"}, **sent) as answer:
        body, headers = answer.get_data().decode("utf-8", "replace"), answer.headers
    kept = {name: headers.get(name, "") for name in ("Content-Type", "Location", "WWW-Authenticate", "Cache-Control")}
    return answer.status_code, _less(body, names), {name: _less(value, names) for name, value in kept.items()}


def _named(value, names):
    written = json.dumps(value)
    for name, stands_for in names.items():
        written = written.replace(name, stands_for)
    return json.loads(written)


_DIFFERS = re.compile(
    r'nonce="[^"]+"|"(id|asked_at)":\s*"[^"]+"|"latency_ms":\s*\d+|answers/[0-9a-f]{32}|data-answer="[^"]+"|\d+\.\d s\b'
)


def _less(text, names):
    for name, stands_for in names.items():
        text = text.replace(stands_for, name)
    return _DIFFERS.sub("", text)


def named_as(tenant, **other):
    return {**tenant.names, **other}


def unknown(names):
    """Of the same shape, and nobody's."""
    return {ID: "e" * len(names[ID]), ANSWER: "f" * len(names[ANSWER]), COLLECTION: NOWHERE, FEEDBACK: "d" * 32}


def test_every_route_is_asked(world):
    routes = {rule.endpoint for rule in world.app.url_map.iter_rules()}
    assert {*BY_NAME, *UNNAMED, *TAKES_IN, *SIGNED} == routes


@pytest.mark.parametrize("endpoint", BY_NAME)
def test_what_is_another_s_is_answered_as_what_is_nobody_s(world, endpoint):
    for asked in BY_NAME[endpoint]:
        theirs = told(world.mine, asked, world.others.names)
        nobodys = told(world.mine, asked, unknown(world.others.names))
        assert theirs == nobodys, asked
        assert "zorkmids" not in theirs[1]


def test_the_other_way_round_too(world):
    for endpoint, every in BY_NAME.items():
        for asked in every:
            theirs = told(world.others, asked, world.mine.names)
            assert theirs == told(world.others, asked, unknown(world.mine.names)), (endpoint, asked)


GOES = ("library.delete", "library.restore", "documents_api.document_delete")


@pytest.mark.parametrize("endpoint", [name for name in BY_NAME if name not in GOES])
def test_to_whom_it_belongs_it_is_answered(world, endpoint):
    """Else the tests above would say nothing."""
    for asked in BY_NAME[endpoint]:
        if not asked[1].endswith("/99"):
            status, body, _ = told(world.others, asked, world.others.names)
            assert status < 400, (asked, body)


@pytest.mark.parametrize("endpoint", UNNAMED)
def test_nothing_is_answered_otherwise_than_before_the_other_came(world, endpoint):
    for asked, before in zip(UNNAMED[endpoint], world.before[endpoint], strict=True):
        now = told(world.mine, asked, world.hashes)
        assert now == before, asked
        assert not any(document.id in now[1] for document in world.others.documents)


def test_what_goes_and_comes_back_is_told_to_nobody_else(world, tmp_path, process_pool):
    path = tmp_path / "passing.txt"
    path.write_text("The passing words of a file that goes again.", encoding="utf-8")
    passing = ingest_file(path, world.app.services, process_pool, OTHERS).document
    before = told(world.mine, get("/documents"), {})
    assert world.others.client.post(f"/documents/{passing.id}/delete").status_code == 303
    assert "passing.txt" in world.others.client.get("/documents").text  # it can be brought back
    assert told(world.mine, get("/documents"), {}) == before
    names = {ID: passing.id}
    for endpoint in ("library.restore", "document_pages.document", "documents_api.document_state"):
        for asked in BY_NAME[endpoint]:
            assert told(world.mine, asked, names) == told(world.mine, asked, {ID: "f" * 32})
    assert world.others.client.post(f"/documents/{passing.id}/restore").status_code == 303
    assert world.others.client.delete(f"/api/v1/documents/{passing.id}").status_code == 204


@pytest.mark.parametrize("rest", ["0", "0.pdf", "pdf", "original", "pages/1", "pages/1.webp", "pages/1.json"])
def test_a_link_of_one_opens_nothing_of_the_other(world, rest):
    for what in ({"collection": MINE}, {"document_id": world.mine.names[ID]}):
        made = world.mine.client.post("/api/v1/embed/links", json=what).json
        asked = get(f"{made['path']}/{ID}/{rest}")
        theirs = told(world.mine, asked, world.others.names)
        assert theirs == told(world.mine, asked, unknown(world.others.names))
        assert theirs[0] in (403, 404)


def test_files_go_to_whoever_hands_them_in(world):
    services = world.app.services
    mine = {document.id for document in services.catalog.documents() if document.collection == MINE}
    assert world.mine.client.post("/documents", data={"file": (io.BytesIO(b"Form."), "f.txt")}).status_code == 303
    assert world.mine.client.post("/samples").status_code == 303
    services.ingest_queue.close()  # nobody reads them: who they belong to is known at once
    new = [document for document in services.catalog.documents() if document.name in ("f.txt", SAMPLES_HAVE)]
    assert {document.collection for document in new} == {MINE}
    assert not mine & {document.id for document in new}


SAMPLES_HAVE = "Laboratory Safety Note.txt"
