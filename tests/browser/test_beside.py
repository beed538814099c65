"""The sentence beside its answer: where the window grows, by the keyboard, and how it counts."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import ANSWERED_WITHIN
from tests.browser.every_page import DELAY
from tests.browser.test_asking import SAID, SEVERAL, answered, current_in_frame
from tests.browser.test_reading import PHONE

WIDE = {"width": 1440, "height": 900}


def opened(page: Page, question: str = DELAY) -> Page:
    answered(page, question)
    page.locator(".answer .chip[data-frame]").first.click()
    current_in_frame(page).wait_for(timeout=ANSWERED_WITHIN)
    return page


def test_a_sheet_becomes_a_panel_when_the_window_grows_and_keeps_its_sentence(site, contract, open_page):
    page = opened(open_page(f"{site}/", viewport=PHONE))
    page.set_viewport_size(WIDE)
    expect(page.locator(".citation-panel:not(:modal)[open]")).to_be_visible()
    page.evaluate("() => new Promise((done) => setTimeout(done, 100))")  # the sheet's own end is told after it
    expect(current_in_frame(page)).to_have_text(SAID, timeout=ANSWERED_WITHIN)
    expect(page.locator(".answer .chip").first).to_have_attribute("aria-current", "true")
    page.set_viewport_size(PHONE)
    expect(page.locator(".citation-panel:modal")).to_be_visible()
    expect(current_in_frame(page)).to_have_text(SAID, timeout=ANSWERED_WITHIN)


def test_escape_closes_one_thing_at_a_time_in_the_frame_too(site, contract, open_page):
    page = opened(open_page(f"{site}/", viewport=WIDE))
    framed = page.frame_locator(".citation-panel iframe")
    framed.locator(".quote-export:not([hidden]) summary").click()
    expect(framed.locator("[data-menu][open]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(framed.locator("[data-menu][open]")).to_have_count(0)
    expect(page.locator(".citation-panel")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".citation-panel")).to_be_hidden()


def test_what_is_opened_in_the_frame_scrolls_the_frame_alone(site, contract, open_page):
    page = opened(open_page(f"{site}/", viewport={"width": 1440, "height": 600}, reduced_motion="reduce"), SEVERAL)
    page.evaluate("scrollTo(0, 0)")
    framed = page.frame_locator(".citation-panel iframe")
    number = framed.locator("mark[aria-current]").first.get_attribute("data-n")
    another = f"#mark-{2 if number == '1' else 1}"
    framed.locator(".highlight-reasons summary").click()
    framed.locator(f".highlight-reasons a[href='{another}']").click()
    for view, mark in (("Page", ".highlight"), ("Text", "mark")):
        framed.get_by_role("link", name=view, exact=True).click()
        expect(framed.locator(f"{mark}{another}[aria-current]")).to_be_in_viewport(timeout=ANSWERED_WITHIN)
        assert page.evaluate("scrollY") == 0


def test_escape_closes_the_panel_while_its_frame_loads(site, contract, open_page):
    page = answered(open_page(f"{site}/", viewport=WIDE), DELAY)
    chip, panel = page.locator(".answer .chip").first, page.locator(".citation-panel")
    page.route("**/*.webp?*", lambda route: None)  # is never answered
    chip.click()
    framed = page.frame_locator(".citation-panel iframe")
    framed.get_by_role("link", name="Page", exact=True).click(timeout=ANSWERED_WITHIN)
    expect(framed.locator(".highlight[aria-current]").first).to_be_visible(timeout=ANSWERED_WITHIN)
    click_in_the_middle(page)
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    page.route("**/chunks/highlight?*", lambda route: None)
    chip.click()
    click_in_the_middle(page)
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(chip).to_be_focused()


def click_in_the_middle(page: Page) -> None:
    """Of the panel's frame, whether or not it takes the focus."""
    box = page.locator(".citation-panel .frame").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_there_is_one_count_and_not_two(site, contract, open_page):
    page = opened(open_page(f"{site}/", viewport=WIDE), SEVERAL)
    steps = page.locator(".citation-panel [data-citation-panel-step]")
    framed = page.frame_locator(".citation-panel iframe").locator(".sheet > header .step")
    expect(steps.first).to_be_visible()
    expect(page.locator("[data-citation-panel-position]")).to_contain_text("1 of ")
    expect(framed).to_be_hidden()
    page.reload()
    opened(page, DELAY)
    expect(page.locator(".answer .chip[data-frame]")).to_have_count(1)
    expect(steps.first).to_be_hidden()
    expect(page.locator("[data-citation-panel-position]")).to_have_text("")
    expect(framed).to_be_visible()
