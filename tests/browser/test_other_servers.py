"""Servers that have just started, have no model, or accept only small files."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest

from highlighter.services import Services
from highlighter.settings import Settings
from ingest.pipeline import ingest_file
from tests.browser.conftest import ANSWER_TIMEOUT_MS, READ_WITHIN, SAMPLES, text_file
from tests.browser.serving import serving

QUESTION = {"q": "When is the fire alarm tested?"}


@pytest.fixture(scope="module")
def filled(tmp_path_factory, embedder, process_pool):
    """A data folder with one document, and the id of the document."""
    folder = tmp_path_factory.mktemp("filled")
    services = Services(Settings(data_dir=folder), embedder)
    document = ingest_file(SAMPLES / "Laboratory Safety Note.txt", services, process_pool).document
    services.close()
    return folder, document.id


@pytest.mark.integrations  # PyTorch
def test_page_shows_answer_once_model_is_loaded(filled, open_page):
    """Loading takes seconds and begins with the server, so a page requested at once sees it."""
    folder, document = filled
    with serving(folder, EMBEDDING_MODEL="all-MiniLM-L6-v2") as site:  # by PyTorch, which takes its time to come in
        whole = open_page(f"{site}/documents/{document}?{urlencode(QUESTION)}")
        assert "The language model is loading" in whole.locator(".notice").inner_text()
        part = open_page(f"{site}/documents/{document}/chunks/3?{urlencode(QUESTION)}")
        assert "The language model is loading" in part.locator(".notice").inner_text()
        on_paper = open_page(f"{site}/documents/{document}/chunks/3?{urlencode({**QUESTION, 'view': 'page'})}")
        part.locator("mark#mark-1").wait_for(timeout=READ_WITHIN)
        assert "first Monday of each month" in part.locator("mark").first.inner_text()
        for page in (whole, on_paper):
            page.locator(".document-page .highlight#mark-1").wait_for(timeout=ANSWER_TIMEOUT_MS)
            page.locator(".text-layer").first.wait_for(state="attached", timeout=ANSWER_TIMEOUT_MS)
        for page in (whole, part, on_paper):
            assert page.locator(".notice").count() == 0


def test_search_shows_results_once_model_is_loaded(filled, open_page):
    with serving(filled[0]) as site:
        page = open_page(f"{site}/search?{urlencode(QUESTION)}")
        page.locator(".results mark").first.wait_for(timeout=ANSWER_TIMEOUT_MS)
        assert page.locator(".notice").count() == 0


def test_without_model_text_is_shown_with_notice(filled, open_page):
    folder, document = filled
    with serving(folder, EMBEDDING_MODEL="/no/such/model") as site:
        page = open_page(f"{site}/documents/{document}/chunks/3?{urlencode(QUESTION)}")
        page.locator(".notice.warn").wait_for(timeout=ANSWER_TIMEOUT_MS)
        assert "model is not available" in page.locator(".notice").inner_text()
        assert "first Monday of each month" in page.locator(".text").inner_text()
        assert page.locator("mark").count() == 0


def test_refused_upload_shows_reason_and_others_continue(limited_site, open_page):
    page = open_page(f"{limited_site}/documents")
    large = text_file("Large.txt", "Too much. " * 250_000)
    small = text_file("Small.txt", "Just enough.")
    page.locator("input[type=file]").set_input_files([large, small])
    page.get_by_role("table").get_by_role("link", name="Small.txt").wait_for()  # the list of uploads links it, too
    refused = page.locator(".uploading .refused").inner_text()
    assert re.fullmatch(r"Larger than the upload limit of \d MB\.", refused)
    assert page.get_by_role("link", name="Large.txt").count() == 0
