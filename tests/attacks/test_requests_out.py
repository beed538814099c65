"""No address in a document, a question or a citation is ever asked: a listener counts who comes."""

from __future__ import annotations

import html
import io
import socket
import urllib.error
import urllib.request
import zipfile

import docx
import httpcore2
import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.annotations import Link
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, TextStringObject

from highlighter.adapters.library import LocalLibrary
from highlighter.answering.request import CallerSource, QuestionRequest
from highlighter.app import create_app
from highlighter.outgoing_addresses import AllowedHosts
from highlighter.webhooks.sender import send_message
from highlighter.webhooks.signatures import create_secret
from ingest.pipeline import ingest_file
from tests.attacks.canary import listening
from tests.attacks.hostile_files import MAKERS, make_book, make_html, make_pdf, make_word
from tests.highlighter.adapters.test_mcp import run_in_memory

QUESTION = "What does vector 3 say?"


@pytest.fixture
def canary():
    with listening() as listener:
        yield listener


def list_texts(url: str) -> list[str]:
    """Return texts that make careless readers ask for an address."""
    return [
        f"{url}/bare", f"<img src={url}/image>", f"<link rel=stylesheet href={url}/style>", f"![x]({url}/picture)",
        f"[x]({url}/link)", f"<iframe src={url}/frame>", f"<object data={url}/object>", f"<script src={url}/script></script>",
        f"<svg><image href={url}/svg></svg>", f"<style>@import url({url}/import);</style>", f"<base href={url}/>",
        f"<meta http-equiv=refresh content='0;url={url}/refresh'>", f"url({url}/css)", f"<a href={url}/a ping={url}/ping>x</a>",
    ]  # fmt: skip


def with_entities(url: str) -> bytes:
    """Return XHTML whose document type, entities and stylesheet stand elsewhere."""
    return (
        f'<?xml version="1.0"?><?xml-stylesheet href="{url}/xsl" type="text/xsl"?>'
        f'<!DOCTYPE html PUBLIC "x" "{url}/dtd" [<!ENTITY far SYSTEM "{url}/entity"><!ENTITY % more SYSTEM "{url}/parameter"> %more;'
        f'<!ENTITY near SYSTEM "file:///etc/passwd">]>'
        f'<html xmlns="http://www.w3.org/1999/xhtml" xmlns:xi="http://www.w3.org/2001/XInclude"><head><title>x</title>'
        f'<link rel="stylesheet" href="{url}/link"/></head><body><p>The fee is ten pounds. &far; &near;</p>'
        f'<xi:include href="{url}/include"/><img src="{url}/image"/></body></html>'
    ).encode()


def with_relationships(content: bytes, url: str) -> bytes:
    """Return a Word file whose template, settings, pictures and parts stand elsewhere."""
    source, target = zipfile.ZipFile(io.BytesIO(content)), io.BytesIO()
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    external = "".join(
        f'<Relationship Id="far{number}" Type="{office}/{kind}" Target="{url}/{kind}" TargetMode="External"/>'
        for number, kind in enumerate(
            ("attachedTemplate", "image", "oleObject", "frame", "subDocument", "aFChunk", "styles")
        )
    )
    with zipfile.ZipFile(target, "w") as written:
        for name in source.namelist():
            part = source.read(name)
            if name == "word/_rels/document.xml.rels":
                part = part.replace(b"</Relationships>", external.encode() + b"</Relationships>")
            if name == "word/document.xml":
                part = part.replace(b"<w:body>", b'<w:body><w:altChunk r:id="far5"/><w:subDoc r:id="far4"/>', 1)
            written.writestr(name, part)
        written.writestr("word/_rels/settings.xml.rels", f"<Relationships>{external}</Relationships>")
    return target.getvalue()


