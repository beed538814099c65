"""Tests of resolved references: over HTTP, by the command, and in Python."""

from __future__ import annotations

import io
import json

import pytest
from sqlalchemy import event

from highlighter import Highlighter
from highlighter.__main__ import _build_parser
from highlighter.cli import resolve
from highlighter.models import READY
from highlighter.search.reference_lookup import MAX_SOURCES, MAX_TEXT_CHARACTERS
from highlighter.store.database import write_transaction
from highlighter.store.schema import documents
from ingest.pipeline import ingest_file

SOURCES = [{"filename": "NEC4 ACC.pdf", "pages": [3, 4]}, {"filename": "Harbour Works Contract.pdf", "chunk_index": 5}]


def resolve_over_http(client, text, sources=None):
    body = {"text": text} if sources is None else {"text": text, "sources": sources}
    return client.post("/api/v1/citations/resolve", json=body)


def test_references_are_resolved_to_given_sources(client):
    text = 'It is "due at once" [NEC4 ACC, p.3] [2], not [FIDIC Red Book, p. 9].'
    answer = resolve_over_http(client, text, SOURCES).json
    first, second = answer["citations"]
    assert first == {
        "label": "[NEC4 ACC, p.3]", "start": 20, "end": 35, "tier": "normalised", "document_id": None,
        "filename": "NEC4 ACC.pdf", "page": 3, "chunk_index": None, "source": 0, "quote": "due at once",
        "clause": None, "links": None,
    }  # fmt: skip
    assert (second["label"], second["tier"], second["chunk_index"]) == ("[2]", "number", 5)
    (unresolved,) = answer["unresolved"]
    assert (unresolved["label"], unresolved["reason"], unresolved["candidates"]) == (
        "[FIDIC Red Book, p. 9]",
        "unknown",
        [],
    )
    assert unresolved["why"] == "It cites “FIDIC Red Book, p. 9”, which is not among the sources."
    for marker in [first, second, unresolved]:
        assert text[marker["start"] : marker["end"]] == marker["label"]


@pytest.mark.parametrize(
    ("clause", "begins", "page"),
    [
        ("cl. 6.4", "6.4 For each day", 2),
        ("§ 6.4(a)", "6.4 For each day", 2),
        ("clause 6.4, p. 2", "6.4 For each day", 2),
        ("Ziffer 1.2", "1.2 The Engineer is Ms", 1),
        ("section 2", "2 What the Contractor does", 1),
    ],
)
def test_cited_clause_has_its_place_and_links_to_it(client, contract, clause, begins, page):
    (citation,) = resolve_over_http(client, f"So it is [Harbour Works Contract, {clause}].").json["citations"]
    text = client.get(f"/api/v1/documents/{contract.id}/text").json["text"]
    start, end = citation["clause"]["start"], citation["clause"]["end"]
    assert text[start:end].startswith(begins)
    assert "\n\n" not in text[start:end]
    assert citation["page"] == page
    assert f"at={start}-{end}" in citation["links"]["view"]
    assert f"at={start}-{end}" in citation["links"]["pdf"]
    assert client.get(citation["links"]["view"]).status_code == 200


@pytest.mark.parametrize("clause", ["cl. 99.9", "clause 99", "Section 6.9"])
def test_clause_that_the_document_lacks_is_unresolved(client, contract, clause):
    answer = resolve_over_http(client, f"So it is [{contract.name}, {clause}].").json
    assert answer["citations"] == []
    (marker,) = answer["unresolved"]
    assert marker["reason"] == "no such clause"
    assert marker["why"] == f"{contract.name} has no clause {clause.split()[1]}."


def test_clause_of_document_without_numbers_resolves_to_the_document(client, note):
    (citation,) = resolve_over_http(client, "So it is [note.txt, cl. 6.4].").json["citations"]
    assert (citation["document_id"], citation["clause"]) == (note.id, None)


def test_ambiguous_reference_has_candidates_and_no_link(client):
    sources = [{"filename": "Report 2023.pdf"}, {"filename": "Report 2024.pdf"}]
    answer = resolve_over_http(client, "[Report, p. 3]", sources).json
    assert answer["citations"] == []
    assert answer["unresolved"][0]["reason"] == "ambiguous"
    assert [item["source"] for item in answer["unresolved"][0]["candidates"]] == [0, 1]


