"""The page of a stored answer, on a phone and with the keyboard."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ANSWER_TIMEOUT_MS
from tests.browser.every_page import DELAY
from tests.browser.test_asking import WARNING, current_in_frame, wait_for_answer
from tests.browser.test_viewer import PHONE

TOO_WIDE = "document.documentElement.scrollWidth - innerWidth"


def test_stored_answer_fits_narrow_screen(stored_answer_url, open_page):
    page = open_page(stored_answer_url, viewport={"width": 320, "height": 640}, color_scheme="dark")
    assert page.evaluate(TOO_WIDE) == 0


@pytest.mark.parametrize("viewport", [PHONE, {"width": 1440, "height": 900}], ids=["on a phone", "on a desk"])
def test_citation_is_reached_by_keyboard_and_opens_in_panel(viewport, stored_answer_url, open_page):
    page = open_page(stored_answer_url, viewport=viewport)
    page.get_by_role("heading", level=1).wait_for()
    for _ in range(16):
        page.keyboard.press("Tab")
        if page.locator("a.chip:focus").count():
            break
    page.keyboard.press("Enter")
    expect(current_in_frame(page)).to_contain_text("£4,200", timeout=ANSWER_TIMEOUT_MS)
    assert page.url == stored_answer_url


def test_stored_answer_opens_without_asking_and_is_continued(stored_answer_url, site, open_page):
    page = open_page(stored_answer_url)
    questions = page.locator(".answer > h2")
    expect(questions).to_have_text([DELAY])
    with page.expect_request(lambda request: request.method == "POST") as sent:
        wait_for_answer(page, WARNING)
    assert DELAY in sent.value.post_data
    assert "£4,200" in sent.value.post_data  # what was answered: a follow-up may speak of it
    expect(questions).to_have_text([DELAY, WARNING])
    page.go_back()
    expect(page).to_have_url(stored_answer_url)
    expect(questions).to_have_text([DELAY])


def test_evidence_pack_is_downloaded(stored_answer_url, open_page):
    page = open_page(stored_answer_url)
    with page.expect_download() as saving:
        page.get_by_role("link", name="Evidence pack", exact=True).click()
    assert re.fullmatch(r"answer-\w{12}\.zip", saving.value.suggested_filename)


def test_citation_shows_sentence_and_answer_is_copied(stored_answer_url, open_page):
    page = open_page(stored_answer_url, permissions=["clipboard-read", "clipboard-write"])
    page.locator("a.chip").first.hover()
    page.locator("#card .quoted-text").filter(has_text="£4,200").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Copy", exact=True).click()
    page.get_by_role("button", name="Copied").wait_for()
    assert "£4,200" in page.evaluate("navigator.clipboard.readText()")


def test_copy_button_restores_label_after_second_press(stored_answer_url, open_page):
    page = open_page(stored_answer_url, fresh=True, permissions=["clipboard-read", "clipboard-write"])
    page.clock.install()
    button = page.locator("button[data-copy]").first
    for _ in range(2):
        button.click()
        expect(button).to_have_text("Copied")
        page.clock.run_for(300)
    page.clock.run_for(5000)
    expect(button).to_have_text("Copy")


def test_history_is_marked_as_current_place_and_in_sight_on_a_phone(stored_answer_url, site, open_page):
    page = open_page(stored_answer_url, viewport={"width": 360, "height": 640})
    current = page.locator("header.site nav [aria-current]")
    expect(current).to_have_text("History")
    page.goto(f"{site}/open")
    expect(current).to_have_text("Quotes")
    expect(current).to_be_in_viewport(ratio=1)


def test_links_of_an_answer_are_not_printed(stored_answer_url, open_page):
    page = open_page(stored_answer_url)
    expect(page.get_by_role("link", name="As JSON")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.get_by_role("link", name="As JSON")).to_be_hidden()
    expect(page.locator(".record")).to_be_visible()
