"""A highlighted row is outlined with its header row, a highlighted caption with its figure; each cell has its rectangles."""

from __future__ import annotations

import io
import re
import time

import pytest
from pypdf import PdfReader

from highlighter.app import create_app
from highlighter.pages.outlines import find_outlines
from highlighter.signed_links import CHUNK_SCOPE, PAGE_PERMISSION, VIEW_PERMISSION, Grant
from ingest.pipeline import ingest_file
from tests.ingest.readers.pdf_drawing import draw, lines, picture, prose, wrapped
from tests.ingest.readers.test_pdf_continued_tables import HEADER, draw_rows, rows

CAPTION = "Figure 1. The mole shelters the north pier from the waves of winter storms."
ROWS = [("Pier", "Fee in euros", "Stay"), ("North pier", "24.00", "3 days"), ("South pier", "16.00", "2 weeks")]
XS, TOP, PITCH = (60, 140, 230), 460, 16  # the cells of a row are close to each other


def _draw_page(canvas):
    lines(canvas, 60, 780, wrapped(prose(1), 70))
    canvas.drawImage(picture(200), 60, 560, 200, 120)
    canvas.drawString(60, 545, CAPTION)
    lines(canvas, 60, 510, wrapped(prose(2), 70)[:1])
    canvas.line(60, TOP + PITCH - 5, 300, TOP + PITCH - 5)
    for number, row in enumerate(ROWS):
        y = TOP - PITCH * number
        canvas.setFont("Helvetica-Bold" if number == 0 else "Helvetica", 10)
        for x, cell in zip(XS, row, strict=True):
            canvas.drawString(x, y, cell)
        canvas.line(60, y - 5, 300, y - 5)
    lines(canvas, 60, 380, wrapped(prose(3), 70))


@pytest.fixture
def drawn(services, process_pool, tmp_path):
    document = ingest_file(draw(tmp_path / "harbour.pdf", _draw_page), services, process_pool).document
    return document, services.catalog.text(document), create_app(services).test_client()


def _outlines(page: str) -> list[tuple[float, ...]]:
    """Return (x, y, width, height) of each outline in a page view, y from the top."""
    groups = re.findall(r'<g class="outlines".*?</g>', page, re.DOTALL)
    found = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', "".join(groups))
    return [tuple(map(float, numbers)) for numbers in found]


def test_text_view_shows_a_caption_with_its_figure_cut_from_the_page(drawn):
    document, _, client = drawn
    page = client.get(f"/documents/{document.id}/chunks/0").text
    figure = re.search(r'<figure class="figure">(.*?)</figure>', page, re.DOTALL)[1]
    assert re.search(rf'<figcaption class="caption">.*{re.escape(CAPTION)}', figure, re.DOTALL)
    assert '<svg viewBox="60.0 162.0 200.0 120.0"' in figure
    assert 'aria-label="Figure on page 1"' in figure
    image = re.search(r'<image href="([^"]+)"', figure)[1].replace("&amp;", "&")
    with client.get(image) as response:
        assert response.mimetype == "image/webp"
    link = re.search(r'<a href="([^"]+)"', figure)[1]
    assert "view=page" in client.get(link).location


@pytest.mark.parametrize("permissions", [(VIEW_PERMISSION,), (VIEW_PERMISSION, PAGE_PERMISSION)])
def test_signed_link_shows_a_figure_only_where_it_may_show_pages(drawn, services, permissions):
    document, _, client = drawn
    chunk = services.catalog.chunk(document, 0)
    place = document.collection, document.id, chunk.index, chunk.pipeline, chunk.start
    grant = Grant(CHUNK_SCOPE, *place, permissions=permissions, expires=int(time.time()) + 600)
    page = client.get(f"/embed/{services.link_keys.sign(grant)}").text
    assert CAPTION in page
    images = re.findall(r'<image href="([^"]+)"', page)
    links = re.findall(r'<figure class="figure">.*?</figure>', page, re.DOTALL)
    assert len(images) == (PAGE_PERMISSION in permissions)
    assert all(("<a" in link) == (PAGE_PERMISSION in permissions) for link in links)
    for image in images:
        with client.get(image.replace("&amp;", "&")) as response:
            assert response.mimetype == "image/webp"


def test_highlighted_caption_outlines_its_figure_on_the_page_and_in_the_pdf(drawn):
    document, text, client = drawn
    at = f"{text.index(CAPTION)}-{text.index(CAPTION) + len(CAPTION)}"
    page = client.get(f"/documents/{document.id}/chunks/0?view=page&at={at}").text
    assert _outlines(page) == [(60.0, 162.0, 200.0, 120.0)]
    with client.get(f"/documents/{document.id}/pdf?at={at}") as response:
        pdf = PdfReader(io.BytesIO(response.data))
    (annotation,) = pdf.pages[0]["/Annots"]
    drawing = annotation.get_object()["/AP"]["/N"].get_object().get_data().decode()
    assert "60.00 560.00 200.00 120.00 re S" in drawing
    assert annotation.get_object()["/Rect"][3] > 680