def with_actions(content: bytes, url: str) -> bytes:
    """Return a PDF that acts when it is opened or printed, and whose streams and links stand elsewhere."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(content)))

    def act(kind: str, **fields: str) -> DictionaryObject:
        action = {NameObject("/S"): NameObject(f"/{kind}")}
        return DictionaryObject(
            action | {NameObject(f"/{name}"): TextStringObject(value) for name, value in fields.items()}
        )

    actions = [
        act("URI", URI=f"{url}/uri"), act("SubmitForm", F=f"{url}/submit"), act("GoToR", F=f"{url}/remote"),
        act("Launch", F=f"{url}/launch"), act("ImportData", F=f"{url}/data"), act("JavaScript", JS=f"app.launchURL('{url}/js')"),
    ]  # fmt: skip
    writer.root_object[NameObject("/OpenAction")] = actions[0]
    for name, action in zip(("WC", "WS", "DS", "WP", "DP"), actions[1:], strict=True):
        writer.root_object.setdefault(NameObject("/AA"), DictionaryObject())[NameObject(f"/{name}")] = action
    writer.root_object[NameObject("/URI")] = DictionaryObject({NameObject("/Base"): TextStringObject(f"{url}/base")})
    writer.add_annotation(0, Link(rect=(0, 0, 600, 800), url=f"{url}/annotation"))
    page = writer.pages[0]
    page[NameObject("/Metadata")] = DictionaryObject({NameObject("/F"): TextStringObject(f"{url}/metadata")})
    page[NameObject("/AF")] = ArrayObject([DictionaryObject({NameObject("/F"): TextStringObject(f"{url}/file")})])
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def list_files(url: str) -> dict[str, bytes]:
    texts = list_texts(url)
    plain_word = io.BytesIO()
    document = docx.Document()
    document.add_paragraph("The fee is ten pounds.")
    document.save(plain_word)
    return {
        **{f"texts.{kind}": make(texts) for kind, make in MAKERS.items()},
        "entities.html": with_entities(url),
        "entities.xhtml": with_entities(url),
        "entities.epub": make_book(texts, with_entities(url)),
        "links.html": make_html([f"{url}/{number}" for number in range(3)]),
        "relationships.docx": with_relationships(plain_word.getvalue(), url),
        "links.docx": with_relationships(make_word(texts), url),
        "actions.pdf": with_actions(make_pdf(texts, f"app.launchURL('{url}/opened')"), url),
        "envelope.eml": b"From: a@b.example\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: message/external-body; access-type=URL;"
        + f'URL="{url}/body"\r\n\r\nContent-Type: text/plain\r\n\r\n'.encode(),
    }  # fmt: skip


def test_documents_are_read_shown_and_exported_without_a_request(services, process_pool, client, tmp_path, canary):
    read = 0
    for name, content in list_files(canary.url).items():
        path = tmp_path / name
        path.write_bytes(content)
        document = ingest_file(path, services, process_pool).document
        if document.state not in ("ready", "partial"):
            continue
        read += 1
        address = f"/documents/{document.id}"
        for shown in ("chunks/0?view=text", "pages/1.png", f"pdf?sub_question={QUESTION}", "original"):
            with client.get(f"{address}/{shown}") as response:
                assert response.status_code in (200, 302, 303, 404), shown
                assert b"root:" not in response.get_data()
    assert read >= 10
    assert canary.requests == []


def test_addresses_in_requests_are_not_asked(services, client, note, canary):
    url = canary.url
    source = {"text": "The fee is ten pounds.", "filename": f"{url}/source.pdf"}
    responses = [
        client.post("/api/v1/answers", json={"question": f"What is the fee at {url}/q?", "sources": [source]}),
        client.post("/api/v1/check", json={"answer": f"![x]({url}/a) It is ten pounds [{url}/b].", "sources": [source]}),
        client.post("/api/v1/citations/resolve", json={"text": f"[x]({url}/r) [{url}/s, p.1]"}),
        client.post("/api/v1/locate", json={"quote": f"see {url}/l for more of it", "filename": f"{url}/note.txt"}),
        client.post("/api/v1/embed/links", json={"document_id": note.id, "origins": [url], "question": url}),
        client.get("/oembed", query_string={"url": f"{url}/documents/{note.id}"}),
        client.get("/embed/oembed", query_string={"url": f"{url}/embed/x"}),
        client.get("/documents", headers={"Referer": f"{url}/referer", "X-Forwarded-Host": url, "Forwarded": f"host={url}"}),
        client.patch(f"/api/v1/documents/{note.id}", json={"metadata": {"doc_url": f"{url}/doc", "url": f"{url}/doc"}}),
    ]  # fmt: skip
    for native in (
        {"choices": [{"message": {"content": "Ten.", "annotations": [{"type": "url_citation", "url_citation": {
            "url": f"{url}/openai", "title": f"{url}/title", "start_index": 0, "end_index": 4}}]}}]},
        {"candidates": [{"content": {"parts": [{"text": "Ten."}]}, "groundingMetadata": {"groundingChunks": [
            {"web": {"uri": f"{url}/gemini", "title": "x"}}]}}]},
        {"answer": "Ten [1].", "search_results": [{"url": f"{url}/perplexity", "title": "x"}]},
    ):  # fmt: skip
        responses.append(
            client.post(
                "/api/v1/citations/native",
                json={"response": native, "sources": [{"url": f"{url}/source"}], "check": True},
            )
        )
    assert {response.status_code for response in responses} <= {200, 201, 400, 404, 422}
    answer = services.answer_pipeline.answer(
        QuestionRequest("What is the fee?", sources=(CallerSource(f"The fee is {url}/fee."),))
    )
    with create_app(services).test_client().get(f"/api/v1/answers/{answer.id}/pack") as response:
        page = zipfile.ZipFile(io.BytesIO(response.get_data())).read("answer.html").decode()
    assert html.escape(url) in page  # as words
    assert f'="{url}' not in page
    assert canary.requests == []


def list_model_requests(url: str) -> dict[str, dict]:
    """Return bodies of other vendors' APIs that name files and pictures by their addresses."""
    question = {"type": "text", "text": "What is the fee?"}
    picture = {"type": "image_url", "image_url": {"url": f"{url}/image", "detail": "high"}}
    file = {"type": "file", "file": {"file_url": f"{url}/file", "file_data": f"{url}/data", "file_id": f"{url}/id"}}
    inputs = [
        {"type": "input_text", "text": "What is the fee?"}, {"type": "input_image", "image_url": f"{url}/input_image"},
        {"type": "input_file", "file_url": f"{url}/input_file"},
    ]  # fmt: skip
    blocks = [
        {
            "type": kind,
            "source": {"type": "url", "url": f"{url}/{kind}"},
            "title": f"{url}/title",
            "citations": {"enabled": True},
        }
        for kind in ("document", "image")
    ]
    parts = [
        {"text": "What is the fee?"}, {"fileData": {"fileUri": f"{url}/fileUri", "mimeType": "application/pdf"}},
        {"file_data": {"file_uri": f"{url}/file_uri"}},
    ]  # fmt: skip
    tools = [{"type": "mcp", "server_url": f"{url}/mcp"}, {"type": "web_search"}, {"url_context": {}}]
    searched = {"type": "search_result", "source": f"{url}/search_result", "title": "x", "content": [question]}
    return {
        "/v1/chat/completions": {"messages": [{"role": "user", "content": [question, picture, file]}], "tools": tools},
        "/v1/responses": {"input": [{"role": "user", "content": inputs}], "tools": tools},
        "/v1/messages": {
            "max_tokens": 9, "messages": [{"role": "user", "content": [*blocks, searched, question]}],
            "mcp_servers": [{"type": "url", "url": f"{url}/mcp", "name": "x"}],
        },
        "/v1beta/models/highlighter:generateContent": {"contents": [{"parts": parts}], "tools": tools},
    }  # fmt: skip


