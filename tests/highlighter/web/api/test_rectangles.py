"""Tests of GET /api/v1/documents/<id>/rectangles."""

from __future__ import annotations

import pytest

from highlighter.models import READING
from tests.conftest import NOTE


def get_rectangles(client, document_id, **query):
    return client.get(f"/api/v1/documents/{document_id}/rectangles", query_string=query)


def test_span_has_one_rectangle_per_line_in_points(client, note):
    answer = get_rectangles(client, note.id, start=0, end=len(NOTE.split("\n\n")[0])).json
    boxes = answer["rectangles"]
    assert {box["page"] for box in boxes} == {1}
    assert set(boxes[0]) == {"page", "x0", "y0", "x1", "y1"}
    assert all(box["x0"] < box["x1"] and box["y0"] < box["y1"] for box in boxes)
    assert [box["y0"] for box in boxes] == sorted((box["y0"] for box in boxes), reverse=True)
    assert answer["pages"] == [{"page": 1, "width": 595.28, "height": 841.89, "rotation": 0}]


def test_span_without_printed_characters_has_no_rectangles(client, note):
    border = NOTE.index("\n\n")
    answer = get_rectangles(client, note.id, start=border, end=border + 1).json
    assert answer == {"rectangles": [], "cells": [], "figures": [], "pages": []}


@pytest.mark.parametrize(
    ("query", "message"),
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
def test_invalid_span_is_explained(client, note, query, message):
    answer = get_rectangles(client, note.id, **query)
    assert answer.status_code == 400
    assert message in answer.json["detail"]


def test_missing_unfinished_and_deleted_documents_are_refused(client, services, note):
    assert get_rectangles(client, "nothing", start=0, end=1).status_code == 404
    assert get_rectangles(client, note.id, start=0, end=1, v=99).status_code == 404
    services.catalog.set_state(note.id, READING)
    assert get_rectangles(client, note.id, start=0, end=1).status_code == 409
    services.delete_document(note.id)
    assert get_rectangles(client, note.id, start=0, end=1).status_code == 404


def test_character_beyond_16_bits_counts_as_one(client, services, process_pool, tmp_path):
    """Offsets count code points, not UTF-16 units."""
    from ingest.pipeline import ingest_file

    path = tmp_path / "note.txt"
    path.write_text("The rare letter 𠮷 stands here. It is one.\n", encoding="utf-8")
    document = ingest_file(path, services, process_pool).document
    text = services.catalog.text(document)
    offset = text.index("𠮷")
    (before,) = get_rectangles(client, document.id, start=offset - 7, end=offset - 1).json["rectangles"]
    (after,) = get_rectangles(client, document.id, start=offset + 2, end=offset + 8).json["rectangles"]
    assert before["x1"] < after["x0"]


def test_rectangles_are_in_openapi_document(client):
    paths = client.get("/api/v1/openapi.json").json["paths"]
    operation = paths["/api/v1/documents/{document_id}/rectangles"]["get"]
    assert {parameter["name"] for parameter in operation["parameters"]} >= {"document_id", "start", "end"}
