"""A row of an untagged PDF is answered, shown and quoted with the merged cells above it and beside it."""

from __future__ import annotations

import re

import pytest

from highlighter.app import create_app
from highlighter.pages.outlines import find_outlines
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


BERTHS = [["Pier", "Berth", "Fee"], ["North", "Mole", "7"], ["South", "", "8"], ["West", "Quay", "9"], ["East", "", "5"], ["Old", "", "4"]]  # fmt: skip
MERGED_BERTHS = [((1, 1), (1, 2)), ((1, 3), (1, 5))]
MANY_FEES = [["Pier", "Day", "Night"], ["North", "7", "9"], *[["", "5", "6"]] * 5, ["South", "3", "4"]]
MERGED_MANY_FEES = [((0, 1), (0, 6))]


def locate_row(services, document, words):
    """Return the rectangles of the row that begins with some words, and its outline."""
    text, renderer = services.catalog.text(document), services.page_renderer
    start = text.index(words)
    span = document, start, text.find("\n", start)
    return renderer.find_rectangles(*span), find_outlines(renderer, *span)[0]


@pytest.mark.parametrize(("alignment", "outlined_from"), [("MIDDLE", 1), ("TOP", 0)])
def test_row_is_outlined_with_a_cell_that_spans_rows_only_where_the_cell_is_level_with_it(
    services, process_pool, tmp_path, alignment, outlined_from
):
    style = [("VALIGN", (0, 0), (-1, -1), alignment)]
    path = draw_table(tmp_path / "fees.pdf", MANY_FEES, MERGED_MANY_FEES, style=style)
    document = ingest_file(path, services, process_pool).document
    (name, day, night), outline = locate_row(services, document, "North\t7\t9")
    assert name.x1 - name.x0 == pytest.approx(26, abs=3)  # as wide and as high as its word
    assert name.y1 - name.y0 == pytest.approx(day.y1 - day.y0, abs=1)
    assert outline.x0 == pytest.approx((name, day)[outlined_from].x0 - 1.5, abs=0.1)
    assert (outline.y0, outline.y1) == pytest.approx((night.y0 - 1.5, night.y1 + 1.5), abs=0.1)


@pytest.mark.parametrize("words", ["North\tMole", "South\t\t8", "West\tQuay"])
def test_outline_of_a_row_strikes_through_no_cell_that_spans_rows(services, process_pool, tmp_path, words):
    path = draw_table(tmp_path / "berths.pdf", BERTHS, MERGED_BERTHS)
    document = ingest_file(path, services, process_pool).document
    _, outline = locate_row(services, document, words)
    characters = services.page_renderer.read_page_characters(document, 1)
    for word in (cell for row in BERTHS for cell in row if cell):
        _, bottom, _, top = characters.box[characters.text.index(word)]
        quarter = (top - bottom) / 4
        assert not any(bottom + quarter < edge < top - quarter for edge in (outline.y0, outline.y1)), word


def test_highlighted_cell_that_spans_rows_is_outlined_alone(services, process_pool, tmp_path):
    path = draw_table(tmp_path / "fees.pdf", MANY_FEES, MERGED_MANY_FEES)
    document = ingest_file(path, services, process_pool).document
    start = services.catalog.text(document).index("North")
    (box,) = services.page_renderer.find_rectangles(document, start, start + 5)
    outline = find_outlines(services.page_renderer, document, start, start + 5)[0]
    assert (outline.x0, outline.y0, outline.x1, outline.y1) == pytest.approx(
        (box.x0 - 1.5, box.y0 - 1.5, box.x1 + 1.5, box.y1 + 1.5), abs=0.01
    )
