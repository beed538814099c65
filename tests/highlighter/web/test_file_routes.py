"""Page images, words of pages, and PDFs with highlights, over HTTP."""

from __future__ import annotations

import html
import io
import re

import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter
from sqlalchemy import update

from highlighter.store.database import write_transaction
from highlighter.store.schema import documents
from highlighter.urls import Links
from ingest.pipeline import ingest_file
from tests.conftest import NOTE, SAMPLES
from tests.highlighter.web.pages.test_document_routes import TICKET, text
from tests.ingest.readers.pdf_drawing import draw

ANSWER = "Tickets cost four pounds and are sold on board."


def error_sentence(answer) -> str:
    return re.search(r"data-sentence>([^<]*)", answer.get_data(as_text=True)).group(1)


def test_question_leads_to_page_view_at_first_highlight(client, note):
    moved = client.get(f"/documents/{note.id}", query_string={"q": TICKET})
    assert "view=page" in moved.location
    assert moved.location.endswith("#mark-1")
    page = text(client.get(moved.location))
    assert 'id="mark-1"' in page
    assert page.count("<rect") == 1
    assert 'aria-current="page">Page</a>' in page
    assert "<mark" not in page


def test_page_view_without_highlights_opens_at_the_page_of_its_section(client, services, contract):
    section = services.catalog.chunk(contract, 9)  # it is on page 3 of 4
    page = text(client.get(Links().chunk(section, "What do penguins eat?", "page")))
    (opening,) = re.findall(r"<figure[^>]*data-opening[^>]*>", page)
    assert 'id="page-3"' in opening
    assert "autofocus" in opening  # without script
    assert "No highlights" in page
    for view, fragment in (("text", ""), ("page", "page-3")):
        (link,) = re.findall(rf'<a href="([^"]*)" data-view="{view}"', page)
        assert link.partition("#")[2] == fragment
    for query in ({}, {"find": "penguin"}, {"at": "8615-8648", "quote": "Penguins eat fish."}):
        shown = client.get(f"/documents/{contract.id}/chunks/9", query_string={"view": "page", **query})
        assert opening in text(shown)
    with_highlights = text(client.get(Links().chunk(section, "Who carries the risk of damage by waves?", "page")))
    assert 'id="mark-1"' in with_highlights
    assert "data-opening" not in with_highlights


def test_rectangles_on_page_view_are_those_of_the_sentence(client, services, note):
    start = NOTE.index(ANSWER)
    query = {"start": start, "end": start + len(ANSWER)}
    (box,) = client.get(f"/api/v1/documents/{note.id}/rectangles", query_string=query).json["rectangles"]
    page = text(client.get(f"/documents/{note.id}/chunks/0", query_string={"q": TICKET, "view": "page"}))
    x, y, width, height = map(
        float, re.search(r'<rect x="(.+?)" y="(.+?)" width="(.+?)" height="(.+?)"', page).groups()
    )
    assert (x, x + width) == pytest.approx((box["x0"], box["x1"]), abs=0.02)
    assert y == pytest.approx(841.89 - box["y1"], abs=0.02)
    assert height == pytest.approx(box["y1"] - box["y0"], abs=0.02)


def test_page_view_has_all_pages_and_preloads_those_around(client, services, process_pool, tmp_path):
    path = draw(
        tmp_path / "a.pdf", *[lambda c, n=n: c.drawString(60, 700, f"This is sheet {n} of all.") for n in range(9)]
    )
    document = ingest_file(path, services, process_pool).document
    page = text(client.get(f"/documents/{document.id}/chunks/0?view=page&page=7"))
    assert page.count("<figure") == 9
    assert re.findall(r'<img src="[^"]*/pages/(\d+)\.webp', page) == ["6", "7", "8"]
    assert f'href="/documents/{document.id}/pages/2"' in page


def test_url_of_page_opens_document_at_page(client, contract):
    moved = client.get(f"/documents/{contract.id}/pages/3")
    assert moved.location.endswith("#page-3")
    assert 'id="page-3"' in text(client.get(moved.location))
    assert client.get(f"/documents/{contract.id}/pages/9").status_code == 404


