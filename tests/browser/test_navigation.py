"""Ways through a long document: contents, page box, small pictures, list of results and ruler."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from highlighter.urls import add_tint
from tests.browser.conftest import ANSWER_TIMEOUT_MS, BOOK_PAGES, question_url
from tests.browser.every_page import DELAY
from tests.browser.test_uploading import until

WIDE = {"width": 1440, "height": 700}
COUNTS_SCRIPT = """() => ({
  figures: document.querySelectorAll(".document-page").length,
  images: document.querySelectorAll(".document-page img").length,
  layers: document.querySelectorAll(".document-page .text-layer").length,
})"""


def type_page(page: Page, number: str) -> None:
    page.keyboard.press("g")
    page.keyboard.type(number)
    page.keyboard.press("Enter")


def expect_page(page: Page, number: int) -> None:
    """Wait until a page is drawn below the header."""
    leaf = page.locator(f"#page-{number}")
    leaf.locator("img").wait_for(timeout=ANSWER_TIMEOUT_MS)
    leaf.locator(".text-layer").wait_for(state="attached", timeout=ANSWER_TIMEOUT_MS)
    assert 0 <= leaf.evaluate("leaf => leaf.getBoundingClientRect().top") < 200


def test_page_box_leads_to_page_and_only_near_pages_are_in_document(book, open_page):
    page = open_page(f"{book}/pages/2", viewport=WIDE)
    expect_page(page, 2)
    height = page.evaluate("document.documentElement.scrollHeight")
    for number in (50, 7, 58):
        type_page(page, str(number))
        expect_page(page, number)
        assert page.url.endswith(f"#page-{number}")
    expect(page.locator(".crumb")).to_be_hidden()  # it names the section of page 2
    page.locator("#page-2").wait_for(state="detached")
    counts = page.evaluate(COUNTS_SCRIPT)
    assert max(counts.values()) < 12
    assert page.evaluate("document.documentElement.scrollHeight") == pytest.approx(height, abs=BOOK_PAGES)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    page.locator(f"#page-{BOOK_PAGES} img").wait_for(timeout=ANSWER_TIMEOUT_MS)
    expect(page.locator("[data-page-box] input[name=page]")).to_have_value(str(BOOK_PAGES))
    type_page(page, "61")
    message = page.locator("[data-page-box] input[name=page]").evaluate("field => field.validationMessage")
    assert message == "Enter the number of a page, from 1 to 60."


def test_find_box_is_clear_of_header_and_shows_that_it_searches(book, open_page):
    waiting: list[Route] = []
    page = open_page(f"{book}/pages/50", {"**/find?*": lambda route: waiting.append(route)}, viewport=WIDE)
    expect_page(page, 50)
    page.keyboard.press("f")
    box = page.get_by_role("searchbox", name="Find in this document")
    expect(box).to_be_focused()
    header = page.locator(".sheet > header").bounding_box()
    assert box.bounding_box()["y"] >= header["y"] + header["height"]
    page.keyboard.type("sheet j")
    page.keyboard.press("Enter")
    expect(page.locator("[data-find]")).to_have_attribute("aria-busy", "true")
    until(page, waiting, 1)
    waiting[0].continue_()
    expect(page.locator(".find-position")).to_contain_text("5 of 6")
    expect(page.locator("[data-find]")).not_to_have_attribute("aria-busy", "true")


def test_same_lines_stay_in_window_when_its_width_changes(book, open_page):
    page = open_page(f"{book}/pages/50", viewport=WIDE)
    expect_page(page, 50)
    page.set_viewport_size({"width": 800, "height": 700})
    expect(page.locator("[data-page-box] input[name=page]")).to_have_value("50")
    expect_page(page, 50)


def test_contents_unfold_by_keys_and_lead_to_page(book, open_page):
    page = open_page(f"{book}/pages/41", viewport=WIDE)
    expect_page(page, 41)
    page.keyboard.press("o")
    panel = page.get_by_role("dialog", name="Navigation")
    current = panel.locator("[aria-current]")
    expect(current).to_contain_text("Chapter 5")
    current.focus()
    page.keyboard.press("ArrowLeft")
    expect(panel.get_by_role("link", name="Rules of chapter 5")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect_page(page, 50)
    expect(current).to_contain_text("Rules of chapter 5")
    page.get_by_role("button", name="Pages", exact=True).click()
    thumbnail = panel.locator(".thumbnail[aria-current]")
    expect(thumbnail).to_have_attribute("data-page", "50")
    assert panel.locator(".thumbnail").count() < BOOK_PAGES / 2
    thumbnail.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect_page(page, 51)
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(page.locator("[data-side-opener]")).to_be_focused()


def test_contents_are_drawer_on_phone(book, open_page):
    page = open_page(f"{book}/chunks/0", viewport={"width": 360, "height": 700})
    page.get_by_role("button", name="Contents").click()
    panel = page.get_by_role("dialog", name="Navigation")
    assert panel.evaluate("panel => panel.matches(':modal')")
    panel.get_by_role("link", name="Chapter 3 Page 21").click()
    page.wait_for_url("**/chunks/*#page-21")
    expect(page.locator(".text")).to_contain_text("Chapter 3")
    expect(panel).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize("view", ["page", ""])
def test_results_are_listed_and_shown_on_ruler(book, open_page, view):
    page = open_page(f"{book}/find?find=sheet+j&view={view}", viewport=WIDE)
    expect(page.locator(".find-position")).to_contain_text("1 of 6")
    page.keyboard.press("o")
    panel = page.get_by_role("dialog", name="Navigation")
    results = panel.locator("[data-find-number]")
    expect(results).to_have_count(6)
    expect(panel.locator("[aria-current]")).to_have_attribute("data-find-number", "1")
    results.nth(4).click()
    expect(page.locator(".find-position")).to_contain_text("5 of 6")
    expect(page.locator("#found").first).to_be_in_viewport()
    expect(panel.locator("[aria-current]")).to_have_attribute("data-find-number", "5")
    if view == "page":
        ticks = page.locator(".ruler .find")
        expect(ticks).to_have_count(6)
        tops = ticks.evaluate_all("ticks => ticks.map((tick) => parseFloat(tick.style.top) / 100)")
        assert tops == sorted(tops)
        assert tops[0] == pytest.approx(9.5 / 60, abs=0.05)
        ticks.nth(2).click()
        expect(page.locator(".find-position")).to_contain_text("3 of 6")
        expect(page.locator("#found").first).to_be_in_viewport()


def test_ruler_has_the_colour_of_the_highlights(contract, open_page):
    page = open_page(question_url(contract, DELAY), viewport={"width": 1024, "height": 400})
    page.goto(add_tint(page.url, 2))
    page.reload()  # only the fragment would differ otherwise
    tick = page.locator(".ruler a.mark").first
    tick.wait_for(timeout=ANSWER_TIMEOUT_MS)
    colours = (
        "part => [getComputedStyle(part).backgroundColor, getComputedStyle(part).getPropertyValue('--light-line')]"
    )
    assert tick.evaluate(colours) == ["rgb(28, 87, 152)", "#1c5798"]
