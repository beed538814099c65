"""Tests of POST /api/v1/citations/native, of its limits, and of its links."""

from __future__ import annotations

import json

import pytest

from highlighter.native_citations.opener import MAX_CITATIONS, MAX_RESPONSES
from highlighter.native_formats.native_response import MAX_ANSWER_CHARACTERS
from highlighter.native_formats.source_fields import MAX_SOURCES
from highlighter.web.api.quote_routes import MAX_REQUEST_BYTES
from ingest.pipeline import ingest_file
from tests.highlighter.web.auth.clients import client_with_key

LEAVES = "The ferry leaves the island at seven in the morning."
COST = "Tickets cost four pounds and are sold on board."
MESSAGE = {
    "type": "message", "role": "assistant", "stop_reason": "end_turn",
    "content": [
        {"type": "text", "text": "It leaves at seven.", "citations": [{"type": "char_location", "cited_text": LEAVES, "document_title": "note.txt"}]},
        {"type": "text", "text": " Tickets cost five pounds.", "citations": [{"type": "char_location", "cited_text": COST, "document_title": "note.txt"}]},
    ],
}  # fmt: skip


def open_natively(client, status=200, **body):
    answer = client.post("/api/v1/citations/native", json=body)
    assert answer.status_code == status, answer.json
    return answer.json["responses"] if status == 200 else answer.json["detail"]


def test_citation_has_place_verdict_and_links_to_its_highlighted_sentence(client, note):
    (response,) = open_natively(client, response=MESSAGE)
    first, second = response["citations"]
    assert (response["format"], response["opened"], response["text"]) == (
        "anthropic_messages",
        2,
        "It leaves at seven. Tickets cost five pounds.",
    )
    assert first["cited"] == {"start": 0, "end": 19, "text": "It leaves at seven."}
    assert (first["tier"], first["found_by"], first["verdict"]) == ("exact", "name", "supported")
    assert (second["tier"], second["verdict"]) == ("exact", "contradicted")
    assert "four" in response["claims"][second["claim"]]["why"]
    place = first["place"]
    assert (place["document_id"], place["page"], place["start"], place["end"]) == (note.id, 1, 0, len(LEAVES))
    for name in ("view", "page"):
        with client.get(place["links"][name]) as page:
            assert page.status_code == 200
            assert LEAVES.split()[-1] in page.text
    with client.get(place["links"]["view"]) as page:
        assert LEAVES in page.text.partition("<mark")[2].partition("</mark>")[0]
    with client.get(place["links"]["pdf"]) as pdf:
        assert pdf.data.startswith(b"%PDF")


def test_marker_without_source_counts_against_its_claim(client, note):
    (response,) = open_natively(client, response=f"{LEAVES} [1] {COST} [2]", sources=["note.txt"])
    first, second = response["citations"]
    assert (first["verdict"], second["verdict"]) == ("supported", "wrong_source")
    assert second["reason"] == "It cites source 2; there is one source."


@pytest.mark.parametrize("cited", ["marker", "annotation"])
def test_source_that_is_not_in_the_library_counts_against_its_claim(client, note, cited):
    """That another source says the same does not make it right."""
    sources = ["note.txt", "timetable.pdf"]
    blocks = [
        {"type": "text", "text": f" {text}", "citations": [{"type": "char_location", "document_title": name}]}
        for text, name in zip((LEAVES, COST), sources, strict=True)
    ]
    response = f"{LEAVES} [1] {COST} [2]" if cited == "marker" else {**MESSAGE, "content": blocks}
    note_text = {"filename": "note.txt", "text": f"{LEAVES} {COST}"}
    (opened,) = open_natively(client, response=response, sources=[note_text, "timetable.pdf"])
    first, second = opened["citations"]
    assert (first["verdict"], second["verdict"], second["tier"]) == ("supported", "wrong_source", "none")
    assert "No document of the library is timetable.pdf." in opened["claims"][second["claim"]]["why"]


def test_statement_that_claims_nothing_has_no_verdict_of_the_claim_before(client, note):
    (response,) = open_natively(client, response=f"{LEAVES} [1] Is it blue? [1]", sources=["note.txt"])
    assert [(one["cited"]["text"], one["verdict"]) for one in response["citations"]] == [
        (LEAVES, "supported"),
        ("Is it blue?", None),
    ]


