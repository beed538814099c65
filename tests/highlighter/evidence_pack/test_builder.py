"""A pack stands by itself: every word has its note, every note its place, every file its hash. The same each time."""

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

import docx
import pytest
from docx.oxml.ns import qn
from pypdf import PdfReader, PdfWriter

from highlighter.access import VisibleCollections
from highlighter.answering.request import CallerSource, QuestionRequest
from highlighter.errors import NotFound
from highlighter.evidence_pack.report import REDACTED_ANSWER_TEXT
from highlighter.store import audit_log
from highlighter.store.answer_records import AnswerDocument, AnswerPart, AnswerRecord, compute_part_digest
from highlighter.store.audit_log import ChainHead
from highlighter.store.audit_verification import verify_audit
from ingest.pipeline import ingest_file
from tests.conftest import SAMPLES

DELAY = "How much does the Contractor pay for each day of delay?"
COMPARED = QuestionRequest(
    "Compare the early warning and the completion date", mode="comparison", citation_style="footnote"
)


def packed(services, answer):
    out = io.BytesIO()
    services.evidence_packs.write(answer.id, VisibleCollections(), out)
    with zipfile.ZipFile(out) as made:
        assert made.testzip() is None
        return {name: made.read(name) for name in made.namelist()}


@pytest.fixture(scope="module")
def compared(sampled):
    return sampled.answer_pipeline.answer(COMPARED)


@pytest.fixture(scope="module")
def pack(sampled, compared):
    return packed(sampled, compared)


def test_it_holds_the_answer_its_documents_and_the_proof(pack):
    assert list(pack) == [
        "annotations.json", "answer.docx", "answer.html", "answer.md", "documents/1-Harbour-Works-Contract.pdf", "head.json",
        "record.json", "manifest.json",
    ]  # fmt: skip


def test_two_processes_make_the_same_bytes(sampled, compared, tmp_path):
    """In other time zones, with other hash seeds, and with nothing drawn before."""
    made = []
    for name, zone in (("one", "Asia/Hong_Kong"), ("two", "America/Lima")):
        for source in compared.sources:
            shutil.rmtree(
                sampled.files.rendered_folder(sampled.catalog.document(source.document_id)), ignore_errors=True
            )
        environment = {
            **os.environ, "DATA_DIR": str(sampled.settings.data_dir), "TZ": zone, "PYTHONHASHSEED": str(len(made) + 1)
        }  # fmt: skip
        out = tmp_path / f"{name}.zip"
        command = [sys.executable, "-m", "highlighter", "pack", compared.id, "-o", str(out)]
        assert subprocess.run(command, env=environment, timeout=120).returncode == 0
        made.append(out.read_bytes())
    assert made[0] == made[1]
    out = io.BytesIO()
    sampled.evidence_packs.write(compared.id, VisibleCollections(), out)
    assert out.getvalue() == made[0]


def test_the_manifest_has_a_hash_of_every_file_and_of_every_document(pack, sampled, compared):
    manifest = json.loads(pack["manifest.json"])
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in pack.items() if name != "manifest.json"}
    assert {file["name"]: file["sha256"] for file in manifest["files"]} == hashes
    kept = {one["document_id"]: one for one in manifest["documents"]}
    assert set(kept) == {source.document_id for source in compared.sources}
    assert all(one["sha256"] == sampled.catalog.document(id).sha256 for id, one in kept.items())
    assert manifest["head"] == json.loads(pack["head.json"])


def test_its_head_is_a_row_of_the_chain_and_its_record_makes_that_row_again(pack, sampled):
    head = ChainHead(**json.loads(pack["head.json"]))
    with sampled.catalog.engine.connect() as connection:
        assert verify_audit(connection, head).discrepancies == ()
    kept = json.loads(pack["record.json"])
    parts = tuple(AnswerPart(**part) for part in kept["parts"])
    assert all(compute_part_digest(part.salt, part.words) == part.digest for part in parts if part.words is not None)
    record = AnswerRecord(
        kept["row"]["answer_id"], kept["facts"], tuple(AnswerDocument(**one) for one in kept["documents"]), parts
    )  # fmt: skip
    assert record.content_digest == kept["row"]["content"]
    assert audit_log.compute_row_hash(kept["row"]) == head.hash