@pytest.mark.parametrize("kind", ["png", "webp"])
def test_page_image_is_cached_by_client(client, note, kind):
    first = client.get(f"/documents/{note.id}/pages/1.{kind}?width=300&v=1")
    assert first.mimetype == f"image/{kind}"
    assert Image.open(io.BytesIO(first.data)).width == 400  # the next larger one there is
    assert "immutable" in first.headers["Cache-Control"]
    assert "private" in first.headers["Cache-Control"]
    again = client.get(
        f"/documents/{note.id}/pages/1.{kind}?width=300&v=1", headers={"If-None-Match": first.headers["ETag"]}
    )
    assert again.status_code == 304
    assert "immutable" not in client.get(f"/documents/{note.id}/pages/1.{kind}").headers["Cache-Control"]


@pytest.mark.parametrize("width", ["0", "-5", "2401", "wide", "1" * 40, "٣", ""])
def test_invalid_image_width_is_refused(client, note, width):
    answer = client.get(f"/documents/{note.id}/pages/1.png", query_string={"width": width})
    assert answer.status_code == 400
    assert "width must be 1 to 2,400" in error_sentence(answer)


@pytest.mark.parametrize("page", ["0", "2", "9" * 30])
def test_missing_page_is_not_found(client, note, page):
    for kind in ("png", "webp", "json"):
        answer = client.get(f"/documents/{note.id}/pages/{page}.{kind}")
        assert answer.status_code == 404
        assert "it has one page" in error_sentence(answer)


def test_words_of_page_have_boxes(client, note):
    page = client.get(f"/documents/{note.id}/pages/1.json").json
    words = [word for line in page["lines"] for word in line["words"]]
    assert {"The", "ferry", "leaves"} <= {word["text"] for word in words}
    assert all(word["x"] >= 0 and word["x"] + word["width"] <= page["width"] for word in words)


def test_page_view_of_damaged_file_says_so_and_text_stays(client, services, contract):
    damaged = b"%PDF-1.7 no longer"  # as if uploaded like this: its hash is right
    sha256, _ = services.files.save_original(io.BytesIO(damaged))
    with write_transaction(services.catalog.engine) as connection:
        connection.execute(update(documents).values(sha256=sha256))
    picture = client.get(f"/documents/{contract.id}/pages/1.webp")
    assert picture.status_code == 422
    assert "cannot be displayed" in error_sentence(picture)
    for path in ("pdf", "chunks/6.pdf"):
        assert (
            client.get(f"/documents/{contract.id}/{path}", query_string={"sub_question": "early warning"}).status_code
            == 422
        )
    page = text(client.get(f"/documents/{contract.id}/chunks/6", query_string={"q": "early warning", "view": "page"}))
    assert "cannot be displayed" in page
    assert "The text view is complete</a>" in page
    assert "<mark" in text(client.get(f"/documents/{contract.id}/chunks/6", query_string={"q": "early warning"}))


def list_annotations(data: bytes) -> list[tuple[int, str]]:
    return [
        (number, str(annotation.get_object()["/Contents"]))
        for number, page in enumerate(PdfReader(io.BytesIO(data)).pages, 1)
        for annotation in page.get("/Annots", [])
    ]


def test_pdfs_carry_same_highlights_and_original_stays(client, contract):
    original = (SAMPLES / "Harbour Works Contract.pdf").read_bytes()
    query = {"sub_question": "How much does the Contractor pay for each day of delay?", "chunk_index": 6}
    with client.get(f"/documents/{contract.id}/pdf", query_string=query) as whole:
        assert whole.data.startswith(original)
        pages = [number for number, _ in list_annotations(whole.data)]
        assert all(
            "each day of delay?" in contents and "Score" in contents for _, contents in list_annotations(whole.data)
        )
    with client.get(f"/documents/{contract.id}/chunks/6.pdf", query_string=query) as part:
        assert [number + 1 for number, _ in list_annotations(part.data)] == pages  # it begins with page 2
    assert pages == [2, 3]  # the sentence runs over the page's end
    for plain in ("original", "pdf"):
        with client.get(f"/documents/{contract.id}/{plain}") as answer:
            assert answer.data == original


def test_pdfs_have_the_colour_of_the_part_of_the_question(client, contract):
    query = {"sub_question": "How much does the Contractor pay for each day of delay?", "chunk_index": 6, "tint": 2}
    for path in ("pdf", "chunks/6.pdf"):
        with client.get(f"/documents/{contract.id}/{path}", query_string=query) as pdf:
            for page in PdfReader(io.BytesIO(pdf.data)).pages:
                for annotation in page.get("/Annots", []):
                    red, _, blue = annotation.get_object()["/C"]
                    assert blue > red