def test_links_to_own_pages_are_citations_beside_the_vendors(client, note):
    link = f" See [the note](/documents/{note.id}/chunks/0?at=0-52&v={note.pipeline})."
    content = [*MESSAGE["content"][:1], {"type": "text", "text": link}]
    (response,) = open_natively(client, response={**MESSAGE, "content": content}, check=False)
    assert [one["kind"] for one in response["citations"]] == ["char_location", "link"]


def test_check_can_be_left_out(client, note):
    (response,) = open_natively(client, response=MESSAGE, check=False)
    assert (response["claims"], response["grounding_score"]) == ([], None)
    assert [(one["tier"], one["verdict"]) for one in response["citations"]] == [("exact", None)] * 2


def test_several_responses_are_opened_in_order(client, note):
    text = "It leaves at seven [1]."
    first, second = open_natively(client, responses=[MESSAGE, text], sources=["note.txt"], check=False)
    assert (first["format"], second["format"], second["citations"][0]["place"]["name"]) == (
        "anthropic_messages",
        "text",
        "note.txt",
    )


OWN_LINKS = [
    "/documents/{id}/chunks/0?at=0-52&v={v}#mark-1",
    "https://papers.example/prefix/documents/{id}/chunks/0?q=When&cited=0-52&v={v}",
    "http://localhost/open?document={sha256}&start=0&end=52&quote=The+ferry+leaves+the+island+at+seven+in+the+morning.",
    "/api/v1/chunks/highlight?document_id={id}&chunk_index=0&sub_question=When&cited=0-52&v={v}",
]  # fmt: skip


@pytest.mark.parametrize("link", [*OWN_LINKS, "signed"])
def test_own_link_opens_its_sentence(client, note, link):
    if link == "signed":
        link = client.post("/api/v1/embed/links", json={"quote": LEAVES}).json["url"]
    url = link.format(id=note.id, v=note.pipeline, sha256=note.sha256)
    (response,) = open_natively(client, response=f"It leaves at seven ([here]({url})).", check=False)
    (citation,) = response["citations"]
    assert (citation["tier"], citation["found_by"]) == ("exact", "link")
    assert [one["text"] for one in citation["sentences"]] == [LEAVES]


IDENTIFIERS = [
    ({"document_id": "{id}"}, "id", "document"),
    ({"id": "{id}:0"}, "link", "chunk"),
    ({"document_id": "{id}", "chunk_index": 0}, "id", "chunk"),
    ({"file_id": "file-77"}, "metadata", "document"),
    ({"url": "https://www.ferry.example/notes/1/#top"}, "metadata", "document"),
    ({"source": "/srv/papers/note.txt"}, "name", "document"),
    ({"url": "https://other.example/files/Note.TXT?x=1"}, "name", "document"),
    ({"title": "Times of the Ferry", "page": 1}, "title", "page"),
    ({"snippet": LEAVES}, "quote", "exact"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "found_by", "tier"), IDENTIFIERS)
def test_source_is_found_by_what_it_names(client, note, source, found_by, tier):
    meta = {"file_id": "file-77", "doc_url": "http://ferry.example/notes/1", "title": "Times of the ferry"}
    client.patch(f"/api/v1/documents/{note.id}", json={"metadata": meta})
    named = {key: value.format(id=note.id) if isinstance(value, str) else value for key, value in source.items()}
    (response,) = open_natively(client, response="It leaves at seven [1].", sources=[named])
    (citation,) = response["citations"]
    assert (citation["place"]["document_id"], citation["found_by"], citation["tier"]) == (note.id, found_by, tier)
    assert [one["text"] for one in citation["sentences"]] == [LEAVES]