def test_passages_that_were_read_and_not_cited_are_not_in_it(pack, sampled, compared):
    cited = {one.source for one in compared.citations}
    others = [one.text for at, one in enumerate(compared.sources) if at not in cited]
    assert others
    parts = {part["name"]: part["words"] for part in json.loads(pack["record.json"])["parts"]}
    assert [parts[f"source {at}"] is None for at in range(len(compared.sources))] == [
        at not in cited for at in range(len(compared.sources))
    ]


def test_every_mark_is_a_footnote_of_words_own(pack, compared):
    document = docx.Document(io.BytesIO(pack["answer.docx"]))
    references = [int(one.get(qn("w:id"))) for one in document.element.iter(qn("w:footnoteReference"))]
    assert references == list(range(1, len(compared.citations) + 1))
    (part,) = [part for part in document.part.package.iter_parts() if part.partname == "/word/footnotes.xml"]
    notes = {int(note.get(qn("w:id"))): note for note in docx.oxml.parse_xml(part.blob)}
    for number, citation in enumerate(compared.citations, 1):
        said = "".join(one.text for one in notes[number].iter(qn("w:t")))
        assert said.startswith(f" {citation.filename}, page {citation.page}: “{' '.join(citation.quote.split())}”")
    targets = {one.target_ref for one in part.rels.values()}
    assert {target.partition("#")[0] for target in targets} <= set(pack)
    assert not any("¹" in paragraph.text for paragraph in document.paragraphs)


