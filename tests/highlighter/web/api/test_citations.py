"""References of any system's answers over HTTP, by command, and in Python."""

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
from highlighter.store.schema import documents

SOURCES = [{"filename": "NEC4 ACC.pdf", "pages": [3, 4]}, {"filename": "Harbour Works Contract.pdf", "chunk_index": 5}]


def resolved(client, text, sources=None, **more):
    body = {"text": text, **more} if sources is None else {"text": text, "sources": sources, **more}
    return client.post("/api/v1/citations/resolve", json=body)


def test_references_are_held_against_the_sources_given(client):
    text = 'It is "due at once" [NEC4 ACC, p.3] [2], not [FIDIC Red Book, p. 9].'
    answer = resolved(client, text, SOURCES).json
    first, second = answer["citations"]
    assert first == {
        "label": "[NEC4 ACC, p.3]", "start": 20, "end": 35, "tier": "normalised", "document_id": None,
        "filename": "NEC4 ACC.pdf", "page": 3, "chunk_index": None, "source": 0, "quote": "due at once", "links": None,
    }  # fmt: skip
    assert (second["label"], second["tier"], second["chunk_index"]) == ("[2]", "number", 5)
    (missed,) = answer["unresolved"]
    assert (missed["label"], missed["reason"], missed["candidates"]) == ("[FIDIC Red Book, p. 9]", "unknown", [])
    assert missed["why"] == "No source is called “FIDIC Red Book, p. 9”."
    for one in [first, second, missed]:
        assert text[one["start"] : one["end"]] == one["label"]


def test_a_near_tie_has_candidates_and_no_link(client):
    sources = [{"filename": "Report 2023.pdf"}, {"filename": "Report 2024.pdf"}]
    answer = resolved(client, "[Report, p. 3]", sources).json
    assert answer["citations"] == []
    assert answer["unresolved"][0]["reason"] == "ambiguous"
    assert [one["source"] for one in answer["unresolved"][0]["candidates"]] == [0, 1]


def test_without_sources_the_library_is_meant_and_links_lead_there(client, note):
    answer = resolved(client, "It leaves at seven [note.txt, p. 1] [Note]. Or [1].").json
    placed, named = answer["citations"]
    assert (placed["document_id"], placed["page"], placed["source"]) == (note.id, 1, None)
    assert (named["tier"], named["page"]) == ("name", 1)
    for one in (placed, named):
        for link in (one["links"]["view"], one["links"]["pdf"]):
            with client.get(link) as followed:
                assert followed.status_code == 200, link
    assert [one["reason"] for one in answer["unresolved"]] == ["no such number"]


def test_a_page_that_the_document_does_not_have_has_no_link(client, note):
    own = [{"filename": "the ferry", "document_id": note.id}]
    for sources in (None, own):
        answer = resolved(client, "[note, p. 2]" if sources is None else "[the ferry, p. 2]", sources).json
        assert answer["citations"] == []
        assert answer["unresolved"][0]["reason"] == "no such page"


def test_a_source_that_is_kept_here_is_linked_and_one_that_is_not_is_not(client, note):
    sources = [
        {"filename": "ferry.txt", "document_id": note.id, "chunk_index": 0},
        {"filename": "other.txt", "document_id": "nowhere", "chunk_index": 0},
    ]
    ours, theirs = resolved(client, "[1] [2]", sources).json["citations"]
    assert ours["filename"] == "ferry.txt"
    assert f"/documents/{note.id}/chunks/0" in ours["links"]["view"]
    assert theirs["links"] is None
    assert theirs["document_id"] == "nowhere"


def test_a_label_of_the_callers_own_is_known(client):
    answer = resolved(client, "[D-7] [d 7] [D-8]", [{"filename": "a.pdf", "label": "D-7"}]).json
    assert [(one["label"], one["tier"]) for one in answer["citations"]] == [("[D-7]", "exact"), ("[d 7]", "normalised")]
    assert [one["label"] for one in answer["unresolved"]] == ["[D-8]"]


def test_no_sources_at_all_is_not_the_library(client, note):
    answer = resolved(client, "[note.txt, p. 1]", []).json
    assert (answer["citations"], answer["unresolved"][0]["reason"]) == ([], "unknown")


