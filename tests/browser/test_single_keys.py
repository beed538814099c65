"""Single-key shortcuts can be disabled permanently on all pages, and enabled again (WCAG 2.1.4)."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ANSWER_TIMEOUT_MS, question_url
from tests.browser.every_page import SEVERAL

SWITCH, DIALOG = "Single-key shortcuts", "Keyboard shortcuts on this page"


def turn(page: Page, on: bool) -> None:
    """Switch single-key shortcuts with the mouse alone."""
    page.get_by_role("button", name="Keyboard shortcuts", exact=True).click()
    dialog = page.get_by_role("dialog", name=DIALOG)
    dialog.get_by_label(SWITCH).set_checked(on)
    dialog.get_by_role("button", name="Close").click()


def test_disabled_single_keys_do_nothing_and_other_keys_work(contract, open_page):
    page = open_page(question_url(contract, SEVERAL), reduced_motion="reduce")
    turn(page, False)
    page.locator("main").focus()
    for key in "npfc/?":
        page.keyboard.press(key)
    expect(page.locator("main")).to_be_focused()
    expect(page.locator("dialog[open], [data-menu][open]")).to_have_count(0)
    expect(page.locator("#mark-1")).to_have_attribute("aria-current", "true")
    page.get_by_role("link", name="Page", exact=True).click()
    expect(page.locator(".highlight[aria-current]").first).to_be_attached()  # its scripts have run
    page.keyboard.press("+")
    page.keyboard.press("n")
    expect(page.locator("[data-zoom-now]")).to_have_text("100 %")
    page.locator("[data-menu]").first.locator("summary").press("Enter")
    expect(page.locator("[data-menu][open]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("[data-menu][open]")).to_have_count(0)
    turn(page, True)
    page.locator("main").focus()
    page.keyboard.press("+")
    expect(page.locator("[data-zoom-now]")).to_have_text("125 %")


def test_disabled_single_keys_apply_to_answer_and_frame(pages, open_page):
    page = open_page(pages["an answer"], viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    page.locator(".answer .chip").first.wait_for(timeout=ANSWER_TIMEOUT_MS)
    turn(page, False)
    page.get_by_role("heading", level=2).first.focus()
    for key in "n/":
        page.keyboard.press(key)
    expect(page.locator(".answer h2").first).to_be_focused()
    page.locator(".answer .chip").first.press("Enter")
    framed = page.frame_locator(".citation-panel iframe")
    current = framed.locator("mark[aria-current]").first
    current.wait_for(timeout=ANSWER_TIMEOUT_MS)
    current.focus()
    number = current.get_attribute("data-n")
    for key in "nc":
        page.keyboard.press(key)
    expect(framed.locator("[data-menu][open]")).to_have_count(0)
    expect(current).to_have_attribute("data-n", number)
    turn(page, True)
    current.focus()
    page.keyboard.press("c")
    expect(framed.locator("[data-menu][open]")).to_have_count(1)


@pytest.mark.parametrize("width", [360, 768])
def test_shortcut_list_is_reachable_at_any_width(width, contract, open_page):
    page = open_page(contract, viewport={"width": width, "height": 640})
    opener = page.get_by_role("button", name="Keyboard shortcuts", exact=True)
    expect(opener).to_have_count(1)
    opener.click()
    expect(page.get_by_role("dialog", name=DIALOG).get_by_label(SWITCH)).to_be_in_viewport()


@pytest.mark.parametrize("script", ["delete window.localStorage", "throw new Error('not to be had')"])
def test_without_storage_single_keys_are_on_and_can_be_disabled(script, contract, open_page):
    page = open_page("about:blank", fresh=True)
    page.add_init_script(f"Object.defineProperty(window, 'localStorage', {{ get() {{ {script} }} }})")
    page.goto(contract)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name=DIALOG)
    dialog.get_by_label(SWITCH).uncheck()
    dialog.get_by_role("button", name="Close").click()
    page.locator("main").focus()
    page.keyboard.press("?")
    page.keyboard.press("/")
    expect(page.locator("main")).to_be_focused()
    page.get_by_role("button", name="Keyboard shortcuts", exact=True).click()
    expect(dialog.get_by_label(SWITCH)).not_to_be_checked()
