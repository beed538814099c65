"""axe-core finds nothing to object to, on any page, in light and in the dark: WCAG 2.2 AA and what is good practice."""

from __future__ import annotations

from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import Page

from tests.browser.conftest import ANSWERED_WITHIN
from tests.browser.every_page import ADDRESSES, COMES

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]
BY_COLOUR = ["color-contrast", "link-in-text-block"]  # what the theme can change
RUN = """async (rules) => {
  const { violations } = await axe.run(document, { runOnly: rules, resultTypes: ["violations"], iframes: false });
  return violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 200)}`));
}"""


def objections(page: Page) -> list[str]:
    """In light, and what differs of them in the dark."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.evaluate(AXE)
    found = page.evaluate(RUN, {"type": "tag", "values": TAGS})
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    return found + [f"in the dark: {one}" for one in page.evaluate(RUN, {"type": "rule", "values": BY_COLOUR})]


@pytest.mark.parametrize("name", ADDRESSES)
def test_nothing_on_a_page_stands_in_anybodys_way(name, pages, open_page):
    page = open_page(pages[name])
    if name in COMES:
        page.locator(COMES[name]).first.wait_for(timeout=ANSWERED_WITHIN)
    assert objections(page) == []


def test_nor_in_what_opens_over_it(pages, open_page):
    page = open_page(pages["an answer"])
    page.locator(".answer .chip").first.click()
    page.locator(".citation-panel[open]").wait_for()
    assert objections(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.locator("dialog.shortcuts[open]").wait_for()
    assert objections(page) == []
    page.goto(pages["a part with marks"])
    page.keyboard.press("c")
    page.locator("[data-menu][open]").wait_for()
    assert objections(page) == []
    page.goto(pages["the library"])
    page.get_by_role("button", name="Delete Harbour Works Contract.pdf").click()
    page.locator("dialog .confirm").wait_for()
    assert objections(page) == []
