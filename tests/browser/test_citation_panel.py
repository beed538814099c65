"""The citation panel: resizing, keyboard and the count of citations."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import ANSWER_TIMEOUT_MS
from tests.browser.every_page import DELAY
from tests.browser.test_asking import SAID, SEVERAL, current_in_frame, wait_for_answer
from tests.browser.test_viewer import PHONE

WIDE = {"width": 1440, "height": 900}


def opened(page: Page, question: str = DELAY) -> Page:
    wait_for_answer(page, question)
    page.locator(".answer").last.locator(".chip[data-frame]").first.click()
    current_in_frame(page).wait_for(timeout=ANSWER_TIMEOUT_MS)
    return page


def test_sheet_becomes_panel_in_wider_window_and_keeps_sentence(site, contract, open_page):
    page = opened(open_page(f"{site}/", viewport=PHONE))
    page.set_viewport_size(WIDE)
    expect(page.locator(".citation-panel:not(:modal)[open]")).to_be_visible()
    page.evaluate("() => new Promise((done) => setTimeout(done, 100))")  # the sheet's own end is told after it
    expect(current_in_frame(page)).to_have_text(SAID, timeout=ANSWER_TIMEOUT_MS)
    expect(page.locator(".answer .chip").first).to_have_attribute("aria-current", "true")
    page.set_viewport_size(PHONE)
    expect(page.locator(".citation-panel:modal")).to_be_visible()
    expect(current_in_frame(page)).to_have_text(SAID, timeout=ANSWER_TIMEOUT_MS)


def test_escape_closes_one_thing_at_a_time_in_frame(site, contract, open_page):
    page = opened(open_page(f"{site}/", viewport=WIDE))
    framed = page.frame_locator(".citation-panel iframe")
    framed.locator(".quote-export:not([hidden]) summary").click()
    expect(framed.locator("[data-menu][open]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(framed.locator("[data-menu][open]")).to_have_count(0)
    expect(page.locator(".citation-panel")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".citation-panel")).to_be_hidden()


def test_links_in_frame_scroll_only_frame(site, contract, open_page):
    page = opened(open_page(f"{site}/", viewport={"width": 1440, "height": 600}, reduced_motion="reduce"), SEVERAL)
    page.evaluate("scrollTo(0, 0)")
    framed = page.frame_locator(".citation-panel iframe")
    number = framed.locator("mark[aria-current]").first.get_attribute("data-n")
    another = f"#mark-{2 if number == '1' else 1}"
    framed.locator(".highlight-reasons summary").click()
    framed.locator(f".highlight-reasons a[href='{another}']").click()
    for view, mark in (("Page", ".highlight"), ("Text", "mark")):
        framed.get_by_role("link", name=view, exact=True).click()
        expect(framed.locator(f"{mark}{another}[aria-current]")).to_be_in_viewport(timeout=ANSWER_TIMEOUT_MS)
        assert page.evaluate("scrollY") == 0


def test_escape_closes_panel_while_frame_loads(site, contract, open_page):
    page = wait_for_answer(open_page(f"{site}/", viewport=WIDE), DELAY)
    chip, panel = page.locator(".answer .chip").first, page.locator(".citation-panel")
    page.route("**/*.webp?*", lambda route: None)  # is never answered
    chip.click()
    framed = page.frame_locator(".citation-panel iframe")
    framed.get_by_role("link", name="Page", exact=True).click(timeout=ANSWER_TIMEOUT_MS)
    expect(framed.locator(".highlight[aria-current]").first).to_be_visible(timeout=ANSWER_TIMEOUT_MS)
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
    """Click in the middle of the panel's frame, whether or not it takes the focus."""
    box = page.locator(".citation-panel .frame").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_citations_are_counted_once(site, contract, open_page):
    page = opened(open_page(f"{site}/", viewport=WIDE), SEVERAL)
    steps = page.locator(".citation-panel [data-citation-panel-step]")
    framed = page.frame_locator(".citation-panel iframe").locator(".sheet > header .step")
    expect(steps.first).to_be_visible()
    expect(page.locator("[data-citation-panel-position]")).to_contain_text("1 of ")
    expect(framed).to_be_hidden()
    page.reload()
    opened(page, DELAY)
    expect(page.locator(".answer").last.locator(".chip[data-frame]")).to_have_count(1)  # counted by answer
    expect(steps.first).to_be_hidden()
    expect(page.locator("[data-citation-panel-position]")).to_have_text("")
    expect(framed).to_be_visible()


def test_panel_opens_in_view_used_last_and_page_view_scrolls_only_frame(site, contract, open_page):
    page = opened(open_page(f"{site}/", viewport={"width": 1440, "height": 500}, reduced_motion="reduce"), SEVERAL)
    framed = page.frame_locator(".citation-panel iframe")
    framed.get_by_role("link", name="Page", exact=True).click()
    current = framed.locator(".highlight[aria-current]").first
    expect(current).to_be_in_viewport(timeout=ANSWER_TIMEOUT_MS)
    page.keyboard.press("Escape")
    chip = page.locator(".answer .chip[data-frame]").last
    chip.click()
    before = page.evaluate("scrollY")
    expect(current).to_be_in_viewport(timeout=ANSWER_TIMEOUT_MS)
    assert page.evaluate("scrollY") == before
    page.reload()
    expect(page.locator(".answer > h2")).to_have_text(SEVERAL, timeout=ANSWER_TIMEOUT_MS)
    page.locator(".answer .chip[data-frame]").first.click()
    expect(current).to_be_in_viewport(timeout=ANSWER_TIMEOUT_MS)  # one click to the sentence on its page


def test_citations_are_checked_by_keyboard_alone(site, contract, open_page):
    """From outside the panel and from inside its frame, n and p open citation after citation."""
    page = wait_for_answer(open_page(f"{site}/", viewport=WIDE), SEVERAL)
    chips, position = page.locator(".answer .chip[data-frame]"), page.locator("[data-citation-panel-position]")
    count = chips.count()
    order = [(key, step % count) for key, steps in (("n", range(10)), ("p", range(8, 4, -1))) for step in steps]
    for key, at in order:
        page.keyboard.press(key)
        expect(position).to_have_text(f"{at + 1} of {count}")
        expect(chips.nth(at)).to_be_focused()
        expect(page.get_by_role("tooltip")).to_be_hidden()
    current_in_frame(page).wait_for(timeout=ANSWER_TIMEOUT_MS)
    current_in_frame(page).click()
    for key, at in (("n", order[-1][1] + 1), ("n", order[-1][1] + 2)):
        page.keyboard.press(key)
        expect(position).to_have_text(f"{at % count + 1} of {count}")
        expect(page.locator(".citation-panel h2")).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_contain_text("open the next or previous citation")