def test_addresses_in_bodies_of_other_vendors_are_not_asked(client, note, canary):
    """What cannot be read is refused or left out; the text beside it alone is a question."""
    statuses = {}
    for path, body in list_model_requests(canary.url).items():
        for variant in (body, {name: value for name, value in body.items() if name not in ("tools", "mcp_servers")}):
            statuses[path] = client.post(path, json={"model": "highlighter", **variant}).status_code
            assert statuses[path] in (200, 400), path
    plain = client.post(
        "/v1/chat/completions", json={"model": "highlighter", "messages": [{"role": "user", "content": canary.url}]}
    )
    assert plain.status_code == 200
    assert canary.requests == []


def test_addresses_in_retrieval_notes_and_feedback_are_not_asked(client, note, canary):
    url = canary.url
    selector = {"type": "TextQuoteSelector", "exact": "The ferry"}
    responses = [
        client.post("/retrieval", json={
            "knowledge_id": "default", "query": f"{url}/query", "retrieval_setting": {"top_k": 2, "score_threshold": 0},
            "metadata_condition": {"conditions": [{"name": ["url"], "comparison_operator": "is", "value": f"{url}/condition"}]}}),
        client.post(f"/api/v1/documents/{note.id}/notes", json={
            "target": {"selector": selector, "source": f"{url}/target"}, "body": f"![x]({url}/note) <img src={url}/note>"}),
        client.post("/api/v1/feedback", json={
            "document_id": note.id, "chunk_index": 0, "start": 0, "end": 9, "question": f"{url}/asked", "verdict": "wrong",
            "note": f"{url}/feedback"}),
    ]  # fmt: skip
    for shown in (f"/documents/{note.id}/notes", f"/documents/{note.id}/notes.pdf", "/notes.jsonld", "/notes.md"):
        with client.get(shown) as response:
            responses.append(response)
    assert {response.status_code for response in responses} <= {200, 201, 400, 404, 422}
    assert responses[2].status_code == 201
    assert canary.requests == []


