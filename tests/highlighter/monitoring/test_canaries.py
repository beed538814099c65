"""Whatever takes words of people or secrets, neither the log nor the figures nor the traces repeat them."""

from __future__ import annotations

import io
import itertools
import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest

from highlighter.access import ADMIN
from highlighter.app import create_app
from highlighter.monitoring.logs import JSON, TEXT
from highlighter.monitoring.tracer import tracer
from highlighter.secret import Secret
from highlighter.services import Services
from highlighter.settings import Settings
from tests.highlighter.monitoring.captured_log import captured_log
from tests.highlighter.monitoring.otlp_receiver import receiving_traces
from tests.scripted.fake_replies import Fails, Says

PROXY = "10.0.0.7"
TAKEN = [
    "PATCH /api/v1/documents/", "POST /documents/tags/rename", "POST /api/v1/feedback", "POST /api/v1/embed/links", "GET /embed/",
    "GET /oembed", "POST /api/v1/citations/resolve", "POST /api/v1/citations/native", "/notes", "POST /api/v1/answers",
    "POST /retrieval", "GET /open", "POST /v1/chat/completions", "POST /v1/responses", "POST /v1/messages",
    "POST /v1beta/models/", "POST /api/v1/webhooks", "/ping", "GET /documents?of=person", "GET /?q=",
]  # fmt: skip
_numbers = itertools.count(1)


class Canaries:
    """Unique words, each known by the place that it was given to."""

    def __init__(self):
        self.words: dict[str, str] = {}

    def __call__(self, place: str) -> str:
        return self.words.setdefault(place, f"canary{next(_numbers)}quillfeather")

    def find_places(self, written: str) -> list[str]:
        """Return the places whose word was written."""
        return [place for place, word in self.words.items() if word in written]


def feed_documents(send, services, canary):
    """Upload, describe and damage documents; return the id of one that can be read."""
    text = f"The {canary('document')} of the harbour opens at nine in the morning."
    for name, content in (
        ("document", text.encode()),
        ("damaged", b"%PDF-1.7 " + text.encode()),
        ("unknown", b"\x00\x01"),
    ):
        suffix = {"document": "txt", "damaged": "pdf", "unknown": "bin"}[name]
        send(
            "POST",
            "/api/v1/documents",
            data={
                "collection": canary("collection"),
                "file": (io.BytesIO(content), f"{canary('file name')} {name}.{suffix}"),
                "metadata": json.dumps({canary("metadata name"): canary("metadata value"), "tags": [canary("tag")]}),
            },
        )
    services.ingest_queue.finish_unfinished()
    (document,) = (one for one in services.catalog.documents() if one.state == "ready")
    send("PATCH", f"/api/v1/documents/{document.id}", json={"metadata": {"tags": [canary("later tag")]}})
    send(
        "GET",
        f"/api/v1/documents?collection={canary('collection')}&tag={canary('filter')}&name={canary('name filter')}",
    )
    send("GET", f"/api/v1/documents/{document.id}/find?q={canary('find')}")
    send("POST", "/documents/tags/rename", data={"tag": canary("tag"), "name": canary("renamed tag")})
    return document


