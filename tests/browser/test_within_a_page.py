"""Links within a page request nothing again and lose nothing."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import question_url
from tests.browser.every_page import DELAY, SEVERAL
from tests.browser.test_asking import heading, wait_for_answer


def skip(page: Page) -> None:
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**#main")


def requests_of(page: Page) -> list[str]:
    """Record the requests of a page from now on."""
    made: list[str] = []
    page.on("request", lambda request: made.append(request.url) if "favicon" not in request.url else None)
    return made


def test_typed_question_survives_skip_link(site, contract, open_page):
    page = open_page(f"{site}/")
    page.get_by_label("Your question").fill("How much does")
    skip(page)
    expect(page.get_by_label("Your question")).to_have_value("How much does")


def test_answer_survives_skip_link_and_back(site, contract, open_page):
    page = wait_for_answer(open_page(f"{site}/"), DELAY)
    page.locator("details.disclosure summary").last.click()
    made = requests_of(page)
    skip(page)
    heading(page, DELAY)
    expect(page.locator("details.disclosure[open]")).to_have_count(1)
    assert made == []
    page.go_back()
    heading(page, DELAY)
    page.go_back()
    expect(page.locator(".answer")).to_have_count(0)


def test_answer_of_link_is_not_requested_twice(pages, open_page):
    page = open_page(pages["an answer"])
    heading(page, SEVERAL)
    made = requests_of(page)
    skip(page)
    page.wait_for_load_state("networkidle")
    heading(page, SEVERAL)
    assert made == []


def test_reason_link_opens_sentence_and_stays_open(contract, open_page):
    page = open_page(question_url(contract, SEVERAL), reduced_motion="reduce")
    page.locator(".highlight-reasons summary").click()
    made = requests_of(page)
    page.locator(".highlight-reasons a").nth(1).click()
    page.wait_for_url("**#mark-2")
    expect(page.locator(".highlight-reasons")).to_have_attribute("open", "")
    expect(page.locator("#mark-2")).to_be_focused()
    expect(page.locator("#mark-2")).to_have_attribute("aria-current", "true")
    expect(page.locator("[data-position]")).to_have_text("2 of 2")
    assert made == []


def test_back_from_find_returns_to_previous_view(contract, open_page):
    page = open_page(f"{contract}/chunks/3?find=contractor&hit=9")
    page.keyboard.press("n")
    expect(page.locator(".find-position")).to_contain_text("10 of 34")
    skip(page)
    page.go_back()
    expect(page.locator(".find-position")).to_contain_text("10 of 34")
    page.go_back()
    expect(page.locator(".find-position")).to_contain_text("9 of 34")
