"""Tests of quotes, annotations, later versions and search within a document."""

from __future__ import annotations

import json

import pytest

from highlighter.models import QUEUED
from ingest.pipeline import ingest_file
from tests.conftest import NOTE

TICKET = "Tickets cost four pounds and are sold on board."


def locate(client, **body):
    return client.post("/api/v1/locate", json=body)


def test_link_of_located_quote_highlights_quote(client, note):
    answer = locate(client, quote="tickets cost four pounds and are sold on bord").json
    assert (answer["tier"], answer["document_id"]) == ("fuzzy", note.id)
    assert [box["page"] for box in answer["rectangles"]] == [1] * len(answer["rectangles"]) != []
    assert NOTE.replace("\n\n", "\n\n")[answer["start"] : answer["end"]] == TICKET.rstrip(".")
    assert [sentence["text"] for sentence in answer["sentences"]] == [TICKET]
    assert {(p["ours"], p["theirs"]) for p in answer["place"]["differs"] if p["kind"] != "same"} == {("bord", "board")}
    page = client.get(answer["place"]["links"]["self"]).get_data(as_text=True)
    assert "Nearly" in page
    assert ">Tickets cost four pounds and are sold on board</mark>" in page
    for link in answer["place"]["links"].values():
        with client.get(link) as followed:
            assert followed.status_code == 200, link


def test_quote_with_ellipsis_has_spans_rectangles_and_sentences_of_its_fragments(client, note):
    fragments = ["The ferry leaves the island", "Children under five travel"]
    answer = locate(client, quote=" [...] ".join(fragments), document_id=note.id).json
    place = answer["place"]
    assert (answer["tier"], place["reason"]) == ("fuzzy", None)
    assert [NOTE[span["start"] : span["end"]] for span in place["spans"]] == fragments
    assert (place["start"], place["end"]) == (place["spans"][0]["start"], place["spans"][-1]["end"])
    assert [sentence["text"][:12] for sentence in answer["sentences"]] == ["The ferry le", "Children und"]
    assert len(answer["rectangles"]) == 2
    for link in place["links"].values():
        with client.get(link) as followed:
            assert followed.status_code == 200, link


def test_near_miss_is_not_highlighted_and_explained(client, note):
    answer = locate(client, quote=TICKET.replace("four", "five"), document_id=note.id).json
    assert (answer["tier"], answer["start"], answer["sentences"], answer["score"]) == ("none", None, [], 0)
    assert "“five pounds”" in answer["why"]
    assert (answer["reason"], answer["candidates"][0]["reason"]) == ("number", "number")
    assert [(near["tier"], near["text"]) for near in answer["candidates"]] == [("none", TICKET)]


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ({}, 400, "quote"),
        ({"quote": ""}, 400, "Enter a quote"),
        ({"quote": " \n "}, 400, "Enter a quote"),
        ({"quote": "q" * 100_000}, 400, "100,000 characters"),
        ({"quote": "q", "page": 0}, 400, "page"),
        ({"quote": "q", "page": 3}, 400, "document_id"),
        ({"quote": "q", "document_id": "nowhere"}, 404, "Document nowhere was not found"),
        ({"quote": "q", "colour": "red"}, 400, "colour"),
        ({"quote": "q", "prefix": "p" * 2001}, 400, "prefix"),
        ({"quote": 7}, 400, "quote"),
    ],
)
def test_invalid_request_gets_problem_that_names_the_fault(client, note, body, status, message):
    answer = locate(client, **body)
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")
    assert message in answer.get_data(as_text=True)


@pytest.mark.parametrize("quote", [r"\ud83d lone", r"\ud83d\ude00 a pair and words", r"\u0000 nothing"])
def test_lone_surrogate_gets_a_response(client, note, quote):
    answer = client.post("/api/v1/locate", data=f'{{"quote": "{quote}"}}', content_type="application/json")
    assert answer.status_code in (200, 400)
    assert json.loads(answer.get_data(as_text=True))


def test_locate_in_unfinished_document_is_refused_with_state(client, services, note):
    services.catalog._update_document(note.id, state=QUEUED)
    answer = locate(client, quote=TICKET, document_id=note.id)
    assert (answer.status_code, "still being processed" in answer.json["detail"]) == (409, True)
    assert answer.headers["Retry-After"] == "5"
    assert locate(client, quote=TICKET).json["tier"] == "none"