def test_ambiguous_name_has_candidates_and_words_decide(client, services, note, note_path, process_pool):
    note_path.write_text("The bus leaves at eight in the evening. Dogs are carried.", encoding="utf-8")
    other = ingest_file(note_path, services, process_pool, collection="other").document
    (response,) = open_natively(
        client, response="A [1]. B [2].", sources=["note.txt", {"filename": "note.txt", "text": "Dogs are carried."}]
    )
    first, second = response["citations"]
    assert (first["tier"], first["place"], first["reason"]) == (
        "none",
        None,
        "2 documents of the library may be note.txt.",
    )
    assert {one["document_id"] for one in first["candidates"]} == {note.id, other.id}
    assert second["place"]["document_id"] == other.id


def test_way_that_leads_to_one_document_counts_before_one_that_leads_to_several(
    client, services, note, note_path, process_pool
):
    path = note_path.with_name("bus.txt")
    path.write_text("The bus leaves at eight in the evening.", encoding="utf-8")
    bus = ingest_file(path, services, process_pool).document
    for document in (note, bus):
        client.patch(f"/api/v1/documents/{document.id}", json={"metadata": {"url": "https://ferry.example/"}})
    source = {"url": "https://ferry.example/", "filename": "bus.txt"}
    (response,) = open_natively(client, response="It leaves [1].", sources=[source], check=False)
    assert response["citations"][0]["place"]["document_id"] == bus.id


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ({"filename": "timetable.pdf"}, "No document of the library is timetable.pdf."),
        ({"filename": "note.txt", "quote": "The ferry carries forty lorries and a helicopter."}, "note.txt does not contain"),
        ({"url": "https://nowhere.example/"}, "No document of the library is https://nowhere.example/."),
        ({}, "The response does not name its source."),
    ],
)  # fmt: skip
def test_what_cannot_be_found_has_a_reason(client, note, source, reason):
    (response,) = open_natively(client, response="It leaves at seven [1].", sources=[source])
    assert reason in response["citations"][0]["reason"]


@pytest.mark.parametrize("name", ["note.txt", ""])
def test_passage_that_was_read_in_another_way_is_found_by_its_sentences(client, note, name):
    """A running head, a page number and a column of another page are between the sentences of the passage."""
    passage = f"HARBOUR OFFICE 4711 {LEAVES}\n\n17\nFares and other charges of 1987\n\n{COST}"
    (response,) = open_natively(
        client, response="It costs four pounds [1].", sources=[{"filename": name, "text": passage}]
    )
    (citation,) = response["citations"]
    assert (citation["tier"], citation["reason"]) == ("fuzzy", "note.txt contains a part of the cited words.")
    assert [one["text"] for one in citation["sentences"]] == [COST]


@pytest.mark.parametrize("name", ["note.txt", "https://elsewhere.example/note.txt"])
def test_passage_that_a_document_does_not_contain_opens_it_only_if_it_is_certain(client, note, name):
    text = "Zeppelins were moored at the mast in Cardington for several weeks in the summer of that year."
    (response,) = open_natively(client, response="It leaves at seven [1].", sources=[{"source": name, "text": text}])
    (citation,) = response["citations"]
    assert citation["tier"] == ("document" if name == "note.txt" else "none")
    assert citation["reason"].startswith("note.txt does not contain the cited words.")


def test_own_link_chooses_between_equal_words(client, services, process_pool, tmp_path):
    (tmp_path / "twice.txt").write_text(f"{COST} Other words are between them. {COST}", encoding="utf-8")
    document = ingest_file(tmp_path / "twice.txt", services, process_pool).document
    start = len(COST) + 31
    url = f"/documents/{document.id}/chunks/0?cited={start}-{start + len(COST)}&v={document.pipeline}"
    block = {"type": "text", "text": "Yes.", "citations": [{"type": "search_result_location", "source": url, "cited_text": COST}]}  # fmt: skip
    (response,) = open_natively(client, response={**MESSAGE, "content": [block]}, check=False)
    assert response["citations"][0]["place"]["start"] == start


def test_message_without_citations_is_a_text_with_markers(client, note):
    message = {"role": "assistant", "content": "It leaves at seven [1]."}
    (response,) = open_natively(client, response=message, sources=["note.txt"])
    assert (response["format"], response["citations"][0]["kind"]) == ("text", "marker")


