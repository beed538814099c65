"""The settings of a reader: stored by the browser, applied before a page is painted, and the line of the first use."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_asking import DELAY, wait_for_answer
from tests.browser.test_axe import list_violations

LIGHT, DARK = "rgb(250, 248, 244)", "rgb(22, 22, 21)"  # of the page, in static/highlighter.css
# Runs when the body begins to exist, before anything is painted.
FIRST_BACKGROUND = """() => new MutationObserver((_, observer) => {
  if (!document.body) return;
  window.firstBackground = getComputedStyle(document.body).backgroundColor;
  observer.disconnect();
}).observe(document, { childList: true, subtree: true })"""


def read_background(page: Page) -> str:
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def open_settings(page: Page) -> Page:
    page.get_by_role("button", name="Settings").press("Enter")
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    return page


@pytest.mark.parametrize(("system", "chosen", "colour"), [("light", "Dark", DARK), ("dark", "Light", LIGHT)])
def test_chosen_theme_is_there_before_page_is_painted(system, chosen, colour, site, open_page):
    page = open_settings(open_page(f"{site}/search", fresh=True, color_scheme=system))
    page.get_by_label(chosen, exact=True).check()
    assert read_background(page) == colour
    page.add_init_script(f"({FIRST_BACKGROUND})()")
    page.goto(f"{site}/documents")
    assert page.evaluate("window.firstBackground") == read_background(page) == colour
    open_settings(page).get_by_label("System", exact=True).check()
    assert read_background(page) == {"light": LIGHT, "dark": DARK}[system]


def test_settings_hold_in_frames_and_on_other_pages(site, contract, open_page):
    page = wait_for_answer(open_page(f"{site}/", fresh=True), DELAY)
    open_settings(page)
    assert list_violations(page) == []
    page.get_by_label("Dark", exact=True).check()
    page.get_by_label("Larger").check()
    page.get_by_role("dialog").get_by_label("Single-key shortcuts").uncheck()
    page.get_by_role("dialog").get_by_label("Verdicts in the text").uncheck()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Settings")).to_be_focused()
    expect(page.locator(".answer [data-verdict-switch]")).not_to_be_checked()
    page.locator(".answer .chip").first.click()
    frame = page.frame_locator(".citation-panel iframe")
    frame.locator("mark").first.wait_for()
    assert frame.locator("html").evaluate("root => getComputedStyle(root).fontSize") == "20px"
    page.goto(f"{site}/documents")
    assert (read_background(page), page.locator("html").evaluate("root => getComputedStyle(root).fontSize")) == (
        DARK,
        "20px",
    )
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_have_count(0)
    open_settings(page)
    expect(page.get_by_role("dialog").get_by_label("Verdicts in the text")).not_to_be_checked()
    page.get_by_role("dialog").get_by_role("link", name="繁體中文").click()
    expect(page).to_have_url(f"{site}/zh-Hant/documents")


@pytest.mark.parametrize("width", [320, 360, 1440])
def test_settings_fit_and_are_reached_at_every_width(width, site, open_page):
    page = open_page(f"{site}/", viewport={"width": width, "height": 640})
    open_settings(page)
    page.get_by_label("Larger").check()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Close").click()


def test_first_use_is_explained_until_reader_has_seen_it(site, contract, open_page):
    page = open_page(f"{site}/?doc={contract.rsplit('/', 1)[1]}")
    line = page.locator(".onboarding")
    expect(line).to_contain_text("Each citation opens the quoted sentence in its document.")
    page.get_by_role("button", name="Got it").click()
    expect(line).to_be_hidden()
    expect(page.get_by_label("Your question")).to_be_focused()
    page.reload()
    expect(line).to_be_hidden()