def test_id_of_annotation_opens_its_span(client, note):
    start = NOTE.index(TICKET)
    answer = client.get(f"/api/v1/documents/{note.id}/annotations?start={start}&end={start + len(TICKET)}")
    assert answer.mimetype == "application/ld+json"
    page = json.loads(answer.get_data(as_text=True))
    assert page["type"] == "AnnotationPage"
    (annotation,) = page["items"]
    assert annotation["target"]["source"]["sha256"] == note.sha256
    quote, position, fragment = annotation["target"]["selector"]
    assert (quote["exact"], position["start"], fragment["value"]) == (TICKET, start, "page=1")
    redirect = client.get(annotation["id"])
    assert redirect.status_code == 302
    html = client.get(redirect.location).get_data(as_text=True)
    assert "Exact" in html
    assert f">{TICKET}</mark>" in html


def test_evidence_for_question_is_returned_as_annotations(client, note):
    query = {"chunk_index": 0, "sub_question": "How much is a ticket?"}
    items = json.loads(client.get(f"/api/v1/documents/{note.id}/annotations", query_string=query).get_data())["items"]
    assert TICKET in [item["target"]["selector"][0]["exact"] for item in items]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("start=9&end=4", "ends before it begins"),
        ("start=0&end=99999", "is out of range"),
        ("start=-1&end=4", "start"),
        ("start=1", "give either"),
        ("", "give either"),
        ("start=1&end=2&chunk_index=0&sub_question=x", "give either"),
        ("start=1&chunk_index=0&sub_question=x", "give either"),
        ("start=1&end=2&chunk_index=0", "give either"),
    ],
)
def test_invalid_span_is_refused(client, note, query, message):
    answer = client.get(f"/api/v1/documents/{note.id}/annotations?{query}")
    assert answer.status_code == 400
    assert message in answer.get_data(as_text=True)


def test_later_version_of_span_is_found_with_differences(client, services, process_pool, tmp_path):
    path = tmp_path / "rules.txt"
    path.write_text(NOTE, encoding="utf-8")
    old = ingest_file(path, services, process_pool).document
    path.write_text("A first line is new.\n\n" + NOTE.replace("four pounds", "five pounds"), encoding="utf-8")
    new = ingest_file(path, services, process_pool).document
    start = NOTE.index(TICKET)
    later = client.get(f"/api/v1/documents/{old.id}/later?start={start}&end={start + len(TICKET)}").json
    assert (later["outcome"], later["after"]["document_id"]) == ("changed", new.id)
    assert later["after"]["text"] == TICKET.replace("four", "five")
    assert [(p["ours"], p["theirs"]) for p in later["differs"] if p["kind"] != "same"] == [("four", "five")]
    page = client.get(f"/documents/{old.id}/chunks/0?at={start}-{start + len(TICKET)}").get_data(as_text=True)
    assert "This sentence in the current version:" in page
    assert "changed, page 1" in page
    assert f">{TICKET}</mark>" in page


def test_find_returns_every_match_with_link(client, note):
    answer = client.get(f"/api/v1/documents/{note.id}/find", query_string={"q": "ticket"}).json
    assert answer["count"] == 2
    assert [span["text"].lower() for span in answer["spans"]] == ["ticket", "ticket"]
    for number, span in enumerate(answer["spans"], 1):
        page = client.get(span["link"]).get_data(as_text=True)
        assert f"{number} of 2" in page
        assert page.count("data-current") == 1
    second_page = client.get(
        f"/api/v1/documents/{note.id}/find", query_string={"q": "ticket", "limit": 1, "offset": 1}
    ).json
    assert second_page["spans"] == answer["spans"][1:]
    by_meaning = client.get(
        f"/api/v1/documents/{note.id}/find", query_string={"q": "price of a crossing", "by": "meaning"}
    )
    assert by_meaning.json["by"] == "meaning"


@pytest.mark.parametrize(
    "query", [{}, {"q": " "}, {"q": "q" * 2001}, {"q": "x", "by": "smell"}, {"q": "x", "limit": 0}]
)
def test_invalid_find_query_is_refused(client, note, query):
    assert client.get(f"/api/v1/documents/{note.id}/find", query_string=query).status_code == 400


def test_quote_routes_are_in_openapi_document_and_reference(client):
    paths = client.get("/api/v1/openapi.json").json["paths"]
    assert "/api/v1/locate" in paths
    for part in ("annotations", "later", "find"):
        assert f"/api/v1/documents/{{document_id}}/{part}" in paths
    assert "/api/v1/locate" in client.get("/api/v1/").get_data(as_text=True)
