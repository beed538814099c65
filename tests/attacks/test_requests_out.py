"""No address in a document, a question or a citation is ever asked: a listener counts who comes."""

from __future__ import annotations

import html
import io
import urllib.error
import urllib.request
import zipfile

import docx
import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.annotations import Link
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, TextStringObject

from highlighter.answering.request import CallerSource, QuestionRequest
from highlighter.app import create_app
from ingest.pipeline import ingest_file
from tests.attacks.canary import listening
from tests.attacks.hostile_files import MAKERS, make_book, make_html, make_pdf, make_word

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


def test_listener_counts_who_comes(canary):
    with pytest.raises((urllib.error.URLError, OSError)):
        urllib.request.urlopen(f"{canary.url}/here", timeout=10)
    assert canary.requests == ["GET /here HTTP/1.1"]
