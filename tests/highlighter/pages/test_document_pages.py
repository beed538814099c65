"""A document as paper, with real children drawing: kept once drawn, and clear about what cannot be."""

from __future__ import annotations

import io
import shutil
from dataclasses import replace

import pytest
from PIL import Image

from highlighter.errors import NotFound, TooLarge, UnrenderablePage
from highlighter.pages.document_pages import DocumentPages
from ingest.pipeline import ingest_file
from tests.conftest import SAMPLES
from tests.ingest.readers.pdf_drawing import draw, lines, prose, wrapped

KINDS = ["Harbour Works Contract.pdf", "HR Policy - Leave and Flexible Working.docx", "员工食堂管理办法.txt"]
HYPHENS = str.maketrans("", "", "-\x02\ufffe")


@pytest.fixture
def paper(services, process_pool):
    return DocumentPages(services.catalog, services.files, lambda: process_pool)


@pytest.fixture
def tides(services, process_pool):
    return ingest_file(SAMPLES / "Tide Tables and Diving Windows.pdf", services, process_pool).document


def _lines_of(services, document, boxes, paper) -> str:
    """What PDFium finds in these boxes."""
    found = []
    for box in boxes:
        letters = paper.read_characters(document, [box.page])[box.page]
        middle = (letters.box[:, :2] + letters.box[:, 2:]) / 2
        inside = (middle >= (box.x0, box.y0)).all(axis=1) & (middle <= (box.x1, box.y1)).all(axis=1)
        found += [char for char, held in zip(letters.text, inside, strict=True) if held]
    return "".join("".join(found).split()).translate(HYPHENS)


@pytest.mark.parametrize("name", KINDS)
def test_every_sentence_of_every_kind_of_document_is_held_by_its_rectangles(services, process_pool, paper, name):
    document = ingest_file(SAMPLES / name, services, process_pool).document
    text = services.catalog.text(document)
    for _, _, start, end, page in services.catalog.sentence_spans(document):
        boxes = paper.find_rectangles(document, start, end)
        assert boxes[0].page == page
        wanted = "".join(text[start:end].split()).translate(HYPHENS)
        assert sorted(_lines_of(services, document, boxes, paper)) == sorted(wanted), text[start:end]


@pytest.mark.parametrize("kind", ["png", "webp"])
def test_a_page_is_drawn_as_it_is_shown_and_kept(paper, tides, services, kind):
    data = paper.draw_page(tides, 2, 800, kind)  # it stands on its side
    picture = Image.open(io.BytesIO(data))
    assert picture.format == kind.upper()
    assert picture.width == 800
    assert picture.width > picture.height
    kept = services.files.rendered_folder(tides) / f"2-800.{kind}"
    kept.write_bytes(b"as it lay there")
    assert paper.draw_page(tides, 2, 800, kind) == b"as it lay there"


def test_a_very_tall_page_is_drawn_smaller(services, process_pool, paper, tmp_path):
    path = draw(tmp_path / "tall.pdf", lambda canvas: canvas.drawString(10, 9000, "Words."), size=(100, 14000))
    document = ingest_file(path, services, process_pool).document
    picture = Image.open(io.BytesIO(paper.draw_page(document, 1, 2400, "webp")))
    assert picture.width * picture.height <= 12_100_000
    assert max(picture.size) < 16_384


def test_a_page_that_is_not_there_is_told_which_are(paper, tides):
    for page in (0, 3, -1, 10**20):
        with pytest.raises(NotFound, match="numbered 1 to 2"):
            paper.draw_page(tides, page, 800, "png")


def test_pages_that_cannot_be_drawn_say_so(services, paper, tides):
    sha256, _ = services.files.save_original(io.BytesIO(b"%PDF-1.7 no longer"))
    tides = replace(tides, sha256=sha256)
    for ask in (lambda: paper.draw_page(tides, 1, 800, "png"), lambda: paper.find_rectangles(tides, 0, 20)):
        with pytest.raises(UnrenderablePage, match="cannot be displayed"):
            ask()


def test_a_document_deleted_meanwhile_is_not_found(services, paper, tides):
    services.delete_document(tides.id)
    with pytest.raises(NotFound, match="was deleted"):
        paper.find_rectangles(tides, 0, 20)
    with pytest.raises(NotFound, match="was deleted"):
        paper.draw_page(tides, 1, 800, "png")
    assert not services.files.rendered_folder(tides).exists()


def test_what_was_drawn_goes_with_its_document(services, paper, tides):
    paper.draw_page(tides, 1, 400, "webp")
    assert services.files.rendered_folder(tides).is_dir()
    services.delete_document(tides.id)
    assert not services.files.rendered_folder(tides).exists()


def test_without_the_shelf_it_is_drawn_again(services, paper, tides):
    first = paper.find_rectangles(tides, 0, 50)
    shutil.rmtree(services.files.rendered_folder(tides))
    assert paper.find_rectangles(replace(tides), 0, 50) == first
    assert paper.draw_page(tides, 1, 400, "png")


def test_a_span_over_a_whole_book_is_refused(services, process_pool, paper, tmp_path):
    page = [lambda canvas, n=n: lines(canvas, 60, 760, wrapped(prose(n), 70)) for n in range(52)]
    document = ingest_file(draw(tmp_path / "book.pdf", *page), services, process_pool).document
    end = len(services.catalog.text(document))
    with pytest.raises(TooLarge, match="Split the request"):
        paper.find_rectangles(document, 0, end)
    assert len({box.page for box in paper.find_rectangles(document, 0, end // 2)}) > 20
