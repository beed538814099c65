"""GET /api/v1/documents/<id>/rectangles: places for other people's viewers, and clear answers to bad spans."""

from __future__ import annotations

import pytest

from highlighter.models import READING
from tests.conftest import NOTE


def ask(client, document_id, **query):
    return client.get(f"/api/v1/documents/{document_id}/rectangles", query_string=query)


def test_a_span_has_one_rectangle_a_line_in_points(client, note):
    answer = ask(client, note.id, start=0, end=len(NOTE.split("\n\n")[0])).json
    boxes = answer["rectangles"]
    assert {box["page"] for box in boxes} == {1}
    assert set(boxes[0]) == {"page", "x0", "y0", "x1", "y1"}
    assert all(box["x0"] < box["x1"] and box["y0"] < box["y1"] for box in boxes)
    assert [box["y0"] for box in boxes] == sorted((box["y0"] for box in boxes), reverse=True)
    assert answer["pages"] == [{"page": 1, "width": 595.28, "height": 841.89, "rotation": 0}]


def test_what_stands_nowhere_on_paper_has_none(client, note):
    border = NOTE.index("\n\n")
    assert ask(client, note.id, start=border, end=border + 1).json == {"rectangles": [], "pages": []}


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ({"start": 5, "end": 5}, "end (5) must be greater than start (5)"),
        ({"start": 9, "end": 2}, "end (2) must be greater than start (9)"),
        ({"start": -1, "end": 2}, "start does not fit"),
        ({"start": 0, "end": 10**6}, "lies beyond the text"),
        ({"start": 0}, "end is missing"),
        ({"start": "a", "end": 3}, "start does not fit"),
        ({"start": 0, "end": 10**40}, "end does not fit"),
    ],
)
def test_a_span_that_cannot_be_is_told_why(client, note, query, told):
    answer = ask(client, note.id, **query)
    assert answer.status_code == 400
    assert told in answer.json["detail"]


def test_documents_that_are_not_there_or_not_yet_or_no_longer(client, services, note):
    assert ask(client, "nothing", start=0, end=1).status_code == 404
    assert ask(client, note.id, start=0, end=1, v=99).status_code == 404
    services.catalog.set_state(note.id, READING)
    assert ask(client, note.id, start=0, end=1).status_code == 409
    services.delete_document(note.id)
    assert ask(client, note.id, start=0, end=1).status_code == 404


def test_a_character_beyond_16_bits_is_one_character(client, services, process_pool, tmp_path):
    """Offsets are code points: there are no halves of one to fall between."""
    from ingest.pipeline import ingest_file

    path = tmp_path / "note.txt"
    path.write_text("The rare letter 𠮷 stands here. It is one.\n", encoding="utf-8")
    document = ingest_file(path, services, process_pool).document
    text = services.catalog.text(document)
    at = text.index("𠮷")
    (before,) = ask(client, document.id, start=at - 7, end=at - 1).json["rectangles"]
    (after,) = ask(client, document.id, start=at + 2, end=at + 8).json["rectangles"]
    assert before["x1"] < after["x0"]


def test_it_is_described(client):
    paths = client.get("/api/v1/openapi.json").json["paths"]
    described = paths["/api/v1/documents/{document_id}/rectangles"]["get"]
    assert {one["name"] for one in described["parameters"]} >= {"document_id", "start", "end"}