def test_references_without_sources_are_resolved_in_the_library(client, note):
    answer = resolve_over_http(client, "It leaves at seven [note.txt, p. 1] [Note]. Or [1].").json
    placed, named = answer["citations"]
    assert (placed["document_id"], placed["page"], placed["source"]) == (note.id, 1, None)
    assert (named["tier"], named["page"]) == ("name", 1)
    for reference in (placed, named):
        for link in (reference["links"]["view"], reference["links"]["pdf"]):
            with client.get(link) as followed:
                assert followed.status_code == 200, link
    assert [item["reason"] for item in answer["unresolved"]] == ["no such number"]


def test_reference_to_missing_page_is_unresolved(client, note):
    given_sources = [{"filename": "the ferry", "document_id": note.id}]
    for sources in (None, given_sources):
        answer = resolve_over_http(client, "[note, p. 2]" if sources is None else "[the ferry, p. 2]", sources).json
        assert answer["citations"] == []
        assert answer["unresolved"][0]["reason"] == "no such page"


def test_only_stored_sources_get_links(client, note):
    sources = [
        {"filename": "ferry.txt", "document_id": note.id, "chunk_index": 0},
        {"filename": "other.txt", "document_id": "nowhere", "chunk_index": 0},
    ]
    stored, other = resolve_over_http(client, "[1] [2]", sources).json["citations"]
    assert stored["filename"] == "ferry.txt"
    assert f"/documents/{note.id}/chunks/0" in stored["links"]["view"]
    assert other["links"] is None
    assert other["document_id"] == "nowhere"


@pytest.mark.parametrize("filename", ["note.txt", "NOTE", "C:\\papers\\Note.TXT"])
def test_file_name_of_one_stored_document_is_that_document(client, note, filename):
    (reference,) = resolve_over_http(client, "It leaves at seven [1].", [{"filename": filename}]).json["citations"]
    assert (reference["document_id"], reference["filename"], reference["page"]) == (note.id, filename, 1)
    with client.get(reference["links"]["view"]) as followed:
        assert followed.status_code == 200


@pytest.mark.parametrize("filename", ["note.pdf", "notes on the ferry"])
def test_other_file_name_is_no_stored_document(client, note, filename):
    (reference,) = resolve_over_http(client, "It leaves at seven [1].", [{"filename": filename}]).json["citations"]
    assert (reference["document_id"], reference["links"]) == (None, None)


def test_file_name_of_two_documents_is_neither(client, services, note, note_path, process_pool):
    note_path.write_text("Another ferry.", encoding="utf-8")
    ingest_file(note_path, services, process_pool, collection="other")
    (reference,) = resolve_over_http(client, "It leaves at seven [1].", [{"filename": "note.txt"}]).json["citations"]
    assert reference["document_id"] is None
    refused = client.post("/api/v1/locate", json={"quote": "It carries sixty passengers", "filename": "note.txt"})
    assert (refused.status_code, refused.json["detail"]) == (
        400,
        "2 documents are called note.txt. Give the id of one.",
    )


def test_label_of_caller_is_resolved(client):
    answer = resolve_over_http(client, "[D-7] [d 7] [D-8]", [{"filename": "a.pdf", "label": "D-7"}]).json
    assert [(item["label"], item["tier"]) for item in answer["citations"]] == [
        ("[D-7]", "exact"),
        ("[d 7]", "normalised"),
    ]
    assert [item["label"] for item in answer["unresolved"]] == ["[D-8]"]


def test_empty_sources_do_not_mean_the_library(client, note):
    answer = resolve_over_http(client, "[note.txt, p. 1]", []).json
    assert (answer["citations"], answer["unresolved"][0]["reason"]) == ([], "unknown")


def test_deleted_document_is_no_longer_resolved(client, note, services):
    assert resolve_over_http(client, "[note.txt]").json["citations"]
    services.delete_document(note.id)
    assert resolve_over_http(client, "[note.txt]").json["unresolved"][0]["reason"] == "unknown"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "text is missing"),
        ({"text": 7}, "text"),
        ({"text": "t" * (MAX_TEXT_CHARACTERS + 1)}, "text is longer than 100,000 characters"),
        ({"text": "t", "sources": [{"filename": "a"}] * (MAX_SOURCES + 1)}, "sources"),
        ({"text": "t", "sources": [{}]}, "sources.0.filename is missing"),
        ({"text": "t", "sources": [{"filename": " "}]}, "filename"),
        ({"text": "t", "sources": [{"filename": "a", "pages": [0]}]}, "pages"),
        ({"text": "t", "sources": [{"filename": "a", "chunk_index": -1}]}, "chunk_index"),
        ({"text": "t", "sources": [{"filename": "a", "colour": "red"}]}, "colour"),
        ({"text": "t", "sources": {"filename": "a"}}, "sources"),
        ({"text": "t", "colour": "red"}, "colour"),
    ],
)
def test_invalid_request_gets_problem_that_names_the_fault(client, body, message):
    answer = client.post("/api/v1/citations/resolve", json=body)
    assert (answer.status_code, answer.mimetype) == (400, "application/problem+json")
    assert message in answer.get_data(as_text=True)


