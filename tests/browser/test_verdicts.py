"""Verdicts in the text of an answer, and the colours of the parts of a question."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import ANSWER_TIMEOUT_MS
from tests.browser.test_asking import DELAY, SAID, SEVERAL, WARNING, wait_for_answer
from tests.browser.test_viewer import PHONE

COLOUR = "element => getComputedStyle(element).getPropertyValue('--mark-3')"


def test_verdict_shows_its_source_on_focus_and_stays_switched_off(site, contract, open_page):
    page = wait_for_answer(open_page(f"{site}/"), DELAY)
    page.locator(".answer .chip").first.focus()
    page.keyboard.press("Shift+Tab")
    verdict = page.locator(".answer .verdict")
    expect(verdict.first).to_be_focused()
    expect(page.get_by_role("tooltip")).to_contain_text(SAID)
    page.keyboard.press("Escape")
    expect(page.get_by_role("tooltip")).to_be_hidden()
    page.get_by_role("main").get_by_label("Verdicts in the text").uncheck()
    expect(verdict.first).to_be_hidden()
    page.reload()
    expect(page.get_by_role("main").get_by_label("Verdicts in the text")).not_to_be_checked()
    wait_for_answer(page, WARNING)
    expect(verdict).to_have_count(2)
    assert not any(item.is_visible() for item in verdict.all())


def test_tap_on_verdict_shows_its_source_until_a_tap_beside_it(stored_answer_url, open_page):
    page = open_page(stored_answer_url, viewport=PHONE, has_touch=True)
    page.locator(".answer .verdict").first.tap()
    card = page.get_by_role("tooltip")
    expect(card).to_contain_text(SAID)
    card.tap()
    expect(card).to_be_visible()
    page.locator(".answer h2").tap()
    expect(card).to_be_hidden()


def test_part_has_one_colour_in_answer_panel_and_page(site, contract, open_page):
    page = wait_for_answer(open_page(f"{site}/", viewport={"width": 1440, "height": 900}), SEVERAL)
    part = page.locator(".answer .parts li").last
    chip = page.locator(".answer .chip[data-frame]").last
    assert chip.evaluate(COLOUR) == part.evaluate(COLOUR) != page.locator(".answer .chip").first.evaluate(COLOUR)
    chip.click()
    panel = page.locator("[data-citation-panel-part]")
    expect(panel).to_have_text("When must an early warning be given?")
    sheet = page.frame_locator(".citation-panel iframe").locator(".sheet")
    for view in ("Text", "Page"):
        sheet.get_by_role("link", name=view, exact=True).click(timeout=ANSWER_TIMEOUT_MS)
        expect(sheet.locator("[aria-current][data-n]").first).to_be_visible(timeout=ANSWER_TIMEOUT_MS)
        assert panel.evaluate(COLOUR) == sheet.evaluate(COLOUR) == part.evaluate(COLOUR)
