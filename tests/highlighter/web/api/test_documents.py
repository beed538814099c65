"""Tests of /api/v1/documents."""

from __future__ import annotations

import io
import json

import pytest

from highlighter.schemas.documents import ChunkList, SentenceList
from highlighter.web.api.document_routes import _hash_schema
from ingest.pipeline import ingest_file
from tests.conftest import NOTE


@pytest.fixture
def other(tmp_path, services, process_pool):
    path = tmp_path / "other.txt"
    path.write_text("The tide turns at noon. Boats wait for it.", encoding="utf-8")
    return ingest_file(path, services, process_pool, collection="tides").document


def get(client, path, **query):
    answer = client.get(f"/api/v1/documents{path}", query_string=query)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    return answer.json


def test_documents_are_listed_page_by_page(client, note, other):
    first, second = (get(client, "", limit=1, offset=offset) for offset in (0, 1))
    assert first["total"] == second["total"] == 2
    assert {first["documents"][0]["document_id"], second["documents"][0]["document_id"]} == {note.id, other.id}
    assert get(client, "", offset=2)["documents"] == []


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"collection": "tides"}, ["other.txt"]),
        ({"collection": "nobody"}, []),
        ({"name": "NOTE"}, ["note.txt"]),
        ({"state": "ready", "kind": "txt"}, ["note.txt", "other.txt"]),
        ({"state": ["damaged", "empty"]}, []),
        ({"kind": "pdf"}, []),
        ({"where": ["tags=tidal", "tags=none", "year=2024"]}, ["note.txt"]),
        ({"where": "tags=none"}, []),
    ],
)
def test_list_can_be_filtered(client, note, other, query, names):
    client.patch(f"/api/v1/documents/{note.id}", json={"metadata": {"tags": ["tidal"], "year": 2024}})
    assert sorted(d["name"] for d in get(client, "", **query)["documents"]) == names


@pytest.mark.parametrize("query", [{"limit": 0}, {"limit": 501}, {"offset": -1}, {"kind": "exe"}, {"where": "year"}])
def test_invalid_list_parameter_is_named(client, query):
    answer = client.get("/api/v1/documents", query_string=query)
    assert answer.status_code == 400
    assert next(iter(query)) in answer.json["detail"]


def test_upload_has_metadata(client):
    def upload(metadata):
        file = io.BytesIO(b"The gate shuts at nine."), "gate.txt"
        return client.post("/api/v1/documents", data={"file": file, "metadata": metadata})

    assert upload('{"tags": ["signed"], "year": 2024}').json["metadata"] == {"tags": ["signed"], "year": 2024}
    for metadata in (
        "no JSON",
        "[]",
        '{"tags": [["a"]]}',
        '{"a": {"b": 1}}',
        '{"x": NaN}',
        '{"x": [1e999]}',
        '{"tags": "signed"}',
    ):
        assert upload(metadata).status_code == 400


def test_line_break_in_a_file_name_is_named(client):
    part = b'Content-Disposition: form-data; name="file"; filename="a\r\nb.txt"'
    body = b"--x\r\n" + part + b"\r\n\r\nThe gate shuts at nine.\r\n--x--\r\n"
    answer = client.post("/api/v1/documents", data=body, content_type="multipart/form-data; boundary=x")
    assert (answer.status_code, answer.json["detail"]) == (400, "file must be a file with a name, without line breaks.")


def test_metadata_is_merged_and_null_removes(client, note):
    url = f"/api/v1/documents/{note.id}"
    client.patch(url, json={"metadata": {"tags": ["signed"], "year": 2024}})
    assert client.patch(url, json={"metadata": {"year": None}}).json["metadata"] == {"tags": ["signed"]}
    assert client.patch(url, json={"metadata": {"tags": [{}]}}).status_code == 400
    assert client.patch(url, json={"metadata": {"tags": [str(n) for n in range(31)]}}).status_code == 400
    for wrong in ({"tags": "signed"}, {"tags": ["x" * 61]}, {"doc_url": "javascript:alert(1)"}):
        assert client.patch(url, json={"metadata": wrong}).status_code == 400
    for body in ('{"metadata": {"x": NaN}}', '{"metadata": {"x": [1, -1e999]}}'):
        assert client.patch(url, data=body, content_type="application/json").status_code == 400
    assert client.get(url).json["metadata"] == {"tags": ["signed"]}


def test_offsets_of_sentences_and_chunks_index_the_text(client, services, note):
    text = get(client, f"/{note.id}/text")["text"]
    chunks = get(client, f"/{note.id}/chunks")["chunks"]
    sentences = get(client, f"/{note.id}/sentences")["sentences"]
    assert [s["index"] for s in sentences] == list(range(note.sentences))
    assert {frozenset(s) for s in sentences} == {frozenset(("index", "start", "end", "page", "chunk_index"))}
    assert text[sentences[2]["start"] : sentences[2]["end"]] == "Tickets cost four pounds and are sold on board."
    assert all(chunks[s["chunk_index"]]["start"] <= s["start"] for s in sentences)
    assert get(client, f"/{note.id}/sentences", chunk_index=0)["sentences"] == sentences
    assert get(client, f"/{note.id}/sentences", chunk_index=9)["sentences"] == []
    with client.get(chunks[0]["chunk_file_path"]) as pdf:
        assert pdf.data[:5] == b"%PDF-"