def feed_api(send, document, canary):
    """Ask, cite, note and send feedback by the API."""
    question = f"When does the {canary('question')} open?"
    send("POST", "/api/v1/feedback", json={
        "document_id": document.id, "chunk_index": 0, "start": 0, "end": 5, "question": canary("feedback question"),
        "verdict": "wrong", "note": canary("feedback note")})  # fmt: skip
    link = send("POST", "/api/v1/embed/links", json={
        "document_id": document.id, "question": canary("linked question"), "origins": [f"https://{canary('origin')}.example"]})  # fmt: skip
    token = link.json["token"]
    canary.words["signed link"] = token
    for address in (
        f"/embed/{token}",
        f"/embed/{token}x",
        f"/embed/{token}/{document.id}/0",
        f"/embed/{token}/{document.id}/pages/9.png",
    ):
        send("GET", address)
    send("GET", f"/oembed?url=http://localhost/embed/{token}")
    send("POST", "/api/v1/citations/resolve", json={"text": f"It opens [{canary('cited name')}.txt, p.1]."})
    for response in (
        {"content": [{"type": "text", "text": canary("native answer"), "citations": [
            {"type": "char_location", "cited_text": canary("native quote"), "document_index": 0,
             "document_title": canary("native title"), "start_char_index": 0, "end_char_index": 5}]}]},
        {"choices": [{"message": {"content": canary("native broken"), "annotations": canary("native annotations")}}]},
    ):  # fmt: skip
        send(
            "POST",
            "/api/v1/citations/native",
            json={"response": response, "sources": [{"name": canary("native source")}]},
        )
    for _ in range(2):
        send("POST", f"/api/v1/documents/{document.id}/notes",
             json={"target": {"selector": {"type": "TextQuoteSelector", "exact": canary("document")}}, "body": canary("note")},
             headers={"Idempotency-Key": canary("idempotency key")})  # fmt: skip
    for path in ("/api/v1/search", "/api/v1/highlight", "/api/v1/answers", "/api/v1/check", "/api/v1/locate"):
        send("POST", path, json={"question": question, "text": canary("given text"), canary("unknown field"): 1})
    send(
        "POST",
        "/api/v1/answers",
        json={"question": question, "model": canary("model name"), "history": [canary("history")]},
    )
    send("POST", "/api/v1/answers", json={"question": question, "sources": [{"text": canary("given source")}]})
    send("POST", "/api/v1/answers", json={"question": question})
    send("POST", "/api/v1/answers", data=f'{{"question": "{canary("broken body")}', content_type="application/json")
    for knowledge_id in (canary("knowledge id"), canary("collection")):
        setting = {"top_k": 2, "score_threshold": 0.1}
        send(
            "POST",
            "/retrieval",
            json={"knowledge_id": knowledge_id, "query": canary("retrieval"), "retrieval_setting": setting},
        )
    send("GET", f"/open?q={canary('opened quote')}&name={canary('opened name')}")
    send("GET", f"/{canary('path')}/{canary('path')}")
    send("GET", "/documents", headers={
        "Referer": f"http://x/{canary('referer')}", "User-Agent": canary("user agent"), "Cookie": f"x={canary('cookie')}",
        "Host": f"{canary('host')}.example", "X-Request-Id": canary("request id")})  # fmt: skip
    send(
        "GET",
        "/documents",
        headers={"Referer": f"http://localhost/{canary('page before')}", "User-Agent": canary("browser")},
    )
    send("GET", "/documents", headers={"Authorization": f"Bearer hk_{canary('wrong key')}"})


def feed_model_apis(send, canary):
    """Speak to the service as clients of other vendors do."""
    messages = [
        {"role": "system", "content": canary("system prompt")},
        {"role": "user", "content": canary("chat question")},
    ]
    send(
        "POST", "/v1/chat/completions", json={"model": "highlighter", "messages": messages, "user": canary("chat user")}
    )
    send("POST", "/v1/chat/completions", json={"model": canary("chat model"), "messages": messages})
    send("POST", "/v1/chat/completions", json={"model": "highlighter", "messages": messages, "stream": True})
    send("POST", "/v1/responses", json={"model": "highlighter", "input": canary("response question")})
    send("POST", "/v1/messages", json={
        "model": "highlighter", "max_tokens": 9, "system": canary("message system"),
        "messages": [{"role": "user", "content": canary("message question")}]})  # fmt: skip
    send(
        "POST",
        "/v1beta/models/highlighter:generateContent",
        json={"contents": [{"parts": [{"text": canary("gemini question")}]}]},
    )
    send("POST", "/v1/messages", json={"messages": canary("broken messages")})


def feed_webhooks(send, services, canary):
    """Add webhooks, one of which cannot be reached, and send what happened."""
    url = f"https://{canary('webhook host')}.invalid/{canary('webhook path')}?token={canary('webhook token')}"
    added = send(
        "POST",
        "/api/v1/webhooks",
        json={"url": url, "events": ["document.ready"], "description": canary("webhook text")},
    )
    if added.status_code >= 300:
        added = send("POST", "/api/v1/webhooks", json={"url": url, "events": ["document.ready"]})
    canary.words["webhook secret"] = added.json["secret"]
    send("POST", f"/api/v1/webhooks/{added.json.get('webhook_id') or added.json['id']}/ping")
    send("POST", "/api/v1/webhooks", json={"url": f"ftp://{canary('refused webhook')}"})
    services.webhook_dispatcher.run()


