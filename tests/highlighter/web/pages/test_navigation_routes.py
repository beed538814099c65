"""Ways through a long document, without a browser."""

from __future__ import annotations

import re

import pytest

from highlighter.web.page_overlays import _INCLUDED_PAGES_AROUND
from highlighter.web.pages.navigation_routes import FINDS_PER_PAGE
from ingest.pipeline import ingest_file
from tests.highlighter.web.pages.test_document_routes import text
from tests.long_pdf import write_long_pdf

PAGES = 60


@pytest.fixture(scope="module")
def book_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("book") / "book.pdf"
    path.write_bytes(write_long_pdf(PAGES))
    return path


@pytest.fixture
def book(services, process_pool, book_file):
    return ingest_file(book_file, services, process_pool).document


def test_long_document_is_reached_by_outline_page_and_find(client, services, book):
    outline = text(client.get(f"/documents/{book.id}/outline"))
    assert outline.count("<ul") == outline.count("</ul>")
    assert re.findall(r'data-page="(\d+)"', outline)[:3] == ["1", "10", "11"]
    assert 'aria-labelledby="contents"' in text(client.get(f"/documents/{book.id}"))

    in_text = client.get(f"/documents/{book.id}/pages?page=50&q=storm").location
    assert in_text.endswith("#page-50")
    assert "view=page" not in in_text
    assert "q=storm" in in_text
    index = int(re.search(r"/chunks/(\d+)", in_text).group(1))
    chunk = services.catalog.chunk(book, index)
    assert chunk.first_page <= 50 <= chunk.last_page

    in_pages = client.get(f"/documents/{book.id}/pages?page=50&view=page").location
    page = text(client.get(in_pages))
    included = [int(number) for number in re.findall(r'class="document-page" id="page-(\d+)"', page)]
    assert 50 in included
    assert len(included) < 2 * _INCLUDED_PAGES_AROUND + 8  # not all sixty
    assert re.search(r"data-sizes='(\[[^']*\])'", page).group(1).startswith(f"[[{PAGES},")
    assert f'href="/documents/{book.id}/pages/1"' in page  # without a script the other pages are a link away

    finds = text(client.get(f"/documents/{book.id}/finds?find=breakwater&from_hit=250&view=page"))
    numbers = [int(number) for number in re.findall(r'data-find-number="(\d+)"', finds)]
    assert numbers == list(range(2 * FINDS_PER_PAGE + 1, 3 * FINDS_PER_PAGE + 1))
    assert finds.count("<b>breakwater</b>") == FINDS_PER_PAGE
    shown = re.search(r'href="([^"]*)" data-find-number="250"', finds).group(1).replace("&amp;", "&")
    assert 'id="found"' in text(client.get(shown))


@pytest.mark.parametrize(
    ("page", "status", "sentence"),
    [
        ("61", 404, "has no page 61"),
        ("0", 404, "has no page 0"),
        ("99999999999999999999", 404, "has no page"),
        ("xii", 400, "Enter the number of a page, from 1 to 60."),
        ("", 400, "Enter the number of a page"),
    ],
)
def test_page_that_does_not_exist_is_refused_with_reason(client, book, page, status, sentence):
    answer = client.get(f"/documents/{book.id}/pages", query_string={"page": page})
    assert answer.status_code == status
    assert sentence in answer.get_data(as_text=True)


@pytest.mark.parametrize(("find", "position"), [("four pounds", "1 of 1 result"), ("ticket", "1 of 2 results")])
def test_find_says_which_result_of_how_many(client, services, process_pool, tmp_path, find, position):
    (tmp_path / "ferry.txt").write_text("A ticket costs four pounds. A ticket is valid for a day.", encoding="utf-8")
    document = ingest_file(tmp_path / "ferry.txt", services, process_pool).document
    page = text(client.get(f"/documents/{document.id}/find?find={find}", follow_redirects=True))
    shown = re.search(r'class="find-position">(.*)</span></span>', page).group(1)
    assert re.sub(r"<[^>]*>", "", shown) == f"Find {position}"


def test_find_list_without_results_or_words_says_so(client, book):
    assert "No results." in text(client.get(f"/documents/{book.id}/finds?find=zorkmid"))
    assert client.get(f"/documents/{book.id}/finds?find=").status_code == 400