@pytest.mark.parametrize("part", ["text", "chunks", "sentences"])
def test_unchanged_content_is_answered_with_304(client, note, part):
    first = client.get(f"/api/v1/documents/{note.id}/{part}")
    second = client.get(f"/api/v1/documents/{note.id}/{part}", headers={"If-None-Match": first.headers["ETag"]})
    assert (second.status_code, second.data) == (304, b"")


@pytest.mark.parametrize("part", ["text", "chunks", "sentences"])
def test_content_cached_from_a_release_with_other_fields_is_sent_again(client, note, part):
    headers = {"If-None-Match": f'"{note.id}-{note.pipeline}"'}  # the tag of releases before the fields were part of it
    assert client.get(f"/api/v1/documents/{note.id}/{part}", headers=headers).status_code == 200


def test_tag_of_sentences_follows_their_fields():
    class LongerSentenceList(SentenceList):
        added: int = 0

    assert _hash_schema(SentenceList) != _hash_schema(LongerSentenceList)
    assert _hash_schema(SentenceList) != _hash_schema(ChunkList)


@pytest.mark.parametrize("part", ["", "/text", "/chunks", "/sentences", "/events"])
def test_unknown_document_gets_problem_from_every_route(client, part):
    answer = client.get(f"/api/v1/documents/nobody{part}")
    assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")


def test_deleted_document_is_gone_with_its_pages_and_file(client, services, note):
    assert client.delete(f"/api/v1/documents/{note.id}").status_code == 204
    assert client.delete(f"/api/v1/documents/{note.id}").status_code == 404
    for path in (f"/api/v1/documents/{note.id}", f"/documents/{note.id}/chunks/0", f"/documents/{note.id}/original"):
        assert client.get(path).status_code == 404
    assert get(client, "")["total"] == 0
    assert not services.files.original_path(note.sha256).exists()


def test_cached_page_is_gone_with_its_document(client, note):
    page = f"/documents/{note.id}/chunks/0?q=How+much+is+a+ticket"
    assert client.get(page).status_code == client.get(page).status_code == 200
    client.delete(f"/api/v1/documents/{note.id}")
    assert client.get(page).status_code == 404


def test_events_stream_states_until_document_is_ready(client, services):
    accepted = client.post("/api/v1/documents", data={"file": (io.BytesIO(NOTE.encode()), "note.txt")})
    with client.get(accepted.json["links"]["events"]) as answer:
        assert answer.mimetype == "text/event-stream"
        events = [line for line in answer.get_data(as_text=True).splitlines() if line.startswith("data: ")]
    states = [json.loads(line.removeprefix("data: "))["state"] for line in events]
    assert states[-1] == "ready"
    assert set(states[:-1]) <= {"queued", "reading"}


def test_upload_with_same_name_is_new_version(client, services):
    ids = []
    for words in (b"The fare is four pounds.", b"The fare is five pounds."):
        accepted = client.post("/api/v1/documents", data={"file": (io.BytesIO(words), "fares.txt")})
        with client.get(accepted.json["links"]["events"]) as answer:
            answer.get_data()
        ids.append(accepted.json["document_id"])
    old, new = (get(client, f"/{id}") for id in ids)
    assert [(v["version"], v["document_id"]) for v in new["versions"]] == [(2, ids[1]), (1, ids[0])]
    assert (old["current"], new["current"]) == (False, True)
    assert [d["document_id"] for d in get(client, "")["documents"]] == [ids[1]]
    assert get(client, "", superseded=True)["total"] == 2
    assert "four" in get(client, f"/{ids[0]}/text")["text"]


def test_each_of_several_files_has_its_own_result(client, services):
    services.ingest_queue.close()  # not processed

    def upload(path, tags, *names):
        files = [(io.BytesIO(f"Words of {name}.".encode()), name) for name in names]
        data = {"file": files, "collection": "tides", "metadata": json.dumps({"tags": tags})}
        return client.post(f"/api/v1/documents{path}", data=data)

    assert upload("", [str(number) for number in range(30)], "full.txt").status_code == 202
    response = upload("/bulk", ["one more"], "tide.txt", "full.txt", "bar.txt")
    assert (response.status_code, response.json["accepted"], response.json["refused"]) == (207, 2, 1)
    tide, full, bar = response.json["results"]
    assert [result["name"] for result in (tide, full, bar)] == ["tide.txt", "full.txt", "bar.txt"]
    assert (tide["status"], tide["document"]["metadata"], tide["problem"]) == (202, {"tags": ["one more"]}, None)
    assert bar["document"]["collection"] == "tides"
    assert (full["status"], full["document"], full["problem"]["status"]) == (400, None, 400)
    assert full["problem"]["type"] == "urn:highlighter:problem:invalid-request"
    assert "30 tags" in full["problem"]["detail"]


def test_bulk_upload_without_files_or_with_too_many_is_refused(client):
    assert client.post("/api/v1/documents/bulk", data={"collection": "tides"}).status_code == 415
    files = [(io.BytesIO(b"%d" % number), f"{number}.txt") for number in range(41)]
    assert client.post("/api/v1/documents/bulk", data={"file": files}).status_code == 400
