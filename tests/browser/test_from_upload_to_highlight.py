"""Each kind of sample goes in through the form, is asked its question, and shows the sentence that answers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import ANSWERED_WITHIN, READ_WITHIN, SAMPLES, fetched, lit_sentences, new_page, text_file

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
SCAN = "Scanned letter 14 March.pdf"

sample = pytest.mark.parametrize("name", READABLE)


@pytest.fixture(scope="module")
def uploaded(limited_site, browser) -> dict[str, str]:
    """The address of each sample's page, by its name, after all went in through the upload form and were read."""
    with new_page(browser) as page:
        page.goto(f"{limited_site}/documents")
        page.locator("input[type=file]").set_input_files([SAMPLES / name for name in [*READABLE, SCAN]])
        for name in [*READABLE, SCAN]:
            row(page, name).locator(".state:not(.busy)").wait_for(timeout=READ_WITHIN)
        return {name: link(page, name).evaluate("link => link.href") for name in [*READABLE, SCAN]}


def link(page: Page, name: str):
    return page.get_by_role("link", name=name, exact=True)


def row(page: Page, name: str):
    return page.locator("tr", has=link(page, name))


@sample
def test_a_sample_shows_the_sentence_that_answers(name, uploaded, open_page, sample_questions):
    page = open_page(uploaded[name])
    wanted = sample_questions[name][0]
    page.get_by_label("Ask this document").fill(wanted["question"])
    page.get_by_role("button", name="Ask").click()
    page.wait_for_url("**/chunks/*", timeout=ANSWERED_WITHIN)
    page.get_by_role("link", name="Text", exact=True).click()
    assert wanted["answer"] in lit_sentences(page)


@sample
def test_the_original_opens_as_the_very_bytes_that_went_in(name, uploaded, open_page):
    page = open_page(uploaded[name])
    answer = fetched(page.get_by_role("link", name="Original"))
    assert answer.status == 200
    assert answer.headers["content-type"].split(";")[0] == MEDIA_TYPES[Path(name).suffix]
    assert answer.body() == (SAMPLES / name).read_bytes()


@sample
def test_a_part_has_a_pdf_of_its_own_and_a_place_in_the_paged_form(name, uploaded, open_page):
    page = open_page(uploaded[name])
    page.locator(".sections a").first.click()
    files = page.get_by_role("navigation", name="Files")
    for link in files.get_by_role("link", name=re.compile(r"PDF of this section|page \d|pages \d")).all():
        answer = fetched(link)
        assert answer.status == 200
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.body().startswith(b"%PDF-")


def test_a_scan_ends_without_text_and_says_what_to_do(uploaded, open_page):
    page = open_page(uploaded[SCAN])
    assert page.locator(".state").inner_text().endswith("no text")
    assert "scan without selectable text" in page.locator(".notice").inner_text()
    assert page.get_by_label("Ask this document").count() == 0


def test_the_library_names_every_document_its_state_and_a_question_to_try(
    limited_site, uploaded, open_page, sample_questions
):
    page = open_page(f"{limited_site}/documents")
    for name in READABLE:
        assert row(page, name).locator(".state").inner_text() == "● ready"
        assert row(page, name).get_by_role("link", name=sample_questions[name][0]["question"]).count() == 1


def test_several_files_go_in_at_once_and_the_list_follows_by_itself(limited_site, open_page):
    page = open_page(f"{limited_site}/documents")
    files = [text_file(f"{word}.txt", f"The {word} one stands alone.") for word in ("First", "Second")]
    page.locator("input[type=file]").set_input_files(files)
    for file in files:
        row(page, file["name"]).locator(".state.ready").wait_for(timeout=READ_WITHIN)
        assert page.locator(".uploading p", has_text=file["name"]).locator(".sent").inner_text() == "✓ uploaded"


def test_a_file_goes_in_without_javascript_too(limited_site, open_page):
    page = open_page(f"{limited_site}/documents", java_script_enabled=False)
    note = text_file("Plain form.txt", "It was sent by the plain form.")
    page.locator("input[type=file]").set_input_files(note)
    page.get_by_role("button", name="Add to the library").click()
    assert page.locator("h1").inner_text() == "Plain form.txt"