def feed_people(send, document, canary):
    """Let a person in whom a proxy has signed in, who asks and notes."""
    headers = {
        "Authorization": "",
        "X-User": canary("person"),
        "X-Groups": f"{canary('group')}, {canary('other group')}",
    }
    for method, path, sent in (
        ("GET", "/documents?of=person", {}),
        ("GET", f"/?q={canary('question of a person')}", {}),
        ("POST", f"/documents/{document.id}/notes", {"data": {"body": canary("note of a person"), "quote": canary("quote of a person")}}),
    ):  # fmt: skip
        send(method, path, headers=headers, environ_overrides={"REMOTE_ADDR": PROXY}, **sent)


def make_settings(data_dir, provider, canary):
    rules = data_dir.with_name("rules.toml")
    rules.write_text(f'[groups.{canary("group")}]\nscopes = ["read", "answer"]\ncollections = "*"', encoding="utf-8")
    names = {"AUTH_USER_HEADER": "X-User", "AUTH_GROUPS_HEADER": "X-Groups", "TRUSTED_PROXIES": PROXY}
    signed_in = Settings.from_environment({**names, "ACCESS_RULES": str(rules), "REQUIRE_KEYS": "1", "RATE_LIMIT": "0"})
    return replace(signed_in, data_dir=data_dir, ocr=False, **provider, openai_api_key=Secret(canary("provider key")))


@pytest.mark.parametrize(("log_format", "level"), [(JSON, "debug"), (TEXT, "warning")])
def test_nothing_that_people_send_is_written(log_format, level, tmp_path, embedder, scripted):
    canary, accepted = Canaries(), set()
    scripted.play("first", Fails(500, f"{canary('provider error')} {canary('question')}"))
    scripted.play("second", Says(f"It opens at nine, says the {canary('model answer')}."))
    provider = scripted.settings("openai/first", "openai/second")
    del provider["openai_api_key"]
    with captured_log(log_format, level) as log, receiving_traces() as received:
        services = Services(make_settings(tmp_path / "data", provider, canary), embedder)
        tracer.start(received.url)
        client = create_app(services).test_client()
        key = canary.words["key"] = services.api_keys.create_key(canary("key name"), (ADMIN,))[1]

        def send(method, path, **sent):
            headers = {"Authorization": f"Bearer {key}", **sent.pop("headers", {})}
            response = client.open(path, method=method, headers=headers, **sent)
            response.get_data()
            if response.status_code < 400:
                accepted.add(f"{method} {path}")
            return response

        document = feed_documents(send, services, canary)
        feed_api(send, document, canary)
        feed_model_apis(send, canary)
        feed_webhooks(send, services, canary)
        feed_people(send, document, canary)
        services.files.original_path(document.sha256).write_text("altered")
        assert send("GET", f"/documents/{document.id}/original").status_code == 500
        figures = send("GET", "/metrics").text
        tracer.stop()
        services.close()
    written = {"log": log.getvalue(), "figures": figures, "traces": "".join(map(str, received.spans))}
    assert len(canary.words) > 60
    assert {name: places for name, text in written.items() if (places := canary.find_places(text))} == {}
    # And all of it was taken, and something was written.
    paths = " ".join(accepted)
    assert [path for path in TAKEN if path not in paths] == []
    assert all(written.values())
    assert "Stored content was changed" in written["log"]


@pytest.mark.slow
def test_ingest_command_writes_no_word_of_documents(tmp_path):
    canary, papers = Canaries(), tmp_path / "papers"
    papers.mkdir()
    text = f"The {canary('document')} of the harbour opens at nine."
    (papers / "a.txt").write_text(text, encoding="utf-8")
    (papers / "b.pdf").write_bytes(b"%PDF-1.7 " + text.encode())
    (papers / "c.docx").write_bytes(b"PK\x03\x04" + text.encode())
    (papers / "d.html").write_text(
        f"<p title='{canary('attribute')}'>{text}<math><{canary('element')}>", encoding="utf-8"
    )
    command = [sys.executable, "-m", "ingest", "--meta", f"project={canary('metadata')}", "--json", str(papers)]
    environment = {**os.environ, "DATA_DIR": str(tmp_path / "data"), "OPENAI_API_KEY": canary("provider key")}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert len(ended.stdout.splitlines()) == 4, ended.stderr
    assert canary.find_places(ended.stdout + ended.stderr) == []