def test_highlighted_row_has_a_rectangle_for_each_cell_and_outlines_around_it_and_its_header(drawn):
    document, text, client = drawn
    start = text.index("South pier")
    span = {"start": start, "end": text.index("2 weeks") + 7}
    page = client.get(f"/documents/{document.id}/chunks/0?view=page&at={span['start']}-{span['end']}").text
    answer = client.get(f"/api/v1/documents/{document.id}/rectangles", query_string=span).json
    assert len(re.findall(r"<rect [^>]*/><line", page)) == len(answer["rectangles"]) == 3
    assert [text[cell["start"] : cell["end"]] for cell in answer["cells"]] == [*ROWS[0], *ROWS[2]]
    assert [(cell["row"], cell["column"], cell["is_header"], cell["in_span"]) for cell in answer["cells"]] == [
        (0, 0, True, False), (0, 1, True, False), (0, 2, True, False), (2, 0, False, True), (2, 1, False, True), (2, 2, False, True),
    ]  # fmt: skip
    boxes = [box for cell in answer["cells"] for box in cell["rectangles"]]
    assert boxes[3:] == answer["rectangles"]
    for (x, y), box in zip([(x, TOP - PITCH * row) for row in (0, 2) for x in XS], boxes, strict=True):
        assert box["x0"] == pytest.approx(x, abs=1)
        assert box["y0"] < y < box["y1"]
    row, header = _outlines(page)
    assert header[1] < 842 - TOP < header[1] + header[3] < row[1] < 842 - TOP + 2 * PITCH < row[1] + row[3]
    assert row[0] < XS[0] < boxes[5]["x1"] < row[0] + row[2]


def test_figure_of_a_caption_is_named_beside_its_rectangles(drawn):
    document, text, client = drawn
    start = text.index(CAPTION)
    answer = client.get(f"/api/v1/documents/{document.id}/rectangles?start={start}&end={start + 8}").json
    assert answer["figures"] == [{"page": 1, "x0": 60.0, "y0": 560.0, "x1": 260.0, "y1": 680.0}]
    assert answer["cells"] == []


@pytest.mark.parametrize(("repeated", "outlines"), [(True, {1: 0, 2: 2}), (False, {1: 1, 2: 1})])
def test_row_on_a_second_page_is_outlined_with_the_header_there_or_else_with_that_of_the_first(
    services, process_pool, tmp_path, repeated, outlines
):
    path = draw(
        tmp_path / "fees.pdf",
        lambda canvas: draw_rows(canvas, 780, [HEADER, *rows(1, 30)]),
        lambda canvas: draw_rows(canvas, 780, [*([HEADER] if repeated else []), *rows(30, 40)]),
    )
    document = ingest_file(path, services, process_pool).document
    start = services.catalog.text(document).index("Berth 34")
    url = f"/documents/{document.id}/chunks/{services.catalog.chunk_at(document, start).index}?view=page"
    page = create_app(services).test_client().get(f"{url}&at={start}-{start + 8}").text
    figures = {int(number): content for number, content in re.findall(r'id="page-(\d)"(.*?)</figure>', page, re.DOTALL)}
    assert {number: len(_outlines(content)) for number, content in figures.items()} == outlines


# The names of the columns stand in two lines; "Fee and depth" is above the middle of the outer ones, and in no row.
PRINTED = """<style>table { border-collapse: collapse; width: 100% } td, th { padding: 3px 8px; text-align: left; border-bottom: 1px solid }
</style><table><thead><tr><th rowspan=2>Berth<th colspan=2>Fee and depth<th rowspan=2>Light<tr><th>Euros a night<th>Depth in metres</thead>"""


def test_outline_of_a_header_row_strikes_through_no_words(services, process_pool, tmp_path, browser):
    page = browser.new_page()
    page.set_content(PRINTED + "".join(f"<tr><th>Berth {n}<td>{n}.50<td>{n + 4}<td>yes" for n in range(1, 9)))
    page.pdf(path=tmp_path / "fees.pdf", tagged=True)
    page.close()
    document = ingest_file(tmp_path / "fees.pdf", services, process_pool).document
    start = services.catalog.text(document).index("Berth 4")
    outlines = find_outlines(services.page_renderer, document, start, start + 7)
    characters = services.page_renderer.read_page_characters(document, 1)
    first = characters.text.index("Fee and depth")
    bottom, top = characters.box[first][[1, 3]]
    assert len(outlines) == 2
    assert not any(bottom < edge < top for outline in outlines for edge in (outline.y0, outline.y1))


def test_figures_and_tables_are_listed_over_http(drawn):
    document, text, client = drawn
    answer = client.get(f"/api/v1/documents/{document.id}/figures").json
    start = text.index(CAPTION)
    (figure,) = answer["figures"]
    assert (figure["caption"], figure["start"], figure["end"], figure["page"]) == (
        CAPTION,
        start,
        start + len(CAPTION),
        1,
    )
    assert figure["rectangle"] == {"page": 1, "x0": 60.0, "y0": 560.0, "x1": 260.0, "y1": 680.0}
    assert (answer["total"], answer["pipeline"]) == (1, document.pipeline)
    assert client.get(f"/api/v1/documents/{document.id}/figures?offset=1").json["figures"] == []
    (table,) = client.get(f"/api/v1/documents/{document.id}/tables").json["tables"]
    assert text[table["start"] : table["end"]].startswith("Pier\tFee in euros\tStay\nNorth pier")
    assert {name: table[name] for name in ("caption", "page", "rows", "columns", "header_rows", "header_columns")} == {
        "caption": None, "page": 1, "rows": 3, "columns": 3, "header_rows": 1, "header_columns": 0,
    }  # fmt: skip
