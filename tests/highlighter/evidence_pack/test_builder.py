"""Evidence packs are complete and reproducible: every citation has its note, every file its hash."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace

import docx
import pytest
from docx.oxml.ns import qn
from pypdf import PdfReader, PdfWriter

from highlighter.access import LOCAL_OPERATOR, VisibleCollections
from highlighter.answering.request import CallerSource, QuestionRequest
from highlighter.errors import NotFound
from highlighter.evidence_pack.report import REDACTED_ANSWER_TEXT
from highlighter.notes.note_book import NoteContent, TextSelection
from highlighter.notes.note_source import NoteSource
from highlighter.store import audit_log
from highlighter.store.answer_records import AnswerDocument, AnswerPart, AnswerRecord, compute_part_digest
from highlighter.store.audit_log import ChainHead
from highlighter.store.audit_verification import verify_audit
from highlighter.urls import Links
from ingest.pipeline import ingest_file
from tests.conftest import SAMPLES

DELAY = "How much does the Contractor pay for each day of delay?"
COMPARISON = QuestionRequest(
    "Compare the early warning and the completion date", mode="comparison", citation_style="footnote"
)


def write_pack(services, answer):
    out = io.BytesIO()
    services.evidence_packs.write(answer.id, VisibleCollections(), out)
    with zipfile.ZipFile(out) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def comparison(sampled):
    return sampled.answer_pipeline.answer(COMPARISON)


@pytest.fixture(scope="module")
def pack(sampled, comparison):
    return write_pack(sampled, comparison)


def test_pack_has_notes_of_reader_on_cited_documents_only_if_asked(sampled, comparison, pack):
    cited, other = comparison.citations[0].document_id, sampled.catalog.documents()
    reader = replace(LOCAL_OPERATOR, session="reader")
    for document_id in (cited, next(one.id for one in other if one.id != cited and one.state == "ready")):
        sampled.note_book.create(reader, document_id, TextSelection(0, 60), NoteContent("pink", "Mine."))
    out = io.BytesIO()
    notes = NoteSource(sampled.note_book, reader, Links("http://here"))
    sampled.evidence_packs.write(comparison.id, VisibleCollections(), out, notes)
    with zipfile.ZipFile(out) as archive:
        (note,) = json.loads(archive.read("notes.jsonld"))["items"]
        pdf = PdfReader(io.BytesIO(archive.read("documents/1-Harbour-Works-Contract.pdf")))
        assert archive.read("notes.md").decode().startswith("# Harbour Works Contract.pdf")
        assert "notes.md" in {file["name"] for file in json.loads(archive.read("manifest.json"))["files"]}
    contents = [one.get_object()["/Contents"] for page in pdf.pages for one in page.get("/Annots", ())]
    assert (note["document_id"], contents.count("Mine.")) == (cited, 1)
    assert write_pack(sampled, comparison) == pack


def test_pack_contains_the_answer_its_documents_and_the_proof(pack):
    assert list(pack) == [
        "annotations.json", "answer.docx", "answer.html", "answer.md", "documents/1-Harbour-Works-Contract.pdf", "head.json",
        "record.json", "manifest.json",
    ]  # fmt: skip


def test_two_processes_write_the_same_bytes(sampled, comparison, tmp_path):
    """The processes differ in time zone and hash seed, and find no rendered pages."""
    packs = []
    for name, zone in (("one", "Asia/Hong_Kong"), ("two", "America/Lima")):
        for source in comparison.sources:
            shutil.rmtree(
                sampled.files.rendered_folder(sampled.catalog.document(source.document_id)), ignore_errors=True
            )
        environment = {
            **os.environ, "DATA_DIR": str(sampled.settings.data_dir), "TZ": zone, "PYTHONHASHSEED": str(len(packs) + 1)
        }  # fmt: skip
        out = tmp_path / f"{name}.zip"
        command = [sys.executable, "-m", "highlighter", "pack", comparison.id, "-o", str(out)]
        assert subprocess.run(command, env=environment, timeout=120).returncode == 0
        packs.append(out.read_bytes())
    assert packs[0] == packs[1]
    out = io.BytesIO()
    sampled.evidence_packs.write(comparison.id, VisibleCollections(), out)
    assert out.getvalue() == packs[0]


def test_manifest_has_the_hash_of_every_file_and_document(pack, sampled, comparison):
    manifest = json.loads(pack["manifest.json"])
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in pack.items() if name != "manifest.json"}
    assert {file["name"]: file["sha256"] for file in manifest["files"]} == hashes
    documents = {document["document_id"]: document for document in manifest["documents"]}
    assert set(documents) == {source.document_id for source in comparison.sources}
    assert all(document["sha256"] == sampled.catalog.document(id).sha256 for id, document in documents.items())
    assert manifest["head"] == json.loads(pack["head.json"])


def test_record_reproduces_the_audit_row_of_the_head(pack, sampled):
    head = ChainHead(**json.loads(pack["head.json"]))
    with sampled.catalog.engine.connect() as connection:
        assert verify_audit(connection, head).discrepancies == ()
    stored_record = json.loads(pack["record.json"])
    parts = tuple(
        AnswerPart(part["name"], part["goes_with"], part["digest"], part["salt"], part["words"])
        for part in stored_record["parts"]
    )
    assert all(
        compute_part_digest(part.salt, part.content) == part.digest for part in parts if part.content is not None
    )
    documents = tuple(
        AnswerDocument(document["document_id"], document["collection"], document["sha256"], document["there"])
        for document in stored_record["documents"]
    )
    record = AnswerRecord(stored_record["row"]["answer_id"], stored_record["facts"], documents, parts)
    assert record.content_digest == stored_record["row"]["content"]
    assert audit_log.compute_row_hash(stored_record["row"]) == head.hash


def test_pack_omits_passages_that_are_not_cited(pack, sampled, comparison):
    cited = {item.source for item in comparison.citations}
    uncited_texts = [item.text for index, item in enumerate(comparison.sources) if index not in cited]
    assert uncited_texts
    parts = {part["name"]: part["words"] for part in json.loads(pack["record.json"])["parts"]}
    assert [parts[f"source {index}"] is None for index in range(len(comparison.sources))] == [
        index not in cited for index in range(len(comparison.sources))
    ]


def test_pack_says_as_the_page_that_no_model_wrote_the_answer(pack):
    assert "Answer: quoted directly, no AI model used" in pack["answer.md"].decode()
    assert "answer quoted directly, no AI model used" in pack["answer.html"].decode()


def test_every_marker_is_a_word_footnote(pack, comparison):
    document = docx.Document(io.BytesIO(pack["answer.docx"]))
    references = [int(item.get(qn("w:id"))) for item in document.element.iter(qn("w:footnoteReference"))]
    assert references == list(range(1, len(comparison.citations) + 1))
    (part,) = [part for part in document.part.package.iter_parts() if part.partname == "/word/footnotes.xml"]
    notes = {int(note.get(qn("w:id"))): note for note in docx.oxml.parse_xml(part.blob)}
    for number, citation in enumerate(comparison.citations, 1):
        note_text = "".join(item.text for item in notes[number].iter(qn("w:t")))
        assert note_text.startswith(f" {citation.filename}, page {citation.page}: “{' '.join(citation.quote.split())}”")
    targets = {item.target_ref for item in part.rels.values()}
    assert {target.partition("#")[0] for target in targets} <= set(pack)
    assert not any("¹" in paragraph.text for paragraph in document.paragraphs)


def test_word_file_contains_only_the_time_of_the_answer(pack, comparison):
    properties = docx.Document(io.BytesIO(pack["answer.docx"])).core_properties
    assert properties.created.isoformat() == properties.modified.isoformat() == comparison.asked_at
    with zipfile.ZipFile(io.BytesIO(pack["answer.docx"])) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_cited_sentence_is_highlighted_on_its_page(pack, comparison, sampled):
    reader = PdfReader(io.BytesIO(pack["documents/1-Harbour-Works-Contract.pdf"]))
    highlights = [
        (number, item.get_object()["/Contents"])
        for number, page in enumerate(reader.pages, 1)
        for item in page.get("/Annots", [])
        if item.get_object()["/Subtype"] == "/Highlight"
    ]
    assert sorted(remark[: len("Cited by note 1")] for _, remark in highlights) == [
        f"Cited by note {number}" for number in range(1, len(comparison.citations) + 1)
    ]
    pages = {f"Cited by note {number}": item.page for number, item in enumerate(comparison.citations, 1)}
    assert all(pages[remark[: len("Cited by note 1")]] == page for page, remark in highlights)


def test_page_has_no_external_resources(pack, comparison):
    page = pack["answer.html"].decode()
    targets = set(re.findall(r'(?:href|src)="([^"]*)"', page))
    assert {target.partition("#")[0] for target in targets} - {""} <= set(pack)
    assert "<script" not in page
    assert "url(" not in page
    for number, citation in enumerate(comparison.citations, 1):
        assert f'href="#note-{number}"' in page
        assert citation.quote in page


def test_markdown_has_a_footnote_for_each_marker(pack, comparison):
    markdown = pack["answer.md"].decode()
    body, notes = markdown.split("\n[^1]: ")
    assert re.findall(r"\[\^(\d+)\]", body) == [str(number) for number in range(1, len(comparison.citations) + 1)]
    assert "¹" not in markdown
    assert comparison.citations[0].quote in notes


def test_annotations_select_the_cited_words(pack, comparison):
    items = json.loads(pack["annotations.json"])["items"]
    assert len(items) == len(comparison.citations)
    for item, citation in zip(items, comparison.citations, strict=True):
        quote, position, _ = item["target"]["selector"]
        assert (quote["exact"], position["start"]) == (citation.quote, citation.quote_start)
        assert item["target"]["source"]["sha256"] == citation.sha256


def test_pack_of_a_refusal_contains_the_reason(sampled):
    files = write_pack(
        sampled, sampled.answer_pipeline.answer(QuestionRequest("Who won the chess championship of 1972?"))
    )
    for name in ("answer.html", "answer.md"):
        assert b"No answer: no relevant sources found." in files[name]
    assert not any(name.startswith("documents/") for name in files)


def test_pack_contains_the_callers_own_text(sampled):
    text = "Birds sing at dawn. Cats never sing."
    answer = sampled.answer_pipeline.answer(
        QuestionRequest("When do birds sing?", sources=(CallerSource(text, "../birds & <b>.txt"),))
    )
    files = write_pack(sampled, answer)
    assert files["texts/1-birds-b-.txt.txt"].decode() == text


def test_pack_mentions_a_deleted_document_without_its_content(services, note):
    answer = services.answer_pipeline.answer(QuestionRequest("How much is a ticket?"))
    assert "documents/1-note.pdf" in write_pack(services, answer)
    services.delete_document(note.id)
    files = write_pack(services, answer)
    assert not any(name.startswith("documents/") for name in files)
    assert REDACTED_ANSWER_TEXT.encode() in files["answer.md"]
    assert not any(b"four pounds" in content or b"note.txt" in content for content in files.values())
    (document,) = json.loads(files["manifest.json"])["documents"]
    assert (document["sha256"], document["file"]) == (note.sha256, None)


def test_pack_omits_a_soft_deleted_document(services, note):
    answer = services.answer_pipeline.answer(QuestionRequest("How much is a ticket?"))
    services.soft_delete(note.id)
    assert not any(name.startswith("documents/") for name in write_pack(services, answer))


def test_highlighted_copy_of_a_locked_pdf_is_reproducible(services, process_pool, tmp_path):
    """Highlights cannot be appended to a locked PDF, which is rewritten instead."""
    writer = PdfWriter(clone_from=SAMPLES / "Harbour Works Contract.pdf")
    writer.encrypt(user_password="", owner_password="owner", algorithm="RC4-128")
    writer.write(tmp_path / "locked.pdf")
    document = ingest_file(tmp_path / "locked.pdf", services, process_pool).document
    answer = services.answer_pipeline.answer(QuestionRequest(DELAY, sources=(CallerSource(document_id=document.id),)))
    first_pack = write_pack(services, answer)
    shutil.rmtree(services.files.rendered_folder(document))
    assert write_pack(services, answer) == first_pack
    reader = PdfReader(io.BytesIO(first_pack["documents/1-locked.pdf"]))
    assert any(page.get("/Annots") for page in reader.pages)


def test_markup_in_documents_is_shown_literally(services, process_pool, tmp_path):
    path = tmp_path / '"><img src=x>.txt'
    path.write_text("The <script>alert(1)</script> fee is [ten](http://x.example) pounds *a* day_.\n", encoding="utf-8")
    document = ingest_file(path, services, process_pool).document
    answer = services.answer_pipeline.answer(
        QuestionRequest("What is the fee?", sources=(CallerSource(document_id=document.id),))
    )
    assert "<script>" in answer.text
    files = write_pack(services, answer)
    assert b"<script>" not in files["answer.html"]
    assert b"<img" not in files["answer.html"]
    assert b"&lt;script&gt;" in files["answer.html"]
    assert rb"\[ten\]" in files["answer.md"]
    assert docx.Document(io.BytesIO(files["answer.docx"]))


def test_characters_invalid_in_xml_do_not_break_word(services, note):
    answer = services.answer_pipeline.answer(QuestionRequest("Fee\x00 \x0b of a ticket?\ufffe"))
    assert docx.Document(io.BytesIO(write_pack(services, answer)["answer.docx"]))


def test_pack_of_an_unknown_answer_is_not_found(sampled):
    with pytest.raises(NotFound):
        sampled.evidence_packs.write("nothing", VisibleCollections(), io.BytesIO())
