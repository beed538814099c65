"""Each kind of sample is uploaded, asked its question, and shows the answering sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import (
    ANSWER_TIMEOUT_MS,
    READ_WITHIN,
    SAMPLES,
    fetch_link,
    new_page,
    read_highlighted_sentences,
    text_file,
)

READABLE = [
    "Harbour Works Contract.pdf",  # two columns
    "Breakwater Condition Report 2024.pdf",  # one column
    "Tide Tables and Diving Windows.pdf",  # a page that stands on its side
    "HR Policy - Leave and Flexible Working.docx",
    "Laboratory Safety Note.txt",
    "南灣區議會文件 避風塘改善工程.pdf",  # Traditional Chinese
    "员工食堂管理办法.txt",  # Simplified Chinese
]
MEDIA_TYPES = {
    ".pdf": "application/pdf",
    ".txt": "text/plain",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
PDF = MEDIA_TYPES[".pdf"]
SCAN = "Scanned letter 14 March.pdf"

# What a browser uploads: one file of each kind, one of them Chinese. test_page_view.py asks every sample.
UPLOADED = [READABLE[0], READABLE[3], READABLE[6]]

sample = pytest.mark.parametrize("name", READABLE)
uploaded_sample = pytest.mark.parametrize("name", UPLOADED)


@pytest.fixture(scope="module")
def uploaded(limited_site, browser) -> dict[str, str]:
    """The URL of each file by name, after all were uploaded and processed."""
    with new_page(browser) as page:
        page.goto(f"{limited_site}/documents")
        page.locator("input[type=file]").set_input_files([SAMPLES / name for name in [*UPLOADED, SCAN]])
        for name in [*UPLOADED, SCAN]:
            row(page, name).locator(".state:not(.busy)").wait_for(timeout=READ_WITHIN)
        return {name: link(row(page, name), name).evaluate("link => link.href") for name in [*UPLOADED, SCAN]}


def link(page: Page | Locator, name: str):
    return page.get_by_role("link", name=name, exact=True)


def row(page: Page, name: str):
    return page.locator("tr", has=link(page, name))


@uploaded_sample
def test_sample_shows_answering_sentence(name, uploaded, open_page, sample_questions):
    page = open_page(uploaded[name])
    wanted = sample_questions[name][0]
    page.get_by_label("Ask this document").fill(wanted["question"])
    page.get_by_role("button", name="Ask").click()
    page.wait_for_url("**/chunks/*", timeout=ANSWER_TIMEOUT_MS)
    page.get_by_role("link", name="Text", exact=True).click()
    assert wanted["answer"] in read_highlighted_sentences(page)


@uploaded_sample
def test_original_opens_with_uploaded_bytes(name, uploaded, open_page):
    page = open_page(uploaded[name])
    answer = fetch_link(page.get_by_role("link", name="Original"))
    assert answer.status == 200
    assert answer.headers["content-type"].split(";")[0] == MEDIA_TYPES[Path(name).suffix]
    assert answer.body() == (SAMPLES / name).read_bytes()


@uploaded_sample
def test_menu_opens_text_page_and_files_of_chunk(name, uploaded, open_page):
    page = open_page(uploaded[name])
    page.locator(".sections a").first.click()
    page.locator("[data-open-menu] summary").click()
    links = page.locator("[data-open-menu] a")
    expect(links).to_contain_text(["Text", "Page", "PDF version", "Original", "PDF of this section"])
    for link, kind in zip(
        links.all(), ["text/html", "text/html", PDF, MEDIA_TYPES[Path(name).suffix], PDF], strict=True
    ):
        answer = fetch_link(link)
        assert answer.status == 200
        assert answer.headers["content-type"].split(";")[0] == kind


def test_scan_without_text_says_what_to_do(uploaded, open_page):
    page = open_page(uploaded[SCAN])
    assert page.locator(".state").inner_text().endswith("no text")
    assert "scan without selectable text" in page.locator(".notice").inner_text()
    assert page.get_by_label("Ask this document").count() == 0


def test_library_shows_state_and_suggested_question(limited_site, uploaded, open_page, sample_questions):
    page = open_page(f"{limited_site}/documents")
    for name in UPLOADED:
        assert row(page, name).locator(".state").inner_text() == "● ready"
        assert row(page, name).get_by_role("link", name=sample_questions[name][0]["question"]).count() == 1


def test_several_uploads_update_list_without_reload(limited_site, open_page):
    page = open_page(f"{limited_site}/documents")
    files = [text_file(f"{word}.txt", f"The {word} one stands alone.") for word in ("First", "Second")]
    page.locator("input[type=file]").set_input_files(files)
    for file in files:
        row(page, file["name"]).locator(".state.ready").wait_for(timeout=READ_WITHIN)
        expect(page.locator(".uploading li", has_text=file["name"]).locator(".state.ready")).to_have_count(1)
    expect(page.locator("[data-upload-summary]")).to_have_text("2 files: 2 ready")


def test_upload_works_without_javascript(limited_site, open_page):
    page = open_page(f"{limited_site}/documents", java_script_enabled=False)
    note = text_file("Plain form.txt", "It was sent by the plain form.")
    page.locator("input[type=file]").set_input_files(note)
    page.get_by_role("button", name="Add to the library").click()
    assert page.locator("h1").inner_text() == "Plain form.txt"