def test_links_to_pdfs_carry_the_colour_of_the_page(client, contract):
    page = text(client.get(f"/documents/{contract.id}/chunks/6?q=How+much+for+each+day+of+delay%3F&tint=2"))
    addresses = [html.unescape(address) for address in re.findall(r'href="([^"]*pdf[^"]*sub_question[^"]*)"', page)]
    assert addresses
    assert all("tint=2" in address.partition("#")[0] for address in addresses)


def test_pdf_without_named_chunk_highlights_best_chunk(client, contract):
    with client.get(f"/documents/{contract.id}/pdf", query_string={"sub_question": "early warning"}) as whole:
        assert list_annotations(whole.data)


def test_question_without_evidence_gets_pdf_without_highlights(client, note):
    query = {"sub_question": "Who discovered penicillin?", "chunk_index": 0}
    with client.get(f"/documents/{note.id}/pdf", query_string=query) as answer:
        assert answer.status_code == 200
        assert list_annotations(answer.data) == []


def test_tabs_lead_to_same_highlights(client, contract):
    query = {"q": "When must the Contractor give an early warning?"}
    page = text(client.get(f"/documents/{contract.id}/chunks/6", query_string=query))
    tabs = dict(re.findall(r'href="([^"]*)" data-view="(\w+)"', page))
    by_view = {view: address.replace("&amp;", "&") for address, view in tabs.items()}
    assert text(client.get(by_view["page"])).count('id="mark-') == page.count('id="mark-')
    assert by_view["pdf"].endswith("#page=2")
    with client.get(by_view["pdf"]) as pdf:
        assert len(list_annotations(pdf.data)) == page.count('id="mark-')


def test_bare_page_shows_text_by_default_and_pages_on_request(client, note):
    query = {"document_id": note.id, "chunk_index": 0, "sub_question": TICKET}
    page = text(client.get("/api/v1/chunks/highlight", query_string=query))
    assert "<mark" in page
    assert "<rect" in text(client.get("/api/v1/chunks/highlight", query_string={**query, "view": "page"}))
    assert client.get("/api/v1/chunks/highlight", query_string={**query, "view": "upside down"}).status_code == 400


def test_pdf_highlights_cited_span_and_find(client, note):
    start = NOTE.index(ANSWER)
    span = f"{start}-{start + len(ANSWER)}"
    for name, contents in (("at", "Quoted from here"), ("found", "Found here")):
        with client.get(f"/documents/{note.id}/pdf?{name}={span}") as pdf:
            assert list_annotations(pdf.data) == [(1, contents)]
    with client.get(f"/documents/{note.id}/pdf?found={span}&sub_question=When+does+the+ferry+leave%3F") as pdf:
        assert len(list_annotations(pdf.data)) == 2


def test_span_outside_document_is_refused_and_malformed_span_ignored(client, note):
    assert client.get(f"/documents/{note.id}/pdf?found=10-99999").status_code == 400
    for span in ("x-y", "9-4", "", "7"):
        with client.get(f"/documents/{note.id}/pdf?found={span}") as pdf:
            assert list_annotations(pdf.data) == []


@pytest.mark.parametrize("sentence", ["Children under five travel free of charge.", ANSWER])
def test_cited_sentence_is_highlighted_once_in_pdfs(client, note, sentence):
    start = NOTE.index(sentence)
    query = {"q": TICKET, "cited": f"{start}-{start + len(sentence)}"}
    page = text(client.get(f"/documents/{note.id}/chunks/0", query_string=query))
    highlight_count = page.count('id="mark-')
    for address in re.findall(r'href="([^"]*(?:/pdf\?|\.pdf\?)[^"]*)"', page):
        with client.get(address.replace("&amp;", "&")) as pdf:
            assert len(list_annotations(pdf.data)) == highlight_count, address
            assert any("Quoted from here" in contents for _, contents in list_annotations(pdf.data)) == (
                sentence != ANSWER
            )


def test_cited_sentence_that_is_evidence_is_annotated_once(client, note):
    start = NOTE.index(ANSWER)
    span = f"{start}-{start + len(ANSWER)}"
    query = {"sub_question": TICKET, "chunk_index": 0}
    for path in (f"/documents/{note.id}/pdf", f"/documents/{note.id}/chunks/0.pdf"):
        with (
            client.get(path, query_string=query) as plain,
            client.get(path, query_string={**query, "at": span}) as cited,
        ):
            assert list_annotations(cited.data) == list_annotations(plain.data) != []
        with client.get(path, query_string={**query, "found": span}) as pdf:
            assert (1, "Found here") in list_annotations(pdf.data)


