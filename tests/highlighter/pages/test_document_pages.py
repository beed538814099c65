"""The pages of documents, drawn by real child processes: cached, with clear errors."""

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
def document_pages(services, process_pool):
    return DocumentPages(services.catalog, services.files, lambda: process_pool)


@pytest.fixture
def tide_tables(services, process_pool):
    return ingest_file(SAMPLES / "Tide Tables and Diving Windows.pdf", services, process_pool).document


def _read_boxes(services, document, boxes, document_pages) -> str:
    """Return the characters in these boxes, as PDFium finds them."""
    characters_in_boxes = []
    for box in boxes:
        characters = document_pages.read_characters(document, [box.page])[box.page]
        middle = (characters.box[:, :2] + characters.box[:, 2:]) / 2
        inside = (middle >= (box.x0, box.y0)).all(axis=1) & (middle <= (box.x1, box.y1)).all(axis=1)
        characters_in_boxes += [char for char, is_inside in zip(characters.text, inside, strict=True) if is_inside]
    return "".join("".join(characters_in_boxes).split()).translate(HYPHENS)


@pytest.mark.parametrize("name", KINDS)
def test_rectangles_of_a_sentence_contain_exactly_its_characters(services, process_pool, document_pages, name):
    document = ingest_file(SAMPLES / name, services, process_pool).document
    text = services.catalog.text(document)
    for _, _, start, end, page in services.catalog.sentence_spans(document):
        boxes = document_pages.find_rectangles(document, start, end)
        assert boxes[0].page == page
        expected = "".join(text[start:end].split()).translate(HYPHENS)
        assert sorted(_read_boxes(services, document, boxes, document_pages)) == sorted(expected), text[start:end]


@pytest.mark.parametrize("kind", ["png", "webp"])
def test_page_is_drawn_as_displayed_and_cached(document_pages, tide_tables, services, kind):
    data = document_pages.draw_page(tide_tables, 2, 800, kind)  # a landscape page
    picture = Image.open(io.BytesIO(data))
    assert picture.format == kind.upper()
    assert picture.width == 800
    assert picture.width > picture.height
    cached_file = services.files.rendered_folder(tide_tables) / f"2-800.{kind}"
    cached_file.write_bytes(b"cached picture")
    assert document_pages.draw_page(tide_tables, 2, 800, kind) == b"cached picture"


def test_very_tall_page_is_drawn_smaller(services, process_pool, document_pages, tmp_path):
    path = draw(tmp_path / "tall.pdf", lambda canvas: canvas.drawString(10, 9000, "Words."), size=(100, 14000))
    document = ingest_file(path, services, process_pool).document
    picture = Image.open(io.BytesIO(document_pages.draw_page(document, 1, 2400, "webp")))
    assert picture.width * picture.height <= 12_100_000
    assert max(picture.size) < 16_384


def test_error_for_a_missing_page_says_which_exist(document_pages, tide_tables):
    for page in (0, 3, -1, 10**20):
        with pytest.raises(NotFound, match="numbered 1 to 2"):
            document_pages.draw_page(tide_tables, page, 800, "png")


def test_damaged_pages_raise_unrenderable_page(services, document_pages, tide_tables):
    sha256, _ = services.files.save_original(io.BytesIO(b"%PDF-1.7 no longer"))
    tide_tables = replace(tide_tables, sha256=sha256)
    for call in (
        lambda: document_pages.draw_page(tide_tables, 1, 800, "png"),
        lambda: document_pages.find_rectangles(tide_tables, 0, 20),
    ):
        with pytest.raises(UnrenderablePage, match="cannot be displayed"):
            call()


def test_document_deleted_meanwhile_is_not_found(services, document_pages, tide_tables):
    services.delete_document(tide_tables.id)
    with pytest.raises(NotFound, match="was deleted"):
        document_pages.find_rectangles(tide_tables, 0, 20)
    with pytest.raises(NotFound, match="was deleted"):
        document_pages.draw_page(tide_tables, 1, 800, "png")
    assert not services.files.rendered_folder(tide_tables).exists()


def test_render_cache_is_deleted_with_its_document(services, document_pages, tide_tables):
    document_pages.draw_page(tide_tables, 1, 400, "webp")
    assert services.files.rendered_folder(tide_tables).is_dir()
    services.delete_document(tide_tables.id)
    assert not services.files.rendered_folder(tide_tables).exists()


def test_pages_are_drawn_again_without_the_cache(services, document_pages, tide_tables):
    first = document_pages.find_rectangles(tide_tables, 0, 50)
    shutil.rmtree(services.files.rendered_folder(tide_tables))
    assert document_pages.find_rectangles(replace(tide_tables), 0, 50) == first
    assert document_pages.draw_page(tide_tables, 1, 400, "png")


def test_span_over_too_many_pages_is_refused(services, process_pool, document_pages, tmp_path):
    page = [lambda canvas, n=n: lines(canvas, 60, 760, wrapped(prose(n), 70)) for n in range(52)]
    document = ingest_file(draw(tmp_path / "book.pdf", *page), services, process_pool).document
    end = len(services.catalog.text(document))
    with pytest.raises(TooLarge, match="Split the request"):
        document_pages.find_rectangles(document, 0, end)
    assert len({box.page for box in document_pages.find_rectangles(document, 0, end // 2)}) > 20
