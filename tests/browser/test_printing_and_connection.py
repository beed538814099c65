"""Printed pages, notices of a lost connection, and the list of shortcuts."""

from __future__ import annotations

import io
from datetime import UTC, datetime

import numpy as np
import pypdfium2
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ANSWER_TIMEOUT_MS
from tests.browser.every_page import AWAITED_SELECTORS, SEVERAL

MARKED = {
    "a chunk with highlights": "mark",
    "a page view with highlights": ".highlight rect",
    "a stored answer": ".excerpt",
}


def printed(page: Page) -> pypdfium2.PdfDocument:
    return pypdfium2.PdfDocument(io.BytesIO(page.pdf(format="A4")))


def words_of(pdf: pypdfium2.PdfDocument) -> str:
    return " ".join(" ".join(page.get_textpage().get_text_range() for page in pdf).split())


@pytest.mark.parametrize("name", MARKED)
def test_print_shows_yellow_evidence_with_url_and_date(name, pages, open_page):
    page = open_page(pages[name], color_scheme="dark")
    page.locator(AWAITED_SELECTORS.get(name, MARKED[name])).first.wait_for(timeout=ANSWER_TIMEOUT_MS)
    with printed(page) as pdf:
        words = words_of(pdf)
        pixels = np.concatenate([np.asarray(one.render(scale=2).to_pil().convert("RGB"), int) for one in pdf])
    assert page.url.partition("?")[0] in words.replace(" ", "")
    assert str(datetime.now(UTC).year) in words
    red, green, blue = pixels.reshape(-1, 3).T
    yellow = (red > 200) & (green > 180) & (blue < 200) & (red - blue > 60)
    assert yellow.sum() > 50
    assert np.median(pixels) == 255
    assert "Ask this document" not in words


def test_page_view_prints_highlighted_pages_alone(pages, open_page):
    page = open_page(pages["a page view with highlights"])
    page.locator(".highlight rect").first.wait_for(timeout=ANSWER_TIMEOUT_MS)
    highlighted = page.locator(".document-page:has(.highlight)")
    for leaf in highlighted.all():
        leaf.locator("img").wait_for(timeout=ANSWER_TIMEOUT_MS)
    with printed(page) as pdf:
        assert len(pdf) == highlighted.count()
        words = words_of(pdf)
        sheets = [np.asarray(one.render(scale=0.5).to_pil().convert("L"), int) for one in pdf]
    for sheet in sheets:  # the picture of the page fills the sheet
        rows, columns = np.nonzero(sheet < 200)
        assert np.ptp(rows) > 0.8 * sheet.shape[0]
        assert np.ptp(columns) > 0.7 * sheet.shape[1]
    assert words.count(f"Harbour Works Contract.pdf · Highlighted for: {SEVERAL}") == len(sheets)
    assert "section" not in words


def test_answer_prints_its_sources_as_footnotes(pages, open_page):
    page = open_page(pages["a stored answer"])
    page.locator(AWAITED_SELECTORS["an answer"]).first.wait_for(timeout=ANSWER_TIMEOUT_MS)
    numbers = page.locator(".footnotes .numbers").all_text_contents()
    assert numbers == sorted(numbers)
    quote = page.locator(".footnotes .excerpt").first.text_content()
    with printed(page) as pdf:
        words = words_of(pdf)
    assert f"[1] Harbour Works Contract.pdf, page 2 {quote[:40]}" in words
    assert "Open" not in words
    assert words.count(quote[:40]) <= 2  # in the answer, and once below it


def test_answer_of_three_parts_prints_on_one_sheet(site, contract, http, open_page):
    question = "Who is the Engineer, when must an early warning be given, and what delay damages are paid?"
    answer = http.post(f"{site}/api/v1/answers", data={"question": question}).json()
    page = open_page(site + answer["links"]["self"])
    assert page.locator(".footnotes li").count() >= 4
    with printed(page) as pdf:
        assert len(pdf) == 1


def test_failed_request_keeps_page_and_offers_retry(pages, open_page):
    page = open_page(pages["finds"])
    page.context.set_offline(True)
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text("You are offline")
    page.keyboard.press("n")
    expect(page.locator(".find-position")).to_contain_text("9 of 34")
    page.context.set_offline(False)
    expect(page.locator(".find-position")).to_contain_text("10 of 34")
    expect(notice).to_be_hidden()


def test_unresponsive_server_and_offline_show_different_notices(pages, open_page):
    answers = []
    page = open_page(pages["finds"], {"**/*hit=10*": lambda route: route.continue_() if answers else route.abort()})
    page.keyboard.press("n")
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text("The server is not responding")
    answers.append(True)
    notice.get_by_role("button", name="Try again").click()
    expect(page.locator(".find-position")).to_contain_text("10 of 34")
    expect(notice).to_be_hidden()


@pytest.mark.parametrize(
    ("name", "key"), [("a chunk with highlights", "f"), ("the library", "/"), ("an answer", "n"), ("an error", "?")]
)
def test_question_mark_lists_shortcuts_of_page(name, key, pages, open_page):
    page = open_page(pages[name])
    page.keyboard.press("?")
    listed = page.get_by_role("dialog", name="Keyboard shortcuts on this page")
    expect(listed.locator("kbd", has_text=key).first).to_be_visible()
    page.keyboard.press("Escape")
    expect(listed).to_be_hidden()
    page.locator("[data-help-opener]:visible").click()
    expect(listed).to_be_visible()
