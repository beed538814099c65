"""A row of an untagged PDF is answered, shown and quoted with the merged cells above it and beside it."""

from __future__ import annotations

import re

import pytest

from highlighter.app import create_app
from ingest.pipeline import ingest_file
from tests.ingest.readers.test_pdf_merged_cells import FEES, MERGED_FEES, draw_table

NIGHT_ROW = "5\t6\t6\t7"  # the second row of the north pier, whose name stands in the row above


@pytest.fixture
def fees(services, process_pool, tmp_path):
    path = draw_table(tmp_path / "fees.pdf", FEES, MERGED_FEES)
    document = ingest_file(path, services, process_pool).document
    return document, services.catalog.text(document), create_app(services).test_client()


def list_shown_cells(page):
    """Return (tag, attributes, text) of the cells of a page's only table."""
    cells = re.findall(r"<(t[dh])([^>]*)>(.*?)</t", re.search(r"<table.*?</table>", page, re.DOTALL)[0], re.DOTALL)
    return [(tag, attributes.strip(), re.sub(r"<[^>]+>|\s+", " ", words).strip()) for tag, attributes, words in cells]


def test_text_view_shows_the_spans_and_the_merged_headers_of_a_highlighted_row(fees):
    document, text, client = fees
    start = text.index(NIGHT_ROW)
    query = {"document_id": document.id, "chunk_index": 0, "sub_question": "What is the fee?"}
    query["cited"] = f"{start}-{start + len(NIGHT_ROW)}"
    page = client.get("/api/v1/chunks/highlight", query_string=query).text
    shown = list_shown_cells(page)
    assert ("th", 'scope="col" rowspan="2"', "Pier") in shown
    assert ("th", 'scope="colgroup" colspan="2" class="context"', "Fee in 2023") in shown
    assert ("td", 'rowspan="2" class="context"', "North") in shown
    assert ("td", 'colspan="2"', "none") in shown


def test_text_view_shows_merged_cells_without_text(services, process_pool, tmp_path):
    rows = [
        ["", "Fee", "", "Stay"],
        ["", "Day", "Night", ""],
        ["North", "7", "9", "2"],
        ["South", "", "", "3"],
        ["West", "", "", "4"],
    ]
    merged = [((0, 0), (0, 1)), ((1, 0), (2, 0)), ((3, 0), (3, 1)), ((1, 3), (2, 4))]
    document = ingest_file(draw_table(tmp_path / "fees.pdf", rows, merged), services, process_pool).document
    page = create_app(services).test_client().get(f"/documents/{document.id}/chunks/0").text
    assert [(tag, attributes) for tag, attributes, words in list_shown_cells(page) if not words] == [
        ("td", 'rowspan="2"'),
        ("td", 'rowspan="2" colspan="2"'),
    ]


def test_cells_of_a_highlighted_row_name_their_merged_headers(fees):
    document, _, client = fees
    body = {
        "question": "What is the fee in 2024 by night at the pier North?",
        "document_id": document.id,
        "chunk_index": 0,
        "threshold": 0,
    }
    sentences = client.post("/api/v1/highlight", json=body).get_json()["sentences"]
    cells = {cell["start"]: cell for sentence in sentences for cell in sentence["cells"]}.values()
    assert [(c["column_headers"], c["row_headers"]) for c in cells if (c["row"], c["column"]) == (3, 4)] == [
        (["Fee in 2024", "Night"], ["North"])
    ]
