"""axe-core finds no violations in dialogs, light and dark: WCAG 2.2 AA and best practices. Pages: test_every_page.py."""

from __future__ import annotations

from pathlib import Path

import axe_playwright_python
from playwright.sync_api import Page

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]
BY_COLOUR = ["color-contrast", "link-in-text-block"]  # what the theme can change
# No rule that runs with these tags reads style sheets, which axe would fetch and parse again for each run.
RUN = """async (rules) => {
  const options = { runOnly: rules, resultTypes: ["violations"], iframes: false, preload: { assets: ["media"] } };
  const { violations } = await axe.run(document, options);
  return violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 200)}`));
}"""


def list_violations(page: Page) -> list[str]:
    """Return the violations in the light theme, and additional ones in the dark theme."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.evaluate(AXE)
    found = page.evaluate(RUN, {"type": "tag", "values": TAGS})
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    return found + [f"in the dark: {one}" for one in page.evaluate(RUN, {"type": "rule", "values": BY_COLOUR})]


def test_dialogs_have_no_axe_violations(pages, open_page):
    page = open_page(pages["an answer"])
    page.locator(".answer .chip").first.click()
    page.locator(".citation-panel[open]").wait_for()
    assert list_violations(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.locator("dialog.shortcuts[open]").wait_for()
    assert list_violations(page) == []
    page.goto(pages["a chunk with highlights"])
    page.keyboard.press("c")
    page.locator("[data-menu][open]").wait_for()
    assert list_violations(page) == []
    page.goto(pages["the library"])
    page.get_by_role("button", name="Delete Harbour Works Contract.pdf").click()
    page.locator("dialog .confirm").wait_for()
    assert list_violations(page) == []