def test_altered_quote_is_not_found_in_its_document(client, note):
    source = {"filename": "note.txt", "quote": COST.replace("four", "nine")}
    (response,) = open_natively(client, response="It costs nine pounds [1].", sources=[source])
    (citation,) = response["citations"]
    assert (citation["tier"], citation["place"], citation["verdict"]) == ("none", None, "contradicted")
    assert "The text says “four pounds” where the quote says “nine pounds”" in citation["reason"]
    assert citation["candidates"][0]["text"] == COST


def test_wrong_offsets_do_not_move_a_citation(client, note):
    block = {"type": "text", "text": "Yes.", "citations": [{"type": "char_location", "cited_text": COST, "document_title": "note.txt", "start_char_index": 3, "end_char_index": 9}]}  # fmt: skip
    (response,) = open_natively(client, response={**MESSAGE, "content": [block]}, check=False)
    assert response["citations"][0]["place"]["text"] == COST


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ({}, 400, "give either response or responses"),
        ({"response": "a", "responses": ["b"]}, 400, "give either response or responses"),
        ({"response": {"colour": "red"}}, 400, "The format of the response is not known."),
        ({"response": "data: {broken"}, 400, "Line 1 of the response is neither JSON nor a server-sent event."),
        ({"response": "x" * (MAX_ANSWER_CHARACTERS + 1)}, 413, "The answer has 100,001 characters; the limit is 100,000."),
        ({"responses": ["x"] * (MAX_RESPONSES + 1)}, 400, "responses"),
        ({"responses": ["x", {"colour": "red"}]}, 400, "Response 2: The format of the response is not known."),
        ({"response": "x", "sources": ["a"] * (MAX_SOURCES + 1)}, 400, "sources"),
        ({"response": [{"page_content": "a"}] * (MAX_CITATIONS + 1)}, 413, "more than 500 citations"),
        ({"response": [{"page_content": "a"}] * (MAX_SOURCES + 1)}, 413, "There are 1,001 sources; the limit is 1,000."),
        ({"response": "x" * MAX_REQUEST_BYTES}, 413, "the limit is 8,000,000"),
        ({"response": "x", "colour": "red"}, 400, "colour"),
    ],
)  # fmt: skip
def test_invalid_request_gets_problem_that_names_the_fault(client, body, status, message):
    assert message in open_natively(client, status, **body)


@pytest.mark.parametrize("text", ["[" * 90_000, "[ID:0]" * 15_000, "<co>" * 20_000, "[a](/open?" * 9_000, "\\cite{" * 15_000, "##" * 40_000])  # fmt: skip
def test_pathological_text_is_answered(client, text):
    answer = client.post("/api/v1/citations/native", json={"response": text, "sources": ["a.pdf"], "check": False})
    assert answer.status_code in (200, 413)


LONE = "\ud83d"


@pytest.mark.parametrize(
    ("response", "source"),
    [
        ("It leaves [1].", {"id": LONE}),
        ("It leaves [1].", {"filename": f"a{LONE}.txt", "text": LONE}),
        ("It leaves [1].", {"url": f"https://a.example/{LONE}", "quote": f"{LONE}{LEAVES}"}),
        ("It leaves [1].", f"{LONE}.pdf"),
        (f"It leaves [{LONE}] [1].", "note.txt"),
        ({**MESSAGE, "content": [{"type": "text", "text": LONE, "citations": [{"type": LONE, "cited_text": LONE}]}]}, "b"),
        ("See [it](/documents/" + "0" * 32 + "?" + "a=1&" * 60 + ").", "note.txt"),
    ],
)  # fmt: skip
def test_lone_surrogates_and_endless_queries_are_answered(client, note, response, source):
    sent = json.dumps({"response": response, "sources": [source]})
    answer = client.post("/api/v1/citations/native", data=sent, content_type="application/json")
    assert answer.status_code == 200
    json.dumps(answer.json, ensure_ascii=False).encode()


def test_key_sees_only_its_collections(app, note):
    client = client_with_key(app, "read", collections=["other"])
    (response,) = open_natively(client, response=MESSAGE, check=False)
    assert [one["place"] for one in response["citations"]] == [None, None]
    assert note.id not in json.dumps(response)
