"""Links that lead somewhere on the same page: nothing is asked or fetched again for them, and nothing is lost."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import asking
from tests.browser.every_page import DELAY, SEVERAL
from tests.browser.test_asking import answered, heading


def skip(page: Page) -> None:
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**#main")


def requests_of(page: Page) -> list[str]:
    """Those that are made from here on."""
    made: list[str] = []
    page.on("request", lambda request: made.append(request.url) if "favicon" not in request.url else None)
    return made


def test_a_half_typed_question_outlasts_the_way_to_the_text(site, contract, open_page):
    page = open_page(f"{site}/")
    page.get_by_label("Your question").fill("How much does")
    skip(page)
    expect(page.get_by_label("Your question")).to_have_value("How much does")


def test_an_answer_outlasts_the_way_to_the_text_and_back(site, contract, open_page):
    page = answered(open_page(f"{site}/"), DELAY)
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


def test_an_answer_that_came_by_a_link_is_not_asked_for_twice(pages, open_page):
    page = open_page(pages["an answer"])
    heading(page, SEVERAL)
    made = requests_of(page)
    skip(page)
    page.wait_for_load_state("networkidle")
    heading(page, SEVERAL)
    assert made == []


def test_a_reason_leads_to_its_sentence_and_stays_open(contract, open_page):
    page = open_page(asking(contract, SEVERAL), reduced_motion="reduce")
    page.locator(".highlight-reasons summary").click()
    made = requests_of(page)
    page.locator(".highlight-reasons a").nth(1).click()
    page.wait_for_url("**#mark-2")
    expect(page.locator(".highlight-reasons")).to_have_attribute("open", "")
    expect(page.locator("#mark-2")).to_be_focused()
    expect(page.locator("#mark-2")).to_have_attribute("aria-current", "true")
    expect(page.locator("[data-position]")).to_have_text("2 of 2")
    assert made == []


def test_back_from_a_find_is_back_where_it_was_looked_for(contract, open_page):
    page = open_page(f"{contract}/chunks/3?find=contractor&hit=9")
    page.keyboard.press("n")
    expect(page.locator(".find-position")).to_contain_text("10 of 34")
    skip(page)
    page.go_back()
    expect(page.locator(".find-position")).to_contain_text("10 of 34")
    page.go_back()
    expect(page.locator(".find-position")).to_contain_text("9 of 34")