def test_a_word_file_says_no_time_but_the_answers(pack, compared):
    about = docx.Document(io.BytesIO(pack["answer.docx"])).core_properties
    assert about.created.isoformat() == about.modified.isoformat() == compared.asked_at
    with zipfile.ZipFile(io.BytesIO(pack["answer.docx"])) as made:
        assert {entry.date_time for entry in made.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_what_is_cited_is_highlighted_in_the_pdf_on_its_page(pack, compared, sampled):
    reader = PdfReader(io.BytesIO(pack["documents/1-Harbour-Works-Contract.pdf"]))
    found = [
        (number, one.get_object()["/Contents"])
        for number, page in enumerate(reader.pages, 1)
        for one in page.get("/Annots", [])
        if one.get_object()["/Subtype"] == "/Highlight"
    ]
    assert sorted(said[: len("Cited by note 1")] for _, said in found) == [
        f"Cited by note {number}" for number in range(1, len(compared.citations) + 1)
    ]
    pages = {f"Cited by note {number}": one.page for number, one in enumerate(compared.citations, 1)}
    assert all(pages[said[: len("Cited by note 1")]] == page for page, said in found)


def test_the_page_needs_nothing_from_elsewhere(pack, compared):
    page = pack["answer.html"].decode()
    targets = set(re.findall(r'(?:href|src)="([^"]*)"', page))
    assert {one.partition("#")[0] for one in targets} - {""} <= set(pack)
    assert "<script" not in page
    assert "url(" not in page
    for number, citation in enumerate(compared.citations, 1):
        assert f'href="#note-{number}"' in page
        assert citation.quote in page


def test_markdown_has_a_footnote_a_mark(pack, compared):
    written = pack["answer.md"].decode()
    body, notes = written.split("\n[^1]: ")
    assert re.findall(r"\[\^(\d+)\]", body) == [str(number) for number in range(1, len(compared.citations) + 1)]
    assert "¹" not in written
    assert compared.citations[0].quote in notes


def test_annotations_are_of_the_words_cited(pack, compared):
    items = json.loads(pack["annotations.json"])["items"]
    assert len(items) == len(compared.citations)
    for item, citation in zip(items, compared.citations, strict=True):
        quote, position, _ = item["target"]["selector"]
        assert (quote["exact"], position["start"]) == (citation.quote, citation.quote_start)
        assert item["target"]["source"]["sha256"] == citation.sha256


def test_a_refusal_is_packed_with_its_reason(sampled):
    made = packed(sampled, sampled.answer_pipeline.answer(QuestionRequest("Who won the chess championship of 1972?")))
    for name in ("answer.html", "answer.md"):
        assert b"No answer: no relevant sources found." in made[name]
    assert not any(name.startswith("documents/") for name in made)


def test_a_text_of_the_askers_own_comes_along(sampled):
    text = "Birds sing at dawn. Cats never sing."
    answer = sampled.answer_pipeline.answer(
        QuestionRequest("When do birds sing?", sources=(CallerSource(text, "../birds & <b>.txt"),))
    )
    made = packed(sampled, answer)
    assert made["texts/1-birds-b-.txt.txt"].decode() == text


def test_a_deleted_document_is_told_of_and_not_packed(services, note):
    answer = services.answer_pipeline.answer(QuestionRequest("How much is a ticket?"))
    assert "documents/1-note.pdf" in packed(services, answer)
    services.delete_document(note.id)
    made = packed(services, answer)
    assert not any(name.startswith("documents/") for name in made)
    assert REDACTED_ANSWER_TEXT.encode() in made["answer.md"]
    assert not any(b"four pounds" in content or b"note.txt" in content for content in made.values())
    (document,) = json.loads(made["manifest.json"])["documents"]
    assert (document["sha256"], document["file"]) == (note.sha256, None)


def test_one_that_is_leaving_is_not_packed_either(services, note):
    answer = services.answer_pipeline.answer(QuestionRequest("How much is a ticket?"))
    services.soft_delete(note.id)
    assert not any(name.startswith("documents/") for name in packed(services, answer))


def test_a_locked_pdf_gets_the_same_bytes_each_time_too(services, process_pool, tmp_path):
    """Its highlights cannot be appended; it is written anew."""
    writer = PdfWriter(clone_from=SAMPLES / "Harbour Works Contract.pdf")
    writer.encrypt(user_password="", owner_password="owner", algorithm="RC4-128")
    writer.write(tmp_path / "locked.pdf")
    document = ingest_file(tmp_path / "locked.pdf", services, process_pool).document
    answer = services.answer_pipeline.answer(QuestionRequest(DELAY, sources=(CallerSource(document_id=document.id),)))
    first = packed(services, answer)
    shutil.rmtree(services.files.rendered_folder(document))
    assert packed(services, answer) == first
    reader = PdfReader(io.BytesIO(first["documents/1-locked.pdf"]))
    assert any(page.get("/Annots") for page in reader.pages)


def test_what_documents_say_is_shown_and_never_followed(services, process_pool, tmp_path):
    path = tmp_path / '"><img src=x>.txt'
    path.write_text("The <script>alert(1)</script> fee is [ten](http://x.example) pounds *a* day_.\n", encoding="utf-8")
    document = ingest_file(path, services, process_pool).document
    answer = services.answer_pipeline.answer(
        QuestionRequest("What is the fee?", sources=(CallerSource(document_id=document.id),))
    )
    assert "<script>" in answer.text
    made = packed(services, answer)
    assert b"<script>" not in made["answer.html"]
    assert b"<img" not in made["answer.html"]
    assert b"&lt;script&gt;" in made["answer.html"]
    assert rb"\[ten\]" in made["answer.md"]
    assert docx.Document(io.BytesIO(made["answer.docx"]))


def test_letters_that_xml_cannot_hold_do_not_break_word(services, note):
    answer = services.answer_pipeline.answer(QuestionRequest("Fee\x00 \x0b of a ticket?\ufffe"))
    assert docx.Document(io.BytesIO(packed(services, answer)["answer.docx"]))


def test_what_is_not_kept_is_not_found(sampled):
    with pytest.raises(NotFound):
        sampled.evidence_packs.write("nothing", VisibleCollections(), io.BytesIO())