def test_a_deleted_document_is_meant_no_more(client, note, services):
    assert resolved(client, "[note.txt]").json["citations"]
    services.delete_document(note.id)
    assert resolved(client, "[note.txt]").json["unresolved"][0]["reason"] == "unknown"


@pytest.mark.parametrize(
    ("body", "says"),
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
def test_a_wrong_request_is_a_problem_that_says_what_is_wrong(client, body, says):
    answer = client.post("/api/v1/citations/resolve", json=body)
    assert (answer.status_code, answer.mimetype) == (400, "application/problem+json")
    assert says in answer.get_data(as_text=True)


def test_an_empty_text_has_no_references(client):
    assert resolved(client, "", SOURCES).json == {"citations": [], "unresolved": []}


def test_ten_thousand_documents_are_read_once(client, services):
    rows = [
        {
            "id": f"order{number}", "collection": "default", "sha256": f"{number:064x}", "state": READY, "kind": "pdf",
            "name": f"Works Order {number:05d} North.pdf", "size": 1, "pipeline": 1, "pages": 2, "added": "2026-01-01",
            "path": f"{number}.pdf", "current": True,
        }
        for number in range(10_000)
    ]  # fmt: skip
    with services.catalog.engine.begin() as connection:
        connection.execute(documents.insert(), rows)
    text = "[Works Order 07321 North] [Works Ordre 00042 North, p. 2] [Works Order, p. 1] [Works Order 00007, p. 9]"
    first = resolved(client, text).json
    asked = []
    event.listen(services.catalog.engine, "before_cursor_execute", lambda *call: asked.append(call[2]))
    assert resolved(client, text).json == first
    assert not any("ORDER BY documents.added" in statement for statement in asked)
    assert [one["document_id"] for one in first["citations"]] == ["order7321", "order42"]
    assert [one["reason"] for one in first["unresolved"]] == ["ambiguous", "no such page"]
    assert len(first["unresolved"][0]["candidates"]) == 10


# -- by command, and in Python ------------------------------------------------------------------------------------


@pytest.fixture
def command(services):
    def command(*arguments):
        return resolve.run(services, _build_parser().parse_args(["resolve", *arguments]))

    return command


def test_people_are_told_what_each_reference_means(command, note, capsys):
    assert command("It leaves at seven [note, p. 1]. Or not [Timetable 7].") == 1
    told = capsys.readouterr().out
    assert "[note, p. 1]\n    normalised: note.txt, page 1" in told
    assert "[Timetable 7]\n    unknown: No source is called “Timetable 7”." in told


def test_json_is_the_answer_of_the_api(command, note, client, capsys, monkeypatch, tmp_path):
    text = "It leaves at seven [note, p. 1]."
    sent = resolved(client, text).json
    assert command(text, "--json") == 0
    assert json.loads(capsys.readouterr().out) == sent
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert command("-", "--json") == 0
    assert json.loads(capsys.readouterr().out) == sent
    (tmp_path / "answer.md").write_text(text, encoding="utf-8")
    assert command("--file", str(tmp_path / "answer.md"), "--json") == 0
    assert json.loads(capsys.readouterr().out) == sent


def test_sources_are_numbered_as_they_are_named(command, capsys):
    assert command("So it is [2].", "--source", "a.pdf", "--source", "b.pdf") == 0
    assert "number: b.pdf" in capsys.readouterr().out


def test_a_text_without_references_says_so(command, capsys):
    assert command("So it is.") == 0
    assert "The text contains no references." in capsys.readouterr().out


@pytest.mark.parametrize("wrong", [[], [" "], ["a", "--file", "b"], ["--file", "/no/such/file"]])
def test_wrong_usage_is_told(command, wrong, capsys):
    assert command(*wrong) == 2
    assert capsys.readouterr().err.startswith("python -m highlighter: ")


def test_python_says_the_same(services, note):
    h = Highlighter.__new__(Highlighter)
    h.services = services
    found = h.resolve("[note.txt, p. 1] [FIDIC.pdf]")
    assert [(found.sources[one.source].document_id, one.page) for one in found.citations] == [(note.id, 1)]
    assert [one.reason for one in found.unresolved] == ["unknown"]
    assert [one.source for one in h.resolve("[2]", ["a.pdf", "b.pdf"]).citations] == [1]