def test_empty_text_has_no_references(client):
    assert resolve_over_http(client, "", SOURCES).json == {"citations": [], "unresolved": []}


def test_names_of_ten_thousand_documents_are_read_once(client, services):
    rows = [
        {
            "id": f"order{number}", "collection": "default", "sha256": f"{number:064x}", "state": READY, "kind": "pdf",
            "name": f"Works Order {number:05d} North.pdf", "size": 1, "pipeline": 1, "pages": 2, "added": "2026-01-01",
            "path": f"{number}.pdf", "current": True,
        }
        for number in range(10_000)
    ]  # fmt: skip
    with write_transaction(services.catalog.engine) as connection:
        connection.execute(documents.insert(), rows)
    text = "[Works Order 07321 North] [Works Ordre 00042 North, p. 2] [Works Order, p. 1] [Works Order 00007, p. 9]"
    first = resolve_over_http(client, text).json
    statements = []
    event.listen(services.catalog.engine, "before_cursor_execute", lambda *call: statements.append(call[2]))
    assert resolve_over_http(client, text).json == first
    assert not any("ORDER BY documents.added" in statement for statement in statements)
    assert [item["document_id"] for item in first["citations"]] == ["order7321", "order42"]
    assert [item["reason"] for item in first["unresolved"]] == ["ambiguous", "no such page"]
    assert len(first["unresolved"][0]["candidates"]) == 10


# The command, and the Python class


@pytest.fixture
def command(services):
    def run_command(*arguments):
        return resolve.run(services, _build_parser().parse_args(["resolve", *arguments]))

    return run_command


def test_command_prints_what_each_reference_means(command, note, capsys):
    assert command("It leaves at seven [note, p. 1]. Or not [Timetable 7].") == 1
    printed = capsys.readouterr().out
    assert "[note, p. 1]\n    normalised: note.txt, page 1" in printed
    assert "[Timetable 7]\n    unknown: It cites “Timetable 7”, which is not among the sources." in printed


def test_json_of_command_equals_response_of_api(command, note, client, capsys, monkeypatch, tmp_path):
    text = "It leaves at seven [note, p. 1]."
    response = resolve_over_http(client, text).json
    assert command(text, "--json") == 0
    assert json.loads(capsys.readouterr().out) == response
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert command("-", "--json") == 0
    assert json.loads(capsys.readouterr().out) == response
    (tmp_path / "answer.md").write_text(text, encoding="utf-8")
    assert command("--file", str(tmp_path / "answer.md"), "--json") == 0
    assert json.loads(capsys.readouterr().out) == response


def test_command_numbers_sources_in_order(command, capsys):
    assert command("So it is [2].", "--source", "a.pdf", "--source", "b.pdf") == 0
    assert "number: b.pdf" in capsys.readouterr().out


def test_command_reports_text_without_references(command, capsys):
    assert command("So it is.") == 0
    assert "The text contains no references." in capsys.readouterr().out


@pytest.mark.parametrize("wrong", [[], [" "], ["a", "--file", "b"], ["--file", "/no/such/file"]])
def test_command_reports_wrong_usage(command, wrong, capsys):
    assert command(*wrong) == 2
    assert capsys.readouterr().err.startswith("python -m highlighter: ")


def test_python_class_resolves_the_same(services, note):
    h = Highlighter.__new__(Highlighter)
    h.services = services
    resolution = h.resolve("[note.txt, p. 1] [FIDIC.pdf]")
    assert [(resolution.sources[item.source].document_id, item.page) for item in resolution.citations] == [(note.id, 1)]
    assert [item.reason for item in resolution.unresolved] == ["unknown"]
    assert [item.source for item in h.resolve("[2]", ["a.pdf", "b.pdf"]).citations] == [1]
