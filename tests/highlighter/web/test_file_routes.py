"""Pictures, words with their places, and PDFs with highlights, over HTTP."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image
from pypdf import PdfReader
from sqlalchemy import update

from highlighter.store.database import write_transaction
from highlighter.store.schema import documents
from highlighter.urls import Links
from ingest.pipeline import ingest_file
from tests.conftest import NOTE, SAMPLES
from tests.highlighter.web.pages.test_document_routes import TICKET, text
from tests.ingest.readers.pdf_drawing import draw

ANSWER = "Tickets cost four pounds and are sold on board."


@pytest.fixture
def contract(services, process_pool):
    return ingest_file(SAMPLES / "Harbour Works Contract.pdf", services, process_pool).document


def sentence(answer) -> str:
    return re.search(r"data-sentence>([^<]*)", answer.get_data(as_text=True)).group(1)


def test_a_question_leads_to_the_whole_document_at_its_place(client, note):
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


def test_the_rectangles_on_the_page_view_are_those_of_the_sentence(client, services, note):
    start = NOTE.index(ANSWER)
    asked = {"start": start, "end": start + len(ANSWER)}
    (box,) = client.get(f"/api/v1/documents/{note.id}/rectangles", query_string=asked).json["rectangles"]
    page = text(client.get(f"/documents/{note.id}/chunks/0", query_string={"q": TICKET, "view": "page"}))
    x, y, width, height = map(
        float, re.search(r'<rect x="(.+?)" y="(.+?)" width="(.+?)" height="(.+?)"', page).groups()
    )
    assert (x, x + width) == pytest.approx((box["x0"], box["x1"]), abs=0.02)
    assert y == pytest.approx(841.89 - box["y1"], abs=0.02)
    assert height == pytest.approx(box["y1"] - box["y0"], abs=0.02)


def test_every_page_is_there_to_be_scrolled_to_and_those_around_are_drawn(client, services, process_pool, tmp_path):
    path = draw(
        tmp_path / "a.pdf", *[lambda c, n=n: c.drawString(60, 700, f"This is sheet {n} of all.") for n in range(9)]
    )
    document = ingest_file(path, services, process_pool).document
    page = text(client.get(f"/documents/{document.id}/chunks/0?view=page&page=7"))
    assert page.count("<figure") == 9
    assert re.findall(r'<img src="[^"]*/pages/(\d+)\.webp', page) == ["6", "7", "8"]
    assert f'href="/documents/{document.id}/pages/2"' in page


def test_a_page_s_own_address_opens_the_document_there(client, contract):
    moved = client.get(f"/documents/{contract.id}/pages/3")
    assert moved.location.endswith("#page-3")
    assert 'id="page-3"' in text(client.get(moved.location))
    assert client.get(f"/documents/{contract.id}/pages/9").status_code == 404


@pytest.mark.parametrize("kind", ["png", "webp"])
def test_a_picture_is_sent_once(client, note, kind):
    first = client.get(f"/documents/{note.id}/pages/1.{kind}?width=300&v=1")
    assert first.mimetype == f"image/{kind}"
    assert Image.open(io.BytesIO(first.data)).width == 400  # the next of ours
    assert "immutable" in first.headers["Cache-Control"]
    assert "private" in first.headers["Cache-Control"]
    again = client.get(
        f"/documents/{note.id}/pages/1.{kind}?width=300&v=1", headers={"If-None-Match": first.headers["ETag"]}
    )
    assert again.status_code == 304
    assert "immutable" not in client.get(f"/documents/{note.id}/pages/1.{kind}").headers["Cache-Control"]


@pytest.mark.parametrize("width", ["0", "-5", "2401", "wide", "1" * 40, "٣", ""])
def test_a_width_that_cannot_be_is_refused(client, note, width):
    answer = client.get(f"/documents/{note.id}/pages/1.png", query_string={"width": width})
    assert answer.status_code == 400
    assert "width must be 1 to 2,400" in sentence(answer)


@pytest.mark.parametrize("page", ["0", "2", "9" * 30])
def test_a_page_that_is_not_there_is_not_found(client, note, page):
    for kind in ("png", "webp", "json"):
        answer = client.get(f"/documents/{note.id}/pages/{page}.{kind}")
        assert answer.status_code == 404
        assert "it has one page" in sentence(answer)


def test_a_page_s_words_come_with_their_places(client, note):
    page = client.get(f"/documents/{note.id}/pages/1.json").json
    words = [word for line in page["lines"] for word in line["words"]]
    assert {"The", "ferry", "leaves"} <= {word["text"] for word in words}
    assert all(word["x"] >= 0 and word["x"] + word["width"] <= page["width"] for word in words)


def test_pages_that_cannot_be_drawn_are_told_and_the_text_stays(client, services, contract):
    damaged = b"%PDF-1.7 no longer"  # and uploaded like that, so its hash is right
    sha256, _ = services.files.save_original(io.BytesIO(damaged))
    with write_transaction(services.catalog.engine) as connection:
        connection.execute(update(documents).values(sha256=sha256))
    picture = client.get(f"/documents/{contract.id}/pages/1.webp")
    assert picture.status_code == 422
    assert "cannot be displayed" in sentence(picture)
    for path in ("pdf", "chunks/6.pdf"):
        assert (
            client.get(f"/documents/{contract.id}/{path}", query_string={"sub_question": "early warning"}).status_code
            == 422
        )
    page = text(client.get(f"/documents/{contract.id}/chunks/6", query_string={"q": "early warning", "view": "page"}))
    assert "cannot be displayed" in page
    assert "The text view is complete</a>" in page
    assert "<mark" in text(client.get(f"/documents/{contract.id}/chunks/6", query_string={"q": "early warning"}))


def _highlights(data: bytes) -> list[tuple[int, str]]:
    return [
        (number, str(one.get_object()["/Contents"]))
        for number, page in enumerate(PdfReader(io.BytesIO(data)).pages, 1)
        for one in page.get("/Annots", [])
    ]


def test_pdfs_carry_the_same_highlights_and_the_original_stays(client, contract):
    original = (SAMPLES / "Harbour Works Contract.pdf").read_bytes()
    asked = {"sub_question": "How much does the Contractor pay for each day of delay?", "chunk_index": 6}
    with client.get(f"/documents/{contract.id}/pdf", query_string=asked) as whole:
        assert whole.data.startswith(original)
        pages = [number for number, _ in _highlights(whole.data)]
        assert all("each day of delay?" in said and "Score" in said for _, said in _highlights(whole.data))
    with client.get(f"/documents/{contract.id}/chunks/6.pdf", query_string=asked) as part:
        assert [number + 1 for number, _ in _highlights(part.data)] == pages  # it begins with page 2
    assert pages == [2, 3]  # the sentence runs over the page's end
    for plain in ("original", "pdf"):
        with client.get(f"/documents/{contract.id}/{plain}") as answer:
            assert answer.data == original


def test_without_a_chunk_the_best_one_is_lit(client, contract):
    with client.get(f"/documents/{contract.id}/pdf", query_string={"sub_question": "early warning"}) as whole:
        assert _highlights(whole.data)


def test_a_question_that_nothing_answers_gets_the_plain_pdf(client, note):
    asked = {"sub_question": "Who discovered penicillin?", "chunk_index": 0}
    with client.get(f"/documents/{note.id}/pdf", query_string=asked) as answer:
        assert answer.status_code == 200
        assert _highlights(answer.data) == []


def test_the_tabs_lead_to_the_same_evidence(client, contract):
    asked = {"q": "When must the Contractor give an early warning?"}
    page = text(client.get(f"/documents/{contract.id}/chunks/6", query_string=asked))
    tabs = dict(re.findall(r'href="([^"]*)" data-view="(\w+)"', page))
    by_view = {view: address.replace("&amp;", "&") for address, view in tabs.items()}
    assert text(client.get(by_view["page"])).count('id="mark-') == page.count('id="mark-')
    assert by_view["pdf"].endswith("#page=2")
    with client.get(by_view["pdf"]) as pdf:
        assert len(_highlights(pdf.data)) == page.count('id="mark-')


def test_the_embedded_view_shows_text_first_and_has_its_pages(client, note):
    asked = {"document_id": note.id, "chunk_index": 0, "sub_question": TICKET}
    page = text(client.get("/api/v1/chunks/highlight", query_string=asked))
    assert "<mark" in page
    assert "<rect" in text(client.get("/api/v1/chunks/highlight", query_string={**asked, "view": "page"}))
    assert client.get("/api/v1/chunks/highlight", query_string={**asked, "view": "upside down"}).status_code == 400


def test_a_cited_span_and_a_find_are_highlights_too(client, note):
    start = NOTE.index(ANSWER)
    span = f"{start}-{start + len(ANSWER)}"
    for name, said in (("at", "Quoted from here"), ("found", "Found here")):
        with client.get(f"/documents/{note.id}/pdf?{name}={span}") as pdf:
            assert _highlights(pdf.data) == [(1, said)]
    with client.get(f"/documents/{note.id}/pdf?found={span}&sub_question=When+does+the+ferry+leave%3F") as pdf:
        assert len(_highlights(pdf.data)) == 2


def test_a_span_that_lies_outside_is_refused_and_what_is_none_is_left_aside(client, note):
    assert client.get(f"/documents/{note.id}/pdf?found=10-99999").status_code == 400
    for nothing in ("x-y", "9-4", "", "7"):
        with client.get(f"/documents/{note.id}/pdf?found={nothing}") as pdf:
            assert _highlights(pdf.data) == []


@pytest.mark.parametrize("said", ["Children under five travel free of charge.", ANSWER])
def test_what_is_cited_is_lit_in_the_pdfs_once_whether_it_is_evidence_or_not(client, note, said):
    start = NOTE.index(said)
    asked = {"q": TICKET, "cited": f"{start}-{start + len(said)}"}
    page = text(client.get(f"/documents/{note.id}/chunks/0", query_string=asked))
    lit = page.count('id="mark-')
    for address in re.findall(r'href="([^"]*(?:/pdf\?|\.pdf\?)[^"]*)"', page):
        with client.get(address.replace("&amp;", "&")) as pdf:
            assert len(_highlights(pdf.data)) == lit, address
            assert any("Quoted from here" in one for _, one in _highlights(pdf.data)) == (said != ANSWER)


def test_a_cited_sentence_that_is_evidence_too_is_painted_once(client, note):
    start = NOTE.index(ANSWER)
    span = f"{start}-{start + len(ANSWER)}"
    asked = {"sub_question": TICKET, "chunk_index": 0}
    for path in (f"/documents/{note.id}/pdf", f"/documents/{note.id}/chunks/0.pdf"):
        with (
            client.get(path, query_string=asked) as plain,
            client.get(path, query_string={**asked, "at": span}) as cited,
        ):
            assert _highlights(cited.data) == _highlights(plain.data) != []
        with client.get(path, query_string={**asked, "found": span}) as found:
            assert (1, "Found here") in _highlights(found.data)


def test_the_pdf_of_a_part_lights_what_of_a_span_stands_on_its_pages(client, contract):
    told = client.get(f"/api/v1/documents/{contract.id}/chunks").json["chunks"]
    inside, outside = told[6], told[-1]
    for chunk, lit in ((inside, [1]), (outside, [])):
        span = f"{chunk['start']}-{chunk['start'] + 20}"
        with client.get(f"/documents/{contract.id}/chunks/6.pdf?at={span}&start={inside['start']}") as part:
            assert [number for number, _ in _highlights(part.data)] == lit