@pytest.mark.parametrize(
    ("headers", "status", "length"),
    [
        ({"Range": "bytes=0-9"}, 206, 10),
        ({"Range": "bytes=-5"}, 206, 5),
        ({"Range": "items=0-1"}, 200, len(NOTE.encode())),
        ({"Range": "bytes=0-1,5-6"}, 200, len(NOTE.encode())),
        ({"If-Match": '"other"'}, 412, 0),
    ],
)
def test_ranges_and_conditions_of_an_original(client, note, headers, status, length):
    with client.get(f"/documents/{note.id}/original", headers=headers) as answer:
        assert (answer.status_code, len(answer.data)) == (status, length)


def test_spans_of_a_pdf_may_come_in_any_order(client, note):
    start, end = NOTE.index(ANSWER), NOTE.index(ANSWER) + len(ANSWER)
    with (
        client.get(f"/documents/{note.id}/pdf?at=0-9,{start}-{end}") as ascending,
        client.get(f"/documents/{note.id}/pdf?at={start}-{end},0-9") as descending,
    ):
        assert list_annotations(descending.data) == list_annotations(ascending.data) != []


@pytest.mark.parametrize("at", ["x", "20-10", "5-5", "0-9,", "0-9,5-20", ",".join(f"{n}-{n + 1}" for n in range(41))])
def test_malformed_spans_of_a_pdf_are_refused(client, note, at):
    for path in ("pdf", "chunks/0.pdf"):
        answer = client.get(f"/documents/{note.id}/{path}?at={at}")
        assert answer.status_code == 400
        assert "separate spans, such as 10-20,35-50" in error_sentence(answer)
    assert client.get(f"/documents/{note.id}/chunks/0?at={at}").status_code == 200  # pages ignore them


def test_chunk_pdf_highlights_only_spans_on_its_pages(client, contract):
    chunks = client.get(f"/api/v1/documents/{contract.id}/chunks").json["chunks"]
    inside, outside = chunks[6], chunks[-1]
    for chunk, pages in ((inside, [1]), (outside, [])):
        span = f"{chunk['start']}-{chunk['start'] + 20}"
        with client.get(f"/documents/{contract.id}/chunks/6.pdf?at={span}&start={inside['start']}") as part:
            assert [number for number, _ in list_annotations(part.data)] == pages


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("page.html", b"<!DOCTYPE html><p>The ferry leaves at seven.<script>alert(1)</script>"),
        ("page.txt", b"<html><p>The ferry leaves at seven.<script>alert(1)</script>"),
        ("notes.md", b"The ferry leaves at seven.\n\n<script>alert(1)</script>"),
        ("odd.html", b"The ferry leaves at seven. A tag: <script>alert(1)</script>"),
    ],
)
def test_markup_in_an_original_never_becomes_a_page(client, services, process_pool, tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    document = ingest_file(path, services, process_pool).document
    with client.get(f"/documents/{document.id}/original") as original:
        assert original.data == content
        policy = original.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src" not in policy
        assert original.headers["X-Content-Type-Options"] == "nosniff"
        is_download = original.headers["Content-Disposition"].startswith("attachment")
        assert is_download or original.mimetype == "text/plain"
    with client.get(f"/documents/{document.id}/pdf") as paged:
        assert paged.mimetype == "application/pdf"


@pytest.mark.parametrize("view", ["text", "page"])
def test_page_box_begins_with_page_of_the_highlight(client, contract, view):
    """The section begins on page 2 and ends on page 3."""
    end = client.get(f"/api/v1/documents/{contract.id}/chunks").json["chunks"][6]["end"]
    page = text(client.get(f"/documents/{contract.id}/chunks/6?view={view}&at={end - 50}-{end}"))
    assert 'name="page" value="3"' in page


def test_section_names_printed_and_physical_pages(client, services, process_pool, tmp_path):
    path = draw(tmp_path / "labelled.pdf", lambda pdf: pdf.drawString(72, 700, "The harbour is open."))
    writer = PdfWriter(clone_from=path)
    writer.set_page_label(0, 0, style="/r", start=4)
    writer.write(path)
    document = ingest_file(path, services, process_pool).document
    assert "page iv · 1 of 1" in text(client.get(f"/documents/{document.id}/chunks/0"))