def test_addresses_in_calls_of_mcp_tools_are_not_asked(services, note, canary):
    url = canary.url
    calls = [
        ("search", {"question": f"What is the fee at {url}/question?"}),
        ("highlight", {"question": f"{url}/question", "text": f"![x]({url}/text)"}),
        ("check", {"answer": f"It is ten pounds [{url}/a].", "sources": [f"see {url}/source", {"text": "x", "filename": f"{url}/file"}]}),
        ("locate", {"quote": f"see {url}/quote for more of it"}),
        ("open_citations", {"response": f"[x]({url}/link) [1]", "sources": [{"url": f"{url}/source"}]}),
    ]  # fmt: skip

    async def talk(client):
        return [await client.call_tool(*call) for call in calls]

    results = run_in_memory(LocalLibrary(services, "http://localhost"), talk)
    assert [call for call, result in zip(calls, results, strict=True) if result.is_error] == []
    assert canary.requests == []


def test_webhook_whose_name_gets_a_private_address_later_is_not_asked(services, canary, monkeypatch):
    """The name server of an attacker answers each question otherwise: a message goes to the address that was checked."""
    answers, connected = ["93.184.215.14", "127.0.0.1", "127.0.0.1"], []
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda host, port, **_: [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (answers.pop(0), port))],
    )

    def connect(network, host, port, *_):
        connected.append(host)
        raise httpcore2.ConnectError("no network in tests")

    monkeypatch.setattr(httpcore2.SyncBackend, "connect_tcp", connect)
    results = [
        send_message(f"https://rebinding.example:{canary.port}/", create_secret(), "1", b"{}", AllowedHosts())
        for _ in range(2)
    ]
    assert connected == ["93.184.215.14"]
    assert answers == ["127.0.0.1"]  # asked once for each message
    assert "no public address" in results[1].problem
    assert canary.requests == []


def test_listener_counts_who_comes(canary):
    with pytest.raises((urllib.error.URLError, OSError)):
        urllib.request.urlopen(f"{canary.url}/here", timeout=10)
    assert canary.requests == ["GET /here HTTP/1.1"]
